#pragma once

#include <algorithm>
#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Largest bending curvature of a rod's Voronoi regions, of half ones at clamps too, 1/m.
inline double largest_curvature(const ConstRodView& rod) {
  double largest = 0.0;
  for (int region = -1; region < rod.elements; ++region) {
    if (rod.array(field::bend_stiffness)[region] == 0.0) continue;  // beyond a free end
    const Vec3 turn = rotation_vector(conjugate(rod.quaternion(region)) * rod.quaternion(region + 1));
    largest = std::max(largest, rod.array(field::inverse_rest_voronoi)[region] * std::hypot(turn.x, turn.y));
  }
  return largest;
}

inline constexpr Observable curvature_max = {
    "curvature_max", "1/m",
    "largest bending curvature of the rod, per rest arc length; of several rods, of the last one",
    [](const Observation& o) { return largest_curvature(o.state); }};

}  // namespace rodeo::observe
