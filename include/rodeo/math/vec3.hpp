#pragma once

#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rodeo/math/scalars.hpp"

namespace rodeo {

/// Three Cartesian components; in which frame (laboratory or body-convected) is said where one is used.
template <class Real>
struct BasicVec3 {
  Real x = 0;
  Real y = 0;
  Real z = 0;

  /// Converted to the other type: rounded if that is narrower.
  template <class Other>
  KOKKOS_FORCEINLINE_FUNCTION explicit operator BasicVec3<Other>() const {
    return {static_cast<Other>(x), static_cast<Other>(y), static_cast<Other>(z)};
  }
};
using Vec3 = BasicVec3<double>;

template <class Real>
KOKKOS_INLINE_FUNCTION BasicVec3<Real> operator+(const BasicVec3<Real>& a, const BasicVec3<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
KOKKOS_INLINE_FUNCTION BasicVec3<Real> operator-(const BasicVec3<Real>& a, const BasicVec3<Real>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
KOKKOS_INLINE_FUNCTION BasicVec3<Real> operator*(std::type_identity_t<Real> s, const BasicVec3<Real>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
KOKKOS_INLINE_FUNCTION Real dot(const BasicVec3<Real>& a, const BasicVec3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
KOKKOS_INLINE_FUNCTION BasicVec3<Real> cross(const BasicVec3<Real>& a, const BasicVec3<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Component by component, the product of a diagonal matrix and a vector.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> scaled(const BasicVec3<Real>& diagonal,
                                                   const BasicVec3<Real>& a) {
  return {diagonal.x * a.x, diagonal.y * a.y, diagonal.z * a.z};
}

template <class Real>
KOKKOS_INLINE_FUNCTION Real norm(const BasicVec3<Real>& a) {
  return math::sqrt(dot(a, a));
}

/// A vector is copied component by component. GCC vectorises no loop in which one within another struct is
/// assigned as a whole.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> by_parts(const BasicVec3<Real>& a) {
  return {a.x, a.y, a.z};
}

inline Vec3 normalized(const Vec3& a) { return (1.0 / norm(a)) * a; }

// Three entries of an array that are a vector.

inline Vec3 three_at(const double* v) { return {v[0], v[1], v[2]}; }

inline void set_at(double* v, const Vec3& a) {
  v[0] = a.x;
  v[1] = a.y;
  v[2] = a.z;
}

inline void add_at(double* v, const Vec3& a) {
  v[0] += a.x;
  v[1] += a.y;
  v[2] += a.z;
}

inline void subtract_at(double* v, const Vec3& a) {
  v[0] -= a.x;
  v[1] -= a.y;
  v[2] -= a.z;
}

}  // namespace rodeo
