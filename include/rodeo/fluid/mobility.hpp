#pragma once

#include <cstddef>
#include <vector>

#include <Kokkos_Core.hpp>

#include "rodeo/fluid/stokeslet_segment.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/spec/member_spec.hpp"

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

/// The mobility A of rods that are segments of regularised Stokeslets between their nodes: with forces f at
/// all nodes the fluid moves at each of them with A f/(8 pi mu). The force of a node is that of the halves of
/// its elements: force per length there, times half of both their lengths. So the forces on the fluid and
/// those of the nodes have the same sum. A is not symmetric, but its blocks of two nodes are.
///
/// MobilityKind::lower_triangle is the matrix of the program of Tong et al. (2023): the force of a node is
/// its force per length times the length of one element, also at an end, where the fluid feels half of it;
/// and the lower triangle (rows of a node, columns of that node and those before, rod after rod) stands for
/// the upper one too.
class Mobility {
 public:
  Mobility(const std::vector<Filament>& filaments, MobilityKind kind);

  int nodes() const { return nodes_; }
  int unknowns() const { return 3 * nodes_; }

  /// Sets the matrix for nodes at these positions, m. The same for any number of threads.
  void assemble(const NodeVectors& position);

  /// Assembles, and sets velocity <- A force, for which the matrix need not be read again.
  void assemble_and_apply(const NodeVectors& position, const std::vector<double>& force,
                          std::vector<double>& velocity);

  /// velocity <- A force. The same for any number of threads.
  void apply(const std::vector<double>& force, std::vector<double>& velocity) const;

  /// Sets a column-major matrix of `unknowns` rows (all x, then y, then z, without padding) to A.
  void copy_to(float* matrix) const;

  /// Component i of the velocity of a node by component j of the force of another, 1/m.
  double at(int target, int source, int i, int j) const;

 private:
  // Functions of their own: the compiler may order the sums of two inlined copies in two ways, and Kokkos has
  // one for a thread alone and one for several.
  [[gnu::noinline]] void assemble_block(const NodeVectors& position, int block, int sources);
  [[gnu::noinline]] void assemble_tile(const NodeVectors& position, int block, int first, int last);
  [[gnu::noinline]] void apply_block(const double* force, double* velocity, int block) const;

  void mirror_block(int block);

  /// Entries of a block of targets and a source: symmetric_size times block_size.
  double* entry(int block, int source) const;

  MobilityKind kind_;
  int nodes_ = 0;
  int blocks_ = 0;                          ///< of targets
  std::vector<int> first_;                  ///< first node of each rod, and the number of nodes
  std::vector<StokesletSegment> segments_;  ///< entry k: from node k to node k + 1
  Kokkos::View<double*, Kokkos::HostSpace> entries_;
};

}  // namespace rodeo::fluid
