#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// How a rate u with inertia u' = f - drag u goes over a step, exactly for constant f: u <- decay u + gain f.
struct ExactDamping {
  double decay;
  double gain;  ///< per unit f

  KOKKOS_INLINE_FUNCTION ExactDamping(double drag, double inertia, double step) {
    const double x = drag * step / inertia;
    decay = math::exp(-x);
    gain = (x > 0.0 ? -math::expm1(-x) / x : 1.0) * step / inertia;
  }
};

/// The internal friction of eqs 4.1 and 4.2 with a coefficient gamma exp(-t/decay_time) (Figure 16 of Gazzola
/// et al. 2018). Decays and gains of all rates are set anew for every step, so nothing depends on how a run
/// is cut into slices; a uniform rod has four different ones, so that costs four exponentials and no division
/// per entry.
struct DecayingDamping {
  double drag = 0.0;         ///< gamma l_hat of an element at t = 0, kg/s (and kg m^2/s)
  double decay_time = 0.0;   ///< s; 0: constant, as the rod was built with
  double step = 0.0;         ///< s
  bool holds_first = false;  ///< node 0 does not move freely
  bool holds_last = false;

  KOKKOS_INLINE_FUNCTION bool acts() const { return decay_time > 0.0 && drag > 0.0; }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void set(const Team& team, const RodView& rod, double time) const {
    const int n = rod.elements;
    const double present = drag * math::exp(-time / decay_time);
    const double inertia = rod.array(field::bend_inertia)[0];
    const ExactDamping node(present, 2.0 * rod.array(field::mass)[0], step);
    const ExactDamping last(0.5 * present, rod.array(field::mass)[n], step);
    fill(team, rod, field::velocity_decay, field::velocity_gain, rod.nodes(), node);
    once(team, [&] {
      rod.array(field::velocity_gain)[0] = holds_first ? 0.0 : 2.0 * node.gain;
      rod.array(field::velocity_decay)[n] = last.decay;
      rod.array(field::velocity_gain)[n] = holds_last ? 0.0 : last.gain;
    });
    fill(team, rod, field::bend_rate_decay, field::bend_rate_gain, n, {present, inertia, step});
    fill(team, rod, field::twist_rate_decay, field::twist_rate_gain, n, {present, 2.0 * inertia, step});
  }

 private:
  template <class Team>
  KOKKOS_INLINE_FUNCTION static void fill(const Team& team, const RodView& rod, int decay_field,
                                          int gain_field, int count, const ExactDamping& damping) {
    double* const decay = rod.array(decay_field);
    double* const gain = rod.array(gain_field);
    for_each_lane(team, count, [=](int i) {
      decay[i] = damping.decay;
      gain[i] = damping.gain;
    });
  }
};

}  // namespace rodeo::forces
