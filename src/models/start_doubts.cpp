#include "start_doubts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/method/alpha_numbers.hpp"
#include "rodeo/rigid/rigid_member.hpp"
#include "rodeo/rod/bending_mode.hpp"
#include "rodeo/rod/initial_shape.hpp"

#include "shared_nodes.hpp"

namespace rodeo::models {

namespace {

/// Number of equal elements, above `elements`, that gives a rod a node at a share of its length; 0 if up to
/// four times as many do not.
int elements_with_node_at(double share, int elements) {
  for (int more = elements + 1; more <= 4 * elements; ++more) {
    const double place = share * more;
    if (std::abs(place - std::round(place)) < 1e-6) return more;
  }
  return 0;
}

/// Says which node stands for a place of a rod; nothing where a node stands there.
std::optional<std::string> beside_node(std::string_view key, const RodSpec& rod, int number, double arc) {
  const InitialShape shape = initial_shape(rod);
  const auto distance = [&](double node) { return std::abs(node - arc); };
  const auto nearest = std::ranges::min_element(shape.arc_lengths, {}, distance);
  const double length = shape.arc_lengths.back();
  if (distance(*nearest) <= 1e-6 * length) return std::nullopt;
  std::ostringstream text;
  text.precision(4);
  text << key << " at " << arc / length << " of rod " << number << " takes node "
       << nearest - shape.arc_lengths.begin() << ", at " << *nearest / length;
  const int elements = rod.rest_lengths.empty() ? elements_with_node_at(arc / length, rod.elements) : 0;
  if (elements > 0) text << "; with " << elements << " elements a node stands there";
  return text.str();
}

std::optional<std::string> first_place_beside_a_node(const MemberSpec& spec) {
  for (const MotionSpec& motion : spec.motions) {
    if (motion.kind != MotionKind::node || !(motion.arc >= 0.0)) continue;
    if (auto text = beside_node("motion.position", spec.setup(motion.rod).rod, motion.rod, motion.arc))
      return text;
  }
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec& rod = spec.setup(k).rod;
    const LoadSpec& load = spec.setup(k).load;
    if (load.tether_stiffness > 0.0 || load.tether_hardening > 0.0) {
      if (auto text = beside_node("load.tether_place", rod, k, load.tether_place * rod.length)) return text;
    }
    for (const PointMass& mass : rod.point_masses) {
      if (auto text = beside_node("rod.point_mass_positions", rod, k, mass.arc_length)) return text;
    }
  }
  return std::nullopt;
}

/// The middle of an element at an end is half an element from it.
std::optional<std::string> first_turned_end_element(const MemberSpec& spec) {
  for (const MotionSpec& motion : spec.motions) {
    const RodSpec& rod = spec.setup(motion.rod).rod;
    const bool at_end = motion.index == 0 || motion.index == rod.elements - 1;
    if (motion.kind != MotionKind::element || rod.closed || !at_end) continue;
    std::ostringstream text;
    text << "element " << motion.index << " of rod " << motion.rod << "; "
         << (motion.index == 0 ? "start" : "end") << " is the end itself, as a clamp holds it";
    return text.str();
  }
  return std::nullopt;
}

/// A rod so thin for its length is more often one whose nodes are in mm.
std::optional<std::string> first_thin_rod_of_nodes(const MemberSpec& spec) {
  constexpr double thin = 2e4;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec& rod = spec.setup(k).rod;
    if (rod.shape != RodShape::file) continue;
    const double length = initial_shape(rod).arc_lengths.back();
    if (length <= thin * rod.radius) continue;
    std::ostringstream text;
    text.precision(3);
    text << "rod " << k << " is " << length << " m long, and has a radius of " << rod.radius
         << " m; are its nodes in m?";
    return text.str();
  }
  return std::nullopt;
}

/// The stiffness of the barrier follows from the forces of each step, so that shorter steps throw harder.
std::optional<std::string> pressing(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::ipc || !coupling::press_at_start(spec)) return std::nullopt;
  std::ostringstream text;
  text << "the gap of some is below " << spec.contact.tolerance << " m";
  return text.str();
}

std::string percent_of(double part) {
  std::ostringstream text;
  text.precision(2);
  text << 100.0 * part << " %";
  return text.str();
}

/// A body takes the momenta of what its rod starts with. What is left of the energy tells whether this was
/// how a body moves.
std::optional<std::string> first_that_no_body_moves_as(const MemberSpec& spec) {
  constexpr double kept_by_a_body = 0.99;
  if (spec.model != ModelKind::rigid) return std::nullopt;
  const std::vector<double> kept = rodeo::rigid::kept_start_energies(spec);
  const auto least = std::ranges::min_element(kept);
  if (least == kept.end() || *least >= kept_by_a_body) return std::nullopt;
  return "rod " + std::to_string(least - kept.begin()) + " keeps " + percent_of(*least) +
         " of the kinetic energy";
}

/// The share of the energy of a swing that implicit steps take in a period, by phase of a step, rad.
double loss_in_period(const MemberSpec& spec, double turn) {
  const auto of_factor = [&](double squared) {
    return 1.0 - std::pow(squared, 2.0 * std::numbers::pi / turn);
  };
  const double square = turn * turn;
  switch (spec.scheme) {
    case TimeScheme::generalized_alpha:
      return method::AlphaNumbers(spec.time.spectral_radius).loss_in_period(turn);
    case TimeScheme::backward_euler:
      return of_factor(1.0 / (1.0 + square));
    case TimeScheme::sdirk2: {
      constexpr double gamma = 1.0 - 0.5 * std::numbers::sqrt2;
      const double damped = 1.0 + gamma * gamma * square;
      return of_factor((1.0 + (1.0 - 2.0 * gamma) * (1.0 - 2.0 * gamma) * square) / (damped * damped));
    }
    default:
      return 0.0;
  }
}

