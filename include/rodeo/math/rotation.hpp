#pragma once

#include <cmath>

#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// Orientation of a body frame as a unit quaternion: directors are d_j = R(q) e_j, so the matrix Q of Gazzola
/// et al. 2018 (rows d_j, x_L = Q x) is R(q)^T. Four numbers replace nine, the relative rotation of two
/// frames has no degenerate direction at pi, and drift from orthonormality is one number, the norm.
template <class Real>
struct BasicQuaternion {
  Real w = 1;
  Real x = 0;
  Real y = 0;
  Real z = 0;

  /// Converted to the other type: rounded if that is narrower.
  template <class Other>
  KOKKOS_FORCEINLINE_FUNCTION explicit operator BasicQuaternion<Other>() const {
    return {static_cast<Other>(w), static_cast<Other>(x), static_cast<Other>(y), static_cast<Other>(z)};
  }
};
using Quaternion = BasicQuaternion<double>;

template <class Real>
KOKKOS_INLINE_FUNCTION BasicQuaternion<Real> conjugate(const BasicQuaternion<Real>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

template <class Real>
KOKKOS_INLINE_FUNCTION BasicQuaternion<Real> operator*(const BasicQuaternion<Real>& a,
                                                       const BasicQuaternion<Real>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

template <class Real = double>
KOKKOS_INLINE_FUNCTION Real squared_norm(const BasicQuaternion<Real>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/// The three directors of an orientation in the laboratory frame: the rows of Q.
template <class Real>
struct BasicDirectors {
  BasicVec3<Real> d1;
  BasicVec3<Real> d2;
  BasicVec3<Real> d3;

  /// Body components of a laboratory vector, x_L = Q x (eq. 2.1, 2.2).
  KOKKOS_INLINE_FUNCTION BasicVec3<Real> to_body(const BasicVec3<Real>& v) const {
    return {dot(d1, v), dot(d2, v), dot(d3, v)};
  }

  /// Laboratory components of a body vector, x = Q^T x_L.
  KOKKOS_INLINE_FUNCTION BasicVec3<Real> to_laboratory(const BasicVec3<Real>& v) const {
    return {d1.x * v.x + d2.x * v.y + d3.x * v.z, d1.y * v.x + d2.y * v.y + d3.y * v.z,
            d1.z * v.x + d2.z * v.y + d3.z * v.z};
  }
};
using Directors = BasicDirectors<double>;

template <class Real>
KOKKOS_INLINE_FUNCTION BasicDirectors<Real> directors(const BasicQuaternion<Real>& q) {
  const Real x2 = q.x + q.x;
  const Real y2 = q.y + q.y;
  const Real z2 = q.z + q.z;
  const Real xx = q.x * x2;
  const Real yy = q.y * y2;
  const Real zz = q.z * z2;
  const Real xy = q.x * y2;
  const Real xz = q.x * z2;
  const Real yz = q.y * z2;
  const Real wx = q.w * x2;
  const Real wy = q.w * y2;
  const Real wz = q.w * z2;
  constexpr Real one = 1;
  return {{one - (yy + zz), xy + wz, xz - wy},
          {xy - wz, one - (xx + zz), yz + wx},
          {xz + wy, yz - wx, one - (xx + yy)}};
}

/// Largest rotation, in radians, that `small_rotation` resolves to rounding error.
inline constexpr double small_rotation_limit = 1.0;

/// cos(h) and sin(h)/h of a rotation by 2 h, |2 h| <= small_rotation_limit, from the square of h. The
/// Rodrigues formula (eq. 3.1) without a division: the best polynomials are exact to rounding.
template <class Real>
struct SmallAngle {
  Real cosine;
  Real sine;

  KOKKOS_INLINE_FUNCTION static SmallAngle of(Real x) {
    const Real x2 = x * x;
    const Real sine = (1 - x * Real(0.1666666666666611)) +
                      x2 * ((Real(0.008333333333074438) - x * Real(0.0001984126940080727)) +
                            x2 * (Real(2.7556980202111333e-06) - x * Real(2.4931730003763752e-08)));
    const Real cosine = (1 - x * Real(0.49999999999999994)) +
                        x2 * ((Real(0.04166666666666446) - x * Real(0.0013888888888363374)) +
                              x2 * ((Real(2.4801586705636082e-05) - x * Real(2.755697174770603e-07)) +
                                    x2 * Real(2.077614811233576e-09)));
    return {cosine, sine};
  }

  /// The cosine is less by 1, with all its digits however small x is; to the rounding of single precision.
  KOKKOS_INLINE_FUNCTION static SmallAngle less_one_of(Real x) {
    return {x * (Real(-0.5) + x * (Real(1) / 24 + x * (Real(-1) / 720 + x / 40320))),
            1 + x * (Real(-1) / 6 + x * (Real(1) / 120 - x / 5040))};
  }
};

/// q times the quaternion of the parts `angle.cosine` and `angle.sine half`. Products with `half` come first:
/// they do not wait for the angle.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicQuaternion<Real> times_rotation(const BasicQuaternion<Real>& q,
                                                                 const BasicVec3<Real>& half,
                                                                 const SmallAngle<Real>& angle) {
  const Real along = q.x * half.x + q.y * half.y + q.z * half.z;
  const BasicVec3<Real> across = {q.w * half.x + (q.y * half.z - q.z * half.y),
                                  q.w * half.y + (q.z * half.x - q.x * half.z),
                                  q.w * half.z + (q.x * half.y - q.y * half.x)};
  return {angle.cosine * q.w - angle.sine * along, angle.cosine * q.x + angle.sine * across.x,
          angle.cosine * q.y + angle.sine * across.y, angle.cosine * q.z + angle.sine * across.z};
}

/// exp of half the rotation vector `v` (body components, rad), |v| <= small_rotation_limit: the quaternion
/// that turns a frame by |v| about v, applied from the right (q <- q * small_rotation(v)).
template <class Real = double>
KOKKOS_INLINE_FUNCTION BasicQuaternion<Real> small_rotation(const BasicVec3<Real>& v) {
  const BasicVec3<Real> half = Real(0.5) * v;
  const auto angle = SmallAngle<Real>::of(dot(half, half));
  return {angle.cosine, angle.sine * half.x, angle.sine * half.y, angle.sine * half.z};
}

/// exp for any angle, in closed form; for set-up, prescribed motion and tests.
inline Quaternion rotation(const Vec3& v) {
  const double angle = norm(v);
  if (angle <= small_rotation_limit) return small_rotation(v);
  const double s = std::sin(0.5 * angle) / angle;
  return {std::cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}

/// theta/sin(theta/2) of a rotation by theta in [0, pi] as a fraction, so that its division can be shared
/// with others. With m = cos(theta/2) in [0, 1] it is 2 acos(m)/sqrt(1 - m^2), a smooth function; its best
/// rational fit of degrees 5 and 6 has a relative error below 1.4e-16 over the whole range, and positive
/// coefficients, so that nothing cancels. There is no branch, no acos, no 0/0 at theta = 0 and nothing
/// special at theta = pi.
template <class Real>
struct TurnRatio {
  Real numerator;
  Real denominator;

  KOKKOS_INLINE_FUNCTION explicit TurnRatio(Real m) {
    const Real m2 = m * m;
    numerator = (Real(6255.567499861452) + m * Real(13845.872876040783)) +
                m2 * ((Real(10691.185902362797) + m * Real(3409.226586562654)) +
                      m2 * (Real(407.39869477368876) + m * Real(11.777601950959353)));
    denominator = (Real(1991.2089788959192) + m * Real(5674.92122616867)) +
                  m2 * ((Real(6020.2727375177865) + m * Real(2925.449911133005)) +
                        m2 * ((Real(643.7499283293862) + m * Real(53.91179873140244)) + m2));
  }
};

/// The log of a rotation by an angle theta in [0, pi].
template <class Real>
struct BasicRotationLog {
  BasicVec3<Real> vector;  ///< rad, body components
  Real half_cotangent;     ///< (theta/2) cot(theta/2)
};
using RotationLog = BasicRotationLog<double>;

/// The rotation vector (rad, body components) of a unit quaternion, with norm in [0, pi]: log of eq. 3.5.
template <class Real = double>
KOKKOS_INLINE_FUNCTION BasicRotationLog<Real> rotation_log(const BasicQuaternion<Real>& q) {
  const Real cosine = q.w < 0 ? -q.w : q.w;
  const Real sign = q.w < 0 ? Real(-1) : Real(1);
  const TurnRatio<Real> fraction(cosine);
  const Real ratio = fraction.numerator / fraction.denominator;
  const Real factor = sign * ratio;
  return {{factor * q.x, factor * q.y, factor * q.z}, Real(0.5) * ratio * cosine};
}

template <class Real = double>
KOKKOS_INLINE_FUNCTION BasicVec3<Real> rotation_vector(const BasicQuaternion<Real>& q) {
  return rotation_log(q).vector;
}

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
