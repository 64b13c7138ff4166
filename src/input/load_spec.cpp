#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

EndCondition end_condition(const Deck& deck, Key key) { return chosen<EndCondition>(deck, key); }

/// Throws if a motion drives an end that is neither clamped nor `alternative`.
void check_end_is_held(const Deck& deck, Key motion, Key end, EndCondition alternative) {
  const EndCondition given = end_condition(deck, end);
  if (given == EndCondition::clamped || given == EndCondition::clamped_element || given == alternative)
    return;
  throw deck.error(motion, "drives an end that " + std::string(key_info(end).name) + " = " +
                               std::string(deck.choice(end)) + " (" + deck.place(end) +
                               ") does not hold; make it clamped or " +
                               (alternative == EndCondition::pinned ? "pinned" : "clamped_sliding") +
                               ", or leave it out of boundary.driven");
}

/// gravity.acceleration turned by gravity.incline about the rod's axis.
Vec3 inclined_gravity(const Deck& deck, const Vec3& axis) {
  const Vec3 gravity = deck.vec3(Key::gravity_acceleration);
  const double angle = deck.number(Key::gravity_incline);
  if (angle == 0.0) return gravity;
  const Vec3 along = dot(gravity, axis) * axis;
  const Vec3 across = gravity - along;
  return along + std::cos(angle) * across + std::sin(angle) * cross(axis, across);
}

}  // namespace

BoundarySpec make_boundary_spec(const Deck& deck, double length) {
  BoundarySpec boundary;
  boundary.first = end_condition(deck, Key::boundary_first);
  boundary.last = end_condition(deck, Key::boundary_last);
  boundary.twist = deck.number(Key::boundary_twist);
  boundary.slack = deck.number(Key::boundary_slack);
  boundary.driven = chosen<DrivenEnds>(deck, Key::boundary_driven);
  if (boundary.twist == 0.0 && boundary.slack == 0.0) return boundary;
  const std::pair<Key, EndCondition> motions[] = {{Key::boundary_twist, EndCondition::clamped_sliding},
                                                  {Key::boundary_slack, EndCondition::pinned}};
  for (const auto& [motion, alternative] : motions) {
    if (deck.number(motion) == 0.0) continue;
    if (boundary.driven != DrivenEnds::last)
      check_end_is_held(deck, motion, Key::boundary_first, alternative);
    if (boundary.driven != DrivenEnds::first)
      check_end_is_held(deck, motion, Key::boundary_last, alternative);
  }
  if (boundary.slack >= length) {
    throw deck.error(Key::boundary_slack,
                     "is not below rod.length = " + format_real(length) + " m, so the ends would meet");
  }
  if (!deck.has_value(Key::boundary_motion_time)) {
    throw deck.missing_error(Key::boundary_motion_time, "needed for boundary.twist and boundary.slack");
  }
  boundary.motion_time = deck.number(Key::boundary_motion_time);
  return boundary;
}

LoadSpec make_load_spec(const Deck& deck, const RodSpec& rod) {
  LoadSpec load;
  load.end_force = deck.vec3(Key::load_end_force);
  load.end_couple = deck.vec3(Key::load_end_couple);
  load.axial_force = deck.number(Key::load_axial_force);
  load.perturbation = deck.number(Key::load_perturbation);
  load.perturbation_duration = deck.has_value(Key::load_perturbation_duration)
                                   ? deck.number(Key::load_perturbation_duration)
                                   : std::numeric_limits<double>::infinity();
  load.gravity = inclined_gravity(deck, rod.direction);
  load.distributed_force = deck.vec3(Key::load_distributed_force);
  load.distributed_couple = deck.vec3(Key::load_distributed_couple);
  load.magnetization = deck.number(Key::load_magnetization);
  load.magnetic_flux_density = deck.vec3(Key::load_magnetic_flux_density);
  load.ramp_time = deck.number(Key::load_ramp_time);
  load.frequency = deck.number(Key::load_frequency);
  load.middle_force = deck.vec3(Key::load_middle_force);
  return load;
}

void check_closed_rod(const Deck& deck, const BoundarySpec& boundary, const LoadSpec& load) {
  const auto refuse = [&](Key key) {
    throw deck.error(key, "needs an end, and a closed rod has none (" +
                              deck.place(deck.has_value(Key::rod_closed) ? Key::rod_closed : Key::rod_shape) +
                              ")");
  };
  if (boundary.first != EndCondition::free) refuse(Key::boundary_first);
  if (boundary.last != EndCondition::free) refuse(Key::boundary_last);
  if (norm(load.end_force) > 0.0) refuse(Key::load_end_force);
  if (norm(load.end_couple) > 0.0) refuse(Key::load_end_couple);
  if (load.axial_force != 0.0) refuse(Key::load_axial_force);
}

}  // namespace rodeo
