#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Second block of the position Verlet step (C3, C4): velocities of all nodes over a step, from the element
/// forces around each node (difference operator of Appendix D) and, if `External`, the nodes' external
/// forces. A force on an end is the internal force of a virtual element beyond it (entries -1 and n).
template <bool External, class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void kick_nodes(const Team& team, const BasicRodView<Real>& rod) {
  using Vector = BasicVec3<Real>;
  const Real* const decay = rod.array(field::velocity_decay);
  const Real* const gain = rod.array(field::velocity_gain);
  const BasicVec3Array<const Real> internal = rod.vec3_array(field::internal_force);
  const BasicVec3Array<const Real> external = rod.vec3_array(field::external_force);
  const SummedVec3Array<Real> velocity = rod.velocities();
  const BasicVec3Array<Real> middle = rod.vec3_array(field::middle_velocity);
  for_each_lane(team, rod.node_lanes(), [=](int i) {
    Vector force = internal(i) - internal(i - 1);
    if constexpr (External) force = force + external(i);
    const Vector before = velocity(i);
    const Vector kick = gain[i] * force;
    const Vector after = {velocity.x.kick(i, decay[i], kick.x), velocity.y.kick(i, decay[i], kick.y),
                          velocity.z.kick(i, decay[i], kick.z)};
    middle.set(i, Real(0.5) * (before + after));
  });
}

/// Kicks the angular velocities of all elements (3.9 divided by J_hat/e). A couple on an end is the
/// bend couple of a virtual region beyond it (entries -1 and n - 1). The Lagrangian transport and unsteady
/// dilatation depend on the rates themselves: taken at the middle of the kick, and damped over half of it,
/// they keep the step second-order, where C4 with the old rates is first-order and lets what spins wobble
/// ever more. Both turn and stretch the rates about d1 and d2 as complex numbers, by exp(s + i t) with the
/// stretching s and the spin t of the step: J = J1 diag(1, 1, 2), and (J omega/e) x omega divided by J/e is
/// (-w2 w3, w1 w3, 0). Its polynomials are of second order in s, and in t the square of their norm is 1 +
/// t^8/2200, so that a body that nothing turns keeps its energy. Turns the elements at their new rates over
/// `duration` as well (C6): the rates are in registers here. What is long to compute waits for little, as the
/// registers of a core hold hardly more than one vector of elements on its way.
template <bool External, class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void kick_and_turn_elements(const Team& team, const BasicRodView<Real>& rod,
                                                        double step, double duration) {
  using Vector = BasicVec3<Real>;
  using ConstVectors = BasicVec3Array<const Real>;
  const SummedVec3Array<Real> position = rod.positions();
  const ConstVectors velocity = rod.vec3_array(field::middle_velocity);
  const Real* const length = rod.array(field::length);
  const Real* const inverse_length = rod.array(field::inverse_length);
  const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
  const ConstVectors shear_couple = rod.vec3_array(field::shear_couple);
  const ConstVectors bend_couple = rod.vec3_array(field::bend_couple);
  const ConstVectors transport_couple = rod.vec3_array(field::transport_couple);
  const ConstVectors external_couple = rod.vec3_array(field::external_couple);
  const Real* const bend_decay = rod.array(field::bend_rate_decay);
  const Real* const bend_gain = rod.array(field::bend_rate_gain);
  const Real* const twist_decay = rod.array(field::twist_rate_decay);
  const Real* const twist_gain = rod.array(field::twist_rate_gain);
  const SummedVec3Array<Real> angular_velocity = rod.angular_velocities();
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const auto half_step = static_cast<Real>(0.5 * step);
  const auto turn_step = static_cast<Real>(duration);
  // The inertia of a rigid section does not change.
  const auto stretching_step = static_cast<Real>(rod.shrink * step);
  for_each_lane(team, rod.element_lanes(), [=](int i) {
    Vector couple = (shear_couple(i) + bend_couple(i)) - bend_couple(i - 1) +
                    (transport_couple(i) + transport_couple(i - 1));
    if constexpr (External) couple = couple + external_couple(i);
    const Real dilatation = rod.section_value(length[i] * inverse_rest_length[i], Real(1));
    const Real bend = dilatation * bend_gain[i];
    const Vector kick = {bend * couple.x, bend * couple.y, dilatation * twist_gain[i] * couple.z};
    const Vector edge = position.edge(i);
    const Vector spread = velocity(i + 1) - velocity(i);
    const Real inverse = inverse_length[i];
    const Real stretching = stretching_step * dot(edge, spread) * inverse * inverse;  // dt (de/dt)/e
    constexpr Real half = 0.5;
    constexpr Real quarter = 0.25;
    const Real bend_kept = decay_of(bend_decay[i]);
    const Real twist_kept = decay_of(twist_decay[i]);
    const Vector before = angular_velocity(i);
    // Rates before and after, without gyroscopic and stretching terms; their mean damped over half the step.
    const Vector sum = {before.x + (bend_kept * before.x + kick.x),
                        before.y + (bend_kept * before.y + kick.y),
                        before.z + (twist_kept * before.z + kick.z)};
    const Real bend_share = quarter + quarter * bend_kept;
    const Vector middle = {bend_share * sum.x, bend_share * sum.y, (quarter + quarter * twist_kept) * sum.z};
    const Real spin = half_step * sum.z;
    const Real square = spin * spin;
    const Real half_stretching = half * stretching;
    const Real growth = stretching + half_stretching * stretching;
    const Real cosine = growth - square * (half - Real(0.021446609406726238) * square);  // less 1
    const Real sine = spin * ((1 + stretching + half_stretching) - Real(0.14644660940672624) * square);
    const Vector after = {
        angular_velocity.x.kick(i, bend_decay[i], kick.x, cosine * middle.x - sine * middle.y),
        angular_velocity.y.kick(i, bend_decay[i], kick.y, cosine * middle.y + sine * middle.x),
        angular_velocity.z.kick(i, twist_decay[i], kick.z, growth * middle.z)};
    orientation.rotate(i, turn_step * after);
  });
}

