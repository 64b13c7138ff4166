#pragma once

#include <type_traits>

#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// Mean of exp(-y) for y from 0 to x >= 0, (1 - exp(-x))/x, to rounding for any x. Without a branch or a
/// library call, so that loops over it are vectorised: Taylor's series at x/2^6, then six doublings by
/// f(2 y) = f(y) (1 - y f(y)/2).
template <class Real>
KOKKOS_INLINE_FUNCTION Real mean_decay(Real x) {
  constexpr Real largest = 40;  // exp(-40) is below the rounding of 1
  Real y = (x < largest ? x : largest) / 64;
  Real mean = Real(1) / 15;
  for (int n = 14; n > 1; --n) mean = (1 - y * mean) / static_cast<Real>(n);
  mean = 1 - y * mean;
  for (int doubling = 0; doubling < 6; ++doubling) {
    mean *= 1 - Real(0.5) * y * mean;
    y += y;
  }
  return x < largest ? mean : 1 / x;
}

/// How a rate u with inertia u' = f - drag u goes over a step, exactly for constant f: u <- decay u + gain f.
template <class Real>
struct BasicExactDamping {
  Real decay;  ///< in single precision the loss, 1 - decay
  Real gain;   ///< per unit f

  KOKKOS_INLINE_FUNCTION BasicExactDamping(Real drag, Real inertia, Real step) {
    const Real x = drag * step / inertia;
    const Real mean = mean_decay(x);
    decay = std::is_same_v<Real, double> ? 1 - x * mean : x * mean;
    gain = mean * (step / inertia);
  }
};
using ExactDamping = BasicExactDamping<double>;

/// The internal friction of eqs 4.1 and 4.2 with a coefficient gamma exp(-t/decay_time) (Figure 16 of Gazzola
/// et al. 2018). Decays and gains of all rates are set anew for every step, so nothing depends on how a run
/// is cut into slices. What is held has no gain and gets none.
struct DecayingDamping {
  double coefficient = 0.0;  ///< gamma at t = 0, kg/(m s)
  double decay_time = 0.0;   ///< s; 0: constant, as the rod was built with
  double step = 0.0;         ///< s

  KOKKOS_INLINE_FUNCTION bool acts() const { return decay_time > 0.0 && coefficient > 0.0; }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set(const Team& team, const BasicRodView<Real>& rod, double time) const {
    using Damping = BasicExactDamping<Real>;
    const Real* const mass = rod.array(field::mass);
    const Real* const inertia = rod.array(field::bend_inertia);
    const Real* const rest_length = rod.array(field::rest_length);
    Real* const decay = rod.array(field::velocity_decay);
    Real* const gain = rod.array(field::velocity_gain);
    Real* const bend_decay = rod.array(field::bend_rate_decay);
    Real* const bend_gain = rod.array(field::bend_rate_gain);
    Real* const twist_decay = rod.array(field::twist_rate_decay);
    Real* const twist_gain = rod.array(field::twist_rate_gain);
    const auto present = static_cast<Real>(coefficient * math::exp(-time / decay_time));
    const auto duration = static_cast<Real>(step);
    for_each_lane(team, rod.nodes(), [=](int i) {
      const Damping node(Real(0.5) * present * (rest_length[i - 1] + rest_length[i]), mass[i], duration);
      decay[i] = node.decay;
      gain[i] = gain[i] > 0 ? node.gain : 0;
    });
    for_each_lane(team, rod.elements, [=](int i) {
      const Real drag = present * rest_length[i];
      const Damping bend(drag, inertia[i], duration);
      const Damping twist(drag, 2 * inertia[i], duration);
      bend_decay[i] = bend.decay;
      bend_gain[i] = bend.gain;
      twist_decay[i] = twist.decay;
      twist_gain[i] = twist.gain;
    });
  }
};

}  // namespace rodeo::forces
