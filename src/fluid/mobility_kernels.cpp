#include <algorithm>
#include <cmath>

#include "rodeo/fluid/mobility.hpp"
#include "rodeo/math/lanes.hpp"

namespace rodeo::fluid {

namespace {

constexpr int entry_size = symmetric_size * block_size;

/// Place of a symmetric matrix's component.
int symmetric_index(int i, int j) { return i == j ? i : i + j + 2; }

/// With fewer blocks of nodes than these the other threads cost more than they save.
constexpr int least_shared_blocks = 32;

/// Runs body(block) for all blocks: over the threads where this is called outside a parallel region.
template <class Body>
void for_each_block(int blocks, const Body& body) {
  if (blocks < least_shared_blocks) {
    for (int block = 0; block < blocks; ++block) body(block);
    return;
  }
  using Blocks = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<int>>;
  Kokkos::parallel_for("mobility", Blocks(0, blocks), body);
}

/// How a block of targets lies to consecutive segments of a rod. One quantity is found for all of them before
/// the next: roots, divisions and series of one segment then need not wait for those of the segment before.
constexpr int most_segments = 32;
struct Tile {
  double distance[most_segments + 1][block_size];  ///< from the segments' ends
  double inverse_sum[most_segments][block_size];
  double ratio_squared[most_segments][block_size];
  double cube[most_segments][block_size];
  double h[most_segments][block_size];
};

double largest(const double (&values)[block_size]) {
  double most = 0.0;
  for (int lane = 0; lane < block_size; ++lane) most = std::max(most, values[lane]);
  return most;
}

template <int Terms>
void set_series(const double (&square)[block_size], double (&h)[block_size]) {
  for_each_in_block([&](std::int64_t lane) { h[lane] = atanh_excess_series<Terms>(square[lane]); });
}

void set_atanh_excess(const double (&square)[block_size], double (&h)[block_size]) {
  const double most = largest(square);
  if (most <= most_for_few_terms) return set_series<few_terms>(square, h);
  set_series<many_terms>(square, h);
  if (most <= most_for_many_terms) return;
  for (int lane = 0; lane < block_size; ++lane) {
    if (square[lane] > most_for_many_terms) h[lane] = atanh_excess(square[lane]);
  }
}

/// h of so many segments.
void set_atanh_excess(Tile& tile, int segments) {
  double most[block_size] = {};
  for (int k = 0; k < segments; ++k) {
    for_each_in_block(
        [&](std::int64_t lane) { most[lane] = std::max(most[lane], tile.ratio_squared[k][lane]); });
  }
  if (largest(most) <= most_for_few_terms) {
    for (int k = 0; k < segments; ++k) set_series<few_terms>(tile.ratio_squared[k], tile.h[k]);
  } else {
    for (int k = 0; k < segments; ++k) set_atanh_excess(tile.ratio_squared[k], tile.h[k]);
  }
}

}  // namespace

NodeVectors::NodeVectors(int nodes)
    : nodes_(nodes),
      pitch_((nodes + block_size - 1) / block_size * block_size),
      entries_(3 * static_cast<std::size_t>(pitch_)) {}

void NodeVectors::set(int node, const Vec3& v) {
  component(0)[node] = v.x;
  component(1)[node] = v.y;
  component(2)[node] = v.z;
}

Mobility::Mobility(const std::vector<Filament>& filaments, MobilityKind kind) : kind_(kind) {
  for (const Filament& filament : filaments) {
    first_.push_back(nodes_);
    nodes_ += filament.nodes;
    for (const double regularization : filament.regularizations) {
      StokesletSegment segment{};
      segment.regularization = regularization * regularization;
      segments_.push_back(segment);
    }
    segments_.emplace_back();  // none from a rod's last node to the next rod's first
  }
  first_.push_back(nodes_);
  blocks_ = (nodes_ + block_size - 1) / block_size;
  const std::size_t size = static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(nodes_) * entry_size;
  entries_ = Kokkos::View<double*, Kokkos::HostSpace>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "mobility"), size);
}

double* Mobility::entry(int block, int source) const {
  const std::size_t place =
      static_cast<std::size_t>(block) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(source);
  return entries_.data() + place * entry_size;
}

