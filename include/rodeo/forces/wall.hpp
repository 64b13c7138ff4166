#pragma once

#include <cstdint>

#include "rodeo/forces/surface.hpp"
#include "rodeo/forces/surface_bits.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/tangent/capsule.hpp"

namespace rodeo::forces {

/// Coulomb friction in one direction: the force that brings a body to rest within the step, limited by the
/// coefficients. Away from rest that is the kinetic friction -mu_k N v/|v| and at rest the static friction
/// -min(|F|, mu_s N) F/|F| of section 4.1.4 (whose `max` is a misprint), but a sliding body is never turned
/// round by the friction of its last step.
template <class Real>
struct BasicCoulomb {
  Real static_forward = 0;
  Real static_backward = 0;
  Real kinetic_forward = 0;
  Real kinetic_backward = 0;

  /// Rounded to the other type.
  template <class Other>
  KOKKOS_INLINE_FUNCTION explicit operator BasicCoulomb<Other>() const {
    return {static_cast<Other>(static_forward), static_cast<Other>(static_backward),
            static_cast<Other>(kinetic_forward), static_cast<Other>(kinetic_backward)};
  }

  /// Largest friction in the direction of a force, N. `slipping` is 0 for static, 1 for kinetic friction.
  KOKKOS_INLINE_FUNCTION Real limit(Real force, Real slipping, Real load) const {
    const Real forward = static_forward + slipping * (kinetic_forward - static_forward);
    const Real backward = static_backward + slipping * (kinetic_backward - static_backward);
    return load * (force > 0 ? backward : forward);
  }

  /// Friction force, N. `arrest` is the force that would bring the body to rest, N.
  KOKKOS_INLINE_FUNCTION Real friction(Real arrest, Real slipping, Real load) const {
    const Real most = limit(arrest, slipping, load);
    const Real bounded = arrest < most ? arrest : most;
    return bounded > -most ? bounded : -most;
  }
};
using Coulomb = BasicCoulomb<double>;

/// Response of a surface to a rod that touches it: wall response (4.8) and anisotropic Coulomb friction (4.9
/// to 4.12) of Gazzola et al. 2018. Both depend on the net force, so this law comes after all others.
///
/// Elements are capsules (tangent/capsule.hpp), and the surface acts where they touch it, by the weights of
/// that place on the nodes. A wall that carries them at any depth carries both ends alike on planes, as soon
/// as they touch. Each element feels its share of the forces on its nodes, and has that share of their
/// masses; of both the part that its place of contact moves with. Directions of an element are the surface's
/// normal, `axial` (its edge in the tangent plane) and `lateral` = axial x normal. Friction is in proportion
/// to the wall's whole response. The point of contact is a radius r below the axis, and slips
/// sideways at v_lateral - r omega_axial. Axial friction is sized first; it is perpendicular to the lateral
/// force of its element, so rolling friction needs no second pass to include it.
struct Wall {
  double stiffness = 0.0;  ///< k_w, N/m
  double damping = 0.0;    ///< gamma_w, kg/s
  Coulomb axial_friction;
  Coulomb rolling_friction;
  double inverse_threshold = 0.0;  ///< 1/v_eps, s/m
  double inverse_step = 0.0;       ///< 1/dt, 1/s
  double touch_margin = 0.0;       ///< gap below which an element touches: above rounding, below roughness, m

  /// `rods` are those of the member `rod`, of which elements within a span alone may touch. note(i, force) is
  /// called with the force on each element, N.
  template <class Surface, class Team, class Real, class Rods, class Note>
  KOKKOS_INLINE_FUNCTION void add(const Surface& surface, const Team& team, const BasicRodView<Real>& rod,
                                  const Rods& rods, const ElementSpan& span, const Note& note) const {
    push_elements(surface, team, rod, span, note);
    push_nodes<true>(team, rod, rods);
  }

  /// Adds the forces without reporting those on elements.
  template <class Surface, class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void add(const Surface& surface, const Team& team, const BasicRodView<Real>& rod,
                                  const Rods& rods, const ElementSpan& span) const {
    add(surface, team, rod, rods, span, Unnoted{});
  }

  struct Unnoted {
    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, const BasicVec3<Real>&) const {}
  };

  /// Adds ground_force to the last node of each element and, if `with_first`, ground_force_on_first to its
  /// first one. On closed rods a first node gets the force of its ghost.
  template <bool with_first, class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION static void push_nodes(const Team& team, const BasicRodView<Real>& rod,
                                                const Rods& rods) {
    for (int c = 0; c < 3; ++c) rods.fill_ghost_elements(team, rod, field::ground_force + c);
    const BasicVec3Array<const Real> on_last = rod.vec3_array(field::ground_force);
    const BasicVec3Array<const Real> on_first = rod.vec3_array(field::ground_force_on_first);
    const BasicVec3Array<Real> force = rod.vec3_array(field::external_force);
    for_each_lane(team, rod.node_lanes(), [=](int i) {
      if constexpr (with_first) {
        force.add(i, on_first(i) + on_last(i - 1));
      } else {
        force.add(i, on_last(i - 1));
      }
    });
    for (int c = 0; c < 3; ++c) rods.fill_ghost_elements(team, rod, field::external_force + c);
  }

