#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/section.hpp"

#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// "rod.bend_stiffness and rod.stretch_stiffness", of those keys the deck gives no value for.
std::string keys_without_value(const Deck& deck, std::initializer_list<Key> keys) {
  std::string names;
  for (const Key key : keys) {
    if (!deck.has_value(key)) names += (names.empty() ? "" : " and ") + std::string(key_info(key).name);
  }
  return names;
}

bool is_circle(const Deck& deck) { return deck.choice("rod.section"_key) == "circle"; }

double young_modulus(const Deck& deck) {
  if (deck.has_value("rod.young_modulus"_key)) return deck.number("rod.young_modulus"_key);
  std::string needed_by =
      is_circle(deck) ? keys_without_value(deck, {"rod.bend_stiffness"_key, "rod.stretch_stiffness"_key})
                      : keys_without_value(deck, {"rod.bend_stiffness"_key, "rod.second_bend_stiffness"_key,
                                                  "rod.stretch_stiffness"_key});
  if (needed_by.empty()) needed_by = "the shear modulus, with rod.poisson_ratio";
  throw deck.missing_error("rod.young_modulus"_key, "needed for " + needed_by);
}

double shear_modulus(const Deck& deck) {
  if (deck.has_value("rod.shear_modulus"_key)) return deck.number("rod.shear_modulus"_key);
  if (!deck.has_value("rod.poisson_ratio"_key)) {
    const bool ratio_gives_twist = deck.has_value("rod.twist_to_bend_ratio"_key);
    const std::string needed_by =
        ratio_gives_twist ? keys_without_value(deck, {"rod.shear_stiffness"_key})
                          : keys_without_value(deck, {"rod.twist_stiffness"_key, "rod.shear_stiffness"_key});
    throw deck.missing_error("rod.shear_modulus"_key, "or give rod.poisson_ratio; needed for " + needed_by);
  }
  return young_modulus(deck) / (2.0 * (1.0 + deck.number("rod.poisson_ratio"_key)));
}

bool gives_shear_modulus(const Deck& deck) {
  return deck.has_value("rod.shear_modulus"_key) || deck.has_value("rod.poisson_ratio"_key);
}

bool shears(const Deck& deck) { return model_in(deck).has(feature("shear")); }

/// The stiffnesses of a section with area A; of a circle the second moments of area are I1 = I2 = A^2 / (4
/// pi) and the torsion constant is I3 = 2 I1. Each may be given in place of its formula.
void set_stiffnesses(const Deck& deck, double area, RodSpec& rod) {
  const section::Moments moments = section::moments(rod.section, rod.width, rod.thickness);
  if (!model_in(deck).has(feature("bend, twist and stretch"))) {
    rod.circular = rod.section == SectionShape::circle;
    rod.first_moment = moments.first;
    rod.second_moment = moments.second;
    return;
  }
  const double second_moment = area * area / (4.0 * std::numbers::pi);
  rod.first_moment = moments.first;
  rod.second_moment = moments.second;
  refuse_both(deck, "rod.shear_modulus"_key, "rod.poisson_ratio"_key);
  refuse_both(deck, "rod.twist_stiffness"_key, "rod.twist_to_bend_ratio"_key);

  const auto given_or = [&](Key key, auto formula) {
    return deck.has_value(key) ? deck.number(key) : derived(deck, key, formula());
  };
  rod.bend_stiffness =
      given_or("rod.bend_stiffness"_key, [&] { return young_modulus(deck) * second_moment * moments.first; });
  rod.twist_stiffness = given_or("rod.twist_stiffness"_key, [&] {
    return deck.has_value("rod.twist_to_bend_ratio"_key)
               ? deck.number("rod.twist_to_bend_ratio"_key) * rod.bend_stiffness
               : shear_modulus(deck) * 2.0 * second_moment * moments.torsion;
  });
  rod.stretch_stiffness = given_or("rod.stretch_stiffness"_key, [&] { return young_modulus(deck) * area; });
  rod.shear_stiffness = given_or("rod.shear_stiffness"_key, [&] {
    // Rods that do not shear need no modulus for it: any stiffness does.
    if (!shears(deck) && !gives_shear_modulus(deck)) return rod.stretch_stiffness;
    return section::shear_coefficient(rod.section) * shear_modulus(deck) * area;
  });
  const bool second_bend = deck.has_value("rod.second_bend_stiffness"_key);
  const bool second_shear = deck.has_value("rod.second_shear_stiffness"_key);
  rod.circular = rod.section == SectionShape::circle && !second_bend && !second_shear;
  if (second_bend || rod.section != SectionShape::circle) {
    const double stiffness = given_or("rod.second_bend_stiffness"_key,
                                      [&] { return young_modulus(deck) * second_moment * moments.second; });
    rod.second_bend_ratio = stiffness / rod.bend_stiffness;
  }
  if (second_shear) {
    rod.second_shear_ratio = deck.number("rod.second_shear_stiffness"_key) / rod.shear_stiffness;
  }
}

