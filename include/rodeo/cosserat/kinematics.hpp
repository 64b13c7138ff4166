#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Moves positions and directors over `duration` seconds at the present rates: eqs 3.6 and 3.7 as C1, C2 (and
/// C5, C6).
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void drift(const Team& team, const RodView& rod, double duration) {
  for (int c = 0; c < 3; ++c) {
    double* const position = rod.array(field::position, c);
    const double* const velocity = rod.array(field::velocity, c);
    for_each_lane(team, node_lanes(rod.elements), [=](int i) { position[i] += duration * velocity[i]; });
  }
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
