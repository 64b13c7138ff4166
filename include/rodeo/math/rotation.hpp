#pragma once

#include <cmath>

#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// Orientation of a body frame as a unit quaternion: directors are d_j = R(q) e_j, so the matrix Q of Gazzola
/// et al. 2018 (rows d_j, x_L = Q x) is R(q)^T. Four numbers replace nine, the relative rotation of two
/// frames has no degenerate direction at pi, and drift from orthonormality is one number, the norm.
struct Quaternion {
  double w = 1.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

KOKKOS_INLINE_FUNCTION Quaternion conjugate(const Quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }

KOKKOS_INLINE_FUNCTION Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

KOKKOS_INLINE_FUNCTION double squared_norm(const Quaternion& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/// The three directors of an orientation in the laboratory frame: the rows of Q.
struct Directors {
  Vec3 d1;
  Vec3 d2;
  Vec3 d3;

  /// Body components of a laboratory vector, x_L = Q x (eq. 2.1, 2.2).
  KOKKOS_INLINE_FUNCTION Vec3 to_body(const Vec3& v) const { return {dot(d1, v), dot(d2, v), dot(d3, v)}; }

  /// Laboratory components of a body vector, x = Q^T x_L.
  KOKKOS_INLINE_FUNCTION Vec3 to_laboratory(const Vec3& v) const {
    return {d1.x * v.x + d2.x * v.y + d3.x * v.z, d1.y * v.x + d2.y * v.y + d3.y * v.z,
            d1.z * v.x + d2.z * v.y + d3.z * v.z};
  }
};

KOKKOS_INLINE_FUNCTION Directors directors(const Quaternion& q) {
  const double x2 = q.x + q.x;
  const double y2 = q.y + q.y;
  const double z2 = q.z + q.z;
  const double xx = q.x * x2;
  const double yy = q.y * y2;
  const double zz = q.z * z2;
  const double xy = q.x * y2;
  const double xz = q.x * z2;
  const double yz = q.y * z2;
  const double wx = q.w * x2;
  const double wy = q.w * y2;
  const double wz = q.w * z2;
  return {{1.0 - (yy + zz), xy + wz, xz - wy},
          {xy - wz, 1.0 - (xx + zz), yz + wx},
          {xz + wy, yz - wx, 1.0 - (xx + yy)}};
}

/// Largest rotation, in radians, that `small_rotation` resolves to rounding error.
inline constexpr double small_rotation_limit = 1.0;

/// exp of half the rotation vector `v` (body components, rad): the quaternion that turns a frame by |v| about
/// v, applied from the right (q <- q * small_rotation(v)). The Rodrigues formula (eq. 3.1) without a
/// division: the series of sin(h)/h and cos(h) in h^2, h = |v|/2, are exact to rounding for |v| <=
/// small_rotation_limit.
KOKKOS_INLINE_FUNCTION Quaternion small_rotation(const Vec3& v) {
  const Vec3 half = 0.5 * v;
  const double x = dot(half, half);
  const double x2 = x * x;
  const double x4 = x2 * x2;
  const double sine = (1.0 - x / 6.0) + x2 * (1.0 / 120.0 - x / 5040.0) +
                      x4 * ((1.0 / 362880.0 - x / 39916800.0) + x2 / 6227020800.0);
  const double cosine = (1.0 - x / 2.0) + x2 * (1.0 / 24.0 - x / 720.0) +
                        x4 * ((1.0 / 40320.0 - x / 3628800.0) + x2 * (1.0 / 479001600.0 - x / 87178291200.0));
  return {cosine, sine * half.x, sine * half.y, sine * half.z};
}

/// exp for any angle, in closed form; for set-up, prescribed motion and tests.
inline Quaternion rotation(const Vec3& v) {
  const double angle = norm(v);
  if (angle <= small_rotation_limit) return small_rotation(v);
  const double s = std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}

/// The log of a rotation by an angle theta in [0, pi].
struct RotationLog {
  Vec3 vector;            ///< rad, body components
  double half_cotangent;  ///< (theta/2) cot(theta/2)
};

/// The rotation vector (rad, body components) of a unit quaternion, with norm in [0, pi]: log of eq. 3.5.
/// With y = sin^2(theta/4) = (1 - |w|)/2 in [0, 1/2], theta/sin(theta/2) = 2 asin(sqrt y)/(sqrt y sqrt(1-y))
/// is a smooth function; its Chebyshev fit of degree 19 has a relative error below 4e-16 over the whole
/// range, so there is no branch, no acos, no division, no 0/0 at theta = 0 and nothing special at theta = pi.
KOKKOS_INLINE_FUNCTION RotationLog rotation_log(const Quaternion& q) {
  const double magnitude = q.w < 0.0 ? -q.w : q.w;
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const double t = 1.0 - 2.0 * magnitude;  // 4 y - 1
  const double t2 = t * t;
  const double even =
      2.41839915231229 + t2 * (0.13946638410418252 +
                               t2 * (0.011723257946975717 +
                                     t2 * (0.0010895480140204626 +
                                           t2 * (0.00010614716027268001 +
                                                 t2 * (1.0629495887221495e-05 +
                                                       t2 * (1.0816172873941808e-06 +
                                                             t2 * (1.1447326322640046e-07 +
                                                                   t2 * (9.547170280167163e-09 +
                                                                         t2 * 2.1235465859017705e-09))))))));
  const double odd =
      0.5272002825625697 +
      t2 *
          (0.03967429384498966 +
           t2 * (0.003545856921192567 +
                 t2 * (0.0003386199077742817 +
                       t2 * (3.349820251955031e-05 +
                             t2 * (3.38759081470756e-06 + t2 * (3.4706173633763547e-07 +
                                                                t2 * (3.692632942869514e-08 +
                                                                      t2 * (3.086451679223091e-09 +
                                                                            t2 * 6.90518542346192e-10))))))));
  const double ratio = even + t * odd;  // theta/sin(theta/2)
  const double factor = sign * ratio;
  return {{factor * q.x, factor * q.y, factor * q.z}, 0.5 * ratio * magnitude};
}

KOKKOS_INLINE_FUNCTION Vec3 rotation_vector(const Quaternion& q) { return rotation_log(q).vector; }

/// The orientation whose directors d3 and d1 are the given unit, perpendicular vectors.
inline Quaternion orientation(const Vec3& d3, const Vec3& d1) {
  const Vec3 d2 = cross(d3, d1);
  // Rows of R(q) are (d1, d2, d3) by component; the largest of the four squares is the stable one to divide
  // by.
  const double trace = d1.x + d2.y + d3.z;
  Quaternion q;
  if (trace >= d1.x && trace >= d2.y && trace >= d3.z) {
    q = {1.0 + trace, d2.z - d3.y, d3.x - d1.z, d1.y - d2.x};
  } else if (d1.x >= d2.y && d1.x >= d3.z) {
    q = {d2.z - d3.y, 1.0 + d1.x - d2.y - d3.z, d2.x + d1.y, d3.x + d1.z};
  } else if (d2.y >= d3.z) {
    q = {d3.x - d1.z, d2.x + d1.y, 1.0 - d1.x + d2.y - d3.z, d3.y + d2.z};
  } else {
    q = {d1.y - d2.x, d3.x + d1.z, d3.y + d2.z, 1.0 - d1.x - d2.y + d3.z};
  }
  const double scale = 1.0 / std::sqrt(squared_norm(q));
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

}  // namespace rodeo
