#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "node_grid.hpp"

namespace rodeo {

/// Which nodes of a grid must be evaluated to know where outcomes change. What it wants follows from the grid
/// and from outcomes alone, whatever the order in which they come.
class Refinement {
 public:
  virtual ~Refinement() = default;

  /// The outcome of a member at a node, wanted or not.
  virtual void learn(std::size_t node, int outcome) = 0;

  /// Nodes that are wanted now, each once. Those that are wanted first come first.
  virtual std::vector<std::size_t> take_wanted() = 0;
};

/// Places along an axis of `count` values, the first and the last among them, that are as even as can be and
/// at most `stride` apart.
std::vector<int> lattice_places(int count, int stride);

/// These along each axis of a grid.
std::array<std::vector<int>, 3> lattice_of(const NodeGrid& grid, const Coordinates& strides);

}  // namespace rodeo
