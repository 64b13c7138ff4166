#pragma once

#include <span>
#include <vector>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/connection/links.hpp"
#include "rodeo/contact/touch.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// The arrays of a member's rods as the host sees them between two slices, fetched when they are first asked
/// for. What it gives stays until it goes.
class HostRods {
 public:
  virtual ~HostRods() = default;

  /// Position of a node of the arrays, m. One number alone takes no copy in another precision.
  virtual Vec3 position(int node) = 0;

  /// All of them, in double precision.
  virtual ConstRodView all() = 0;

  /// What its motions have come to.
  virtual std::span<const boundary::MotionState> motions() { return {}; }

  /// What connects points of them.
  virtual std::vector<connection::PointLink> links() { return {}; }

  /// The pairs of its elements that touch; in implicit steps, those at the end of the last one.
  virtual std::vector<contact::Touch> touching() { return {}; }

  /// What its platen has recorded (forces::FurtherGroundOfMember); empty without one.
  virtual std::span<const double> platen() { return {}; }
};

}  // namespace rodeo
