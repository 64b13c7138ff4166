#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rodeo/fluid/mobility.hpp"
#include "rodeo/fluid/stokeslet_segment.hpp"
#include "rodeo/math/host_threads.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::fluid {

/// Components of the mobility of a block of targets and one source.
inline constexpr int entry_size = symmetric_size * block_size;

/// With fewer blocks of nodes than these the other threads cost more than they save.
inline constexpr int least_shared_blocks = 32;

/// Runs body(block) for all blocks: over the threads where this is called outside a parallel region, and by
/// one where there are few.
template <class Body>
void for_each_block(int blocks, const Body& body) {
  if (blocks >= least_shared_blocks) return share_among_threads(blocks, body);
  for (int block = 0; block < blocks; ++block) body(block);
}

/// How a block of targets lies to consecutive segments of a rod. One quantity is found for all of them before
/// the next: roots, divisions and series of one segment then need not wait for those of the segment before.
inline constexpr int most_segments = 32;
struct Tile {
  double distance[most_segments + 1][block_size];  ///< from the segments' ends
  double inverse_sum[most_segments][block_size];
  double ratio_squared[most_segments][block_size];
  double cube[most_segments][block_size];
  double h[most_segments][block_size];
};

inline double largest(const double (&values)[block_size]) {
  double most = 0.0;
  for (int lane = 0; lane < block_size; ++lane) most = std::max(most, values[lane]);
  return most;
}

template <int Terms>
void set_series(const double (&square)[block_size], double (&h)[block_size]) {
  for_each_in_block([&](std::int64_t lane) { h[lane] = atanh_excess_series<Terms>(square[lane]); });
}

inline void set_atanh_excess(const double (&square)[block_size], double (&h)[block_size]) {
  const double most = largest(square);
  if (most <= most_for_few_terms) return set_series<few_terms>(square, h);
  set_series<many_terms>(square, h);
  if (most <= most_for_many_terms) return;
  for (int lane = 0; lane < block_size; ++lane) {
    if (square[lane] > most_for_many_terms) h[lane] = atanh_excess(square[lane]);
  }
}

/// Sets h of so many segments.
inline void set_atanh_excess(Tile& tile, int segments) {
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

/// Coordinates of points, one component after the other.
struct PointArrays {
  const double* x;
  const double* y;
  const double* z;
};

/// Mobility of a block of targets by `count` consecutive segments of a rod with the same regularisation: adds
/// to the entry of their first end and sets those of the following ones, which stand behind it.
inline void add_tile(const PointArrays& targets, const PointArrays& ends, const StokesletSegment* segments,
                     int count, double* entries) {
  const double* const tx = targets.x;
  const double* const ty = targets.y;
  const double* const tz = targets.z;
  const double* const px = ends.x;
  const double* const py = ends.y;
  const double* const pz = ends.z;
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
    double* const out = entries + k * entry_size;
    for_each_in_block([&](std::int64_t lane) {
      const SegmentMobility mobility =
          segment_mobility(segment, tx[lane] - x, ty[lane] - y, tz[lane] - z, tile.inverse_sum[k][lane],
                           tile.ratio_squared[k][lane], tile.cube[k][lane], tile.h[k][lane]);
      for (int c = 0; c < symmetric_size; ++c) {
        out[c * block_size + lane] += mobility.first[c];
        out[entry_size + c * block_size + lane] = mobility.last[c];
      }
    });
  }
}

/// Lengths and weights of the segments of all rods, whose first nodes and the number of nodes are given:
/// entry k is from node k to node k + 1.
inline void set_segments(const std::vector<int>& firsts, MobilityKind kind, const NodeVectors& position,
                         std::vector<StokesletSegment>& segments) {
  for (std::size_t rod = 0; rod + 1 < firsts.size(); ++rod) {
    const int last = firsts[rod + 1] - 1;
    for (int k = firsts[rod]; k < last; ++k) {
      StokesletSegment& segment = segments[static_cast<std::size_t>(k)];
      const Vec3 v = position.at(k) - position.at(k + 1);
      segment.x = v.x;
      segment.y = v.y;
      segment.z = v.z;
      segment.length_squared = dot(v, v);
      segment.length = std::sqrt(segment.length_squared);
      segment.first_weight = 1.0;
      segment.last_weight = 1.0;
    }
    if (kind == MobilityKind::lower_triangle) continue;
    for (int k = firsts[rod]; k < last; ++k) {
      StokesletSegment& segment = segments[static_cast<std::size_t>(k)];
      const double before = k > firsts[rod] ? segments[static_cast<std::size_t>(k) - 1].length : 0.0;
      const double after = k + 1 < last ? segments[static_cast<std::size_t>(k) + 1].length : 0.0;
      segment.first_weight = 2.0 * segment.length / (before + segment.length);
      segment.last_weight = 2.0 * segment.length / (segment.length + after);
    }
  }
}

}  // namespace rodeo::fluid
