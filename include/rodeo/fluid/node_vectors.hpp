#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/math/vec3.hpp"

namespace rodeo::fluid {

/// A vector at every node of all rods: all x, then all y, then all z, each padded to whole blocks by entries
/// that are 0.
class NodeVectors {
 public:
  explicit NodeVectors(int nodes);

  /// Entries of a component of so many nodes.
  static int pitch_of(int nodes);

  int nodes() const { return nodes_; }
  int pitch() const { return pitch_; }
  std::vector<double>& entries() { return entries_; }
  const std::vector<double>& entries() const { return entries_; }
  double* component(int c) { return entries_.data() + offset(c); }
  const double* component(int c) const { return entries_.data() + offset(c); }
  Vec3 at(int node) const { return {component(0)[node], component(1)[node], component(2)[node]}; }
  void set(int node, const Vec3& v);

 private:
  std::ptrdiff_t offset(int c) const { return static_cast<std::ptrdiff_t>(c) * pitch_; }

  int nodes_;
  int pitch_;
  std::vector<double> entries_;
};

/// Nodes and regularisations of a rod in a fluid.
struct Filament {
  int nodes = 0;
  std::vector<double> regularizations;  ///< eps of each element, m
};

}  // namespace rodeo::fluid