/// Kicks and turns elements whose sections are not alike about d1 and d2. Gyroscopic couples and stretching
/// are taken at the rates at the middle of the step, found by iteration: so a body that nothing turns keeps
/// its energy (implicit midpoint rule), as it has quadratic invariants.
template <bool External, class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void kick_and_turn_two_axes(const Team& team, const BasicRodView<Real>& rod,
                                                        double step, double duration) {
  using Vector = BasicVec3<Real>;
  using ConstVectors = BasicVec3Array<const Real>;
  constexpr int iterations = 6;  // the error falls by omega dt in each
  const SummedVec3Array<Real> position = rod.positions();
  const ConstVectors velocity = rod.vec3_array(field::middle_velocity);
  const Real* const length = rod.array(field::length);
  const Real* const inverse_length = rod.array(field::inverse_length);
  const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
  const ConstVectors shear_couple = rod.vec3_array(field::shear_couple);
  const ConstVectors bend_couple = rod.vec3_array(field::bend_couple);
  const ConstVectors transport_couple = rod.vec3_array(field::transport_couple);
  const ConstVectors external_couple = rod.vec3_array(field::external_couple);
  const Real* const first_decay = rod.array(field::bend_rate_decay);
  const Real* const first_gain = rod.array(field::bend_rate_gain);
  const Real* const second_decay = rod.array(field::second_bend_rate_decay);
  const Real* const second_gain = rod.array(field::second_bend_rate_gain);
  const Real* const twist_decay = rod.array(field::twist_rate_decay);
  const Real* const twist_gain = rod.array(field::twist_rate_gain);
  const Real* const first_inertia = rod.array(field::bend_inertia);
  const Real* const second_inertia = rod.array(field::second_bend_inertia);
  const Real* const twist_inertia = rod.array(field::twist_inertia);
  const SummedVec3Array<Real> angular_velocity = rod.angular_velocities();
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const auto kick_step = static_cast<Real>(step);
  const auto turn_step = static_cast<Real>(duration);
  const auto stretching_step = static_cast<Real>(rod.shrink * step);
  for_each_lane(team, rod.element_lanes(), [=](int i) {
    Vector couple = (shear_couple(i) + bend_couple(i)) - bend_couple(i - 1) +
                    (transport_couple(i) + transport_couple(i - 1));
    if constexpr (External) couple = couple + external_couple(i);
    const Real dilatation = rod.section_value(length[i] * inverse_rest_length[i], Real(1));
    const Vector kick = {dilatation * first_gain[i] * couple.x, dilatation * second_gain[i] * couple.y,
                         dilatation * twist_gain[i] * couple.z};
    const Vector edge = position.edge(i);
    const Vector spread = velocity(i + 1) - velocity(i);
    const Real inverse = inverse_length[i];
    const Real stretching = stretching_step * dot(edge, spread) * inverse * inverse;  // dt (de/dt)/e
    constexpr Real half = 0.5;
    const Vector mean = {half * (1 + decay_of(first_decay[i])), half * (1 + decay_of(second_decay[i])),
                         half * (1 + decay_of(twist_decay[i]))};
    // Beyond the ends there is no inertia, and nothing turns.
    const Real smallest = Precision<Real>::smallest_square;
    const Real j1 = first_inertia[i] + smallest;
    const Real j2 = second_inertia[i] + smallest;
    const Real j3 = twist_inertia[i] + smallest;
    const Vector turning = {kick_step * (j2 - j3) / j1, kick_step * (j3 - j1) / j2,
                            kick_step * (j1 - j2) / j3};
    const Vector before = angular_velocity(i);
    const Vector start = {mean.x * before.x + half * kick.x, mean.y * before.y + half * kick.y,
                          mean.z * before.z + half * kick.z};
    // ((J omega/e) x omega)/(J/e) and omega (de/dt)/e over the step
    Vector rate = start;
    Vector further;
    for (int k = 0; k < iterations; ++k) {
      further = {mean.x * (stretching * rate.x + turning.x * rate.y * rate.z),
                 mean.y * (stretching * rate.y + turning.y * rate.z * rate.x),
                 mean.z * (stretching * rate.z + turning.z * rate.x * rate.y)};
      rate = start + half * further;
    }
    const Vector after = {angular_velocity.x.kick(i, first_decay[i], kick.x, further.x),
                          angular_velocity.y.kick(i, second_decay[i], kick.y, further.y),
                          angular_velocity.z.kick(i, twist_decay[i], kick.z, further.z)};
    orientation.rotate(i, turn_step * after);
  });
}

/// Kicks and turns elements of either kind of section; `circular` says that all rods of the batch are so.
template <bool External, bool circular, class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void kick_and_turn(const Team& team, const BasicRodView<Real>& rod, double step,
                                               double duration) {
  if constexpr (!circular) {
    if (!rod.circular) return kick_and_turn_two_axes<External>(team, rod, step, duration);
  }
  kick_and_turn_elements<External>(team, rod, step, duration);
}

}  // namespace rodeo::cosserat
