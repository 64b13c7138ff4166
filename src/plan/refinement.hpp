#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/result.hpp"

namespace rodeo {

/// Places along the axes of a grid of two or three, counted from 0.
using Coordinates = std::array<int, 3>;

/// The nodes of a grid, in the numbers that Sweep gives them: the last axis varies fastest.
struct NodeGrid {
  Coordinates counts{1, 1, 1};  ///< of values along each axis; 1 where there is none
  /// Axes whose values are categories: nodes that differ in one of them are not beside each other.
  std::array<bool, 3> categories{};

  explicit NodeGrid(std::span<const std::size_t> values) {
    for (std::size_t axis = 0; axis < values.size(); ++axis) counts[axis] = static_cast<int>(values[axis]);
  }

  std::size_t nodes() const {
    return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
           static_cast<std::size_t>(counts[2]);
  }
  /// Number of axes along which nodes are neighbours.
  int axes() const {
    int number = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) number += counts[axis] > 1 && !categories[axis] ? 1 : 0;
    return number;
  }
  std::size_t node(const Coordinates& at) const {
    return (static_cast<std::size_t>(at[0]) * static_cast<std::size_t>(counts[1]) +
            static_cast<std::size_t>(at[1])) *
               static_cast<std::size_t>(counts[2]) +
           static_cast<std::size_t>(at[2]);
  }
  Coordinates at(std::size_t node) const {
    const auto third = static_cast<std::size_t>(counts[2]);
    const auto second = static_cast<std::size_t>(counts[1]);
    return {static_cast<int>(node / third / second), static_cast<int>(node / third % second),
            static_cast<int>(node % third)};
  }
};

/// Calls `use(coordinates)` for all places from `first` to `last`, both included, in rising order.
template <class Use>
void for_each_place(const Coordinates& first, const Coordinates& last, const Use& use) {
  Coordinates at{};
  for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
    for (at[1] = first[1]; at[1] <= last[1]; ++at[1]) {
      for (at[2] = first[2]; at[2] <= last[2]; ++at[2]) use(at);
    }
  }
}

/// Calls `use(coordinates)` for a node and those next to it, also across corners.
template <class Use>
void for_each_neighbour(const NodeGrid& grid, const Coordinates& at, const Use& use) {
  Coordinates first = at;
  Coordinates last = at;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid.categories[axis]) continue;
    first[axis] = std::max(0, at[axis] - 1);
    last[axis] = std::min(grid.counts[axis] - 1, at[axis] + 1);
  }
  for_each_place(first, last, use);
}

/// Outcomes that have been seen somewhere: bit k for outcome k.
using OutcomeSet = std::uint16_t;
inline constexpr int most_outcomes = 16;

constexpr OutcomeSet set_of(int outcome) {
  return static_cast<OutcomeSet>(1u << static_cast<unsigned>(outcome));
}

/// Whether it holds more than one.
constexpr bool disagree(OutcomeSet seen) { return (seen & (seen - 1)) != 0; }

/// Rule for the outcome of a member: on which side of a level it lies, or how it ended.
class OutcomeRule {
 public:
  /// refine.observable and refine.level. Throws DeckError.
  static OutcomeRule from_deck(const Deck& deck);

  int outcome(const Result& member) const;

  /// Excess of the observable over the level; NaN where outcome() is neither of the two.
  double above(const Result& member) const;

  /// Whether there is a level.
  bool has_level() const { return place_.has_value(); }

  /// The words for outcomes 0, 1, 2, ...
  std::vector<std::string> names() const;

  /// Whether an outcome is the one whose probability is told.
  bool counts(int outcome) const { return place_ ? outcome == 1 : outcome > 0; }

 private:
  std::optional<std::size_t> place_;  ///< of the observable; without one, statuses tell
  double level_ = 0.0;
};

/// Nodes of a grid that must be evaluated to know where outcomes change. They follow from the grid and from
/// outcomes alone, whatever the order in which these come.
class Refinement {
 public:
  virtual ~Refinement() = default;

  /// Takes the outcome of a member at a node, wanted or not, and the excess of its observable over the level;
  /// NaN where it is no number.
  virtual void learn(std::size_t node, int outcome, double above) = 0;

  /// Nodes that are wanted now, each once. Those that are wanted first come first.
  virtual std::vector<std::size_t> take_wanted() = 0;

  /// Estimated excess of the observable over the level at unknown nodes, in the order of all nodes; NaN
  /// where there is none. Empty without any.
  virtual std::vector<double> inferred() const { return {}; }
};

/// Makes the refinement of refine.method for a grid, by itself for each combination of its categories.
/// `tolerance`: of the place of the boundary by method "value", in steps of the grid.
std::unique_ptr<Refinement> make_refinement(std::string_view method, const NodeGrid& grid,
                                            const Coordinates& strides, double tolerance);

/// Places of a lattice along each axis of a grid.
std::array<std::vector<int>, 3> lattice_of(const NodeGrid& grid, const Coordinates& strides);

/// Cuts of a box along an axis: its ends, and its middle if it is wider than a step.
inline std::vector<int> cuts_of(int first, int last) {
  if (last == first) return {first};
  if (last - first == 1) return {first, last};
  return {first, first + (last - first) / 2, last};
}

/// The boxes along an axis between neighbouring cuts; a single place is one by itself.
inline std::size_t gaps(const std::vector<int>& cuts) { return std::max<std::size_t>(1, cuts.size() - 1); }

/// The cuts of a box along the three axes.
inline std::array<std::vector<int>, 3> cuts_of(const Coordinates& first, const Coordinates& last) {
  return {cuts_of(first[0], last[0]), cuts_of(first[1], last[1]), cuts_of(first[2], last[2])};
}

/// Steps along the longest edge of a box.
inline int widest(const Coordinates& first, const Coordinates& last) {
  int width = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) width = std::max(width, last[axis] - first[axis]);
  return width;
}

/// Calls `use(first, last)` for each box between the cuts along the three axes.
template <class Use>
void for_each_box(const std::array<std::vector<int>, 3>& cuts, const Use& use) {
  const auto end = [](const std::vector<int>& places, std::size_t k) {
    return places[std::min(k + 1, places.size() - 1)];
  };
  for (std::size_t i = 0; i < gaps(cuts[0]); ++i) {
    for (std::size_t j = 0; j < gaps(cuts[1]); ++j) {
      for (std::size_t k = 0; k < gaps(cuts[2]); ++k) {
        use(Coordinates{cuts[0][i], cuts[1][j], cuts[2][k]},
            Coordinates{end(cuts[0], i), end(cuts[1], j), end(cuts[2], k)});
      }
    }
  }
}

/// Calls `use(coordinates)` for each place where cuts along the three axes cross.
template <class Use>
void for_each_crossing(const std::array<std::vector<int>, 3>& cuts, const Use& use) {
  for (const int i : cuts[0]) {
    for (const int j : cuts[1]) {
      for (const int k : cuts[2]) use(Coordinates{i, j, k});
    }
  }
}

}  // namespace rodeo
