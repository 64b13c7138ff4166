#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::forces {

/// A surface as a point above it meets it.
struct SurfacePoint {
  Vec3 normal;           ///< unit vector out of the surface
  double height = 0.0;   ///< distance from the surface, negative within the solid, m
  double falling = 0.0;  ///< d^2 height/dt^2 at a constant velocity, v . (grad grad height) v, m/s^2
};

/// A plane.
struct Plane {
  Vec3 normal;          ///< unit vector out of the solid
  double offset = 0.0;  ///< normal . (a point of the plane), m

  KOKKOS_FORCEINLINE_FUNCTION SurfacePoint nearest(const Vec3& point, const Vec3&) const {
    return {normal, dot(normal, point) - offset, 0.0};
  }
};

/// A sphere, or a cylinder of any length, and the rod outside or inside of it.
struct RoundSurface {
  Vec3 centre;          ///< of the sphere, or a point of the cylinder's axis, m
  Vec3 axis;            ///< unit vector along the cylinder; zero: a sphere
  double radius = 0.0;  ///< m
  double side = 1.0;    ///< 1: the rod is outside, -1: inside

  KOKKOS_FORCEINLINE_FUNCTION SurfacePoint nearest(const Vec3& point, const Vec3& velocity) const {
    constexpr double centred = 1e-200;  // m^2: on the axis no direction is out, and none is NaN
    const Vec3 arm = across(point - centre);
    const double inverse_distance = 1.0 / math::sqrt(dot(arm, arm) + centred);
    const Vec3 normal = (side * inverse_distance) * arm;
    const Vec3 passing = across(velocity);
    const double rising = dot(normal, passing);
    return {normal, dot(normal, arm) - side * radius,
            side * inverse_distance * (dot(passing, passing) - rising * rising)};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Vec3 across(const Vec3& v) const { return v - dot(axis, v) * axis; }
};

}  // namespace rodeo::forces
