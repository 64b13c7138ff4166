#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// Drag of a viscous fluid at rest on a slender rod: the force per length -4 pi mu/ln(L/r) (I - t t'/2) v of
/// eq. 4.13 of Gazzola et al. 2018. A node carries the present lengths of the halves of its elements; its
/// tangent t is along the sum of their edges.
///
/// The drag C v of a node may change its velocity v much faster than a step resolves (for the swimmer of
/// Figure 11, C/m = 1.7e4/s), so it is not taken at the start of the step but at w v + (1 - w) v', where v' =
/// d v + g (F + drag) is what the kick makes of v, with its factors d (velocity_decay) and g (velocity_gain)
/// and the sum F of all other forces. With x = g C, w = 1/(2 + x) makes v'/v = 1/(1 + x + x^2/2) for F = 0:
/// exp(-x) to second order, between 0 and 1 for any step. The velocity at which F and the drag balance is
/// kept exactly. Across the rod, with v' eliminated:
///   drag = -C ((1 + (1 + x) d) v + (1 + x) g F)/(2 + 2 x + x^2),
/// along it the same with C/2.
struct SlenderBodyDrag {
  bool present = false;

  static SlenderBodyDrag of(const MemberSpec& spec) { return {spec.fluid.acts_by(FluidKind::slender_body)}; }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return present; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void answer(const Team& team, const BasicRodView<Real>& rod, const Rods&,
                                     double) const {
    using Vector = BasicVec3<Real>;
    const SummedVec3Array<Real> position = rod.positions();
    const BasicVec3Array<const Real> velocity = rod.vec3_array(field::velocity);
    const BasicVec3Array<const Real> internal_force = rod.vec3_array(field::internal_force);
    const Real* const length = rod.array(field::length);
    const Real* const weight = rod.array(field::half_drag);
    const Real* const decay = rod.array(field::velocity_decay);
    const Real* const gain = rod.array(field::velocity_gain);
    const BasicVec3Array<Real> external_force = rod.vec3_array(field::external_force);
    for_each_lane(team, rod.node_lanes(), [=](int i) {
      // Weights beyond the ends are zero: an end node has one element, a padding node has none.
      const Real before = weight[i - 1];
      const Real after = weight[i];
      constexpr Real half = 0.5;
      const Vector edges = before * position.edge(i - 1) + after * position.edge(i);
      // padding nodes have no edge
      const Real square = dot(edges, edges) + Precision<Real>::smallest_square;
      const Vector force = external_force(i) + (internal_force(i) - internal_force(i - 1));
      const Real drag = before * length[i - 1] + after * length[i];
      const Real across_divisor = divisor(gain[i] * drag);
      const Real along_divisor = divisor(gain[i] * (half * drag));
      const Real inverse = 1 / (square * across_divisor * along_divisor);  // of all three at once
      const Real inverse_square = inverse * (across_divisor * along_divisor);
      const Real inverse_across = inverse * (square * along_divisor);
      const Real inverse_along = inverse * (square * across_divisor);
      const Share<Real> across = share(drag, inverse_across, decay_of(decay[i]), gain[i]);
      const Share<Real> along = share(half * drag, inverse_along, decay_of(decay[i]), gain[i]);
      const Real difference =
          inverse_square * ((along.of_velocity - across.of_velocity) * dot(velocity(i), edges) +
                            (along.of_force - across.of_force) * dot(force, edges));
      external_force.set(i, external_force(i) - (across.of_velocity * velocity(i) + across.of_force * force +
                                                 difference * edges));
    });
  }

 private:
  /// The drag along or across the rod as a sum of shares of velocity (kg/s) and other forces (1).
  template <class Real>
  struct Share {
    Real of_velocity;
    Real of_force;
  };

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real divisor(Real x) {
    return 2 + x * (2 + x);
  }

  /// `inverse` is one over divisor(gain drag).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Share<Real> share(Real drag, Real inverse, Real decay, Real gain) {
    const Real further = 1 + gain * drag;
    const Real scale = drag * inverse;
    return {scale * (1 + further * decay), scale * (further * gain)};
  }
};

}  // namespace rodeo::forces
