#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "node_grid.hpp"

namespace rodeo {

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

/// Places along an axis of `count` values, the first and the last among them, that are as even as can be and
/// at most `stride` apart.
std::vector<int> lattice_places(int count, int stride);

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
