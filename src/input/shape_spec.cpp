#include <algorithm>
#include <cmath>
#include <numbers>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

int element_count(const Deck& deck, double length) {
  if (gives_first(deck, Key::rod_elements, Key::rod_elements_per_length)) {
    return static_cast<int>(deck.integer(Key::rod_elements));
  }
  const double count = std::max(1.0, std::round(deck.number(Key::rod_elements_per_length) * length));
  if (count > key_info(Key::rod_elements).maximum) {
    throw deck.error(Key::rod_elements_per_length, "gives " + format_real(count) +
                                                       " elements; rod.elements is an " +
                                                       allowed_values(key_info(Key::rod_elements)));
  }
  return static_cast<int>(count);
}

/// "rod.shape = helix (deck.ini:3)"
std::string given_shape(const Deck& deck) {
  return "rod.shape = " + std::string(deck.choice(Key::rod_shape)) + " (" + deck.place(Key::rod_shape) + ")";
}

bool is_closed(const Deck& deck, RodShape shape) {
  if (!deck.has_value(Key::rod_closed)) return shape == RodShape::ring;
  const bool closed = deck.choice(Key::rod_closed) == "yes";
  if (closed && shape != RodShape::ring && shape != RodShape::file) {
    throw deck.error(Key::rod_closed, "yes is not possible with " + given_shape(deck) +
                                          ", whose ends do not meet; use ring or file");
  }
  return closed;
}

void check_elements_of_ring(const Deck& deck, int elements) {
  constexpr int fewest = 3;
  if (elements >= fewest) return;
  throw deck.error(deck.has_value(Key::rod_elements) ? Key::rod_elements : Key::rod_elements_per_length,
                   "gives " + std::to_string(elements) + " elements; a ring needs at least 3");
}

void set_helix(const Deck& deck, RodSpec& rod) {
  rod.helix_radius = deck.number(Key::rod_helix_radius);
  rod.helix_pitch = deck.number(Key::rod_helix_pitch);
  if (rod.length / rod.elements < std::hypot(2.0 * rod.helix_radius, 0.5 * rod.helix_pitch)) return;
  throw deck.error(Key::rod_helix_radius, "makes a helix of fewer than two of the rod's " +
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
    throw deck.error(Key::rod_shape_nodes, "holds " + std::to_string(nodes) + " nodes; " +
                                               (rod.closed ? "a closed" : "an open") +
                                               " rod needs at least " + std::to_string(fewest));
  }
  const std::vector<Vec3> edges = shape_edges(rod.shape_nodes, rod.closed);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (norm(edges[i]) > smallest_share * rod.length / rod.elements) continue;
    const bool seam = rod.closed && i + 1 == edges.size();
    throw deck.error(Key::rod_shape_nodes,
                     node_pair(i, nodes) + " coincide" + (seam ? "; a closed rod lists each node once" : ""));
  }
  for (std::size_t i = 0; i + 1 < edges.size() + (rod.closed ? 1 : 0); ++i) {
    const Vec3& next = edges[(i + 1) % edges.size()];
    constexpr double sharpest_cosine = -0.999;
    if (dot(edges[i], next) > sharpest_cosine * norm(edges[i]) * norm(next)) continue;
    throw deck.error(Key::rod_shape_nodes,
                     "the rod folds back on itself at node " + std::to_string((i + 1) % nodes));
  }
}

void set_shape_nodes(const Deck& deck, RodSpec& rod) {
  refuse_both(deck, Key::rod_shape_file, Key::rod_shape_nodes);
  if (!deck.has_value(Key::rod_shape_nodes)) {
    throw deck.missing_error(Key::rod_shape_file, "needed for " + given_shape(deck));
  }
  const std::vector<double>& coordinates = deck.list(Key::rod_shape_nodes);
  if (coordinates.size() % 3 != 0) {
    throw deck.error(Key::rod_shape_nodes, "holds " + std::to_string(coordinates.size()) +
                                               " numbers, not x, y and z of every node");
  }
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
    rod.shape_nodes.push_back({coordinates[i], coordinates[i + 1], coordinates[i + 2]});
  for (const Vec3& edge : shape_edges(rod.shape_nodes, rod.closed)) rod.length += norm(edge);
  rod.elements = static_cast<int>(rod.shape_nodes.size()) - (rod.closed ? 0 : 1);
  check_shape_nodes(deck, rod);
  if (deck.has_value(Key::rod_elements) && deck.integer(Key::rod_elements) != rod.elements) {
    throw deck.error(Key::rod_elements, "is not the " + std::to_string(rod.elements) +
                                            " elements between the nodes of " +
                                            deck.place(Key::rod_shape_nodes) + "; leave it out");
  }
}

}  // namespace

void set_shape(const Deck& deck, RodSpec& rod) {
  rod.shape = chosen<RodShape>(deck, Key::rod_shape);
  rod.closed = is_closed(deck, rod.shape);
  if (rod.shape == RodShape::file) {
    set_shape_nodes(deck, rod);
  } else {
    rod.length = deck.number(Key::rod_length);
    rod.elements = element_count(deck, rod.length);
    if (rod.shape == RodShape::ring) check_elements_of_ring(deck, rod.elements);
    if (rod.shape == RodShape::helix) set_helix(deck, rod);
  }
  rod.total_twist = deck.number(Key::rod_total_twist);
  if (std::abs(rod.total_twist) >= std::numbers::pi * rod.elements) {
    throw deck.error(Key::rod_total_twist, "is half a turn or more an element; give more elements");
  }
  rod.rests_straight = deck.choice(Key::rod_rest_shape) == "straight";
  const std::vector<double>& bend = deck.list(Key::rod_intrinsic_curvature);
  rod.intrinsic_curvature = {bend[0], bend[1], deck.number(Key::rod_intrinsic_twist)};
}

}  // namespace rodeo
