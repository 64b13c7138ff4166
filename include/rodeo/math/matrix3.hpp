#pragma once

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// A matrix of three rows.
template <class Real>
struct BasicMatrix3 {
  BasicVec3<Real> row1;
  BasicVec3<Real> row2;
  BasicVec3<Real> row3;

  KOKKOS_FORCEINLINE_FUNCTION const BasicVec3<Real>& row(int i) const {
    return i == 0 ? row1 : i == 1 ? row2 : row3;
  }
  KOKKOS_FORCEINLINE_FUNCTION const Real& operator()(int i, int j) const {
    const BasicVec3<Real>& r = row(i);
    return j == 0 ? r.x : j == 1 ? r.y : r.z;
  }
};
using Matrix3 = BasicMatrix3<double>;

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> operator+(const BasicMatrix3<Real>& a,
                                                         const BasicMatrix3<Real>& b) {
  return {a.row1 + b.row1, a.row2 + b.row2, a.row3 + b.row3};
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> operator-(const BasicMatrix3<Real>& a,
                                                         const BasicMatrix3<Real>& b) {
  return {a.row1 - b.row1, a.row2 - b.row2, a.row3 - b.row3};
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> operator*(std::type_identity_t<Real> s,
                                                         const BasicMatrix3<Real>& a) {
  return {s * a.row1, s * a.row2, s * a.row3};
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> operator*(const BasicMatrix3<Real>& a, const BasicVec3<Real>& v) {
  return {dot(a.row1, v), dot(a.row2, v), dot(a.row3, v)};
}

/// A row vector times a matrix, v' A.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> operator*(const BasicVec3<Real>& v, const BasicMatrix3<Real>& a) {
  return {v.x * a.row1.x + v.y * a.row2.x + v.z * a.row3.x, v.x * a.row1.y + v.y * a.row2.y + v.z * a.row3.y,
          v.x * a.row1.z + v.y * a.row2.z + v.z * a.row3.z};
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> operator*(const BasicMatrix3<Real>& a,
                                                         const BasicMatrix3<Real>& b) {
  return {a.row1 * b, a.row2 * b, a.row3 * b};
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> transpose(const BasicMatrix3<Real>& a) {
  return {{a.row1.x, a.row2.x, a.row3.x}, {a.row1.y, a.row2.y, a.row3.y}, {a.row1.z, a.row2.z, a.row3.z}};
}

/// (A + A')/2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> symmetric_part(const BasicMatrix3<Real>& a) {
  const Real xy = Real(0.5) * (a.row1.y + a.row2.x);
  const Real xz = Real(0.5) * (a.row1.z + a.row3.x);
  const Real yz = Real(0.5) * (a.row2.z + a.row3.y);
  return {{a.row1.x, xy, xz}, {xy, a.row2.y, yz}, {xz, yz, a.row3.z}};
}

/// Matrix [a] with [a] v = a x v.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> cross_matrix(const BasicVec3<Real>& a) {
  const Real zero(0.0);
  return {{zero, -a.z, a.y}, {a.z, zero, -a.x}, {-a.y, a.x, zero}};
}

/// a b'.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> outer(const BasicVec3<Real>& a, const BasicVec3<Real>& b) {
  return {a.x * b, a.y * b, a.z * b};
}

/// R of a frame, which takes body components to laboratory components: its columns are the directors.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicMatrix3<Real> to_laboratory_matrix(const BasicDirectors<Real>& d) {
  return transpose(BasicMatrix3<Real>{d.d1, d.d2, d.d3});
}

}  // namespace rodeo
