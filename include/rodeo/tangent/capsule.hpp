#pragma once

#include "rodeo/math/matrix3.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::tangent {

/// An element to its surroundings: all points within a radius of the line between its nodes. One that tapers
/// has radii of their own at its nodes, with which planes see it; to balls and cylinders it is as thick as in
/// its middle.
template <class Real>
struct BasicCapsule {
  BasicVec3<Real> first;       ///< node, m
  BasicVec3<Real> last;        ///< node, m
  Real radius = 0;             ///< m
  Real first_radius = radius;  ///< at its first node, m
  Real last_radius = radius;   ///< at its last node, m

  /// One that is thicker at its last node than in its middle, by field::half_taper, and thinner at its first.
  KOKKOS_FORCEINLINE_FUNCTION static BasicCapsule tapered(const BasicVec3<Real>& first,
                                                          const BasicVec3<Real>& last, Real radius,
                                                          Real half_taper) {
    const Real thicker = half_taper * radius;
    return {first, last, radius, radius - thicker, radius + thicker};
  }

  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> at(Real part) const { return first + part * (last - first); }
};
using Capsule = BasicCapsule<double>;

/// Depth of a capsule in a surface: x and y at its nodes and z at the point of its axis that is nearest to
/// the surface, all zero above it. Together they make one depth d, and the surface's energy is k_w d^2/2:
///   d^2 = z^2 - (x^2 + y^2)/2 + x^2 y^2/z^2.
/// It is the overlap x = y = z of an element that lies on the surface. Where one of the ends is nearest, as
/// always on planes and inside of solids, it is (x^2 + y^2)/2: each end has half of a spring, which two
/// elements make a whole one at a node between them. A peg under one element alone has z^2, and hands over
/// from one element to the next without a step: of the two elements at a node near it, the one has z^2 -
/// x^2/2 and the other x^2/2. So rods hang on k_w over pegs wherever nodes are, and slide off them by their
/// ends.
///
/// d^2 has continuous first derivatives. `by_first`, `by_last` and `by_nearest` are half of those by x, y and
/// z.
template <class Real>
struct BasicDepth {
  Real by_first = 0;    ///< m
  Real by_last = 0;     ///< m
  Real by_nearest = 0;  ///< m; 0 where one of the ends is nearest
  Real square = 0;      ///< d^2, m^2

  KOKKOS_FORCEINLINE_FUNCTION static BasicDepth of_ends(Real x, Real y) {
    const Real half = 0.5;
    return {half * x, half * y, 0, half * (x * x + y * y)};
  }

  KOKKOS_FORCEINLINE_FUNCTION static BasicDepth of(Real x, Real y, Real z) {
    const Real half = 0.5;
    // Kernels may multiply its square with those of x and y, which must not be 0 times infinity.
    const Real inverse = z * z > Precision<Real>::smallest_divisor ? 1 / (z * z) : Real(0);
    const Real of_first = x * x * inverse;
    const Real of_last = y * y * inverse;
    const Real by_first = x * (of_last - half);
    const Real by_last = y * (of_first - half);
    const Real by_nearest = z * (1 - of_first * of_last);
    return {by_first, by_last, by_nearest, x * by_first + y * by_last + z * by_nearest};
  }
};

/// Response of a surface with springs to a capsule: forces on its nodes are k_w `first` and `last`, half of
/// the derivative of -d^2 by them.
template <class Real>
struct BasicTouch {
  BasicVec3<Real> first;  ///< m
  BasicVec3<Real> last;   ///< m
  Real overlap = 0;       ///< their sizes together, m; 0: it does not touch
  Real square = 0;        ///< d^2, m^2
  Real weight = 0.5;      ///< where along the element they act: the last node's share of them
  Real share = 1;         ///< of the element's spring and mass that is there: 1 in its middle, 1/2 at an end
  BasicVec3<Real> up;     ///< unit vector out of the surface
};
using Touch = BasicTouch<double>;

namespace detail {

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real positive_part(Real x) {
  return x > 0 ? x : 0;
}

/// The last node's share where both ends are at depths x and y, and no other point is deeper.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real weight_of_ends(Real x, Real y) {
  const Real both = x + y;
  return both > 0 ? y / both : Real(0.5);
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real share_at(Real weight) {
  const Real other = 1 - weight;
  return Real(0.5) / (weight * weight + other * other);
}

}  // namespace detail

