#pragma once

#include "rodeo/forces/surface.hpp"
#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// Coulomb friction in one direction: what brings a body to rest within the step, as far as the coefficients
/// let it. Away from rest that is the kinetic friction -mu_k N v/|v| and at rest the static friction
/// -min(|F|, mu_s N) F/|F| of section 4.1.4 (whose `max` is a misprint), but a sliding body is never turned
/// round by the friction of its last step.
struct Coulomb {
  double static_forward = 0.0;
  double static_backward = 0.0;
  double kinetic_forward = 0.0;
  double kinetic_backward = 0.0;

  /// `arrest` is the force that would bring the body to rest, `slipping` 0 for static, 1 for kinetic
  /// friction. N
  KOKKOS_INLINE_FUNCTION double friction(double arrest, double slipping, double load) const {
    const double forward = load * (static_forward + slipping * (kinetic_forward - static_forward));
    const double backward = load * (static_backward + slipping * (kinetic_backward - static_backward));
    const double bounded = arrest < backward ? arrest : backward;
    return bounded > -forward ? bounded : -forward;
  }
};

/// How a surface answers a rod that touches it: wall response (4.8) and anisotropic Coulomb friction (4.9 to
/// 4.12) of Gazzola et al. 2018. Both answer the net force, so this law comes after all others.
///
/// Each element feels its share of the forces on its nodes, and has that share of their masses. Directions of
/// an element are the surface's normal where it is nearest to the element's middle, `axial` (its edge in the
/// tangent plane) and `lateral` = axial x normal. The wall's whole response is what friction is in proportion
/// to. The surface acts at the point of contact, radius r below the axis, which slips sideways at v_lateral -
/// r omega_axial. Axial friction is sized first; it is perpendicular to the lateral force of its element, so
/// rolling friction needs no second pass to include it.
struct Wall {
  double stiffness = 0.0;  ///< k_w, N/m
  double damping = 0.0;    ///< gamma_w, kg/s
  Coulomb axial_friction;
  Coulomb rolling_friction;
  double inverse_threshold = 0.0;  ///< 1/v_eps, s/m
  double inverse_step = 0.0;       ///< 1/dt, 1/s
  double touch_margin = 0.0;       ///< gap below which an element touches: above rounding, below roughness, m

  /// `rods` are those of the member `rod`.
  template <class Surface, class Team, class Rods>
  KOKKOS_INLINE_FUNCTION void add(const Surface& surface, const Team& team, const RodView& rod,
                                  const Rods& rods) const {
    push_elements(surface, team, rod);
    for (int c = 0; c < 3; ++c) rods.continue_elements(team, rod, field::ground_force + c);
    push_nodes(team, rod);
  }

 private:
  KOKKOS_INLINE_FUNCTION static double positive_part(double x) { return x > 0.0 ? x : 0.0; }

  /// 0 up to v_eps, 1 from 1.5 v_eps on, linear between; `sharpness` is 2/v_eps.
  KOKKOS_INLINE_FUNCTION static double slipping(double speed, double sharpness) {
    const double excess = positive_part(sharpness * math::fabs(speed) - 2.0);
    return excess < 1.0 ? excess : 1.0;
  }