/// A control meets a swing that fades by the scheme and not by the rod. What holds rods besides their ends
/// makes other modes.
std::optional<std::string> first_swing_that_fades(const MemberSpec& spec) {
  constexpr double most = 0.01;
  const bool are_alone = spec.motions.empty() && spec.connections.empty() && !has_joints(spec);
  if (!spec.control.exists() || spec.steps_explicitly() || spec.rests() || !are_alone) return std::nullopt;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec one = rod_alone(spec, k);
    const double rate =
        slowest_bending_frequency(one.rod, BeamEnd::of(one.boundary.first), BeamEnd::of(one.boundary.last));
    const double loss = loss_in_period(spec, rate * spec.time.step);
    if (!(loss > most)) continue;
    return "the slowest bending of rod " + std::to_string(k) + " loses " + percent_of(loss) +
           " of its energy in a period, which it has " +
           std::to_string(std::llround(2.0 * std::numbers::pi / (rate * spec.time.step))) + " steps for";
  }
  return std::nullopt;
}

/// Part of the spin across elements that their nodes do not follow, over the spin across, as squares along
/// the rod.
double lost_spin(const RodSpec& rod) {
  if (!rod.start || rod.start->angular_velocities.empty()) return 0.0;
  const RodStart& start = *rod.start;
  const InitialShape shape = initial_shape(rod);
  const auto& nodes = start.positions.empty() ? shape.nodes : start.positions;
  double given = 0.0;
  double lost = 0.0;
  for (std::size_t i = 0; i < start.angular_velocities.size(); ++i) {
    const Quaternion frame = start.orientations.empty() ? shape.frames[i + 1] : start.orientations[i];
    const Vec3 edge = nodes[i + 1] - nodes[i];
    const Vec3 spin = norm(edge) * directors(frame).to_laboratory(start.angular_velocities[i]);
    const Vec3 tangent = (1.0 / norm(edge)) * edge;
    const Vec3 across = spin - dot(spin, tangent) * tangent;
    const Vec3 of_nodes =
        start.velocities.empty() ? Vec3{} : cross(tangent, start.velocities[i + 1] - start.velocities[i]);
    given += dot(across, across);
    lost += dot(across - of_nodes, across - of_nodes);
  }
  return given > 0.0 ? lost / given : 0.0;
}

/// Elements of der turn with their nodes.
std::optional<std::string> first_spin_without_its_nodes(const MemberSpec& spec) {
  constexpr double rounded = 0.1;  // a state of another model's may have some
  if (spec.model != ModelKind::der || spec.rests()) return std::nullopt;
  for (int k = 0; k < spec.rod_count(); ++k) {
    if (lost_spin(spec.setup(k).rod) > rounded) return "rod " + std::to_string(k);
  }
  return std::nullopt;
}

/// Masses at nodes, half of each element's at either, are farther from its middle than they are along it.
std::optional<std::string> first_body_of_few_elements(const MemberSpec& spec) {
  constexpr int enough_elements = 10;  // for 2 %
  if (spec.model != ModelKind::rigid) return std::nullopt;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec& rod = spec.setup(k).rod;
    if (rod.shape != RodShape::straight || rod.elements >= enough_elements) continue;
    std::ostringstream text;
    text.precision(3);
    text << "that of rod " << k << " with rod.elements = " << rod.elements << " is "
         << 1.0 + 2.0 / (rod.elements * rod.elements) << " times a straight rod's";
    return text.str();
  }
  return std::nullopt;
}

}  // namespace

std::vector<StartWarning> start_doubts(const MemberSpec& spec) {
  std::vector<StartWarning> doubts;
  if (auto text = first_place_beside_a_node(spec))
    doubts.push_back({"places between nodes are taken to the nearest node", *std::move(text)});
  if (auto text = first_turned_end_element(spec))
    doubts.push_back(
        {"motion.rotation of an element holds all its turns at its middle, half an element from the end",
         *std::move(text)});
  if (auto text = first_thin_rod_of_nodes(spec))
    doubts.push_back({"rods whose nodes are given are very thin for their length", *std::move(text)});
  if (auto text = pressing(spec))
    doubts.push_back(
        {"rods that start nearer than contact.tolerance are pushed apart, the faster the shorter the step",
         *std::move(text)});
  if (auto text = first_that_no_body_moves_as(spec))
    doubts.push_back(
        {"rigid bodies take the momenta of rod.start_velocity and rod.start_spin, which are not how "
         "a body moves: one that turns with W needs W as its spin and W x r as its velocity",
         *std::move(text)});
  if (auto text = first_spin_without_its_nodes(spec))
    doubts.push_back(
        {"elements of model.kind = der turn with their nodes, and what rod.start_spin has across "
         "them has no effect: a rod that turns with W needs W x r as its rod.start_velocity",
         *std::move(text)});
  if (auto text = first_swing_that_fades(spec))
    doubts.push_back(
        {"time.scheme takes energy from what the control is to swing or to still; a shorter step, or "
         "another scheme, takes less",
         *std::move(text)});
  if (auto text = first_body_of_few_elements(spec))
    doubts.push_back(
        {"rigid bodies are the masses of their nodes, which with few elements have a larger "
         "moment of inertia",
         *std::move(text)});
  return doubts;
}

}  // namespace rodeo::models
