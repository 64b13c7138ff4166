#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "rodeo/math/banded_matrix.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::tangent {

/// Which unknowns of a rod stay as they are: those of nodes and elements that are held, and of nodes that
/// move along an axis only what is across it.
class HeldUnknowns {
 public:
  void add_node(int node) {
    const int unknown = node_unknown(node);
    held_.insert(held_.end(), {unknown, unknown + 1, unknown + 2});
  }
  void add_element(int element) {
    const int unknown = element_unknown(element);
    held_.insert(held_.end(), {unknown, unknown + 1, unknown + 2});
  }
  void add_unknown(int unknown) { held_.push_back(unknown); }
  void add_sliding_node(int node, const Vec3& axis) {
    sliding_.push_back({node_unknown(node), {axis.x, axis.y, axis.z}});
  }

  /// All but those of nodes that move along an axis.
  const std::vector<int>& unknowns() const { return held_; }

  /// What takes of the three unknowns of a node or an element, given by the first, the part that is free.
  Matrix3 freedom(int first) const {
    const auto sliding = std::ranges::find(sliding_, first, &SlidingNode::unknown);
    if (sliding != sliding_.end()) {
      const Vec3 axis = {sliding->axis[0], sliding->axis[1], sliding->axis[2]};
      return outer(axis, axis);
    }
    const auto free = [&](int c) { return std::ranges::find(held_, first + c) == held_.end() ? 1.0 : 0.0; };
    return {{free(0), 0.0, 0.0}, {0.0, free(1), 0.0}, {0.0, 0.0, free(2)}};
  }

  /// Makes zero what does not move. Of packs each lane is a vector.
  template <class Number>
  void hold(Number* vector) const {
    for (const int unknown : held_) vector[unknown] = Number(0.0);
    for (const SlidingNode& node : sliding_) {
      Number* const v = vector + node.unknown;
      const Number along =
          v[0] * Number(node.axis[0]) + v[1] * Number(node.axis[1]) + v[2] * Number(node.axis[2]);
      for (int k = 0; k < 3; ++k) v[k] = along * Number(node.axis[k]);
    }
  }

  /// Makes their rows and columns those of the unit matrix.
  void hold(RodMatrix& matrix) const {
    for (const int unknown : held_) matrix.hold(unknown);
    const auto entry = [&](int i, int j) -> double& { return matrix.at(std::max(i, j), std::min(i, j)); };
    for (const SlidingNode& node : sliding_) {
      project(node, matrix.size(), entry);
      const double along = along_in_block(node, entry);
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k <= i; ++k) entry(node.unknown + i, node.unknown + k) = block(node, along, i, k);
      }
    }
  }
  void hold(BandedMatrix& matrix) const { hold(matrix, 0, matrix.size()); }

  /// The same where those of the rod stand from `first` on, so many of them.
  void hold(BandedMatrix& matrix, int first, int size) const {
    const auto entry = [&](int i, int j) -> double& { return matrix.at(first + i, first + j); };
    for (const int unknown : held_) {
      for (int i = std::max(0, unknown - half_bandwidth); i <= std::min(size - 1, unknown + half_bandwidth);
           ++i) {
        entry(unknown, i) = entry(i, unknown) = i == unknown ? 1.0 : 0.0;
      }
    }
    for (const SlidingNode& node : sliding_) {
      project(node, size, entry);
      project(node, size, [&](int i, int j) -> double& { return entry(j, i); });
      const double along = along_in_block(node, entry);
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) entry(node.unknown + i, node.unknown + k) = block(node, along, i, k);
      }
    }
  }

 private:
  struct SlidingNode {
    int unknown = 0;
    double axis[3] = {};  ///< unit vector
  };

  /// What is along the axis of the columns of a node, but for its own block.
  template <class Entry>
  static void project(const SlidingNode& node, int size, const Entry& entry) {
    const int first = node.unknown;
    const int last = first + 2;
    const auto in_band = [](int i, int j) { return std::abs(i - j) <= half_bandwidth; };
    for (int i = std::max(0, first - half_bandwidth); i <= std::min(size - 1, last + half_bandwidth); ++i) {
      if (i >= first && i <= last) continue;
      double along = 0.0;
      for (int k = 0; k < 3; ++k) {
        if (in_band(i, first + k)) along += node.axis[k] * entry(i, first + k);
      }
      for (int k = 0; k < 3; ++k) {
        if (in_band(i, first + k)) entry(i, first + k) = node.axis[k] * along;
      }
    }
  }

  template <class Entry>
  static double along_in_block(const SlidingNode& node, const Entry& entry) {
    double along = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k)
        along += node.axis[i] * node.axis[k] * entry(node.unknown + i, node.unknown + k);
    }
    return along;
  }

  static double block(const SlidingNode& node, double along, int i, int k) {
    return (i == k ? 1.0 : 0.0) + (along - 1.0) * node.axis[i] * node.axis[k];
  }

  std::vector<int> held_;
  std::vector<SlidingNode> sliding_;
};

}  // namespace rodeo::tangent
