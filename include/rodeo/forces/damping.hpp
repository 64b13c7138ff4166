#pragma once

#include <numbers>

#include "rodeo/boundary/closure.hpp"
#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

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

/// Exact step of a rate u with inertia u' = f - drag u for constant f: u <- decay u + gain f.
template <class Real>
struct BasicExactDamping {
  Real decay;  ///< in single precision the loss, 1 - decay
  Real gain;   ///< per unit f

  KOKKOS_INLINE_FUNCTION BasicExactDamping(Real drag, Real inertia, Real step) {
    const Real x = drag * step / inertia;
    const Real mean = mean_decay(x);
    decay = Precision<Real>::compensated ? x * mean : 1 - x * mean;
    gain = mean * (step / inertia);
  }
};
using ExactDamping = BasicExactDamping<double>;

/// Damping of a rod: a force -c v on each node and a couple -c omega on each element. With line = rotational
/// these are eqs 4.1 and 4.2 of Gazzola et al. (2018), which use one number for both.
template <class Real>
struct BasicDampingLaw {
  Real line = 0;          ///< force over velocity of nodes, per rest length, kg/(m s)
  Real rotational = 0;    ///< couple over angular velocity of elements, per rest length, kg m/s
  Real rate = 0;          ///< force over momentum, and couple over angular momentum, 1/s
  Real section_rate = 0;  ///< couple over angular momentum times the square of the radius, m^2/s

  /// Law that damps the turning of a section of the given density (kg/m^3) at the rate at which `line` damps
  /// its velocity: line over mass per length.
  static BasicDampingLaw of_sections(Real line, Real density) {
    return {line, 0, 0, line / (static_cast<Real>(std::numbers::pi) * density)};
  }

  KOKKOS_INLINE_FUNCTION bool acts() const {
    return line > 0 || rotational > 0 || rate > 0 || section_rate > 0;
  }

  KOKKOS_INLINE_FUNCTION BasicDampingLaw times(Real factor) const {
    return {line * factor, rotational * factor, rate * factor, section_rate * factor};
  }

  template <class Other>
  KOKKOS_INLINE_FUNCTION BasicDampingLaw<Other> rounded() const {
    return {static_cast<Other>(line), static_cast<Other>(rotational), static_cast<Other>(rate),
            static_cast<Other>(section_rate)};
  }

  /// Force over velocity (kg/s) of a node; `length` is that of its elements together.
  KOKKOS_INLINE_FUNCTION Real of_node(Real length, Real mass) const {
    return Real(0.5) * line * length + rate * mass;
  }

  /// Couple over angular velocity (kg m^2/s) of an element about an axis of such a moment of inertia;
  /// contact_radius^2 is its radius squared times its length.
  KOKKOS_INLINE_FUNCTION Real of_element(Real length, Real inertia, Real contact_radius) const {
    return rotational * length +
           inertia * (rate + section_rate * (length / (contact_radius * contact_radius)));
  }
};
using DampingLaw = BasicDampingLaw<double>;

inline DampingLaw damping_law(const RodSpec& rod) {
  DampingLaw law = rod.rotational_damping ? DampingLaw{rod.damping, *rod.rotational_damping, 0.0, 0.0}
                                          : DampingLaw::of_sections(rod.damping, rod.density);
  law.rate = rod.damping_rate;
  return law;
}

/// Damping that falls as exp(-t/decay_time) (Figure 16 of Gazzola et al. 2018), besides that of the material.
/// Decays and gains of all rates are set anew for every step, so nothing depends on how a run is cut into
/// slices. Held nodes have no gain and get none.
struct DecayingDamping {
  DampingLaw start;               ///< at t = 0
  double decay_time = 0.0;        ///< s; 0: constant, as the rod was built with
  double step = 0.0;              ///< s
  double retardation_time = 0.0;  ///< of the material, s

  /// Whether it does more in a step than the arrays tell.
  KOKKOS_INLINE_FUNCTION bool acts() const { return decays() || retardation_time > 0.0; }
  KOKKOS_INLINE_FUNCTION bool decays() const { return decay_time > 0.0 && start.acts(); }

  KOKKOS_INLINE_FUNCTION DampingLaw at(double time) const {
    return decays() ? start.times(math::exp(-time / decay_time)) : start;
  }

