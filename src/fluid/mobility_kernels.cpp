#include <algorithm>
#include <cmath>

#include "rodeo/fluid/mobility.hpp"
#include "rodeo/math/lanes.hpp"

namespace rodeo::fluid {

namespace {

constexpr int entry_size = symmetric_size * block_size;

/// Place of a symmetric matrix's component.
int symmetric_index(int i, int j) { return i == j ? i : i + j + 2; }

/// Runs body(block) for all blocks: over the threads where this is called outside a parallel region.
template <class Body>
void for_each_block(int blocks, const Body& body) {
  using Blocks = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<int>>;
  Kokkos::parallel_for("mobility", Blocks(0, blocks), body);
}

/// A block of targets as it is led along a rod from node to node: place relative to the node, and distance.
struct Targets {
  double x[block_size];
  double y[block_size];
  double z[block_size];
  double distance[block_size];
  double inverse_distance[block_size];
};

void set_distances(Targets& targets, double regularization) {
  for_each_in_block([&](std::int64_t lane) {
    const double x = targets.x[lane];
    const double y = targets.y[lane];
    const double z = targets.z[lane];
    targets.distance[lane] = std::sqrt(x * x + y * y + z * z + regularization);
    targets.inverse_distance[lane] = 1.0 / targets.distance[lane];
  });
}

/// What the second pass over a block needs of the first.
struct Passing {
  double inverse_sum[block_size];
  double ratio_squared[block_size];
  double cube[block_size];
  double h[block_size];
};

double largest(const double (&values)[block_size]) {
  double most = 0.0;
  for (int lane = 0; lane < block_size; ++lane) most = std::max(most, values[lane]);
  return most;
}

void set_atanh_excess(Passing& passing) {
  const double most = largest(passing.ratio_squared);
  if (most <= most_for_few_terms) {
    for_each_in_block([&](std::int64_t lane) {
      passing.h[lane] = atanh_excess_series<few_terms>(passing.ratio_squared[lane]);
    });
    return;
  }
  for_each_in_block([&](std::int64_t lane) {
    passing.h[lane] = atanh_excess_series<many_terms>(passing.ratio_squared[lane]);
  });
  if (most <= most_for_many_terms) return;
  for (int lane = 0; lane < block_size; ++lane) {
    if (passing.ratio_squared[lane] > most_for_many_terms)
      passing.h[lane] = atanh_excess(passing.ratio_squared[lane]);
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
  const bool half = kind_ == MobilityKind::lower_triangle;
  for_each_block(blocks_, [this, half, &position](int block) {
    assemble_block(position, block, half ? std::min((block + 1) * block_size, nodes_) : nodes_);
  });
  if (half) for_each_block(blocks_, [this](int block) { mirror_block(block); });
}

/// The columns of the first `sources` nodes.
void Mobility::assemble_block(const NodeVectors& position, int block, int sources) {
  const int start = block * block_size;
  const double* const tx = position.component(0) + start;
  const double* const ty = position.component(1) + start;
  const double* const tz = position.component(2) + start;
  Targets targets;
  Passing passing;
  for (std::size_t rod = 0; rod + 1 < first_.size() && first_[rod] < sources; ++rod) {
    const Vec3 first_node = position.at(first_[rod]);
    double* const first_entry = entry(block, first_[rod]);
    for_each_in_block([&](std::int64_t lane) {
      targets.x[lane] = tx[lane] - first_node.x;
      targets.y[lane] = ty[lane] - first_node.y;
      targets.z[lane] = tz[lane] - first_node.z;
      for (int k = 0; k < symmetric_size; ++k) first_entry[k * block_size + lane] = 0.0;
    });
    double regularization = -1.0;  // of the targets' distances; none yet
    // The last of the sources also feels the segment after it.
    const int end = std::min(first_[rod + 1], sources + 1);
    for (int node = first_[rod] + 1; node < end; ++node) {
      const StokesletSegment segment = segments_[static_cast<std::size_t>(node) - 1];
      if (segment.regularization != regularization) {
        regularization = segment.regularization;
        set_distances(targets, regularization);
      }
      const Vec3 source = position.at(node);
      double* const out = entry(block, node - 1);
      for_each_in_block([&](std::int64_t lane) {
        const double x = tx[lane] - source.x;
        const double y = ty[lane] - source.y;
        const double z = tz[lane] - source.z;
        const double distance = std::sqrt(x * x + y * y + z * z + segment.regularization);
        const SegmentDistances d =
            segment_distances(segment, targets.distance[lane], targets.inverse_distance[lane], distance);
        passing.inverse_sum[lane] = d.inverse_sum;
        passing.ratio_squared[lane] = d.ratio_squared;
        passing.cube[lane] = d.cube;
        targets.distance[lane] = distance;
        targets.inverse_distance[lane] = d.inverse_last;
      });
      set_atanh_excess(passing);
      for_each_in_block([&](std::int64_t lane) {
        const double x = tx[lane] - source.x;
        const double y = ty[lane] - source.y;
        const double z = tz[lane] - source.z;
        const SegmentMobility mobility = segment_mobility(
            segment, 0.5 * (targets.x[lane] + x), 0.5 * (targets.y[lane] + y), 0.5 * (targets.z[lane] + z),
            passing.inverse_sum[lane], passing.ratio_squared[lane], passing.cube[lane], passing.h[lane]);
        for (int k = 0; k < symmetric_size; ++k) {
          out[k * block_size + lane] += mobility.first[k];
          out[(symmetric_size + k) * block_size + lane] = mobility.last[k];
        }
        targets.x[lane] = x;
        targets.y[lane] = y;
        targets.z[lane] = z;
      });
    }
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
