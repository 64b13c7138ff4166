#pragma once

#include <algorithm>
#include <cmath>

#include "rodeo/forces/surface.hpp"
#include "rodeo/tangent/capsule.hpp"

namespace rodeo::coupling {

/// Whether an element whose nodes go straight from one place to another comes to the middle of a ball or
/// cylinder or past it: near to it on the way (forces::passing_depth), and not back to the side it was on.
inline bool crosses(const forces::RoundSurface& solid, const tangent::Capsule& before,
                    const tangent::Capsule& after) {
  if (solid.is_hollow() || before.radius < 0.0) return false;
  const auto nearest = [&](const tangent::Capsule& element) {
    return solid.across(element.at(solid.nearest_part(element.first, element.last)) - solid.centre);
  };
  if (dot(nearest(before), nearest(after)) > 0.0) return false;
  const double touching = solid.radius + before.radius;
  const double near = (1.0 - forces::passing_depth) * touching;
  const Vec3 first_way = after.first - before.first;
  const Vec3 last_way = after.last - before.last;
  const double longest = std::sqrt(std::max(dot(first_way, first_way), dot(last_way, last_way)));
  const double looks = std::ceil(longest / near);
  for (double k = 0.0; k <= looks; k += 1.0) {
    const double part = looks > 0.0 ? k / looks : 0.0;
    const Vec3 arm = nearest({before.first + part * first_way, before.last + part * last_way, before.radius});
    if (dot(arm, arm) < near * near) return true;
  }
  return false;
}

}  // namespace rodeo::coupling