double Mobility::at(int target, int source, int i, int j) const {
  return entry(target / block_size, source)[symmetric_index(i, j) * block_size + target % block_size];
}

void Mobility::set_segments(const NodeVectors& position) {
  for (std::size_t rod = 0; rod + 1 < first_.size(); ++rod) {
    const int last = first_[rod + 1] - 1;
    for (int k = first_[rod]; k < last; ++k) {
      StokesletSegment& segment = segments_[static_cast<std::size_t>(k)];
      const Vec3 v = position.at(k) - position.at(k + 1);
      segment.x = v.x;
      segment.y = v.y;
      segment.z = v.z;
      segment.length_squared = dot(v, v);
      segment.length = std::sqrt(segment.length_squared);
      segment.first_weight = 1.0;
      segment.last_weight = 1.0;
    }
    if (kind_ == MobilityKind::lower_triangle) continue;
    for (int k = first_[rod]; k < last; ++k) {
      StokesletSegment& segment = segments_[static_cast<std::size_t>(k)];
      const double before = k > first_[rod] ? segments_[static_cast<std::size_t>(k) - 1].length : 0.0;
      const double after = k + 1 < last ? segments_[static_cast<std::size_t>(k) + 1].length : 0.0;
      segment.first_weight = 2.0 * segment.length / (before + segment.length);
      segment.last_weight = 2.0 * segment.length / (segment.length + after);
    }
  }
}

void Mobility::assemble(const NodeVectors& position) {
  set_segments(position);
  if (kind_ == MobilityKind::full) {
    for_each_block(blocks_, [this, &position](int block) { assemble_block(position, block, nodes_); });
    return;
  }
  for_each_block(blocks_, [this, &position](int block) {
    assemble_block(position, block, std::min((block + 1) * block_size, nodes_));
  });
  for_each_block(blocks_, [this](int block) { mirror_block(block); });
}

void Mobility::assemble_and_apply(const NodeVectors& position, const std::vector<double>& force,
                                  std::vector<double>& velocity) {
  if (kind_ != MobilityKind::full) {
    assemble(position);
    return apply(force, velocity);
  }
  set_segments(position);
  for_each_block(blocks_, [&, this](int block) {
    assemble_block(position, block, nodes_);
    apply_block(force.data(), velocity.data(), block);  // while the block is in the cache
  });
}

/// The columns of the first `sources` nodes.
void Mobility::assemble_block(const NodeVectors& position, int block, int sources) {
  for (std::size_t rod = 0; rod + 1 < first_.size() && first_[rod] < sources; ++rod) {
    double* const first_entry = entry(block, first_[rod]);
    std::fill(first_entry, first_entry + entry_size, 0.0);
    // The last of the sources also feels the segment after it.
    const int end = std::min(first_[rod + 1], sources + 1);
    for (int first = first_[rod]; first + 1 < end;) {
      const double regularization = segments_[static_cast<std::size_t>(first)].regularization;
      int last = first + 1;
      while (last + 1 < end && last - first < most_segments &&
             segments_[static_cast<std::size_t>(last)].regularization == regularization)
        ++last;
      assemble_tile(position, block, first, last);
      first = last;
    }
  }
}

