#pragma once

#include "rodeo/input/member_spec.hpp"
#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// Muscular activity (section 4.1.1 of Gazzola et al. 2018): internal couples or internal forces along a
/// direction, with the size of the travelling wave A_m = beta(s) sin(2 pi t/T + k s + phi) (eq. 4.3), s
/// counted from node 0. For k > 0 the wave runs from the last node, the head, to node 0, the tail. Its
/// amplitude grows linearly over the first period. As sin(a + k s) = sin(a) cos(k s) + cos(a) sin(k s), a
/// step needs one sine and one cosine; beta cos(k s) and beta sin(k s) stand in field::muscle_cosine and
/// field::muscle_sine.
struct Muscle {
  MuscleKind kind = MuscleKind::none;
  bool in_laboratory = false;  ///< frame of `axis`: the laboratory's or each element's directors
  Vec3 axis;                   ///< unit vector
  double period = 0.0;         ///< T, s
  double phase = 0.0;          ///< phi, rad

  /// Adds the muscles' share to the internal loads of this step.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void apply(const Team& team, const RodView& rod, double time) const {
    if (kind == MuscleKind::couple) {
      if (in_laboratory) {
        add_couples<true>(team, rod, time);
      } else {
        add_couples<false>(team, rod, time);
      }
    } else if (kind == MuscleKind::force) {
      if (in_laboratory) {
        add_forces<true>(team, rod, time);
      } else {
        add_forces<false>(team, rod, time);
      }
    }
  }

 private:
  /// The wave at an instant: factors of muscle_cosine and muscle_sine.
  struct Wave {
    double sine;
    double cosine;
  };

  KOKKOS_INLINE_FUNCTION Wave wave(double time) const {
    const double periods = time / period;
    const double ramp = periods < 1.0 ? periods : 1.0;
    const double angle = 6.283185307179586 * (periods - math::floor(periods)) + phase;
    return {ramp * math::sin(angle), ramp * math::cos(angle)};
  }

  /// Couples at the interior nodes (eq. 4.5): -tau on the element before the node, +tau on the one after, one
  /// and the same laboratory vector, so that they have no resultant. A positive wave bends the rod towards
  /// positive curvature about the axis, as a rest curvature A_m/B would. A director of a node is the mean of
  /// its elements' directors.
  template <bool InLaboratory, class Team>
  KOKKOS_INLINE_FUNCTION void add_couples(const Team& team, const RodView& rod, double time) const {
    const ConstQuaternionArray orientation = rod.quaternions();
    const double* const in_phase = rod.array(field::muscle_cosine);
    const double* const in_quadrature = rod.array(field::muscle_sine);
    const Vec3Array bend_couple = rod.vec3_array(field::bend_couple);
    const Vec3Array transport_couple = rod.vec3_array(field::transport_couple);
    const Wave now = wave(time);
    const Vec3 a = axis;
    for_each_lane(team, element_lanes(rod.elements), [=](int i) {
      const Directors here = directors(orientation(i));
      const Directors next = directors(orientation(i + 1));
      Vec3 direction = a;
      if constexpr (!InLaboratory) direction = 0.5 * (here.to_laboratory(a) + next.to_laboratory(a));
      const double half = 0.5 * (now.sine * in_phase[i] + now.cosine * in_quadrature[i]);
      const Vec3 on_here = here.to_body(half * direction);
      const Vec3 on_next = next.to_body(half * direction);
      // The kick applies transport + bend to element i and transport - bend to element i + 1.
      bend_couple.set(i, bend_couple(i) - (on_next + on_here));
      transport_couple.add(i, on_next - on_here);
    });
  }

  /// Forces in the elements (eq. 4.4), positive ones contract: added to the internal force, with its couple
  /// (third term of 3.9), so that they have neither a resultant force nor a resultant moment.
  template <bool InLaboratory, class Team>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const RodView& rod, double time) const {
    const ConstVec3Array position = rod.vec3_array(field::position);
    const ConstQuaternionArray orientation = rod.quaternions();
    const double* const in_phase = rod.array(field::muscle_cosine);
    const double* const in_quadrature = rod.array(field::muscle_sine);
    const Vec3Array internal_force = rod.vec3_array(field::internal_force);
    const Vec3Array shear_couple = rod.vec3_array(field::shear_couple);
    const Wave now = wave(time);
    const Vec3 a = axis;
    for_each_lane(team, element_lanes(rod.elements), [=](int i) {
      const Directors d = directors(orientation(i));
      const double size = now.sine * in_phase[i] + now.cosine * in_quadrature[i];
      Vec3 force = size * a;
      if constexpr (!InLaboratory) force = d.to_laboratory(force);
      internal_force.add(i, force);
      shear_couple.add(i, d.to_body(cross(position(i + 1) - position(i), force)));
    });
  }
};

}  // namespace rodeo::forces
