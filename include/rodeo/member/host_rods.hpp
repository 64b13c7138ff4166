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

  /// View of all rods, in double precision.
  virtual ConstRodView all() = 0;

  /// States of the member's motions.
  virtual std::span<const boundary::MotionState> motions() { return {}; }

  /// Links between points of the rods.
  virtual std::vector<connection::PointLink> links() { return {}; }

  /// The pairs of its elements that touch; in implicit steps, those at the end of the last one.
  virtual std::vector<contact::Touch> touching() { return {}; }

  /// Record of the member's platen (forces::FurtherGroundOfMember); empty without one.
  virtual std::span<const double> platen() { return {}; }
};

}  // namespace rodeo