  /// Adds the couples tau B kappa'/E^3 of Kelvin-Voigt damping, at the present rates, to those of all
  /// regions. Directors that clamps hold do not turn.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void add_couples(const Team& team, const BasicRodView<Real>& rod,
                                                            const boundary::Closure& closure) const {
    using Vector = BasicVec3<Real>;
    const int n = rod.elements;
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const SummedVec3Array<Real> rate = rod.angular_velocities();
    const Real* const length = rod.array(field::length);
    const BasicVec3Array<Real> bend_couple = rod.vec3_array(field::bend_couple);
    const BasicVec3Array<Real> transport_couple = rod.vec3_array(field::transport_couple);
    const bool closed = closure.closed;
    const Vector last =
        closed ? static_cast<Vector>(directors(closure.seam).to_body(rod.vec3(field::angular_velocity, 0)))
               : Vector{};
    const auto tau = static_cast<Real>(retardation_time);
    const auto add = [=](int i, Real before, Real after, const Vector& rate_before,
                         const Vector& rate_after) {
      const auto law = law::BendTwist<Real>::of(rod, i);
      const Real dilatation =
          rod.section_value(Real(0.5) * (before + after) * law.inverse_rest_voronoi, Real(1));
      const BasicRotationLog<Real> turn = rotation_log(orientation.turn(i));
      const Real viscosity = tau * law.inverse_rest_voronoi / (dilatation * dilatation * dilatation);
      const Vector couple = scaled(viscosity * law.stiffness, law::turn_rate(turn, rate_before, rate_after));
      const law::BasicRegionLoad<Real> load = law::shared_couple(turn, couple);
      bend_couple.add(i, load.couple);
      transport_couple.add(i, load.transport);
    };
    for_each_lane(team, n - 1, [=](int i) { add(i, length[i], length[i + 1], rate(i), rate(i + 1)); });
    once(team, [&] {
      const Real* const inverse_voronoi = rod.array(field::inverse_rest_voronoi);
      if (inverse_voronoi[-1] > 0) add(-1, Real(0), length[0], Vector{}, rate(0));
      if (inverse_voronoi[n - 1] > 0)
        add(n - 1, length[n - 1], closed ? length[0] : Real(0), rate(n - 1), last);
    });
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set(const Team& team, const BasicRodView<Real>& rod, double time) const {
    const BasicDampingLaw<Real> present = at(time).template rounded<Real>();
    if (present.rate > 0 || present.section_rate > 0) return set_rates(team, rod, present);
    const Real* const rest_length = rod.array(field::rest_length);  // no mass enters
    const auto of_element = [=](int i) { return present.rotational * rest_length[i]; };
    set_by(
        team, rod, [=](int i) { return Real(0.5) * present.line * (rest_length[i - 1] + rest_length[i]); },
        of_element, of_element);
  }

  /// After `set`, where sections are not alike about d1 and d2: the rates about d2 and d3.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_further(const Team& team, const BasicRodView<Real>& rod,
                                                            double time) const {
    using Damping = BasicExactDamping<Real>;
    const BasicDampingLaw<Real> present = at(time).template rounded<Real>();
    const Real* const rest_length = rod.array(field::rest_length);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const second_inertia = rod.array(field::second_bend_inertia);
    const Real* const twist_inertia = rod.array(field::twist_inertia);
    Real* const second_decay = rod.array(field::second_bend_rate_decay);
    Real* const second_gain = rod.array(field::second_bend_rate_gain);
    Real* const twist_decay = rod.array(field::twist_rate_decay);
    Real* const twist_gain = rod.array(field::twist_rate_gain);
    const auto duration = static_cast<Real>(step);
    for_each_lane(team, rod.elements, [=](int i) {
      const auto about = [&](Real inertia) {
        return Damping(present.of_element(rest_length[i], inertia, contact_radius[i]), inertia, duration);
      };
      const Damping second = about(second_inertia[i]);
      const Damping twist = about(twist_inertia[i]);
      second_decay[i] = second.decay;
      second_gain[i] = second.gain;
      twist_decay[i] = twist.decay;
      twist_gain[i] = twist.gain;
    });
  }

 private:
  /// Apart from the step's own code, which the compiler would contract otherwise: results keep their bits.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_rates(const Team& team, const BasicRodView<Real>& rod,
                                                          const BasicDampingLaw<Real>& present) const {
    const Real* const rest_length = rod.array(field::rest_length);
    const Real* const mass = rod.array(field::mass);
    const Real* const inertia = rod.array(field::bend_inertia);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const auto of_element = [=](int i, Real moment) {
      return present.of_element(rest_length[i], moment, contact_radius[i]);
    };
    set_by(
        team, rod, [=](int i) { return present.of_node(rest_length[i - 1] + rest_length[i], mass[i]); },
        [=](int i) { return of_element(i, inertia[i]); },
        [=](int i) { return of_element(i, 2 * inertia[i]); });
  }

  /// Sets decays and gains by the drags of nodes and of elements about d1 and d3.
  template <class Team, class Real, class OfNode, class OfBend, class OfTwist>
  KOKKOS_INLINE_FUNCTION void set_by(const Team& team, const BasicRodView<Real>& rod, const OfNode& of_node,
                                     const OfBend& of_bend, const OfTwist& of_twist) const {
    using Damping = BasicExactDamping<Real>;
    const Real* const mass = rod.array(field::mass);
    const Real* const inertia = rod.array(field::bend_inertia);
    Real* const decay = rod.array(field::velocity_decay);
    Real* const gain = rod.array(field::velocity_gain);
    Real* const bend_decay = rod.array(field::bend_rate_decay);
    Real* const bend_gain = rod.array(field::bend_rate_gain);
    Real* const twist_decay = rod.array(field::twist_rate_decay);
    Real* const twist_gain = rod.array(field::twist_rate_gain);
    const auto duration = static_cast<Real>(step);
    for_each_lane(team, rod.nodes(), [=](int i) {
      const Damping node(of_node(i), mass[i], duration);
      decay[i] = node.decay;
      gain[i] = gain[i] > 0 ? node.gain : 0;
    });
    for_each_lane(team, rod.elements, [=](int i) {
      const Damping bend(of_bend(i), inertia[i], duration);
      const Damping twist(of_twist(i), 2 * inertia[i], duration);
      bend_decay[i] = bend.decay;
      bend_gain[i] = bend.gain;
      twist_decay[i] = twist.decay;
      twist_gain[i] = twist.gain;
    });
  }
};

}  // namespace rodeo::forces
