#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Moves the nodes over `duration` seconds at the present velocities: eq. 3.6 as C1 (and C5).
template <class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void move_nodes(const Team& team, const BasicRodView<Real>& rod,
                                            double duration) {
  const auto period = static_cast<Real>(duration);
  const SummedVec3Array<Real> position = rod.positions();
  const BasicVec3Array<const Real> velocity = rod.vec3_array(field::velocity);
  for_each_lane(team, rod.node_lanes(), [=](int i) { position.add(i, period * velocity(i)); });
}

/// Turns the directors over `duration` seconds at the present rates: eq. 3.7 as C2 (and C6).
template <class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void turn_elements(const Team& team, const BasicRodView<Real>& rod,
                                               double duration) {
  const auto period = static_cast<Real>(duration);
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const BasicVec3Array<const Real> angular_velocity = rod.vec3_array(field::angular_velocity);
  for_each_lane(team, rod.element_lanes(),
                [=](int i) { orientation.rotate(i, period * angular_velocity(i)); });
}

/// Brings orientations back to unit norm. Rounding takes them off it by about 1e-16 a step, in single
/// precision by 1e-7 of the turn of a step, so once a slice is enough.
template <class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void normalize_orientations(const Team& team, const BasicRodView<Real>& rod) {
  for_each_lane(team, rod.elements, [=](int i) {
    using Whole = typename Precision<Real>::Whole;
    const BasicQuaternion<Whole> q = rod.quaternion(i);
    const Whole scale = Whole(1.5) - Whole(0.5) * squared_norm(q);  // Newton's step of 1/sqrt at 1
    rod.set_quaternion(i, {scale * q.w, scale * q.x, scale * q.y, scale * q.z});
  });
}

}  // namespace rodeo::cosserat
