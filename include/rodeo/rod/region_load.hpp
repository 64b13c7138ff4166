#pragma once

#include "rodeo/math/rotation.hpp"

namespace rodeo {

/// Couples of one Voronoi region, N m. The element before it feels transport + couple, the one after it
/// transport - couple, each in its own body frame.
template <class Real>
struct BasicRegionLoad {
  BasicVec3<Real> couple;     ///< B kappa/E^3 and what c adds
  BasicVec3<Real> transport;  ///< half of (kappa x B kappa) D_hat/E^3
};
using RegionLoad = BasicRegionLoad<double>;

/// Nothing besides elasticity. Its like, for bend_and_twist, add to the load of region i, whose frames are
/// `turn` apart.
struct NoRegionLoad {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void add(BasicRegionLoad<Real>&, int, const BasicQuaternion<Real>&) const {}
};

}  // namespace rodeo
