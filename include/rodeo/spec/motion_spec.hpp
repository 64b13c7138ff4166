#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// Quantity that a motion prescribes.
enum class MotionKind {
  node,       ///< its position
  element,    ///< its orientation
  first_end,  ///< the directors of the first end, as a clamp does
  last_end    ///< those of the last end
};

/// Motion prescribed to a place of a rod for some time (deck keys motion.position and motion.rotation).
struct MotionSpec {
  static constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

  MotionKind kind = MotionKind::node;
  int rod = 0;
  int index = 0;      ///< node or element; of an end the element there
  double arc = -1.0;  ///< of a node that is taken for such a place, m from node 0
  std::array<bool, 3> held = {false, false, false};  ///< of a node: components that are not free
  Vec3 axis;                                         ///< of a turn: unit vector
  bool alone = false;  ///< of an end: it holds the turn about its tangent, and leaves the two others free
  std::int64_t first_step = 0;       ///< the steps taken as it begins
  std::int64_t last_step = forever;  ///< and as it ends
  /// Functions of time: displacement of a node along x, y, z (m), or angle of a turn (rad), from where it
  /// stands as the motion begins.
  std::vector<Formula> course;
};

}  // namespace rodeo
