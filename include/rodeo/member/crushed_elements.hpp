#pragma once

#include <vector>

#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// The length of an element along its frame, over its natural one, below which it ends a member. The law of
/// stretch is linear: a finite force presses an element to nothing, and a little more turns it inside out.
inline constexpr double least_stretch = 0.1;

/// Length of an element along its frame over its natural one, and its rate while the frame stays, 1/s.
struct AxialStretch {
  double value;
  double rate;

  static AxialStretch of(const ConstRodView& rod, int i) {
    const Vec3 tangent = directors(rod.quaternion(i)).d3;
    const double scale = rod.array(field::inverse_rest_length)[i] / rod.array(field::natural_stretch)[i];
    const auto along = [&](int f) { return scale * dot(tangent, rod.vec3(f, i + 1) - rod.vec3(f, i)); };
    return {along(field::position), along(field::velocity)};
  }
};

/// Whether an element of a rod is pressed below least_stretch.
inline bool is_crushed(const ConstRodView& rod) {
  for (int i = 0; i < rod.elements; ++i) {
    if (AxialStretch::of(rod, i).value < least_stretch) return true;
  }
  return false;
}

inline bool are_crushed(const std::vector<ConstRodView>& rods) {
  for (const ConstRodView& rod : rods) {
    if (is_crushed(rod)) return true;
  }
  return false;
}

}  // namespace rodeo
