#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"

#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// So many numbers for each of `count` nodes or elements.
std::vector<double> numbers_of(const Deck& deck, Key key, std::size_t each, int count, const char* what) {
  require(deck, key, "rod.state_positions (" + deck.place("rod.state_positions"_key) + ") needs it");
  const std::vector<double>& numbers = deck.list(key);
  if (numbers.size() == each * static_cast<std::size_t>(count)) return numbers;
  throw deck.error(key, "holds " + std::to_string(numbers.size()) + " numbers; the rod has " +
                            std::to_string(count) + " " + what + ", of which each takes " +
                            std::to_string(each));
}

std::vector<Vec3> vectors_of(const Deck& deck, Key key, int count, const char* what) {
  const std::vector<double> numbers = numbers_of(deck, key, 3, count, what);
  std::vector<Vec3> vectors;
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    vectors.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  return vectors;
}

std::vector<Quaternion> quaternions_of(const Deck& deck, Key key, int count) {
  constexpr double rounding = 1e-5;  // of frames in single precision
  const std::vector<double> numbers = numbers_of(deck, key, 4, count, "elements");
  std::vector<Quaternion> quaternions;
  for (std::size_t k = 0; k < numbers.size(); k += 4) {
    const Quaternion& q =
        quaternions.emplace_back(Quaternion{numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
    if (std::abs(squared_norm(q) - 1.0) < rounding) continue;
    throw deck.error(key, "has no unit quaternion for element " + std::to_string(k / 4));
  }
  return quaternions;
}

/// The three formulas of place that a key gives, separated by commas.
std::array<Formula, 3> formulas_of(const Deck& deck, Key key) {
  static const MemberSpec none;
  std::array<Formula, 3> formulas = {Formula::number(0.0), Formula::number(0.0), Formula::number(0.0)};
  const std::string& text = deck.texts(key).front();
  return deck.reading(key, [&] {
    if (names_word(text, "t_end"))
      throw std::invalid_argument("t_end may follow from the rods, and is no part of how they start");
    LineReader in(text);
    for (std::size_t k = 0; k < 3; ++k) {
      if (k > 0) in.expect(',', "three formulas stand here, along or about x, y and z");
      formulas[k] = parse_formula(in, {.deck = deck, .member = none, .place = true, .one_rod = true});
    }
    expect_end(in);
    return formulas;
  });
}

Vec3 value_at(const std::array<Formula, 3>& formulas, double place) {
  return {formulas[0].value(0.0, place), formulas[1].value(0.0, place), formulas[2].value(0.0, place)};
}

void check_finite(const Deck& deck, Key key, const Vec3& value, double place) {
  if (std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z)) return;
  throw deck.error(key, "has no finite value at s = " + format_real(place));
}

/// Sets the velocities and spins of a rod that starts in its own shape.
void set_motion(const Deck& deck, const RodSpec& rod, RodStart& start) {
  const InitialShape shape = initial_shape(rod);
  const double length = shape.arc_lengths.back();
  if (deck.has_value("rod.start_velocity"_key)) {
    const std::array<Formula, 3> velocity = formulas_of(deck, "rod.start_velocity"_key);
    for (const double arc : shape.arc_lengths) {
      const Vec3 value = value_at(velocity, arc / length);
      check_finite(deck, "rod.start_velocity"_key, value, arc / length);
      start.velocities.push_back(rod.velocity + value);
    }
    if (rod.closed) start.velocities.back() = start.velocities.front();
  }
  if (!deck.has_value("rod.start_spin"_key)) return;
  const std::array<Formula, 3> spin = formulas_of(deck, "rod.start_spin"_key);
  for (std::size_t i = 0; i < shape.rest_lengths.size(); ++i) {
    const double place = shape.middle(i) / length;
    const Vec3 value = value_at(spin, place);
    check_finite(deck, "rod.start_spin"_key, value, place);
    start.angular_velocities.push_back(directors(shape.frames[i + 1]).to_body(value));
  }
}

/// Largest bend and twist of a rod from an element to the next, besides what is natural to it, rad; an
/// assumed value for a rod of one element.
double largest_strain(const RodStart& start, const InitialShape& shape) {
  constexpr double unknown = 0.2;  // rad
  const std::vector<Quaternion>& frames = start.orientations;
  if (frames.size() == 1) return unknown;
  double largest = 0.0;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
    const Vec3 natural = shape.rest_voronoi[i + 1] * shape.rest_curvatures[i + 1];
    largest = std::max(largest, norm(rotation_vector(conjugate(frames[i]) * frames[i + 1]) - natural));
  }
  return largest;
}

