#pragma once

#include "rodeo/forces/orthotropic_friction.hpp"
#include "rodeo/forces/wall.hpp"

namespace rodeo::forces {

/// Response of a surface with springs to a rod that touches it (Cundall and Strack 1979, Geotechnique 29,
/// 47): each element stands on a spring k_w and a dashpot gamma_w in the direction out of the surface, which
/// carry it at a depth of its load over k_w, and on two like it along the element and across, which hold it
/// until friction yields. They act where the element touches (tangent/capsule.hpp), a radius below its axis,
/// and are those of the part of the element that is there: half of them at an end. Directions are those of
/// Wall, radii those at rest. It asks for no other force, and without dashpots and slip its springs keep the
/// energy; so piles come to rest on it, and stay where they are.
struct SurfaceSprings {
  double stiffness = 0.0;  ///< k_w, N/m
  double damping = 0.0;    ///< gamma_w, kg/s
  OrthotropicFriction friction;
  double inverse_threshold = 0.0;  ///< 1/v_eps, s/m; 0 where none is given
  double step = 0.0;               ///< s
  double drag = 0.0;               ///< damping/step, N/m

  static SurfaceSprings of(const Wall& wall) {
    return {wall.stiffness,
            wall.damping,
            {wall.axial_friction, wall.rolling_friction},
            wall.inverse_threshold,
            1.0 / wall.inverse_step,
            wall.damping * wall.inverse_step};
  }

  /// Degree of kinetic friction, from 0 to 1, of an element that slips where friction yields at a force. If
  /// no threshold is given it follows from the speed that the element would reach if released there,
  /// force/sqrt(k_w m): an element that barely yields, while others hold, is far slower.
  KOKKOS_FORCEINLINE_FUNCTION static double slipping(double inverse_threshold, double speed, double force,
                                                     double impedance) {
    constexpr double share_of_release = 0.02;
    constexpr double tiny = 1e-200;  // of no force no speed is slow, and there is no NaN
    const double release = share_of_release * math::fabs(force) + tiny;
    const double sharpness = inverse_threshold > 0.0 ? inverse_threshold : impedance / release;
    const double fast = 2.0 * speed * sharpness - 2.0;
    return fast > 0.0 ? (fast < 1.0 ? fast : 1.0) : 0.0;
  }

  /// The length of a spring along the surface whose friction yields: its end slides, and the dashpot feels
  /// how fast the spring alone goes from `before`; `drag` is its damping over the step.
  KOKKOS_FORCEINLINE_FUNCTION static double yielded(double before, double force, double stiffness,
                                                    double drag) {
    return (drag * before - force) / (stiffness + drag);
  }

  /// An element's springs along the surface: their lengths, and 0 for static, 1 for kinetic friction.
  struct Grip {
    OrthotropicFriction::Pair stretch;  ///< m
    double slipping = 0.0;
  };

  /// The springs along a surface, with an entry for each element.
  struct Grips {
    double* axial = nullptr;
    double* lateral = nullptr;
    double* slipping = nullptr;
  };
  static constexpr int arrays = 3;  ///< of Grips

  /// Loss and nearest approach of each element over all surfaces.
  struct Counts {
    double* loss = nullptr;     ///< energy dissipated by slip and dashpots, J
    double* deepest = nullptr;  ///< nearest approach to the middle of a solid (RoundSurface::depth_on_way)
  };
  static constexpr int arrays_of_counts = 2;

  /// Moves the springs on by a step and adds the forces. `rods` are those of the member `rod`. note(i, force)
  /// is called with the force on each element, N.
  template <class Surface, class Team, class Real, class Rods, class Note>
  KOKKOS_INLINE_FUNCTION void add(const Surface& surface, const Team& team, const BasicRodView<Real>& rod,
                                  const Rods& rods, const Grips& grips, const Counts& counts,
                                  const Note& note) const {
    push_elements(surface, team, rod, grips, counts, note);
    Wall::push_nodes<false>(team, rod, rods);
  }

 private:
  /// Outcome of a step for an element's springs along the surface.
  struct Hold {
    OrthotropicFriction::Pair force;  ///< N
    Grip after;
    double lost;  ///< J
  };

