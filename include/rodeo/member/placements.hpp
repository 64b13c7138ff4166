#pragma once

#include <vector>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Position of a node and orientation of the element after it.
struct Placement {
  Vec3 position;
  Quaternion orientation;
};

/// Placements of all nodes and elements of a member, including the frames before and behind its rods.
inline std::vector<Placement> placements(const RodView& all) {
  std::vector<Placement> places;
  places.reserve(static_cast<std::size_t>(all.elements) + 2);
  for (int i = -1; i <= all.elements; ++i)
    places.push_back({all.vec3(field::position, i), all.quaternion(i)});
  return places;
}

/// Puts all nodes and elements of a member at such places.
inline void place(const std::vector<Placement>& places, const RodView& all) {
  int i = -1;
  for (const Placement& place : places) {
    all.set_vec3(field::position, i, place.position);
    all.set_quaternion(i++, place.orientation);
  }
}

}  // namespace rodeo
