#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/bending_mode.hpp"

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

/// Throws if the deck gives `key`, which damps all of a rod alike, together with other damping.
void check_alone(const Deck& deck, Key key) {
  const auto refuse = [&](bool given, Key other, const std::string& value = {}) {
    if (!given) return;
    throw deck.error(key, "contradicts " + std::string(key_info(other).name) + value + " (" +
                              deck.place(other) + "): give only one of them");
  };
  refuse(deck.number("rod.damping"_key) > 0.0, "rod.damping"_key);
  refuse(deck.has_value("rod.rotational_damping"_key), "rod.rotational_damping"_key);
  refuse(deck.choice("rod.damping_law"_key) == "published", "rod.damping_law"_key, " = published");
}

/// 1/tau = 2 zeta omega_1.
double rate_of_ratio(const Deck& deck, const BeamEnd& first, const BeamEnd& last, const RodSpec& rod) {
  if (rod.closed) {
    throw deck.error("rod.damping_ratio"_key, "is that of a rod with two ends, and a closed rod has none (" +
                                                  deck.place("rod.shape"_key) +
                                                  "); give rod.relaxation_time");
  }
  const double frequency = slowest_bending_frequency(rod, first, last);
  return 2.0 * deck.number("rod.damping_ratio"_key) * derived(deck, "rod.damping_ratio"_key, frequency);
}

/// Adds to the ends of a rod what a motion holds of them; says why the rod is then no beam that is held at
/// its ends, if so.
std::string hold_ends(const MotionSpec& motion, const RodSpec& rod, BeamEnd (&ends)[2]) {
  switch (motion.kind) {
    case MotionKind::first_end:
    case MotionKind::last_end:
      if (!motion.alone) ends[motion.kind == MotionKind::last_end ? 1 : 0].slope = true;
      return {};
    case MotionKind::element:
      return "motion.rotation turns its element " + std::to_string(motion.index) +
             " (start and end are the ends themselves)";
    case MotionKind::node:
      break;
  }
  const double along[3] = {rod.direction.x, rod.direction.y, rod.direction.z};
  bool holds_across = false;
  bool frees_across = false;
  for (std::size_t c = 0; c < 3; ++c) {
    if (std::abs(std::abs(along[c]) - 1.0) < 1e-9) continue;
    (motion.held[c] ? holds_across : frees_across) = true;
  }
  if (!holds_across) return {};
  const bool at_end = motion.index == 0 || motion.index == rod.elements;
  if (!at_end) return "motion.position holds its node " + std::to_string(motion.index);
  if (frees_across) return "motion.position holds an end in one direction across it, and not in another";
  ends[motion.index == 0 ? 0 : 1].deflection = true;
  return {};
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

void take_motions_for_supports(const Deck& deck, int number, MemberSpec& spec) {
  RodSpec& rod = number == 0 ? spec.rod : spec.further_rods[static_cast<std::size_t>(number) - 1].rod;
  const BoundarySpec& boundary = spec.setup(number).boundary;
  BeamEnd ends[2] = {BeamEnd::of(boundary.first), BeamEnd::of(boundary.last)};
  bool any = false;
  for (const MotionSpec& motion : spec.motions) {
    if (motion.rod != number || motion.last_step < spec.time.steps) continue;  // it then swings without
    std::string why = hold_ends(motion, rod, ends);
    if (why.empty() && motion.first_step > 0) why = "a motion takes hold of it while it moves";
    if (!why.empty()) {
      throw deck.error("rod.damping_ratio"_key,
                       "is that of a rod which only its ends hold, all the time, and " + why +
                           "; give rod.relaxation_time");
    }
    any = true;
  }
  if (any) rod.damping_rate = rate_of_ratio(deck, ends[0], ends[1], rod);
}

void set_damping(const Deck& deck, const BoundarySpec& boundary, RodSpec& rod) {
  refuse_both(deck, "rod.relaxation_time"_key, "rod.damping_ratio"_key);
  if (deck.has_value("rod.relaxation_time"_key)) {
    check_alone(deck, "rod.relaxation_time"_key);
    rod.damping_rate = 1.0 / deck.number("rod.relaxation_time"_key);
    return;
  }
  if (deck.has_value("rod.damping_ratio"_key)) {
    check_alone(deck, "rod.damping_ratio"_key);
    rod.damping_rate = rate_of_ratio(deck, BeamEnd::of(boundary.first), BeamEnd::of(boundary.last), rod);
    return;
  }
  const bool published = deck.choice("rod.damping_law"_key) == "published";
  if (deck.has_value("rod.rotational_damping"_key)) {
    if (published) {
      throw deck.error("rod.rotational_damping"_key,
                       "contradicts rod.damping_law = published (" + deck.place("rod.damping_law"_key) +
                           "), by which rod.damping acts on angular velocities too");
    }
  } else if (published) {
    rod.rotational_damping = rod.damping;
  }
}

/// Motions that turn the directors of an end, and joints that bend half an element, know elasticity alone.
void check_material_damping(const Deck& deck, const MemberSpec& spec) {
  const auto refuse = [&](bool refused, Key key) {
    if (!refused) return;
    throw deck.error("rod.retardation_time"_key, "is not possible with " + std::string(key_info(key).name) +
                                                     " (" + deck.place(key) + ")");
  };
  const auto connects = [&](ConnectionKind kind) {
    return std::ranges::any_of(spec.connections, [&](const ConnectionSpec& c) { return c.kind == kind; });
  };
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSetup& setup = spec.setup(k);
    if (setup.rod.retardation_time == 0.0) continue;
    const bool rigid_after = k + 1 < spec.rod_count() && spec.setup(k + 1).joint == JointKind::rigid;
    refuse(setup.joint == JointKind::rigid || rigid_after, "joint.kind"_key);
    refuse(setup.boundary.twist != 0.0, "boundary.twist"_key);
    refuse(std::ranges::any_of(spec.motions,
                               [&](const MotionSpec& m) { return m.rod == k && m.kind != MotionKind::node; }),
           "motion.rotation"_key);
    refuse(connects(ConnectionKind::hinge), "connection.hinge"_key);
    refuse(connects(ConnectionKind::rigid), "connection.rigid"_key);
    refuse(spec.on_device, "model.device"_key);
  }
}

}  // namespace rodeo
