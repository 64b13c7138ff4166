#pragma once

#include "rodeo/math/rotation.hpp"

namespace rodeo {

/// Couples of one Voronoi region, N m. The element before it feels transport + couple, the one after it
/// transport - couple, each in its own body frame.
struct RegionLoad {
  Vec3 couple;     ///< B kappa/E^3 and what c adds
  Vec3 transport;  ///< half of (kappa x B kappa) D_hat/E^3
};

/// Nothing besides elasticity. Its like, for bend_and_twist, add to the load of region i, whose frames are
/// `turn` apart.
struct NoRegionLoad {
  KOKKOS_FORCEINLINE_FUNCTION void add(RegionLoad&, int, const Quaternion&) const {}
};

}  // namespace rodeo
