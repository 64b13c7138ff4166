#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

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
/// along it the same with C/2. The other forces must have been added before.
struct SlenderBodyDrag {
  bool present = false;

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return present; }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const RodView& rod, double) const {
    const ConstVec3Array position = rod.vec3_array(field::position);
    const ConstVec3Array velocity = rod.vec3_array(field::velocity);
    const ConstVec3Array internal_force = rod.vec3_array(field::internal_force);
    const double* const length = rod.array(field::length);
    const double* const weight = rod.array(field::half_drag);
    const double* const decay = rod.array(field::velocity_decay);
    const double* const gain = rod.array(field::velocity_gain);
    const Vec3Array external_force = rod.vec3_array(field::external_force);
    for_each_lane(team, node_lanes(rod.elements), [=](int i) {
      // Weights beyond the ends are zero: an end node has one element, a padding node has none.
      const double before = weight[i - 1];
      const double after = weight[i];
      const Vec3 edges = before * (position(i) - position(i - 1)) + after * (position(i + 1) - position(i));
      const double square = dot(edges, edges) + smallest_square;
      const Vec3 force = external_force(i) + (internal_force(i) - internal_force(i - 1));
      const double drag = before * length[i - 1] + after * length[i];
      const double across_divisor = divisor(gain[i] * drag);
      const double along_divisor = divisor(gain[i] * (0.5 * drag));
      const double inverse = 1.0 / (square * across_divisor * along_divisor);  // of all three at once
      const double inverse_square = inverse * (across_divisor * along_divisor);
      const double inverse_across = inverse * (square * along_divisor);
      const double inverse_along = inverse * (square * across_divisor);
      const Share across = share(drag, inverse_across, decay[i], gain[i]);
      const Share along = share(0.5 * drag, inverse_along, decay[i], gain[i]);
      const double difference =
          inverse_square * ((along.of_velocity - across.of_velocity) * dot(velocity(i), edges) +
                            (along.of_force - across.of_force) * dot(force, edges));
      external_force.set(i, external_force(i) - (across.of_velocity * velocity(i) + across.of_force * force +
                                                 difference * edges));
    });
  }

 private:
  /// Keeps padding nodes, which have no edge, from dividing by zero.
  static constexpr double smallest_square = 1e-300;

  /// The drag along or across the rod as a sum of shares of velocity (kg/s) and other forces (1).
  struct Share {
    double of_velocity;
    double of_force;
  };

  KOKKOS_FORCEINLINE_FUNCTION static double divisor(double x) { return 2.0 + x * (2.0 + x); }

  /// `inverse` is one over divisor(gain drag).
  KOKKOS_FORCEINLINE_FUNCTION static Share share(double drag, double inverse, double decay, double gain) {
    const double further = 1.0 + gain * drag;
    const double scale = drag * inverse;
    return {scale * (1.0 + further * decay), scale * (further * gain)};
  }
};

}  // namespace rodeo::forces
