#pragma once

#include <cstdint>
#include <vector>

#include "rodeo/math/vec3.hpp"
#include "rodeo/spec/place.hpp"

namespace rodeo {

/// A measured position that a member's rods are compared with.
struct DataPoint {
  double time = 0.0;      ///< s
  Place at = {};          ///< of a rod: a node from 0, or a place along it at rest
  Vec3 position;          ///< m; NaN where it is not known
  double weight = 1.0;    ///< >= 0
  std::int64_t step = 0;  ///< the last step that ends at that time or before
  double share = 0.0;     ///< of the step after it, until that time: in [0, 1)
};

using MeasuredData = std::vector<DataPoint>;

}  // namespace rodeo