  KOKKOS_FORCEINLINE_FUNCTION Hold hold(const Grip& before, const OrthotropicFriction::Pair& slip,
                                        double load, double impedance) const {
    constexpr int rounds = 1;
    const auto held = [&](double stretch, double way) __attribute__((always_inline)) {
      return -(stiffness * (stretch + step * way) + damping * way);
    };
    const auto answer = friction.answer<rounds>(
        {held(before.stretch.axial, slip.axial), held(before.stretch.lateral, slip.lateral)}, before.slipping,
        load);
    const auto after = [&](double stretch, double way, double force) __attribute__((always_inline)) {
      return answer.yields ? yielded(stretch, force, stiffness, drag) : stretch + step * way;
    };
    const OrthotropicFriction::Pair force = answer.force;
    const OrthotropicFriction::Pair stretch = {after(before.stretch.axial, slip.axial, force.axial),
                                               after(before.stretch.lateral, slip.lateral, force.lateral)};
    const double speed = slip.size();
    const double kinetic = slipping(inverse_threshold, speed, force.size(), impedance);
    // Work of the slip, less the part stored in the springs.
    const double kept = 0.5 * stiffness * (stretch.square() - before.stretch.square());
    const double work = -step * (force.axial * slip.axial + force.lateral * slip.lateral);
    const double lost = answer.yields ? work - kept : step * damping * speed * speed;
    return {force, {stretch, answer.yields ? kinetic : 0.0}, lost};
  }

