#pragma once

#include "rodeo/contact/distance_derivatives.hpp"

namespace rodeo::contact {

/// The part of a move, at most 1, that two segments can take before they come closer than `thickness` (m):
/// additive continuous collision detection (Li et al. 2021, Codimensional incremental potential contact,
/// section 6), which keeps such a share of their gap. They must be farther apart at the start.
KOKKOS_INLINE_FUNCTION double collision_free_part(const Vec3 (&start)[pair_nodes],
                                                  const Vec3 (&move)[pair_nodes], double thickness,
                                                  double kept = 0.05) {
  constexpr double advance = 0.9;
  constexpr int most_steps = 1000;
  Vec3 mean;
  for (const Vec3& p : move) mean = mean + 0.25 * p;
  Vec3 own[pair_nodes];  // moves of the ends relative to their mean
  double length[pair_nodes];
  for (int k = 0; k < pair_nodes; ++k) {
    own[k] = move[k] - mean;
    length[k] = norm(own[k]);
  }
  const double approach = detail::larger(length[0], length[1]) + detail::larger(length[2], length[3]);
  const auto gap_at = [&](double part) {
    Vec3 x[pair_nodes];
    for (int k = 0; k < pair_nodes; ++k) x[k] = start[k] + part * own[k];
    const ClosestPoints closest =
        closest_points(segment_of(x[0], x[1] - x[0]), segment_of(x[2], x[3] - x[2]));
    return norm(closest.gap) - thickness;
  };
  double gap = gap_at(0.0);
  const double least = kept * gap;
  if (approach <= gap - least) return 1.0;
  double safe = 0.0;
  // Each step is free of collisions, however little of the gap is left after it. Segments that slide along
  // each other almost in touch would need any number of steps.
  double part = advance * gap / approach;
  for (int step = 0; step < most_steps && gap > 0.0; ++step, part += advance * gap / approach) {
    if (part >= 1.0) return 1.0;
    gap = gap_at(part);
    if (gap < least) return safe;
    safe = part;
  }
  return safe;
}

}  // namespace rodeo::contact
