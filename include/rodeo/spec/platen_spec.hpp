#pragma once

#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// A plane that moves without turning (deck key ground.platen).
struct PlatenSpec {
  Vec3 point;                   ///< of it, where it is not displaced, m
  Vec3 normal;                  ///< unit vector out of its solid
  std::vector<Formula> course;  ///< its displacement along x, y, z, m, formulas of time; empty: there is none

  bool exists() const { return !course.empty(); }
};

}  // namespace rodeo