/// Throws unless a clamp stands at the end of a rod that starts from a state: at its node, and turned by no
/// more than the couple of a clamp that has held the rod before may have turned the half element behind it.
/// Such a turn goes with those from element to element along the rod; an end that swung freely has turned
/// without.
void check_clamp(const Deck& deck, Key key, const RodSpec& rod, const InitialShape& shape, bool first) {
  constexpr double largest_gap = 1e-6;  // of the rod's length
  constexpr double least_turn = 0.05;   // rad: of rods that hardly bend
  constexpr double most_of_strain = 3.0;
  const RodStart& start = *rod.start;
  const Vec3 gap =
      first ? start.positions.front() - shape.nodes.front() : start.positions.back() - shape.nodes.back();
  const std::vector<Quaternion>& frames = start.orientations;
  const std::size_t end = first ? 0 : frames.size() - 1;
  const Quaternion& clamp = first ? shape.frames.front() : shape.frames.back();
  const std::size_t region = first ? 0 : shape.rest_curvatures.size() - 1;
  const Vec3 natural = shape.rest_voronoi[region] * shape.rest_curvatures[region];
  const Quaternion across = first ? conjugate(clamp) * frames[end] : conjugate(frames[end]) * clamp;
  const double turn = norm(rotation_vector(across) - natural);
  const double allowed = std::max(least_turn, most_of_strain * largest_strain(start, shape));
  if (norm(gap) <= largest_gap * rod.length && turn <= allowed) return;
  throw deck.error(key, "holds an end where the shape of this deck has it, and the state (" +
                            deck.place("rod.state_positions"_key) + ") has that end " +
                            format_real(norm(gap)) + " m from there, turned by " + format_real(turn) +
                            " rad: it has moved since; place the rod so that both agree (rod.origin, "
                            "rod.direction, rod.normal), or hold the end as pinned");
}

}  // namespace

void set_start(const Deck& deck, RodSpec& rod) {
  const bool moves = deck.has_value("rod.start_velocity"_key) || deck.has_value("rod.start_spin"_key);
  if (deck.has_value("rod.state"_key)) {
    throw deck.error("rod.state"_key, "is read with the file of a deck, by the program alone");
  }
  const bool from_state = deck.has_value("rod.state_positions"_key);
  if (!moves && !from_state) return;
  auto start = std::make_shared<RodStart>();
  if (from_state) {
    for (const Key key : {"rod.start_velocity"_key, "rod.start_spin"_key}) {
      refuse_both(deck, "rod.state_positions"_key, key);
    }
    start->positions = vectors_of(deck, "rod.state_positions"_key, rod.elements + 1, "nodes");
    start->orientations = quaternions_of(deck, "rod.state_orientations"_key, rod.elements);
    start->velocities = vectors_of(deck, "rod.state_velocities"_key, rod.elements + 1, "nodes");
    start->angular_velocities =
        vectors_of(deck, "rod.state_angular_velocities"_key, rod.elements, "elements");
  } else {
    set_motion(deck, rod, *start);
  }
  rod.start = std::move(start);
}

void check_held_ends(const Deck& deck, const RodSpec& rod, const BoundarySpec& boundary) {
  if (!rod.start || rod.start->positions.empty()) return;
  const bool driven = boundary.twist != 0.0 || boundary.slack != 0.0;
  const auto holds = [&](EndCondition end) {
    return end == EndCondition::clamped || end == EndCondition::clamped_sliding ||
           (driven && end != EndCondition::free);
  };
  const InitialShape shape = initial_shape(rod);
  if (holds(boundary.first)) check_clamp(deck, "boundary.first"_key, rod, shape, true);
  if (holds(boundary.last)) check_clamp(deck, "boundary.last"_key, rod, shape, false);
}

}  // namespace rodeo
