#pragma once

#include "rodeo/math/vec3.hpp"

namespace rodeo::contact {

/// Closest points of two segments: p + first u and q + second v.
struct ClosestPoints {
  double first = 0.0;   ///< in [0, 1]
  double second = 0.0;  ///< in [0, 1]
  Vec3 gap;             ///< from the point on the first segment to that on the second, m
};

namespace detail {

KOKKOS_FORCEINLINE_FUNCTION double smaller(double a, double b) { return a < b ? a : b; }
KOKKOS_FORCEINLINE_FUNCTION double larger(double a, double b) { return a > b ? a : b; }

/// The bounds of contact parameters, which hot loops make unknown to the compiler: of unknown numbers it
/// takes a minimum or a maximum, one instruction, where it compares with known ones and blends.
struct UnitInterval {
  double lower = 0.0;
  double upper = 1.0;

  KOKKOS_FORCEINLINE_FUNCTION static UnitInterval unknown() {
    UnitInterval interval;
#if defined(__x86_64__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
    __asm__("" : "+x"(interval.lower), "+x"(interval.upper));
#endif
    return interval;
  }
  KOKKOS_FORCEINLINE_FUNCTION double clamp(double x) const { return larger(smaller(x, upper), lower); }
};

}  // namespace detail

/// The points start + s edge, s in [0, 1].
struct Segment {
  Vec3 start;                   ///< m
  Vec3 edge;                    ///< m
  double inverse_square = 0.0;  ///< 1/|edge|^2, 1/m^2; any finite number if the edge is zero
};

KOKKOS_INLINE_FUNCTION Segment segment_of(const Vec3& start, const Vec3& edge) {
  const double square = dot(edge, edge);
  return {start, edge, square > 0.0 ? 1.0 / square : 1.0};
}

/// Closest points of two segments, s on the first and t on the second (eq. 4.6 of Gazzola et al. 2018 with
/// its min). The squared distance is convex in (s, t): s is the minimum over both lines, clamped; t the best
/// for that s, clamped; s once more the best for that t. The last step changes nothing unless t was clamped,
/// so there is no case to tell apart and no branch. Where the lines are parallel to rounding, s starts in the
/// middle of the overlap, and moves there smoothly over sin^2 of their angle near 1e-14, so that the point of
/// contact of parallel strands is not decided by rounding. Points (an edge of zero) are segments too.
KOKKOS_FORCEINLINE_FUNCTION ClosestPoints closest_points(const Segment& a, const Segment& b,
                                                         const detail::UnitInterval& unit = {}) {
  constexpr double parallel = 1e-14;
  const Vec3 between = b.start - a.start;
  const double product = dot(a.edge, b.edge);
  const double cosine = product * a.inverse_square;        // in the unit of the first edge and of the second:
  const double other_cosine = product * b.inverse_square;  // their product is cos^2
  // Where the start of each falls on the line of the other; the end of the second falls `cosine` further.
  const double offset = dot(a.edge, between) * a.inverse_square;
  const double other_offset = -dot(b.edge, between) * b.inverse_square;
  // The middle of what the first segment shares with the shadow of the second.
  const double middle = 0.5 * (unit.clamp(offset) + unit.clamp(offset + cosine));
  const double squared_sine = detail::larger(1.0 - cosine * other_cosine, unit.lower);
  const double target = cosine * other_offset + offset;
  const double start = unit.clamp((target + parallel * middle) / (squared_sine + parallel));
  const double second = unit.clamp(start * other_cosine + other_offset);
  const double first = unit.clamp(second * cosine + offset);
  return {first, second, between + second * b.edge - first * a.edge};
}

}  // namespace rodeo::contact
