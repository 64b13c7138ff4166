#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/precision.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::forces {

/// A surface as a point above it meets it.
template <class Real>
struct BasicSurfacePoint {
  BasicVec3<Real> normal;  ///< unit vector out of the surface
  Real height = 0;         ///< distance from the surface, negative within the solid, m
  Real falling = 0;        ///< d^2 height/dt^2 at a constant velocity, v . (grad grad height) v, m/s^2
};
using SurfacePoint = BasicSurfacePoint<double>;

/// A plane.
template <class Real>
struct BasicPlane {
  BasicVec3<Real> normal;  ///< unit vector out of the solid
  Real offset = 0;         ///< normal . (a point of the plane), m

  template <class Other>
  KOKKOS_INLINE_FUNCTION BasicPlane<Other> rounded() const {
    return {static_cast<BasicVec3<Other>>(normal), static_cast<Other>(offset)};
  }

  /// A velocity less that of the surface.
  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> seen_from(const BasicVec3<Real>& moving) const {
    return moving;
  }

  KOKKOS_FORCEINLINE_FUNCTION BasicSurfacePoint<Real> nearest(const BasicVec3<Real>& point,
                                                              const BasicVec3<Real>&) const {
    return {normal, dot(normal, point) - offset, 0};
  }
};
using Plane = BasicPlane<double>;

/// A sphere, or a cylinder of any length, and the rod outside or inside of it.
template <class Real>
struct BasicRoundSurface {
  BasicVec3<Real> centre;  ///< of the sphere, or a point of the cylinder's axis, m
  BasicVec3<Real> axis;    ///< unit vector along the cylinder; zero: a sphere
  Real radius = 0;         ///< m
  Real side = 1;           ///< 1: the rod is outside, -1: inside

  template <class Other>
  KOKKOS_INLINE_FUNCTION BasicRoundSurface<Other> rounded() const {
    return {static_cast<BasicVec3<Other>>(centre), static_cast<BasicVec3<Other>>(axis),
            static_cast<Other>(radius), static_cast<Other>(side)};
  }

  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> seen_from(const BasicVec3<Real>& moving) const {
    return moving;
  }

  KOKKOS_FORCEINLINE_FUNCTION BasicSurfacePoint<Real> nearest(const BasicVec3<Real>& point,
                                                              const BasicVec3<Real>& velocity) const {
    // On the axis no direction is out, and none is NaN.
    constexpr Real centred = Precision<Real>::smallest_square;
    const BasicVec3<Real> arm = across(point - centre);
    const Real inverse_distance = 1 / math::sqrt(dot(arm, arm) + centred);
    const BasicVec3<Real> normal = (side * inverse_distance) * arm;
    const BasicVec3<Real> passing = across(velocity);
    const Real rising = dot(normal, passing);
    return {normal, dot(normal, arm) - side * radius,
            side * inverse_distance * (dot(passing, passing) - rising * rising)};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> across(const BasicVec3<Real>& v) const {
    return v - dot(axis, v) * axis;
  }
};
using RoundSurface = BasicRoundSurface<double>;

}  // namespace rodeo::forces
