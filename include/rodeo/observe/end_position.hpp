#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable end_x = {"end_x", "m", "x of the last node; of several rods, of the last one's",
                                     [](const Observation& o) { return o.last.end.x; }};
inline constexpr Observable end_y = {"end_y", "m", "y of the last node; of several rods, of the last one's",
                                     [](const Observation& o) { return o.last.end.y; }};
inline constexpr Observable end_z = {"end_z", "m", "z of the last node; of several rods, of the last one's",
                                     [](const Observation& o) { return o.last.end.z; }};

inline constexpr Observable tip_deflection = {
    "tip_deflection", "m",
    "distance of the last node from the line through rod.origin along rod.direction; of several rods, of the "
    "last one",
    [](const Observation& o) {
      const Vec3 arm = o.last.end - o.spec.rod.origin;
      return norm(arm - dot(arm, o.spec.rod.direction) * o.spec.rod.direction);
    }};

}  // namespace rodeo::observe
