#pragma once

#include <cmath>
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

/// Writhe of the centre line, a polygon: exact, over all pairs of segments. Neighbours lie in a plane.
inline double centre_line_writhe(const RodView& rod, bool closed = false) {
  const auto node = [&](int i) { return rod.vec3(field::position, i); };
  double sum = 0.0;
  for (int i = 0; i < rod.elements; ++i) {
    const int end = closed && i == 0 ? rod.elements - 1 : rod.elements;
    for (int j = i + 2; j < end; ++j) sum += segment_writhe(node(i), node(i + 1), node(j), node(j + 1));
  }
  return sum;
}

/// `v` carried over by the smallest turn that takes the unit vector `from` to `to`.
inline Vec3 carried(const Vec3& v, const Vec3& from, const Vec3& to) {
  const Vec3 axis = cross(from, to);
  return v + cross(axis, v) + (1.0 / (1.0 + dot(from, to))) * cross(axis, cross(axis, v));
}

/// Twist of director d1 about the centre line, in turns: between two elements, the angle from d1 carried over
/// from one edge to the next to the d1 there, both first carried from d3 to their edges, as shear parts the
/// two. For small angles that is kappa_3 D_hat; on a closed rod it and the writhe add up to a constant
/// (Calugareanu).
inline double turns_of_twist(const RodView& rod, bool closed = false) {
  const int n = rod.elements;
  const auto tangent = [&](int i) {
    return normalized(rod.vec3(field::position, i % n + 1) - rod.vec3(field::position, i % n));
  };
  const auto side = [&](int i, const Vec3& edge) {
    const Directors d = directors(rod.quaternion(i));
    return carried(d.d1, d.d3, edge);
  };
  double sum = 0.0;
  for (int i = 0; i + 1 < n + (closed ? 1 : 0); ++i) {
    const Vec3 here = tangent(i);
    const Vec3 next = tangent(i + 1);
    const Vec3 before = carried(side(i, here), here, next);
    const Vec3 after = side(i + 1, next);
    sum += std::atan2(dot(next, cross(before, after)), dot(before, after));
  }
  return sum / (2.0 * std::numbers::pi);
}

inline constexpr Observable writhe = {"writhe", "1", "writhe of the centre line", [](const Observation& o) {
                                        return centre_line_writhe(o.state, o.spec.rod.closed);
                                      }};
inline constexpr Observable twist_turns = {
    "twist_turns", "1", "twist between the elements at the ends, of a closed rod once around, over 2 pi",
    [](const Observation& o) { return turns_of_twist(o.state, o.spec.rod.closed); }};
inline constexpr Observable link = {
    "link", "1", "twist_turns and writhe together; of a closed rod a constant of the motion",
    [](const Observation& o) {
      return turns_of_twist(o.state, o.spec.rod.closed) + centre_line_writhe(o.state, o.spec.rod.closed);
    }};

}  // namespace rodeo::observe
