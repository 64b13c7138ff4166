#include <algorithm>
#include <cmath>
#include <string>

#include "rodeo/rod/bending_mode.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

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
