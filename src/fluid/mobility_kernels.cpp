#include <algorithm>
#include <cmath>

#include "rodeo/fluid/mobility.hpp"
#include "rodeo/math/lanes.hpp"

#include "segment_tile.hpp"

namespace rodeo::fluid {

namespace {

/// Place of a symmetric matrix's component.
int symmetric_index(int i, int j) { return i == j ? i : i + j + 2; }

}  // namespace

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

void Mobility::assemble(const NodeVectors& position) {
  set_segments(first_, kind_, position, segments_);
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
  set_segments(first_, kind_, position, segments_);
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
  add_tile({position.component(0) + start, position.component(1) + start, position.component(2) + start},
           {position.component(0) + first, position.component(1) + first, position.component(2) + first},
           segments_.data() + first, last - first, entry(block, first));
}

/// Copies the transposes of entries below the diagonal to above it, for one block of targets.
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
