#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Interval that the nodes of a body swept across its initial axis in the plane of motion. A body is a rod,
/// or rods that are joined end to end.
struct Envelope {
  Vec3 across;                                                ///< unit vector
  double lowest = std::numeric_limits<double>::infinity();    ///< m
  double highest = -std::numeric_limits<double>::infinity();  ///< m

  void widen(const ConstRodView& rod) {
    for (int i = 0; i < rod.nodes(); ++i) {
      const double place = dot(rod.vec3(field::position, i), across);
      lowest = std::min(lowest, place);
      highest = std::max(highest, place);
    }
  }
  void widen(const Envelope& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
  /// Width swept, m; NaN if nothing was seen.
  double width() const { return highest >= lowest ? highest - lowest : std::nan(""); }
};

inline constexpr Observable gait_width = {
    "gait_width",
    "m",
    "width that the nodes of a rod (or of rods joined end to end) sweep across rod.direction in the plane of "
    "motion over the last muscle.period, looked at every slice (each implicit step); of several, the "
    "largest; NaN "
    "without muscle.period",
    [](const Observation& o) { return o.gait_width; },
    Known::at_end,
    "muscle.period"};

}  // namespace rodeo::observe
