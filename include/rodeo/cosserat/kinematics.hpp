#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Moves the nodes over `duration` seconds at the present velocities: eq. 3.6 as C1 (and C5).
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void move_nodes(const Team& team, const RodView& rod, double duration) {
  const Vec3Array position = rod.vec3_array(field::position);
  const ConstVec3Array velocity = rod.vec3_array(field::velocity);
  for_each_lane(team, node_lanes(rod.elements), [=](int i) { position.add(i, duration * velocity(i)); });
}

/// Turns the directors over `duration` seconds at the present rates: eq. 3.7 as C2 (and C6).
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void turn_elements(const Team& team, const RodView& rod, double duration) {
  const QuaternionArray orientation = rod.quaternions();
  const ConstVec3Array angular_velocity = rod.vec3_array(field::angular_velocity);
  for_each_lane(team, element_lanes(rod.elements), [=](int i) {
    orientation.set(i, orientation(i) * small_rotation(duration * angular_velocity(i)));
  });
}

/// Brings orientations back to unit norm. Rounding takes them off it by about 1e-16 a step, so once a slice
/// is enough.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void normalize_orientations(const Team& team, const RodView& rod) {
  for_each_lane(team, rod.elements, [=](int i) {
    const Quaternion q = rod.quaternion(i);
    const double scale = 1.5 - 0.5 * squared_norm(q);  // Newton's step of 1/sqrt at 1
    rod.set_quaternion(i, {scale * q.w, scale * q.x, scale * q.y, scale * q.z});
  });
}

}  // namespace rodeo::cosserat