  /// Wall response and friction of every element: ground_force, and the couple of the rolling friction.
  template <class Surface, class Team>
  KOKKOS_INLINE_FUNCTION void push_elements(const Surface& surface, const Team& team,
                                            const RodView& rod) const {
    const ConstVec3Array position = rod.vec3_array(field::position);
    const ConstVec3Array node_velocity = rod.vec3_array(field::velocity);
    const ConstQuaternionArray orientation = rod.quaternions();
    const ConstVec3Array angular_velocity = rod.vec3_array(field::angular_velocity);
    const double* const share = rod.array(field::force_share);
    const double* const mass = rod.array(field::mass);
    const ConstVec3Array internal_force = rod.vec3_array(field::internal_force);
    const ConstVec3Array external_force = rod.vec3_array(field::external_force);
    const ConstVec3Array shear_couple = rod.vec3_array(field::shear_couple);
    const ConstVec3Array bend_couple = rod.vec3_array(field::bend_couple);
    const ConstVec3Array transport_couple = rod.vec3_array(field::transport_couple);
    const double* const length = rod.array(field::length);
    const double* const inverse_length = rod.array(field::inverse_length);
    const double* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const double* const contact_radius = rod.array(field::contact_radius);
    const double* const twist_decay = rod.array(field::twist_rate_decay);
    const double* const twist_gain = rod.array(field::twist_rate_gain);
    const Vec3Array external_couple = rod.vec3_array(field::external_couple);
    const Vec3Array ground_force = rod.vec3_array(field::ground_force);
    const double spring = stiffness;
    const double dashpot = damping;
    const double reach = -touch_margin;
    const double rate = inverse_step;
    const double sharpness = 2.0 * inverse_threshold;
    const Coulomb along = axial_friction;
    const Coulomb across = rolling_friction;
    // Over all node lanes, so that push_nodes finds zero beyond the last element too.
    for_each_lane(team, node_lanes(rod.elements), [=](int i) {
      const double first = share[i];
      const double last = share[i + 1];
      const Vec3 force = first * (internal_force(i) - internal_force(i - 1) + external_force(i)) +
                         last * (internal_force(i + 1) - internal_force(i) + external_force(i + 1));
      const double element_mass = first * mass[i] + last * mass[i + 1];
      const double inertia = rate * element_mass;  // dm/dt, kg/s
      const Vec3 velocity = 0.5 * (node_velocity(i) + node_velocity(i + 1));
      const Vec3 middle = 0.5 * (position(i) + position(i + 1));
      // of a section whose volume stays, over its volume at rest
      const double inverse_stretched = rod.followed(inverse_length[i], inverse_rest_length[i]);
      const double radius = contact_radius[i] * math::sqrt(inverse_stretched);

      const SurfacePoint below = surface.nearest(middle, velocity);
      const Vec3 up = below.normal;
      const double depth = radius - below.height;
      const double touches = depth >= reach ? 1.0 : 0.0;
      // What keeps the element from accelerating into the surface, which may fall away before it or rise.
      const double load = touches * positive_part(-dot(up, force) - element_mass * below.falling);
      // A wall does not pull.
      const double response = touches * positive_part(load + spring * depth - dashpot * dot(up, velocity));

      const Vec3 edge = position(i + 1) - position(i);
      const Vec3 flat = edge - dot(up, edge) * up;
      constexpr double upright =
          1e-200;  // m^2: an element that stands on its end has no axial direction, and no NaN
      const double flat_length = math::sqrt(dot(flat, flat) + upright);
      const double spin_gain = twist_gain[i] * rod.followed(inverse_rest_length[i] * length[i], 1.0);
      const double roll = inertia * radius;
      const double yielding = 1.0 + roll * radius * spin_gain;
      const double inverse = 1.0 / (flat_length * yielding);  // of both at once
      const Vec3 axial = (inverse * yielding) * flat;
      const Vec3 lateral = cross(axial, up);
      const double axial_speed = dot(axial, velocity);
      const double axial_arrest = -(inertia * axial_speed + dot(axial, force));
      const double axial_force = along.friction(axial_arrest, slipping(axial_speed, sharpness), response);

      // With R, the step changes the slip v_lateral - r omega to v' - r omega', v' = v + (F + R) dt/dm
      // and omega' = decay omega + gain (T - r R): eq. 4.12 with any moment of inertia, initial slip and
      // damping.
      const Vec3 body_axial = directors(orientation(i)).to_body(axial);
      const Vec3 couple = (shear_couple(i) + bend_couple(i)) - bend_couple(i - 1) +
                          (transport_couple(i) + transport_couple(i - 1)) + external_couple(i);
      const double spin = dot(body_axial, angular_velocity(i));
      const double next_spin = twist_decay[i] * spin + spin_gain * dot(body_axial, couple);
      const double lateral_speed = dot(lateral, velocity);
      const double rolling_arrest =
          (roll * next_spin - inertia * lateral_speed - dot(lateral, force)) * (inverse * flat_length);
      const double slip = lateral_speed - radius * spin;
      const double rolling_force = across.friction(rolling_arrest, slipping(slip, sharpness), response);

      ground_force.set(i, response * up + axial_force * axial + rolling_force * lateral);
      // (-r normal) x (R lateral) = -r R axial
      external_couple.add(i, (-radius * rolling_force) * body_axial);
    });
  }

  /// Half of an element's ground force to each of its nodes.
  template <class Team>
  KOKKOS_INLINE_FUNCTION static void push_nodes(const Team& team, const RodView& rod) {
    const ConstVec3Array ground = rod.vec3_array(field::ground_force);
    const Vec3Array force = rod.vec3_array(field::external_force);
    for_each_lane(team, node_lanes(rod.elements),
                  [=](int i) { force.add(i, 0.5 * (ground(i - 1) + ground(i))); });
  }
};

}  // namespace rodeo::forces
