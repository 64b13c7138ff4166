#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::observe {

/// Signed solid angle of the triangle of directions a, b, c (any length but
/// zero), between -2 pi and 2 pi (van Oosterom and Strackee 1983).
inline double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = norm(a);
  const double lb = norm(b);
  const double lc = norm(c);
  return 2.0 *
         std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

/// Whether segments have a point in common but for rounding, as the ends of
/// rods that are joined.
inline bool have_common_point(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  constexpr double rounding = 1e-9;  // of their lengths
  const Vec3 a = a1 - a0;
  const Vec3 b = b1 - b0;
  const double none = rounding * (norm(a) + norm(b));
  if (std::abs(dot(b0 - a0, cross(b, a))) > none * norm(a) * norm(b)) return false;  // another plane
  return norm(contact::closest_points(contact::segment_of(a0, a), contact::segment_of(b0, b)).gap) <= none;
}

/// Share of segments a0 a1 and b0 b1 in the writhe of a curve that has both:
/// twice their Gauss integral, Omega/(2 pi) (Klenin and Langowski 2000, method
/// 1a). Omega is the solid angle of the quadrilateral of directions from one
/// segment to the other, here as two triangles, which keep their digits where
/// the arcsines of eq. 16 lose theirs. Segments with a common point have none:
/// it is the mean of what they have when they pass it on either side.
inline double segment_writhe(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  if (have_common_point(a0, a1, b0, b1)) return 0.0;
  const Vec3 first = b0 - a0;
  const Vec3 opposite = b1 - a1;
  const double angle = solid_angle(first, b0 - a1, opposite) + solid_angle(first, opposite, b1 - a0);
  return angle / (2.0 * std::numbers::pi);
}

/// `v` carried over by the smallest turn that takes the unit vector `from` to
/// `to`.
inline Vec3 carried(const Vec3& v, const Vec3& from, const Vec3& to) {
  const Vec3 axis = cross(from, to);
  return dot(from, to) * v + cross(axis, v) + (dot(axis, v) / (1.0 + dot(from, to))) * axis;
}

/// The angle from u to v, which are nearly perpendicular to the unit tangents s
/// and t, after u is carried from s to t without turning about them.
inline double angle_about_tangents(const Vec3& u, const Vec3& s, const Vec3& v, const Vec3& t) {
  const Vec3 there = carried(u, s, t);
  return std::atan2(dot(t, cross(there, v)), dot(there, v) - dot(there, t) * dot(v, t));
}

/// Writhe and Gauss's integral of polygons without the sum over all pairs of segments. Closed curves have a
/// whole number for them that the crossings of a projection tell: the linking number of two curves is half
/// the sum of the signs of their crossings, and that of one curve with the copy of itself that is pushed
/// along the direction of view is the sum of the signs of its own. By White's formula the latter is its
/// writhe and the twist of that direction about it. Open curves are closed through a point far off, whose two
/// segments' share is taken off again. So the numbers are exact but for rounding, in a time that grows with
/// the number of segments and with the pairs of them that lie behind each other.

/// Writhe of the polygon through the nodes; of a closed one the last node is the first.
double writhe_by_crossings(std::span<const Vec3> nodes, bool closed);

/// Whether an end of one polygon lies on the other, as where rods are joined. Closed curves that meet have no
/// number of turns, so that crossings do not tell their integral.
bool meet_at_ends(std::span<const Vec3> a, std::span<const Vec3> b);

/// Gauss's integral of two polygons that do not meet, as observe::gauss_integral has it.
double gauss_integral_by_crossings(std::span<const Vec3> a, std::span<const Vec3> b);

/// Largest number of segment pairs for which the plain sum is as fast: 25 ns each, while crossings take 160
/// ns a segment.
inline constexpr std::size_t most_pairs_summed = 200;

}  // namespace rodeo::observe