/// The direction of an element along a surface, in which friction acts: that of its edge in the tangent
/// plane, or of a director across it where the element is upright and its edge has none there.
KOKKOS_FORCEINLINE_FUNCTION Vec3 along_surface(const Vec3& edge, const Vec3& director, const Vec3& up) {
  constexpr double upright = 1e-2;  // sine of the angle between
  constexpr double tiny = 1e-200;   // m^2: no NaN of an element of no length
  const Vec3 flat = edge - dot(up, edge) * up;
  const double square = dot(edge, edge) + tiny;
  const double steep = 1.0 - dot(flat, flat) / (upright * upright * square);
  const double part = steep > 0.0 ? steep * upright * math::sqrt(square) : 0.0;
  const Vec3 along = flat + part * (director - dot(up, director) * up);
  return (1.0 / math::sqrt(dot(along, along) + tiny)) * along;
}

/// The least height of a capsule's axis above a surface, m.
template <class Surface, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real height(const Surface& surface, const BasicCapsule<Real>& capsule) {
  const auto height_at = [&](const BasicVec3<Real>& point) { return surface.nearest(point, {}).height; };
  const Real first = height_at(capsule.first);
  const Real last = height_at(capsule.last);
  const Real of_ends = first < last ? first : last;
  if constexpr (Surface::is_flat) {
    return of_ends;
  } else {
    if (surface.is_hollow()) return of_ends;
    const Real between = height_at(capsule.at(surface.nearest_part(capsule.first, capsule.last)));
    return between < of_ends ? between : of_ends;
  }
}

/// The least distance of a capsule from a surface, negative inside it, m.
template <class Surface, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real gap(const Surface& surface, const BasicCapsule<Real>& capsule) {
  if constexpr (Surface::is_flat) {
    const Real first = surface.nearest(capsule.first, {}).height - capsule.first_radius;
    const Real last = surface.nearest(capsule.last, {}).height - capsule.last_radius;
    return first < last ? first : last;
  } else {
    return height(surface, capsule) - capsule.radius;
  }
}

/// Response of a surface to a capsule.
template <class Surface, class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicTouch<Real> touch(const Surface& surface,
                                                   const BasicCapsule<Real>& capsule) {
  const auto at_first = surface.nearest(capsule.first, {});
  const auto at_last = surface.nearest(capsule.last, {});
  const Real x =
      detail::positive_part((Surface::is_flat ? capsule.first_radius : capsule.radius) - at_first.height);
  const Real y =
      detail::positive_part((Surface::is_flat ? capsule.last_radius : capsule.radius) - at_last.height);
  // Made at once of numbers, and chosen number by number: loops over elements that assign vectors are not
  // vectorised.
  if constexpr (Surface::is_flat) {
    const Real half = 0.5;
    const Real weight = detail::weight_of_ends(x, y);
    const BasicVec3<Real> up = at_first.normal;
    return {.first = (half * x) * up,
            .last = (half * y) * up,
            .overlap = half * (x + y),
            .square = half * (x * x + y * y),
            .weight = weight,
            .share = detail::share_at(weight),
            .up = by_parts(up)};
  } else {
    const Real part = surface.nearest_part(capsule.first, capsule.last);
    const auto between = surface.nearest(capsule.at(part), {});
    const Real z = surface.is_hollow() ? Real(0) : detail::positive_part(capsule.radius - between.height);
    const BasicDepth<Real> ends = BasicDepth<Real>::of_ends(x, y);
    const BasicDepth<Real> all = BasicDepth<Real>::of(x, y, z);
    const bool hollow = surface.is_hollow();
    const Real by_first = hollow ? ends.by_first : all.by_first;
    const Real by_last = hollow ? ends.by_last : all.by_last;
    const Real by_nearest = hollow ? ends.by_nearest : all.by_nearest;
    const Real to_last = part * by_nearest;
    const Real to_first = by_nearest - to_last;
    const BasicVec3<Real> first = by_first * at_first.normal + to_first * between.normal;
    const BasicVec3<Real> last = by_last * at_last.normal + to_last * between.normal;
    const Real overlap = by_first + by_last + by_nearest;
    const BasicVec3<Real> both = first + last;
    const Real touches = overlap > 0 ? 1 : 0;
    const BasicVec3<Real> out = touches * both + (1 - touches) * between.normal;
    const Real weight = overlap > 0 ? (by_last + to_last) / overlap : Real(0.5);
    return {.first = by_parts(first),
            .last = by_parts(last),
            .overlap = overlap,
            .square = hollow ? ends.square : all.square,
            .weight = weight,
            .share = detail::share_at(weight),
            .up = (1 / math::sqrt(dot(out, out) + Precision<Real>::smallest_square)) * out};
  }
}

}  // namespace rodeo::tangent
