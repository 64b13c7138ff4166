#pragma once

#include "rodeo/forces/wall.hpp"

namespace rodeo::forces {

/// How a surface answers a rod that touches it, with springs (Cundall and Strack 1979, Geotechnique 29, 47):
/// each element stands on a spring k_w and a dashpot gamma_w in the direction out of the surface, which carry
/// it at a depth of its load over k_w, and on two like it along the element and across, which hold it until
/// friction yields. Directions and point of contact are those of Wall, radii those at rest. It asks for no
/// other force, and without dashpots and slip its springs keep the energy; so piles come to rest on it, and
/// stay where they are.
struct SurfaceSprings {
  double stiffness = 0.0;  ///< k_w, N/m
  double damping = 0.0;    ///< gamma_w, kg/s
  Coulomb axial_friction;
  Coulomb rolling_friction;
  double inverse_threshold = 0.0;  ///< 1/v_eps, s/m
  double step = 0.0;               ///< s

  static SurfaceSprings of(const Wall& wall) {
    return {wall.stiffness,        wall.damping,           wall.axial_friction,
            wall.rolling_friction, wall.inverse_threshold, 1.0 / wall.inverse_step};
  }

  /// An element's spring along the surface: its length, and 0 for static, 1 for kinetic friction.
  struct Grip {
    double stretch = 0.0;  ///< m
    double slipping = 0.0;
  };

  /// The springs of a surface along it, with an entry for each element.
  struct Grips {
    double* axial = nullptr;
    double* axial_slipping = nullptr;
    double* lateral = nullptr;
    double* lateral_slipping = nullptr;
  };
  static constexpr int arrays = 4;  ///< of Grips

  /// Moves the springs on by a step and adds the forces, which are left in field::ground_force. `loss` counts
  /// what slip and dashpots have taken of each element, J. `rods` are those of the member `rod`.
  template <class Surface, class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void add(const Surface& surface, const Team& team, const BasicRodView<Real>& rod,
                                  const Rods& rods, const Grips& grips, double* loss) const {
    push_elements(surface, team, rod, grips, loss);
    for (int c = 0; c < 3; ++c) rods.fill_ghost_elements(team, rod, field::ground_force + c);
    Wall::push_nodes(team, rod);
  }

 private:
  /// What a spring along the surface does in a step.
  struct Hold {
    double force;  ///< N
    Grip after;
    double lost;  ///< J
  };

  KOKKOS_FORCEINLINE_FUNCTION Hold hold(const Coulomb& law, const Grip& before, double slip,
                                        double load) const {
    const double stretched = before.stretch + step * slip;
    const double held = -(stiffness * stretched + damping * slip);
    const double force = law.friction(held, before.slipping, load);
    const double yields = force == held ? 0.0 : 1.0;
    const double yielded = -(force + damping * slip) / stiffness;
    const double after = stretched + yields * (yielded - stretched);
    const double fast = 2.0 * inverse_threshold * math::fabs(slip) - 2.0;
    const double bounded = fast > 0.0 ? (fast < 1.0 ? fast : 1.0) : 0.0;
    // The work of the slip, less what the spring keeps of it.
    const double kept = 0.5 * stiffness * (after * after - before.stretch * before.stretch);
    const double lost = yields > 0.0 ? -step * force * slip - kept : step * damping * slip * slip;
    return {force, {after, yields * bounded}, lost};
  }

