#include "rodeo/forces/ground.hpp"

#include <cmath>

#include "rodeo/rod/rod_places.hpp"

namespace rodeo::forces {

namespace {

Wall make_wall(const MemberSpec& spec) {
  // With a narrower margin, elements hop on a ground of little damping, and what each carries turns chaotic.
  // This is the 1e-4 m of the authors' program at its radius of 0.025 m.
  constexpr double touch_margin_per_radius = 4e-3;
  const FrictionCoefficients& at_rest = spec.ground.static_friction;
  const FrictionCoefficients& sliding = spec.ground.kinetic_friction;
  Wall wall;
  wall.stiffness = spec.ground.stiffness;
  wall.damping = spec.ground.damping;
  wall.axial_friction = {at_rest.forward, at_rest.backward, sliding.forward, sliding.backward};
  wall.rolling_friction = {at_rest.rolling, at_rest.rolling, sliding.rolling, sliding.rolling};
  constexpr double of_net_force = 1e-8;  // m/s; springs have one of their own
  const double given = spec.ground.velocity_threshold;
  const bool by_springs = spec.ground.response == GroundResponse::springs;
  wall.inverse_threshold = given > 0.0 ? 1.0 / given : by_springs ? 0.0 : 1.0 / of_net_force;
  wall.inverse_step = 1.0 / spec.time.step;
  wall.touch_margin = touch_margin_per_radius * smallest_radius(spec);
  return wall;
}

}  // namespace

Ground Ground::surfaces_of(const MemberSpec& spec) {
  const GroundSpec& given = spec.ground;
  Ground ground;
  ground.wall = make_wall(spec);
  ground.has_plane = given.has_plane;
  ground.plane = {given.normal, dot(given.normal, given.origin)};
  ground.solid_count = given.solid_count;
  for (int k = 0; k < given.solid_count; ++k) {
    const SolidSpec& solid = given.solids[static_cast<std::size_t>(k)];
    ground.solids[k] = {solid.centre, solid.axis, std::abs(solid.radius), solid.radius > 0.0 ? 1.0 : -1.0};
  }
  return ground;
}

Ground Ground::of(const MemberSpec& spec) {
  Ground ground = surfaces_of(spec);
  if (spec.ground.response == GroundResponse::net_force) return ground;
  ground.has_plane = false;
  ground.solid_count = 0;
  return ground;
}

}  // namespace rodeo::forces
