#pragma once

#include "rodeo/math/scalars.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::forces {

/// Fraction of the way to the middle of a solid (RoundSurface::depth_on_way) from which on an element may
/// have passed through it: the solid no longer holds it, as its force reverses there.
inline constexpr double passing_depth = 0.75;

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
  static constexpr bool is_flat = true;  ///< one of an element's ends is always nearest to it

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
    return {by_parts(normal), dot(normal, point) - offset, 0};
  }

  /// True if a point is higher than `height` above the surface.
  bool is_below(const BasicVec3<Real>& point, Real height) const {
    return dot(normal, point) - offset > height;
  }
  /// Magnitude of the numbers whose differences are heights, m.
  Real size() const { return math::fabs(offset); }
};
using Plane = BasicPlane<double>;

/// A sphere, or a cylinder of any length, and the rod outside or inside of it.
template <class Real>
struct BasicRoundSurface {
  static constexpr bool is_flat = false;

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
    return {by_parts(normal), dot(normal, arm) - side * radius,
            side * inverse_distance * (dot(passing, passing) - rising * rising)};
  }

  /// True if rods are inside, where one of an element's ends is nearest to the surface.
  KOKKOS_FORCEINLINE_FUNCTION bool is_hollow() const { return side < 0; }

  /// True if a point is within the solid or nearer to it than a distance.
  KOKKOS_FORCEINLINE_FUNCTION bool is_within(const BasicVec3<Real>& point, Real distance) const {
    const BasicVec3<Real> arm = across(point - centre);
    return dot(arm, arm) < (radius + distance) * (radius + distance);
  }

  /// True if one of two points within a hollow solid is nearer to its wall than a distance.
  KOKKOS_FORCEINLINE_FUNCTION bool is_wall_within(const BasicVec3<Real>& first, const BasicVec3<Real>& last,
                                                  Real distance) const {
    const BasicVec3<Real> of_first = across(first - centre);
    const BasicVec3<Real> of_last = across(last - centre);
    const Real first_square = dot(of_first, of_first);
    const Real last_square = dot(of_last, of_last);
    const Real room = radius > distance ? radius - distance : 0;
    return (first_square > last_square ? first_square : last_square) >= room * room;
  }

  /// Parameter in [0, 1] of the point between two others that is nearest to the middle of the solid.
  KOKKOS_FORCEINLINE_FUNCTION Real nearest_part(const BasicVec3<Real>& first,
                                                const BasicVec3<Real>& last) const {
    const BasicVec3<Real> way = across(last - first);
    const Real square = dot(way, way) + Precision<Real>::smallest_square;
    const Real part = -dot(across(first - centre), way) / square;
    const Real positive = part > 0 ? part : 0;
    return positive < 1 ? positive : 1;
  }

  /// The part of the way to the middle of the solid, from where an element of that radius touches it, that a
  /// point of the element came on a straight move to `end`; negative away from it, 0 within a hollow one and
  /// for what is not there (a negative radius).
  KOKKOS_FORCEINLINE_FUNCTION Real depth_on_way(const BasicVec3<Real>& end, const BasicVec3<Real>& move,
                                                Real element_radius) const {
    const BasicVec3<Real> arm = across(end - centre);
    const BasicVec3<Real> way = across(move);
    const Real back = dot(arm, way) / (dot(way, way) + Precision<Real>::smallest_square);
    const Real positive = back > 0 ? back : 0;
    const BasicVec3<Real> nearest = arm - (positive < 1 ? positive : 1) * way;
    const Real share = 1 - math::sqrt(dot(nearest, nearest)) / (radius + element_radius);
    return is_hollow() || element_radius < 0 ? 0 : share;
  }

  /// True if a point is higher than `height` above the surface.
  bool is_below(const BasicVec3<Real>& point, Real height) const {
    const BasicVec3<Real> arm = across(point - centre);
    const Real bound = radius + side * height;
    const Real beyond = dot(arm, arm) - bound * bound;
    return is_hollow() ? bound > 0 && beyond < 0 : beyond > 0;
  }
  /// Magnitude of the numbers whose differences are heights, m.
  Real size() const { return math::fabs(centre.x) + math::fabs(centre.y) + math::fabs(centre.z) + radius; }

  /// The part of a vector across the axis.
  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> across(const BasicVec3<Real>& v) const {
    return v - dot(axis, v) * axis;
  }
};
using RoundSurface = BasicRoundSurface<double>;

}  // namespace rodeo::forces
