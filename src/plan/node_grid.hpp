#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace rodeo
