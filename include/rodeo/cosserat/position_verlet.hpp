#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Second block of the position Verlet step (C3, C4): velocities of all nodes over a step, from the element
/// forces around each node (difference operator of Appendix D) and, if `External`, the nodes' external
/// forces. A force on an end is the internal force of a virtual element beyond it (entries -1 and n).
template <bool External, class Team>
KOKKOS_FORCEINLINE_FUNCTION void kick_nodes(const Team& team, const RodView& rod) {
  const double* const decay = rod.array(field::velocity_decay);
  const double* const gain = rod.array(field::velocity_gain);
  const ConstVec3Array internal = rod.vec3_array(field::internal_force);
  const ConstVec3Array external = rod.vec3_array(field::external_force);
  const Vec3Array velocity = rod.vec3_array(field::velocity);
  const Vec3Array middle = rod.vec3_array(field::middle_velocity);
  for_each_lane(team, node_lanes(rod.elements), [=](int i) {
    Vec3 force = internal(i) - internal(i - 1);
    if constexpr (External) force = force + external(i);
    const Vec3 before = velocity(i);
    const Vec3 after = decay[i] * before + gain[i] * force;
    velocity.set(i, after);
    middle.set(i, 0.5 * (before + after));
  });
}

/// The same for the angular velocities of all elements (3.9 divided by J_hat/e). A couple on an end is the
/// bend couple of a virtual region beyond it (entries -1 and n - 1). The Lagrangian transport and unsteady
/// dilatation depend on the rates themselves: taken at the middle of the kick, and damped over half of it,
/// they keep the step second-order, where C4 with the old rates is first-order. Turns the elements at their
/// new rates over `duration` as well (C6), which no one needs to wait for: the rates are at hand here.
template <bool External, class Team>
KOKKOS_FORCEINLINE_FUNCTION void kick_and_turn_elements(const Team& team, const RodView& rod, double step,
                                                        double duration) {
  const ConstVec3Array position = rod.vec3_array(field::position);
  const ConstVec3Array velocity = rod.vec3_array(field::middle_velocity);
  const double* const length = rod.array(field::length);
  const double* const inverse_length = rod.array(field::inverse_length);
  const double* const inverse_rest_length = rod.array(field::inverse_rest_length);
  const ConstVec3Array shear_couple = rod.vec3_array(field::shear_couple);
  const ConstVec3Array bend_couple = rod.vec3_array(field::bend_couple);
  const ConstVec3Array transport_couple = rod.vec3_array(field::transport_couple);
  const ConstVec3Array external_couple = rod.vec3_array(field::external_couple);
  const double* const bend_decay = rod.array(field::bend_rate_decay);
  const double* const bend_gain = rod.array(field::bend_rate_gain);
  const double* const twist_decay = rod.array(field::twist_rate_decay);
  const double* const twist_gain = rod.array(field::twist_rate_gain);
  const Vec3Array angular_velocity = rod.vec3_array(field::angular_velocity);
  const QuaternionArray orientation = rod.quaternions();
  const double stretching_step = rod.shrink * step;  // the inertia of a rigid section does not change
  for_each_lane(team, element_lanes(rod.elements), [=](int i) {
    Vec3 couple = (shear_couple(i) + bend_couple(i)) - bend_couple(i - 1) +
                  (transport_couple(i) + transport_couple(i - 1));
    if constexpr (External) couple = couple + external_couple(i);
    const double dilatation = rod.followed(length[i] * inverse_rest_length[i], 1.0);
    const double bend = dilatation * bend_gain[i];
    const Vec3 kick = {bend * couple.x, bend * couple.y, dilatation * twist_gain[i] * couple.z};
    const Vec3 edge = position(i + 1) - position(i);
    const Vec3 spread = velocity(i + 1) - velocity(i);
    const double inverse = inverse_length[i];
    const double stretching = stretching_step * dot(edge, spread) * inverse * inverse;  // dt (de/dt)/e
    const double bend_mean = 0.5 * (1.0 + bend_decay[i]);
    const double twist_mean = 0.5 * (1.0 + twist_decay[i]);
    const Vec3 before = angular_velocity(i);
    const Vec3 rate = {bend_mean * before.x + 0.5 * kick.x, bend_mean * before.y + 0.5 * kick.y,
                       twist_mean * before.z + 0.5 * kick.z};
    // (J omega/e) x omega divided by J/e, with J = J1 diag(1, 1, 2): (-w2 w3, w1 w3, 0)
    const double turning = step * rate.z;
    const Vec3 after = {
        bend_decay[i] * before.x + kick.x + bend_mean * (stretching * rate.x - turning * rate.y),
        bend_decay[i] * before.y + kick.y + bend_mean * (stretching * rate.y + turning * rate.x),
        twist_decay[i] * before.z + kick.z + twist_mean * (stretching * rate.z)};
    angular_velocity.set(i, after);
    orientation.set(i, orientation(i) * small_rotation(duration * after));
  });
}

}  // namespace rodeo::cosserat
