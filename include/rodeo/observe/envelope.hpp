#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Across the initial axis in the plane of motion, what all nodes of a member swept.
struct Envelope {
  double lowest = std::numeric_limits<double>::infinity();    ///< m
  double highest = -std::numeric_limits<double>::infinity();  ///< m

  void widen(const RodView& rod, const Vec3& across) {
    for (int i = 0; i < rod.nodes(); ++i) {
      const double place = dot(rod.vec3(field::position, i), across);
      lowest = std::min(lowest, place);
      highest = std::max(highest, place);
    }
  }
  /// m; NaN if nothing was seen.
  double width() const { return highest >= lowest ? highest - lowest : std::nan(""); }
};

inline constexpr Observable gait_width = {
    "gait_width", "m",
    "width that all nodes sweep across the initial axis in the plane of motion over the last muscle.period, "
    "looked at every time.slice_steps; NaN without",
    [](const Observation& o) { return o.gait_width; }, Known::at_end};

}  // namespace rodeo::observe