  template <class Surface, class Team, class Real>
  KOKKOS_INLINE_FUNCTION void push_elements(const Surface& surface, const Team& team,
                                            const BasicRodView<Real>& rod, const Grips& grips,
                                            double* loss) const {
    const auto position = rod.positions();
    const BasicVec3Array<const Real> node_velocity = rod.vec3_array(field::velocity);
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const BasicVec3Array<const Real> angular_velocity = rod.vec3_array(field::angular_velocity);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    const BasicVec3Array<Real> ground_force = rod.vec3_array(field::ground_force);
    constexpr double rounding = 1e-6;
    const SurfaceSprings law = *this;
    const auto push = [=](std::int64_t i) __attribute__((always_inline)) {
      const Vec3 velocity = surface.seen_from(
          0.5 * (static_cast<Vec3>(node_velocity(i)) + static_cast<Vec3>(node_velocity(i + 1))));
      const Vec3 middle = 0.5 * (static_cast<Vec3>(position(i)) + static_cast<Vec3>(position(i + 1)));
      const double radius =
          static_cast<double>(contact_radius[i]) * math::sqrt(static_cast<double>(inverse_rest_length[i]));
      const SurfacePoint below = surface.nearest(middle, velocity);
      const Vec3 up = below.normal;
      const double depth = radius - below.height;
      const double touches = depth > 0.0 ? 1.0 : 0.0;
      const double leaving = touches * dot(up, velocity);
      const double spring = touches * law.stiffness * depth;
      const double wanted = spring - law.damping * leaving;
      const double load = wanted > 0.0 ? wanted : 0.0;  // a surface does not pull

      const Vec3 edge = static_cast<Vec3>(position.edge(i));
      const Vec3 flat = edge - dot(up, edge) * up;
      constexpr double upright = 1e-200;  // an element that stands on its end has no direction, and no NaN
      const Vec3 axial = (1.0 / math::sqrt(dot(flat, flat) + upright)) * flat;
      const Vec3 lateral = cross(axial, up);
      const Vec3 body_axial =
          static_cast<Vec3>(directors(orientation(i)).to_body(static_cast<BasicVec3<Real>>(axial)));
      const double spin = dot(body_axial, static_cast<Vec3>(angular_velocity(i)));
      // What does not touch holds nothing: its springs end at their length at rest.
      const Hold along = law.hold(law.axial_friction, {touches * grips.axial[i], grips.axial_slipping[i]},
                                  touches * dot(axial, velocity), load);
      const Hold across =
          law.hold(law.rolling_friction, {touches * grips.lateral[i], grips.lateral_slipping[i]},
                   touches * (dot(lateral, velocity) - radius * spin), load);
      const double left = grips.axial[i] * grips.axial[i] + grips.lateral[i] * grips.lateral[i];
      loss[i] += law.step * (spring - load) * leaving + along.lost + across.lost +
                 (1.0 - touches) * 0.5 * law.stiffness * left;
      grips.axial[i] = along.after.stretch;
      grips.axial_slipping[i] = along.after.slipping;
      grips.lateral[i] = across.after.stretch;
      grips.lateral_slipping[i] = across.after.slipping;

      ground_force.set(
          i, static_cast<BasicVec3<Real>>(load * up + along.force * axial + across.force * lateral));
      // (-r normal) x (R lateral) = -r R axial
      external_couple.add(i, static_cast<BasicVec3<Real>>((-radius * across.force) * body_axial));
    };
    const int elements = rod.elements;
    for_each_piece(team, (elements + block_size - 1) / block_size, [=](int block) {
      const int first = block * block_size;
      const int count = elements - first < block_size ? elements - first : block_size;
      // Most blocks of a pile stand away from the surface, and nothing of theirs changes.
      double near[block_size] = {};
      const auto look = [&](std::int64_t lane) __attribute__((always_inline)) {
        const std::int64_t i = first + lane;
        const Vec3 middle = 0.5 * (static_cast<Vec3>(position(i)) + static_cast<Vec3>(position(i + 1)));
        const double radius =
            static_cast<double>(contact_radius[i]) * math::sqrt(static_cast<double>(inverse_rest_length[i]));
        const double gap = surface.nearest(middle, Vec3{}).height - radius;
        const double held = math::fabs(grips.axial[i]) + math::fabs(grips.lateral[i]) +
                            grips.axial_slipping[i] + grips.lateral_slipping[i];
        // Rounded as it may be, what touches is near.
        const double touches = gap < rounding * radius ? 1.0 : 0.0;
        near[lane] = touches + held;
      };
      if (count == block_size) {
        for_each_in_block(look);
      } else {
        for (int lane = 0; lane < count; ++lane) look(lane);
      }
      double any = 0.0;
      for (const double lane : near) any += lane;
      if (any == 0.0) {
        // The last block ends with lanes that belong to no element, where there is no force either.
        for_each_in_block([&](std::int64_t lane) { ground_force.set(first + lane, {}); });
      } else if (count == block_size) {
        for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) { push(first + lane); });
      } else {
        for (int lane = 0; lane < count; ++lane) push(first + lane);
      }
    });
    // push_nodes finds zero beyond the last element too.
    const int beyond = rod.node_lanes() - rod.elements;
    const BasicVec3Array<Real> rest = ground_force.from(rod.elements);
    for_each_lane(team, beyond, [=](int i) { rest.set(i, {}); });
  }
};

}  // namespace rodeo::forces
