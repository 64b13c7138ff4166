#pragma once

#include "rodeo/math/vec3.hpp"

namespace rodeo::contact {

/// Where two segments come closest: the points p + first u and q + second v.
struct ClosestPoints {
  double first = 0.0;   ///< in [0, 1]
  double second = 0.0;  ///< in [0, 1]
  Vec3 gap;             ///< from the point on the first segment to that on the second, m
};

namespace detail {

KOKKOS_FORCEINLINE_FUNCTION double smaller(double a, double b) { return a < b ? a : b; }
KOKKOS_FORCEINLINE_FUNCTION double larger(double a, double b) { return a > b ? a : b; }
KOKKOS_FORCEINLINE_FUNCTION double clamp01(double x) { return smaller(larger(x, 0.0), 1.0); }

}  // namespace detail

/// Closest points of the segments p + s u and q + t v, s and t in [0, 1] (eq. 4.6 of Gazzola et al. 2018 with
/// its min). The squared distance is convex in (s, t): s is the minimum over both lines, clamped; t the best
/// for that s, clamped; s once more the best for that t. The last step changes nothing unless t was clamped,
/// so there is no case to tell apart and no branch. Where the lines are parallel to rounding, s starts in the
/// middle of the overlap, and moves there smoothly over sin^2 of their angle near 1e-14, so that the point of
/// contact of parallel strands is not decided by rounding. Points (u or v zero) are segments too.
KOKKOS_FORCEINLINE_FUNCTION ClosestPoints closest_points(const Vec3& p, const Vec3& u, const Vec3& q,
                                                         const Vec3& v) {
  constexpr double parallel = 1e-14;
  constexpr double tiny = 1e-200;  // m^2: keeps 0/0 at 0; far above it squared is a normal number
  const Vec3 w = p - q;
  const double uu = dot(u, u);
  const double vv = dot(v, v);
  const double uv = dot(u, v);
  const double uw = dot(u, w);
  const double vw = dot(v, w);
  const double inverse_uu = 1.0 / detail::larger(uu, tiny);
  const double inverse_vv = 1.0 / detail::larger(vv, tiny);
  // The shadow of the second segment on the first, and the middle of what they share.
  const double shadow_start = -uw * inverse_uu;
  const double shadow_end = (uv - uw) * inverse_uu;
  const double overlap_start = detail::larger(detail::smaller(shadow_start, shadow_end), 0.0);
  const double overlap_end = detail::smaller(detail::larger(shadow_start, shadow_end), 1.0);
  const double middle = detail::clamp01(0.5 * (overlap_start + overlap_end));
  // Both lines: s (uu vv - uv^2) = uv vw - vv uw, divided by uu vv.
  const double cosine = uv * inverse_uu;  // uv/uu and uv/vv: their product is cos^2
  const double other_cosine = uv * inverse_vv;
  const double squared_sine = detail::larger(1.0 - cosine * other_cosine, 0.0);
  const double target = cosine * vw * inverse_vv - uw * inverse_uu;
  const double start = detail::clamp01((target + parallel * middle) / (squared_sine + parallel));
  const double second = detail::clamp01(start * other_cosine + vw * inverse_vv);
  const double first = detail::clamp01(second * cosine - uw * inverse_uu);
  return {first, second, q - p + second * v - first * u};
}

}  // namespace rodeo::contact
