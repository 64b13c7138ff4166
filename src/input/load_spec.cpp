#include <cmath>
#include <utility>

#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// Throws if a motion drives an end that is neither clamped nor `alternative`.
void check_end_is_held(const Deck& deck, Key motion, Key end, EndCondition given, EndCondition alternative) {
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
  const Vec3 gravity = deck.vec3("gravity.acceleration"_key);
  const double angle = deck.number("gravity.incline"_key);
  if (angle == 0.0) return gravity;
  const Vec3 along = dot(gravity, axis) * axis;
  const Vec3 across = gravity - along;
  if (norm(across) <= 1e-12 * norm(gravity)) {
    throw deck.error("gravity.incline"_key,
                     "turns gravity about rod.direction, along which gravity.acceleration points");
  }
  return along + std::cos(angle) * across + std::sin(angle) * cross(axis, across);
}

}  // namespace

BoundarySpec make_boundary_spec(const Deck& deck, double length) {
  BoundarySpec boundary;
  deck.fill(boundary);
  if (boundary.twist == 0.0 && boundary.slack == 0.0) return boundary;
  const std::pair<Key, EndCondition> motions[] = {{"boundary.twist"_key, EndCondition::clamped_sliding},
                                                  {"boundary.slack"_key, EndCondition::pinned}};
  for (const auto& [motion, alternative] : motions) {
    if (deck.number(motion) == 0.0) continue;
    if (boundary.driven != DrivenEnds::last)
      check_end_is_held(deck, motion, "boundary.first"_key, boundary.first, alternative);
    if (boundary.driven != DrivenEnds::first)
      check_end_is_held(deck, motion, "boundary.last"_key, boundary.last, alternative);
  }
  if (boundary.slack >= length) {
    throw deck.error("boundary.slack"_key,
                     "is not below rod.length = " + format_real(length) + " m, so the ends would meet");
  }
  require(deck, "boundary.motion_time"_key, "needed for boundary.twist and boundary.slack");
  boundary.motion_time = deck.number("boundary.motion_time"_key);
  return boundary;
}

LoadSpec make_load_spec(const Deck& deck, const RodSpec& rod) {
  LoadSpec load;
  deck.fill(load);
  load.gravity = inclined_gravity(deck, rod.direction);
  return load;
}

void check_direction_of_file(const Deck& deck, const RodSpec& rod, const BoundarySpec& boundary,
                             const LoadSpec& load) {
  if (rod.shape != RodShape::file || rod.closed || deck.is_given("rod.direction"_key)) return;
  const Vec3 way = rod.shape_nodes.back() - rod.shape_nodes.front();
  if (norm(cross(way, rod.direction)) <= 1e-6 * norm(way) && dot(way, rod.direction) > 0.0) return;
  const auto refuse = [&](Key key) {
    throw deck.error(key, "acts along rod.direction, which is not found from the nodes of " +
                              deck.place("rod.shape_nodes"_key) + "; give it, or it would be 0, 0, 1");
  };
  const auto slides = [](EndCondition end) {
    return end == EndCondition::pinned_sliding || end == EndCondition::clamped_sliding;
  };
  if (slides(boundary.first)) refuse("boundary.first"_key);
  if (slides(boundary.last)) refuse("boundary.last"_key);
  if (boundary.twist != 0.0) refuse("boundary.twist"_key);
  if (boundary.slack != 0.0) refuse("boundary.slack"_key);
  if (load.axial_force != 0.0) refuse("load.axial_force"_key);
}

void check_closed_rod(const Deck& deck, const BoundarySpec& boundary, const LoadSpec& load) {
  const auto refuse = [&](Key key) {
    throw deck.error(
        key, "needs an end, and a closed rod has none (" +
                 deck.place(deck.has_value("rod.closed"_key) ? "rod.closed"_key : "rod.shape"_key) + ")");
  };
  if (boundary.first != EndCondition::free) refuse("boundary.first"_key);
  if (boundary.last != EndCondition::free) refuse("boundary.last"_key);
  if (norm(load.end_force) > 0.0) refuse("load.end_force"_key);
  if (norm(load.end_couple) > 0.0) refuse("load.end_couple"_key);
  if (load.axial_force != 0.0) refuse("load.axial_force"_key);
}

}  // namespace rodeo