 private:
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Real positive_part(Real x) {
    return x > 0 ? x : 0;
  }

  /// 0 up to v_eps, 1 from 1.5 v_eps on, linear between; `sharpness` is 2/v_eps.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static Real slipping(Real speed, Real sharpness) {
    const Real excess = positive_part(sharpness * math::fabs(speed) - 2);
    return excess < 1 ? excess : 1;
  }

  /// Place of contact of an element, which touches by a margin before its surface does. Parts are zero
  /// without contact.
  template <class Real>
  struct Contact {
    Real first = 0;   ///< the part of what its first node bears that acts on the place of contact
    Real last = 0;    ///< likewise
    Real weight = 0;  ///< of the last node at that place
    Real share = 0;   ///< of springs and dashpots that is there
    Real depth = 0;   ///< of springs, m
    Real tilt = 0;    ///< the springs' force on the last node less its part of both, over k_w; on planes, m
    BasicVec3<Real> up;
    /// The springs' forces on both nodes, over their stiffness, less depth * up, m. Zero on planes.
    BasicVec3<Real> aside;
    /// The springs' force on the last node less its part of both, over k_w; on balls and cylinders, where it
    /// need not be along `up`, m.
    BasicVec3<Real> tilt_aside;
  };

  template <class Surface, class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Contact<Real> contact(const Surface& near,
                                                           const tangent::BasicCapsule<Real>& element,
                                                           Real margin) {
    constexpr Real half = 0.5;
    if constexpr (Surface::is_flat) {
      const auto at_first = near.nearest(element.first, {});
      const Real x = element.first_radius - at_first.height;
      const Real y = element.last_radius - near.nearest(element.last, {}).height;
      const Real first = x >= -margin ? 1 : 0;
      const Real last = y >= -margin ? 1 : 0;
      const Real first_depth = first * x;
      const Real last_depth = last * y;
      return {.first = first,
              .last = last,
              .weight = half + half * (last - first),
              .share = half * (first + last),
              .depth = half * (first_depth + last_depth),
              .tilt = half * half * (first * last_depth - last * first_depth),
              .up = by_parts(at_first.normal),
              .aside = {},
              .tilt_aside = {}};
    } else {
      const tangent::BasicTouch<Real> place = tangent::touch(
          near, tangent::BasicCapsule<Real>{element.first, element.last, element.radius + margin});
      const tangent::BasicTouch<Real> springs = tangent::touch(near, element);
      const BasicVec3<Real> both = springs.first + springs.last;
      const Real inside = springs.overlap > 0 ? 1 : 0;
      const Real share = (place.overlap > 0 ? 1 : 0) * place.share;
      return {.first = 2 * share * (1 - place.weight),
              .last = 2 * share * place.weight,
              .weight = place.weight,
              .share = share,
              .depth = springs.overlap + (1 - inside) * (place.overlap - share * margin),
              .tilt = 0,
              .up = by_parts(place.up),
              .aside = both - springs.overlap * place.up,
              .tilt_aside = springs.last - place.weight * both};
    }
  }

  /// Wall response and friction of every element: ground_force and ground_force_on_first, and the couple of
  /// the rolling friction.
  template <class Surface, class Team, class Real, class Note>
  KOKKOS_INLINE_FUNCTION void push_elements(const Surface& surface, const Team& team,
                                            const BasicRodView<Real>& rod, const ElementSpan& span,
                                            const Note& note) const {
    using Vector = BasicVec3<Real>;
    using ConstVectors = BasicVec3Array<const Real>;
    const SummedVec3Array<Real> position = rod.positions();
    const ConstVectors node_velocity = rod.vec3_array(field::velocity);
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const ConstVectors angular_velocity = rod.vec3_array(field::angular_velocity);
    const Real* const share = rod.array(field::force_share);
    const Real* const mass = rod.array(field::mass);
    const ConstVectors internal_force = rod.vec3_array(field::internal_force);
    const ConstVectors external_force = rod.vec3_array(field::external_force);
    const ConstVectors shear_couple = rod.vec3_array(field::shear_couple);
    const ConstVectors bend_couple = rod.vec3_array(field::bend_couple);
    const ConstVectors transport_couple = rod.vec3_array(field::transport_couple);
    const Real* const length = rod.array(field::length);
    const Real* const inverse_length = rod.array(field::inverse_length);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const twist_decay = rod.array(field::twist_rate_decay);
    const Real* const twist_gain = rod.array(field::twist_rate_gain);
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    const BasicVec3Array<Real> force_on_first = rod.vec3_array(field::ground_force_on_first);
    const BasicVec3Array<Real> force_on_last = rod.vec3_array(field::ground_force);
    const Real* const half_taper = rod.array(field::half_taper);
    const auto near = surface.template rounded<Real>();
    const auto spring = static_cast<Real>(stiffness);
    const auto dashpot = static_cast<Real>(damping);
    const auto margin = static_cast<Real>(touch_margin);
    const auto rate = static_cast<Real>(inverse_step);
    const auto sharpness = static_cast<Real>(2.0 * inverse_threshold);
    const auto along = static_cast<BasicCoulomb<Real>>(axial_friction);
    const auto across = static_cast<BasicCoulomb<Real>>(rolling_friction);
    // Covers all node lanes, so that there is zero beyond the last element too.
    const auto stand_apart = [=](int i) {
      force_on_first.set(i, {});
      force_on_last.set(i, {});
      note(i, Vector{});
    };
    for_each_lane_of(team, rod.node_lanes(), span.first, span.end, stand_apart, [=](int i) {
      // of a section whose volume stays, over its volume at rest
      const Real inverse_stretched = rod.section_value(inverse_length[i], inverse_rest_length[i]);
      const Real shrink = math::sqrt(inverse_stretched);
      const Real radius = contact_radius[i] * shrink;
      const auto element =
          tangent::BasicCapsule<Real>::tapered(position(i), position(i + 1), radius, half_taper[i]);
      const Contact<Real> place = contact(near, element, margin);
      const Vector up = place.up;

      // The place of contact moves as a mass would under a force, to which the nodes come by their weights.
      const Real first = place.first * share[i];
      const Real last = place.last * share[i + 1];
      const Vector force = first * (internal_force(i) - internal_force(i - 1) + external_force(i)) +
                           last * (internal_force(i + 1) - internal_force(i) + external_force(i + 1));
      const Real element_mass = first * mass[i] + last * mass[i + 1];
      const Real inertia = rate * element_mass;  // dm/dt, kg/s
      const Vector velocity =
          near.seen_from((1 - place.weight) * node_velocity(i) + place.weight * node_velocity(i + 1));

      const Real falling = near.nearest(element.at(place.weight), velocity).falling;
      // Force that keeps the element from accelerating into the surface, which may fall away before it or
      // rise.
      const Real load = positive_part(-dot(up, force) - element_mass * falling);
      // A wall does not pull.
      const Real response =
          positive_part(load + spring * place.depth - place.share * dashpot * dot(up, velocity));

      const Vector edge = position.edge(i);
      const Vector flat = edge - dot(up, edge) * up;
      // An element that stands on its end has no axial direction, and no NaN.
      constexpr Real upright = Precision<Real>::smallest_square;
      const Vector axial = (1 / math::sqrt(dot(flat, flat) + upright)) * flat;
      const Real spin_gain = twist_gain[i] * rod.section_value(inverse_rest_length[i] * length[i], Real(1));
      const Real roll = inertia * radius;
      const Real yielding = 1 + roll * radius * spin_gain;
      const Vector lateral = cross(axial, up);
      const Real axial_speed = dot(axial, velocity);
      const Real axial_arrest = -(inertia * axial_speed + dot(axial, force));
      const Real axial_force = along.friction(axial_arrest, slipping(axial_speed, sharpness), response);

      // With R, the step changes the slip v_lateral - r omega to v' - r omega', v' = v + (F + R) dt/dm
      // and omega' = decay omega + gain (T - r R): eq. 4.12 with any moment of inertia, initial slip and
      // damping.
      const Vector body_axial = directors(orientation(i)).to_body(axial);
      const Vector couple = (shear_couple(i) + bend_couple(i)) - bend_couple(i - 1) +
                            (transport_couple(i) + transport_couple(i - 1)) + external_couple(i);
      const Real spin = dot(body_axial, angular_velocity(i));
      const Real next_spin = decay_of(twist_decay[i]) * spin + spin_gain * dot(body_axial, couple);
      const Real lateral_speed = dot(lateral, velocity);
      const Real rolling_arrest =
          (roll * next_spin - inertia * lateral_speed - dot(lateral, force)) / yielding;
      const Real slip = lateral_speed - radius * spin;
      const Real rolling_force = across.friction(rolling_arrest, slipping(slip, sharpness), response);

      const Real presses = response > 0 ? spring : 0;
      Vector on_element = response * up + axial_force * axial + rolling_force * lateral;
      if constexpr (!Surface::is_flat) on_element = on_element + presses * place.aside;
      const Vector tilt = Surface::is_flat ? (presses * place.tilt) * up : presses * place.tilt_aside;
      const Vector on_last = place.weight * on_element + tilt;
      force_on_first.set(i, on_element - on_last);
      force_on_last.set(i, on_last);
      note(i, on_element);
      // (-r normal) x (R lateral) = -r R axial
      external_couple.add(i, (-radius * rolling_force) * body_axial);
    });
  }
};

}  // namespace rodeo::forces
