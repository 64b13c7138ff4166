#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// Couples of one part of a rod on the next, at the nodes between elements (eq. 4.5 of Gazzola et al. 2018):
/// -tau on the element before the node, +tau on the one after, one and the same laboratory vector, so that
/// they have no resultant. A positive size(i) bends the rod towards positive curvature about the axis, as a
/// natural curvature size/B would. A director of a node is the mean of its elements' directors: with T the
/// rotation from one to the next and a the axis, the elements feel (a + T a)/2 and (a + T^T a)/2. For the
/// quaternion (w, u) of T these are a + u x (u x a) +- w u x a.
template <bool InLaboratory, class Real, class Size>
struct InternalCouples {
  BasicVec3<Real> axis;
  Size size;                                ///< N m, of region i
  BasicOrientationArray<Real> orientation;  ///< of the elements

  KOKKOS_FORCEINLINE_FUNCTION void add(law::BasicRegionLoad<Real>& load, int i,
                                       const BasicQuaternion<Real>& turn) const {
    const Real now = size(i);
    BasicVec3<Real> mean;        // of what both elements feel, for a size of 1
    BasicVec3<Real> difference;  // half of it, of the one after to the one before
    if constexpr (InLaboratory) {
      const BasicVec3<Real> before = directors(orientation(i)).to_body(axis);
      const BasicVec3<Real> after = directors(orientation(i + 1)).to_body(axis);
      mean = Real(0.5) * (after + before);
      difference = Real(0.5) * (after - before);
    } else {
      const BasicVec3<Real> u = {turn.x, turn.y, turn.z};
      const BasicVec3<Real> across = cross(u, axis);
      mean = axis + cross(u, across);
      difference = -turn.w * across;
    }
    // The kick applies transport + couple to element i and transport - couple to element i + 1.
    load.couple = load.couple - now * mean;
    load.transport = load.transport + now * difference;
  }
};

}  // namespace rodeo::forces