/// rod.normal without its part along `direction`, which is called `name` in messages.
Vec3 unit_normal(const Deck& deck, const Vec3& direction, const std::string& name) {
  constexpr double smallest_sine = 1e-6;  // below this the deck's digits, not its author, choose the normal
  const auto across = [&](const Vec3& v) { return v - dot(v, direction) * direction; };
  const bool given = deck.has_value("rod.normal"_key);
  Vec3 normal = across(given ? unit_vector(deck, "rod.normal"_key) : Vec3{1, 0, 0});
  if (!given && norm(normal) < smallest_sine) normal = across({0, 1, 0});
  if (norm(normal) < smallest_sine) {
    throw deck.error("rod.normal"_key,
                     "is parallel to " + name + "; give another normal, such as 0, 1, 0 or 0, 0, 1");
  }
  normal = normalized(normal);
  // Once more, as the first removal leaves a rounding error that normalising enlarges.
  return normalized(across(normal));
}

/// Origin and axes; the first element of a file stands for the direction that the normal is perpendicular to.
void set_placement(const Deck& deck, RodSpec& rod) {
  rod.direction = unit_vector(deck, "rod.direction"_key);
  if (rod.shape == RodShape::file) {
    const Vec3 first_tangent = normalized(rod.shape_nodes[1] - rod.shape_nodes[0]);
    rod.normal =
        unit_normal(deck, first_tangent, "the first element of " + deck.place("rod.shape_nodes"_key));
  } else {
    rod.normal = unit_normal(deck, rod.direction, "rod.direction (" + deck.place("rod.direction"_key) + ")");
  }
}

/// Sets the widths of a section that is no circle, and the radius of the circle of equal area.
void set_widths(const Deck& deck, RodSpec& rod) {
  const std::string needed = "rod.section = " + std::string(word_of(rod.section)) + " needs it";
  require(deck, "rod.width"_key, needed);
  require(deck, "rod.thickness"_key, needed);
  const double area = section::area_share(rod.section) * rod.width * rod.thickness;
  rod.radius = derived(deck, "rod.width"_key, std::sqrt(area / std::numbers::pi));
  if (!deck.has_value("rod.end_width"_key)) return;
  rod.end_radius_ratio = derived(deck, "rod.end_width"_key, deck.number("rod.end_width"_key) / rod.width);
  if (rod.closed && rod.end_radius_ratio != 1.0) {
    throw deck.error("rod.end_width"_key,
                     "is not the width at the first node, which is the last of a rod that is closed");
  }
}

void set_radius(const Deck& deck, RodSpec& rod) {
  if (rod.section != SectionShape::circle) return set_widths(deck, rod);
  rod.radius = gives_first(deck, "rod.radius"_key, "rod.radius_per_length"_key)
                   ? deck.number("rod.radius"_key)
                   : derived(deck, "rod.radius"_key, deck.number("rod.radius_per_length"_key) * rod.length);
  if (!deck.has_value("rod.end_radius"_key)) return;
  rod.end_radius_ratio = derived(deck, "rod.end_radius"_key, deck.number("rod.end_radius"_key) / rod.radius);
  if (rod.closed && rod.end_radius_ratio != 1.0) {
    throw deck.error("rod.end_radius"_key,
                     "is not the radius at the first node, which is the last of a rod that is closed");
  }
}

std::vector<PointMass> point_masses(const Deck& deck, double length) {
  std::vector<PointMass> points;
  if (!deck.has_value("rod.point_masses"_key)) {
    if (!deck.has_value("rod.point_mass_positions"_key)) return points;
    throw deck.missing_error("rod.point_masses"_key, "needed for rod.point_mass_positions");
  }
  if (!deck.has_value("rod.point_mass_positions"_key)) {
    throw deck.missing_error("rod.point_mass_positions"_key, "needed for rod.point_masses");
  }
  const std::vector<double>& masses = deck.list("rod.point_masses"_key);
  const std::vector<double>& positions = deck.list("rod.point_mass_positions"_key);
  if (masses.size() != positions.size()) {
    throw deck.error("rod.point_mass_positions"_key, "holds " + std::to_string(positions.size()) +
                                                         " numbers, rod.point_masses " +
                                                         std::to_string(masses.size()));
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (positions[i] > length) {
      throw deck.error("rod.point_mass_positions"_key,
                       format_real(positions[i]) + " m is beyond the rod's " + format_real(length) + " m");
    }
    points.push_back({masses[i], positions[i]});
  }
  return points;
}