  template <class Surface, class Team, class Real, class Note>
  KOKKOS_INLINE_FUNCTION void push_elements(const Surface& surface, const Team& team,
                                            const BasicRodView<Real>& rod, const Grips& grips,
                                            const Counts& counts, const Note& note) const {
    const auto position = rod.positions();
    const BasicVec3Array<const Real> node_velocity = rod.vec3_array(field::velocity);
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const BasicVec3Array<const Real> angular_velocity = rod.vec3_array(field::angular_velocity);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const half_taper = rod.array(field::half_taper);
    const Real* const share = rod.array(field::force_share);
    const Real* const mass = rod.array(field::mass);
    const BasicVec3Array<Real> external_force = rod.vec3_array(field::external_force);
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    const BasicVec3Array<Real> ground_force = rod.vec3_array(field::ground_force);
    constexpr double rounding = 1e-6;
    const SurfaceSprings law = *this;
    const auto capsule = [=](std::int64_t i) __attribute__((always_inline)) {
      const double radius =
          static_cast<double>(contact_radius[i]) * math::sqrt(static_cast<double>(inverse_rest_length[i]));
      return tangent::Capsule::tapered(static_cast<Vec3>(position(i)), static_cast<Vec3>(position(i + 1)),
                                       radius, static_cast<double>(half_taper[i]));
    };
    const auto push = [=](std::int64_t i) __attribute__((always_inline)) {
      const tangent::Capsule element = capsule(i);
      const tangent::Touch touch = tangent::touch(surface, element);
      const Vec3 first_velocity = surface.seen_from(static_cast<Vec3>(node_velocity(i)));
      const Vec3 last_velocity = surface.seen_from(static_cast<Vec3>(node_velocity(i + 1)));
      const Vec3 up = touch.up;
      const double touches = touch.overlap > 0.0 ? 1.0 : 0.0;
      const double inverse_overlap = touch.overlap > 0.0 ? 1.0 / touch.overlap : 0.0;
      const double leaving =
          inverse_overlap * (dot(touch.first, first_velocity) + dot(touch.last, last_velocity));
      const double spring = law.stiffness * touch.overlap;
      const double wanted = spring - touch.share * law.damping * leaving;
      const double load = wanted > 0.0 ? wanted : 0.0;  // a surface does not pull

      const Vec3 velocity = (1.0 - touch.weight) * first_velocity + touch.weight * last_velocity;
      // Springs along the surface act on the element's share at its place of contact: their stretch and their
      // force are scaled by its root.
      const double gear = math::sqrt(touch.share);
      const double yield_load = load / gear;
      const BasicDirectors<Real> frame = directors(orientation(i));
      const Vec3 axial =
          tangent::along_surface(static_cast<Vec3>(position.edge(i)), static_cast<Vec3>(frame.d1), up);
      const Vec3 lateral = cross(axial, up);
      const auto to_body = [&](const Vec3& v) __attribute__((always_inline)) {
        return static_cast<Vec3>(frame.to_body(static_cast<BasicVec3<Real>>(v)));
      };
      const Vec3 body_axial = to_body(axial);
      const Vec3 body_lateral = to_body(lateral);
      // The point of contact is a radius below the axis.
      const Vec3 turning = element.radius * static_cast<Vec3>(angular_velocity(i));
      const auto element_mass = static_cast<double>(share[i] * mass[i] + share[i + 1] * mass[i + 1]);
      const double impedance = math::sqrt(law.stiffness * element_mass);
      // Springs of an element that does not touch return to zero stretch.
      const Hold hold = law.hold({{touches * grips.axial[i], touches * grips.lateral[i]}, grips.slipping[i]},
                                 {touches * gear * (dot(axial, velocity) + dot(body_lateral, turning)),
                                  touches * gear * (dot(lateral, velocity) - dot(body_axial, turning))},
                                 yield_load, impedance);
      const double left = OrthotropicFriction::Pair{grips.axial[i], grips.lateral[i]}.square();
      counts.loss[i] +=
          law.step * (spring - load) * leaving + hold.lost + (1.0 - touches) * 0.5 * law.stiffness * left;
      grips.axial[i] = hold.after.stretch.axial;
      grips.lateral[i] = hold.after.stretch.lateral;
      grips.slipping[i] = hold.after.slipping;

      const Vec3 held = gear * (hold.force.axial * axial + hold.force.lateral * lateral);
      const Vec3 on_first = (load * inverse_overlap) * touch.first + (1.0 - touch.weight) * held;
      const Vec3 on_last = (load * inverse_overlap) * touch.last + touch.weight * held;
      external_force.add(i, static_cast<BasicVec3<Real>>(on_first));
      ground_force.set(i, static_cast<BasicVec3<Real>>(on_last));
      note(i, on_first + on_last);
      // (-r normal) x (F axial + R lateral) = r (F lateral - R axial)
      const Vec3 couple =
          (element.radius * gear) * (hold.force.axial * body_lateral - hold.force.lateral * body_axial);
      external_couple.add(i, static_cast<BasicVec3<Real>>(couple));
    };
    const int elements = rod.elements;
    for_each_piece(team, (elements + block_size - 1) / block_size, [=](int block) {
      const int first = block * block_size;
      const int count = elements - first < block_size ? elements - first : block_size;
      // Most blocks of a pile stand away from the surface, and nothing of theirs changes.
      double near[block_size] = {};
      const auto look = [&](const auto& touches) __attribute__((always_inline)) {
        const auto look_at = [&](std::int64_t lane) __attribute__((always_inline)) {
          const std::int64_t i = first + lane;
          const tangent::Capsule element = capsule(i);
          const double held = math::fabs(grips.axial[i]) + math::fabs(grips.lateral[i]) + grips.slipping[i];
          // Rounded as it may be, what touches is near.
          near[lane] = (touches(i, element, rounding * element.radius) ? 1.0 : 0.0) + held;
        };
        if (count == block_size) {
          for_each_in_block(look_at);
        } else {
          for (int lane = 0; lane < count; ++lane) look_at(lane);
        }
      };
      if constexpr (Surface::is_flat) {
        look([&](std::int64_t, const tangent::Capsule& element, double reach)
                 __attribute__((always_inline)) { return tangent::gap(surface, element) < reach; });
      } else if (surface.is_hollow()) {
        look([&](std::int64_t, const tangent::Capsule& element, double reach) __attribute__((always_inline)) {
          return surface.is_wall_within(element.first, element.last, element.radius + reach);
        });
      } else {
        look([&](std::int64_t i, const tangent::Capsule& element,
                 double reach) __attribute__((always_inline)) {
          const double part = surface.nearest_part(element.first, element.last);
          // Velocities at which the nodes came here in the last step.
          const Vec3 velocity = (1.0 - part) * static_cast<Vec3>(node_velocity(i)) +
                                part * static_cast<Vec3>(node_velocity(i + 1));
          const double depth = surface.depth_on_way(element.at(part), law.step * velocity, element.radius);
          counts.deepest[i] = depth > counts.deepest[i] ? depth : counts.deepest[i];
          return surface.is_within(element.at(part), element.radius + reach);
        });
      }
      double any = 0.0;
      for (const double lane : near) any += lane;
      if (any == 0.0) {
        // The last block ends with lanes that belong to no element, where there is no force either.
        for_each_in_block([&](std::int64_t lane) {
          ground_force.set(first + lane, {});
          if (lane < count) note(first + lane, Vec3{});
        });
      } else if (count == block_size) {
        for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) { push(first + lane); });
      } else {
        for (int lane = 0; lane < count; ++lane) push(first + lane);
      }
    });
    // Sets zero beyond the last element too.
    const int beyond = rod.node_lanes() - rod.elements;
    const BasicVec3Array<Real> rest = ground_force.from(rod.elements);
    for_each_lane(team, beyond, [=](int i) { rest.set(i, {}); });
  }
};

}  // namespace rodeo::forces
