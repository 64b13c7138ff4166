#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "rodeo/input/number_text.hpp"
#include "rodeo/rod/initial_shape.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

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

}  // namespace

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

}  // namespace rodeo