int element_count(const Deck& deck, double length) {
  if (gives_first(deck, "rod.elements"_key, "rod.elements_per_length"_key)) {
    return static_cast<int>(deck.integer("rod.elements"_key));
  }
  const double count = std::max(1.0, std::round(deck.number("rod.elements_per_length"_key) * length));
  if (count > key_info("rod.elements"_key).maximum) {
    throw deck.error("rod.elements_per_length"_key, "gives " + format_real(count) +
                                                        " elements; rod.elements is an " +
                                                        allowed_values(key_info("rod.elements"_key)));
  }
  return static_cast<int>(count);
}

/// "rod.shape = helix (deck.ini:3)"
std::string given_shape(const Deck& deck) {
  return "rod.shape = " + std::string(deck.choice("rod.shape"_key)) + " (" + deck.place("rod.shape"_key) +
         ")";
}

bool is_closed(const Deck& deck, RodShape shape) {
  if (!deck.has_value("rod.closed"_key)) return shape == RodShape::ring;
  const bool closed = deck.choice("rod.closed"_key) == "yes";
  if (closed && shape != RodShape::ring && shape != RodShape::file) {
    throw deck.error("rod.closed"_key, "yes is not possible with " + given_shape(deck) +
                                           ", whose ends do not meet; use ring or file");
  }
  return closed;
}

void check_elements_of_ring(const Deck& deck, int elements) {
  constexpr int fewest = 3;
  if (elements >= fewest) return;
  throw deck.error(deck.has_value("rod.elements"_key) ? "rod.elements"_key : "rod.elements_per_length"_key,
                   "gives " + std::to_string(elements) + " elements; a ring needs at least 3");
}

void set_helix(const Deck& deck, RodSpec& rod) {
  require(deck, "rod.helix_radius"_key);
  require(deck, "rod.helix_pitch"_key);
  if (rod.length / rod.elements < std::hypot(2.0 * rod.helix_radius, 0.5 * rod.helix_pitch)) return;
  throw deck.error("rod.helix_radius"_key, "makes a helix of fewer than two of the rod's " +
                                               std::to_string(rod.elements) +
                                               " elements a turn; give more elements");
}

/// "nodes 3 and 4", counted from 0; the last edge of a closed shape leads back to node 0.
std::string node_pair(std::size_t edge, std::size_t nodes) {
  return "nodes " + std::to_string(edge) + " and " + std::to_string((edge + 1) % nodes);
}

/// Throws if a shape has too few nodes, an edge without a length, or folds back on itself.
void check_shape_nodes(const Deck& deck, const RodSpec& rod) {
  constexpr double smallest_share = 1e-9;  // of the mean length of an element
  const std::size_t nodes = rod.shape_nodes.size();
  const std::size_t fewest = rod.closed ? 3 : 2;
  if (nodes < fewest) {
    throw deck.error("rod.shape_nodes"_key, "holds " + std::to_string(nodes) + " nodes; " +
                                                (rod.closed ? "a closed" : "an open") +
                                                " rod needs at least " + std::to_string(fewest));
  }
  const std::vector<Vec3> edges = shape_edges(rod.shape_nodes, rod.closed);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (norm(edges[i]) > smallest_share * rod.length / rod.elements) continue;
    const bool seam = rod.closed && i + 1 == edges.size();
    throw deck.error("rod.shape_nodes"_key,
                     node_pair(i, nodes) + " coincide" + (seam ? "; a closed rod lists each node once" : ""));
  }
  for (std::size_t i = 0; i + 1 < edges.size() + (rod.closed ? 1 : 0); ++i) {
    const Vec3& next = edges[(i + 1) % edges.size()];
    constexpr double sharpest_cosine = -0.999;
    if (dot(edges[i], next) > sharpest_cosine * norm(edges[i]) * norm(next)) continue;
    throw deck.error("rod.shape_nodes"_key,
                     "the rod folds back on itself at node " + std::to_string((i + 1) % nodes));
  }
}

/// Rest lengths where they are not those at the start; the rod is then as long as they are together.
void set_rest_lengths(const Deck& deck, RodSpec& rod) {
  refuse_both(deck, "rod.rest_length_file"_key, "rod.rest_lengths"_key);
  if (!deck.has_value("rod.rest_lengths"_key)) return;
  rod.rest_lengths = deck.list("rod.rest_lengths"_key);
  const auto elements = static_cast<std::size_t>(rod.elements);
  if (rod.rest_lengths.size() == 1) rod.rest_lengths.resize(elements, rod.rest_lengths.front());
  if (rod.rest_lengths.size() != elements) {
    throw deck.error("rod.rest_lengths"_key, "holds " + std::to_string(rod.rest_lengths.size()) +
                                                 " lengths; the shape has " + std::to_string(elements) +
                                                 " elements (or give one length for all)");
  }
  rod.length = std::accumulate(rod.rest_lengths.begin(), rod.rest_lengths.end(), 0.0);
}

