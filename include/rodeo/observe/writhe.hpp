#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Signed solid angle of the triangle of directions a, b, c (any length but zero), between -2 pi and 2 pi
/// (van Oosterom and Strackee 1983).
inline double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = norm(a);
  const double lb = norm(b);
  const double lc = norm(c);
  return 2.0 *
         std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

/// Share of segments a0 a1 and b0 b1 in the writhe of a curve that has both: twice their Gauss integral,
/// Omega/(2 pi) (Klenin and Langowski 2000, method 1a). Omega is the solid angle of the quadrilateral of
/// directions from one segment to the other, here as two triangles, which keep their digits where the
/// arcsines of eq. 16 lose theirs. Coplanar segments have none.
inline double segment_writhe(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 first = b0 - a0;
  if (dot(first, cross(b1 - b0, a1 - a0)) == 0.0) return 0.0;
  const Vec3 opposite = b1 - a1;
  const double angle = solid_angle(first, b0 - a1, opposite) + solid_angle(first, opposite, b1 - a0);
  return angle / (2.0 * std::numbers::pi);
}

/// Writhe of the centre line, a polygon: exact, over all pairs of segments. Neighbours have none.
inline double centre_line_writhe(const RodView& rod, bool closed = false) {
  const auto node = [&](int i) { return rod.vec3(field::position, i); };
  double sum = 0.0;
  for (int i = 0; i < rod.elements; ++i) {
    const int end = closed && i == 0 ? rod.elements - 1 : rod.elements;
    for (int j = i + 2; j < end; ++j) sum += segment_writhe(node(i), node(i + 1), node(j), node(j + 1));
  }
  return sum;
}

/// Twist between the end elements' directors, in turns: the integral of kappa_3 along the rod, of a closed
/// rod once around.
inline double turns_of_twist(const RodView& rod, bool closed = false) {
  double sum = 0.0;
  for (int i = 0; i + 1 < rod.elements + (closed ? 1 : 0); ++i) {
    sum += rotation_vector(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1)).z;
  }
  return sum / (2.0 * std::numbers::pi);
}

/// `v` carried over by the smallest turn that takes the unit vector `from` to `to`.
inline Vec3 carried(const Vec3& v, const Vec3& from, const Vec3& to) {
  const Vec3 axis = cross(from, to);
  return dot(from, to) * v + cross(axis, v) + (dot(axis, v) / (1.0 + dot(from, to))) * axis;
}

/// The angle from u to v, which are nearly perpendicular to the unit tangents s and t, after u is carried
/// from s to t without turning about them.
inline double angle_about_tangents(const Vec3& u, const Vec3& s, const Vec3& v, const Vec3& t) {
  const Vec3 there = carried(u, s, t);
  return std::atan2(dot(t, cross(there, v)), dot(there, v) - dot(there, t) * dot(v, t));
}

/// Linking number of a closed rod, writhe + twist about the centre line: a constant of the motion, Phi/2 pi
/// for a ring that was closed with a total twist Phi. First directors are carried from d3, which turns at the
/// seam, to the tangent.
inline double closed_linking_number(const RodView& rod) {
  const int n = rod.elements;
  const auto tangent = [&](int i) {
    return normalized(rod.vec3(field::position, i % n + 1) - rod.vec3(field::position, i % n));
  };
  const auto side = [&](int i) {
    const Directors d = directors(rod.quaternion(i));
    return carried(d.d1, d.d3, tangent(i));
  };
  double twist = 0.0;
  for (int i = 0; i < n; ++i) twist += angle_about_tangents(side(i), tangent(i), side(i + 1), tangent(i + 1));
  return centre_line_writhe(rod, true) + twist / (2.0 * std::numbers::pi);
}

/// Linking number of the first directors with the centre line (White's formula, writhe + twist), both
/// prolonged straight beyond the clamps at the ends: what clamps are turned by, as long as the rod does not
/// pass through itself. The twist is that about the tangents; with shear it is not the integral of kappa_3,
/// which is about d3 (in a tight coil they differ by a third of a turn per turn). NaN for an open rod without
/// two clamps.
inline double linking_number(const Observation& o) {
  const RodView& rod = o.state;
  if (o.spec.rod.closed) return closed_linking_number(rod);
  const int n = rod.elements;
  if (rod.array(field::twist_stiffness)[-1] == 0.0 || rod.array(field::twist_stiffness)[n - 1] == 0.0)
    return std::numeric_limits<double>::quiet_NaN();
  constexpr double far = 1e3;  // times the rod's length: what lies beyond has no share in the writhe
  const Vec3 first = far * o.spec.rod.length * directors(rod.quaternion(-1)).d3;
  const Vec3 last = far * o.spec.rod.length * directors(rod.quaternion(n)).d3;
  const auto node = [&](int i) {
    if (i < 0) return rod.vec3(field::position, 0) - first;
    return i > n ? rod.vec3(field::position, n) + last : rod.vec3(field::position, i);
  };
  const auto tangent = [&](int i) { return normalized(node(i + 1) - node(i)); };
  double writhe = 0.0;
  double twist = 0.0;
  for (int i = -1; i <= n; ++i) {
    for (int j = i + 2; j <= n; ++j) writhe += segment_writhe(node(i), node(i + 1), node(j), node(j + 1));
  }
  for (int i = -1; i < n; ++i) {
    twist += angle_about_tangents(directors(rod.quaternion(i)).d1, tangent(i),
                                  directors(rod.quaternion(i + 1)).d1, tangent(i + 1));
  }
  return writhe + twist / (2.0 * std::numbers::pi);
}

inline constexpr Observable writhe = {"writhe", "1", "writhe of the centre line", [](const Observation& o) {
                                        return centre_line_writhe(o.state, o.spec.rod.closed);
                                      }};
inline constexpr Observable twist_turns = {
    "twist_turns", "1", "twist between the ends, of a closed rod once around, over 2 pi",
    [](const Observation& o) { return turns_of_twist(o.state, o.spec.rod.closed); }};

inline constexpr Observable link = {
    "link", "1",
    "writhe + twist about the centre line, of a closed rod or prolonged beyond clamped ends: turns put in",
    linking_number};

}  // namespace rodeo::observe