/// Adds the segments from node `first` to node `last`, which have the same regularisation.
void Mobility::assemble_tile(const NodeVectors& position, int block, int first, int last) {
  const int start = block * block_size;
  const double* const tx = position.component(0) + start;
  const double* const ty = position.component(1) + start;
  const double* const tz = position.component(2) + start;
  const double* const px = position.component(0) + first;
  const double* const py = position.component(1) + first;
  const double* const pz = position.component(2) + first;
  const StokesletSegment* const segments = segments_.data() + first;
  const int count = last - first;
  Tile tile;
  for (int k = 0; k <= count; ++k) {
    for_each_in_block([&](std::int64_t lane) {
      const double x = tx[lane] - px[k];
      const double y = ty[lane] - py[k];
      const double z = tz[lane] - pz[k];
      tile.distance[k][lane] = std::sqrt(x * x + y * y + z * z + segments->regularization);
    });
  }
  double inverse[block_size];
  for_each_in_block([&](std::int64_t lane) { inverse[lane] = 1.0 / tile.distance[0][lane]; });
  for (int k = 0; k < count; ++k) {
    const StokesletSegment segment = segments[k];
    for_each_in_block([&](std::int64_t lane) {
      const SegmentDistances d =
          segment_distances(segment, tile.distance[k][lane], inverse[lane], tile.distance[k + 1][lane]);
      tile.inverse_sum[k][lane] = d.inverse_sum;
      tile.ratio_squared[k][lane] = d.ratio_squared;
      tile.cube[k][lane] = d.cube;
      inverse[lane] = d.inverse_last;
    });
  }
  set_atanh_excess(tile, count);
  for (int k = 0; k < count; ++k) {
    const StokesletSegment segment = segments[k];
    const double x = 0.5 * (px[k] + px[k + 1]);
    const double y = 0.5 * (py[k] + py[k + 1]);
    const double z = 0.5 * (pz[k] + pz[k + 1]);
    double* const out = entry(block, first + k);
    for_each_in_block([&](std::int64_t lane) {
      const SegmentMobility mobility =
          segment_mobility(segment, tx[lane] - x, ty[lane] - y, tz[lane] - z, tile.inverse_sum[k][lane],
                           tile.ratio_squared[k][lane], tile.cube[k][lane], tile.h[k][lane]);
      for (int c = 0; c < symmetric_size; ++c) {
        out[c * block_size + lane] += mobility.first[c];
        out[(symmetric_size + c) * block_size + lane] = mobility.last[c];
      }
    });
  }
}

/// Puts the transposes of entries below the diagonal above it, for one block of targets.
void Mobility::mirror_block(int block) {
  const int start = block * block_size;
  const int targets = std::min(block_size, nodes_ - start);
  for (int source = start + 1; source < nodes_; ++source) {
    double* const above = entry(block, source);
    for (int lane = 0; lane < targets && start + lane < source; ++lane) {
      const double* const below = entry(source / block_size, start + lane) + source % block_size;
      for (int k = 0; k < symmetric_size; ++k) above[k * block_size + lane] = below[k * block_size];
    }
  }
}

void Mobility::apply(const std::vector<double>& force, std::vector<double>& velocity) const {
  for_each_block(blocks_, [&, this](int block) { apply_block(force.data(), velocity.data(), block); });
}

void Mobility::apply_block(const double* force, double* velocity, int block) const {
  const int pitch = blocks_ * block_size;
  double ux[block_size] = {};
  double uy[block_size] = {};
  double uz[block_size] = {};
  for (int source = 0; source < nodes_; ++source) {
    const double* const a = entry(block, source);
    const double x = force[source];
    const double y = force[pitch + source];
    const double z = force[2 * pitch + source];
    for_each_in_block([&](std::int64_t lane) {
      const double xy = a[3 * block_size + lane];
      const double xz = a[4 * block_size + lane];
      const double yz = a[5 * block_size + lane];
      ux[lane] += a[lane] * x + xy * y + xz * z;
      uy[lane] += xy * x + a[block_size + lane] * y + yz * z;
      uz[lane] += xz * x + yz * y + a[2 * block_size + lane] * z;
    });
  }
  const int start = block * block_size;
  const int targets = std::min(block_size, nodes_ - start);
  for (int lane = 0; lane < block_size; ++lane) {
    const bool is_node = lane < targets;
    velocity[start + lane] = is_node ? ux[lane] : 0.0;
    velocity[pitch + start + lane] = is_node ? uy[lane] : 0.0;
    velocity[2 * pitch + start + lane] = is_node ? uz[lane] : 0.0;
  }
}

void Mobility::copy_to(float* matrix) const {
  const std::size_t rows = static_cast<std::size_t>(unknowns());
  for_each_block(blocks_, [=, this](int block) {
    const int start = block * block_size;
    const int targets = std::min(block_size, nodes_ - start);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int source = 0; source < nodes_; ++source) {
          const double* const a = entry(block, source) + symmetric_index(i, j) * block_size;
          float* const out = matrix + static_cast<std::size_t>(j * nodes_ + source) * rows +
                             static_cast<std::size_t>(i * nodes_ + start);
          for (int lane = 0; lane < targets; ++lane) out[lane] = static_cast<float>(a[lane]);
        }
      }
    }
  });
}

}  // namespace rodeo::fluid