void set_shape_nodes(const Deck& deck, RodSpec& rod) {
  refuse_both(deck, "rod.shape_file"_key, "rod.shape_nodes"_key);
  if (!deck.has_value("rod.shape_nodes"_key)) {
    throw deck.missing_error("rod.shape_file"_key, "needed for " + given_shape(deck));
  }
  const std::vector<double>& coordinates = deck.list("rod.shape_nodes"_key);
  if (coordinates.size() % 3 != 0) {
    throw deck.error("rod.shape_nodes"_key, "holds " + std::to_string(coordinates.size()) +
                                                " numbers, not x, y and z of every node");
  }
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
    rod.shape_nodes.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
  for (const Vec3& edge : shape_edges(rod.shape_nodes, rod.closed)) rod.length += norm(edge);
  rod.elements = static_cast<int>(rod.shape_nodes.size()) - (rod.closed ? 0 : 1);
  check_shape_nodes(deck, rod);
  set_rest_lengths(deck, rod);
  if (deck.has_value("rod.elements"_key) && deck.integer("rod.elements"_key) != rod.elements) {
    throw deck.error("rod.elements"_key, "is not the " + std::to_string(rod.elements) +
                                             " elements between the nodes of " +
                                             deck.place("rod.shape_nodes"_key) + "; leave it out");
  }
}

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

RodSpec make_rod_spec(const Deck& deck) {
  RodSpec rod;
  deck.fill(rod);
  set_shape(deck, rod);
  set_placement(deck, rod);
  set_radius(deck, rod);
  const double area = std::numbers::pi * rod.radius * rod.radius;
  const double volume = area * section::mean_square(1.0, rod.end_radius_ratio) * rod.length;
  rod.density = gives_first(deck, "rod.density"_key, "rod.mass"_key)
                    ? deck.number("rod.density"_key)
                    : derived(deck, "rod.density"_key, deck.number("rod.mass"_key) / volume);
  set_stiffnesses(deck, area, rod);
  rod.point_masses = point_masses(deck, rod.length);
  set_start(deck, rod);
  return rod;
}

namespace {

/// Throws for features that take each rod to be as thick in all directions.
void refuse_thickness(const Deck& deck, const RodSpec& rod, const MemberSpec& spec) {
  const std::string reason =
      "takes sections to be circular, which those of rod.section = " + std::string(word_of(rod.section)) +
      " (" + deck.place("rod.section"_key) + ") are not";
  const auto refuse = [&](bool asked, Key key) {
    if (asked) throw deck.error(key, reason);
  };
  refuse(spec.contact.kind != ContactKind::none, "contact.kind"_key);
  refuse(spec.ground.has_plane, "ground.kind"_key);
  for (const Key key : {"ground.planes"_key, "ground.spheres"_key, "ground.cylinders"_key,
                        "ground.platen"_key, "connection.bond"_key}) {
    refuse(deck.has_value(key), key);
  }
  for (const Key key : {"fluid.viscosity"_key, "fluid.reynolds"_key})
    refuse(spec.fluid.viscosity > 0.0 && deck.is_given(key), key);
  refuse(deck.choice("rod.placement"_key) == "random", "rod.placement"_key);
}

}  // namespace

void check_sections(const Deck& deck, const MemberSpec& spec) {
  const auto check = [&](const RodSpec& rod) {
    if (rod.section != SectionShape::circle) refuse_thickness(deck, rod, spec);
  };
  check(spec.rod);
  for (const RodSetup& other : spec.further_rods) check(other.rod);
  if (!spec.has_circular_sections() && spec.single_precision) {
    throw deck.error("model.precision"_key,
                     "= single computes with one bend stiffness of a rod, and one has two");
  }
}

void set_shape(const Deck& deck, RodSpec& rod) {
  rod.closed = is_closed(deck, rod.shape);
  if (rod.shape == RodShape::file) {
    set_shape_nodes(deck, rod);
  } else {
    rod.length = deck.number("rod.length"_key);
    rod.elements = element_count(deck, rod.length);
    if (rod.shape == RodShape::ring) check_elements_of_ring(deck, rod.elements);
    if (rod.shape == RodShape::helix) set_helix(deck, rod);
  }
  if (std::abs(rod.total_twist) >= std::numbers::pi * rod.elements) {
    throw deck.error("rod.total_twist"_key, "is half a turn or more an element; give more elements");
  }
  const std::vector<double>& bend = deck.list("rod.intrinsic_curvature"_key);
  rod.intrinsic_curvature = {bend[0], bend[1], deck.number("rod.intrinsic_twist"_key)};
}

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
