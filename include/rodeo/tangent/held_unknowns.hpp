#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "rodeo/linear/band_ldlt.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/tangent/mixed_tangent.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::tangent {

/// Constrained unknowns of a rod: those of nodes and elements that are held, and the components across the
/// axis of nodes that slide along one.
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

  /// Held unknowns, without those of sliding nodes.
  const std::vector<int>& unknowns() const { return held_; }

  /// All unknowns that do not move freely. For a sliding node they are those of the other axes, or all three
  /// where its axis is none of x, y and z.
  std::vector<int> supported() const {
    std::vector<int> all = held_;
    for (const SlidingNode& node : sliding_) {
      for (int c = 0; c < 3; ++c) {
        const double along = node.axis[static_cast<std::size_t>(c)];
        if (along * along != 1.0) all.push_back(node.unknown + c);
      }
    }
    return all;
  }

  /// Projection of the three unknowns of a node or an element, from `first` on, on their free part.
  Matrix3 freedom(int first) const {
    const auto sliding = std::ranges::find(sliding_, first, &SlidingNode::unknown);
    if (sliding != sliding_.end()) {
      const Vec3 axis = {sliding->axis[0], sliding->axis[1], sliding->axis[2]};
      return outer(axis, axis);
    }
    const auto free = [&](int c) { return std::ranges::find(held_, first + c) == held_.end() ? 1.0 : 0.0; };
    return {{free(0), 0.0, 0.0}, {0.0, free(1), 0.0}, {0.0, 0.0, free(2)}};
  }

  /// Zeroes constrained entries of a vector. Each lane of packs is a vector.
  template <class Number>
  void hold(Number* vector) const;

  /// Makes rows and columns of held unknowns those of the unit matrix, and a node that slides as stiff across
  /// its axis as along it: of two numbers of different size the rounding of one is larger than the other.
  /// Each lane of packs is a matrix.
  template <class Number>
  void hold(SymmetricBand<Number, half_bandwidth>& matrix) const;
  void hold(BandedMatrix& matrix) const;

  /// Holds a matrix with the unknowns of the mixed form, in which nothing may be stiff along an axis.
  void hold(MixedMatrix& matrix, double across) const;

  friend bool operator==(const HeldUnknowns&, const HeldUnknowns&) = default;

 private:
  struct SlidingNode {
    int unknown = 0;
    std::array<double, 3> axis = {};  ///< unit vector

    friend bool operator==(const SlidingNode&, const SlidingNode&) = default;
  };

  template <class Places, class Number>
  void hold_sliding(SymmetricBand<Number, Places::bandwidth>& matrix, std::optional<double> across) const;
  template <class Number, class Places, class Entry>
  static void project(const SlidingNode& node, int size, const Entry& entry);
  template <class Number, class Places, class Entry>
  static Number along_in_block(const SlidingNode& node, const Entry& entry);
  template <class Number>
  static Number block(const SlidingNode& node, const Number& along, std::optional<double> across, int i,
                      int k);

  std::vector<int> held_;
  std::vector<SlidingNode> sliding_;
};

}  // namespace rodeo::tangent
