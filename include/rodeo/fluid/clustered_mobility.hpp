#pragma once

#include <cstddef>
#include <vector>

#include <Kokkos_Core.hpp>

#include "rodeo/fluid/mobility.hpp"
#include "rodeo/math/lanes.hpp"

namespace rodeo::fluid {

/// The products of the full mobility A (see Mobility) with forces, without the matrix: the part that grows
/// with the square of the nodes is a sum over points far away that takes a tenth of the time of an entry of
/// the matrix.
///
/// Targets are groups of nodes of a rod; sources are spans, consecutive segments of a rod. Of spans near a
/// group entries are those of Mobility, and are stored. Those further away are points, two a segment by
/// Gauss's rule, in single precision relative to their span's middle. Where many spans are far away together,
/// as seen from a group, they are the points of a Chebyshev grid to which their forces are spread by the
/// polynomials that interpolate there (barycentric treecode: Wang, Tlupova & Krasny 2020, J. Comput. Phys.
/// 409, 109321): the clusters of a binary tree, made anew for each set of positions.
class ClusteredMobility {
 public:
  explicit ClusteredMobility(const std::vector<Filament>& filaments);

  int nodes() const { return nodes_; }
  int unknowns() const { return 3 * nodes_; }

  /// Memory of an instance for so many nodes, bytes, where rods are as close as in a carpet of flagella.
  static std::size_t memory(std::size_t nodes);

  /// Prepares products for nodes at these positions, m. The same for any number of threads.
  void assemble(const NodeVectors& position);

  /// velocity <- A force. The same for any number of threads.
  void apply(const std::vector<double>& force, std::vector<double>& velocity);

  /// Fraction of all pairs of nodes that are stored.
  double stored_share() const;

  /// Number of clusters that serve as grids.
  int grids() const { return static_cast<int>(gridded_.size()); }

 private:
  static constexpr int group_size = 16;
  static constexpr int grid_points = 6;  ///< of a cluster along each axis
  static constexpr int cluster_points = grid_points * grid_points * grid_points;

  struct Box {
    Vec3 low;
    Vec3 high;
    void include(const Vec3& point);
    void include(const Box& other);
    Vec3 middle() const { return 0.5 * (low + high); }
    double distance_squared(const Box& other) const;
  };

  /// Nodes that are targets together.
  struct Group {
    int first = 0;
    int count = 0;
    Box box;
    std::size_t near = 0;  ///< where its spans begin in near_
    std::size_t near_count = 0;
    std::size_t far = 0;  ///< where its sources begin in far_
    std::size_t far_count = 0;
    std::size_t entries = 0;  ///< where its entries begin

    int blocks() const { return (count + block_size - 1) / block_size; }
  };

  /// Segments that are sources together, with the points that stand for them.
  struct Span {
    int first = 0;  ///< segment
    int count = 0;
    double longest = 0.0;  ///< segment, m
    Box box;
  };

  /// A node of the tree: spans order_[first] to order_[last - 1].
  struct Cluster {
    int first = 0;
    int last = 0;
    int children = -1;  ///< the first of two, or none
    int points = 0;     ///< of its spans
    bool has_grid = false;
    double widest = 0.0;        ///< half of its box's longest side, m
    double contrast = 0.0;      ///< variation of eps^2, m^2
    double regularization = 0;  ///< mean of eps^2, m^2
    Box box;
    std::size_t weights = 0;  ///< where its points' weights begin in weights_
  };

  /// Points with forces: those of spans, and those of clusters behind them.
  struct Source {
    Vec3 middle;
    int first = 0;
    int count = 0;
  };
  struct Places {
    std::vector<float> x, y, z;
  };
  struct Points {
    std::vector<float> x, y, z;  ///< from the source's middle, m
    std::vector<float> regularization;
    std::vector<float> fx, fy, fz;

    void resize(std::size_t size);
  };

  void set_spans(const NodeVectors& position);
  void set_groups(const NodeVectors& position);
  void build_tree();
  void split(int cluster);
  [[gnu::noinline]] void find_sources(int group, std::vector<int>& near, std::vector<int>& far) const;
  void set_grids();
  [[gnu::noinline]] void set_grid(int cluster);
  [[gnu::noinline]] void assemble_group(const NodeVectors& position, int group);
  [[gnu::noinline]] void spread_span(const double* force, int span);
  [[gnu::noinline]] void spread_cluster(int cluster);
  [[gnu::noinline]] void apply_group(const double* force, double* velocity, int group) const;

  int nodes_ = 0;
  int pitch_ = 0;
  std::vector<int> first_;  ///< first node of each rod, and the number of nodes
  std::vector<StokesletSegment> segments_;
  std::vector<Group> groups_;
  Places targets_;  ///< of each group, from its middle, m: filled up with the last one
  std::vector<Span> spans_;
  std::vector<int> order_;  ///< of spans, by clusters
  std::vector<Cluster> clusters_;
  std::vector<int> gridded_;     ///< clusters that have a grid
  std::vector<Source> sources_;  ///< of spans, then of clusters
  Points points_;
  std::vector<float> weights_;  ///< of the points of a cluster's spans: of each grid point along x, y and z
  std::vector<int> near_;       ///< spans
  std::vector<int> far_;        ///< sources
  Kokkos::View<double*, Kokkos::HostSpace> entries_;
};

}  // namespace rodeo::fluid
