#pragma once

#include <cstddef>
#include <type_traits>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// Vectors whose components stand in an array each: a plain handle, which kernels capture by value. With a
/// const Real it only reads.
template <class Real>
struct BasicVec3Array {
  using Vector = BasicVec3<std::remove_const_t<Real>>;

  Real* x = nullptr;
  Real* y = nullptr;
  Real* z = nullptr;

  KOKKOS_FORCEINLINE_FUNCTION Vector operator()(std::ptrdiff_t i) const { return {x[i], y[i], z[i]}; }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, const Vector& v) const {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, const Vector& v) const {
    x[i] += v.x;
    y[i] += v.y;
    z[i] += v.z;
  }
  /// View of the arrays with entry `first` as entry 0.
  KOKKOS_FORCEINLINE_FUNCTION BasicVec3Array from(std::ptrdiff_t first) const {
    return {x + first, y + first, z + first};
  }
  KOKKOS_FORCEINLINE_FUNCTION operator BasicVec3Array<const Real>() const requires(!std::is_const_v<Real>) {
    return {x, y, z};
  }
};
using Vec3Array = BasicVec3Array<double>;
using ConstVec3Array = BasicVec3Array<const double>;

/// Quaternions whose components stand in an array each: a handle like BasicVec3Array.
template <class Real>
struct BasicQuaternionArray {
  using Value = BasicQuaternion<std::remove_const_t<Real>>;

  Real* w = nullptr;
  Real* x = nullptr;
  Real* y = nullptr;
  Real* z = nullptr;

  KOKKOS_FORCEINLINE_FUNCTION Value operator()(std::ptrdiff_t i) const { return {w[i], x[i], y[i], z[i]}; }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, const Value& q) const {
    w[i] = q.w;
    x[i] = q.x;
    y[i] = q.y;
    z[i] = q.z;
  }
  KOKKOS_FORCEINLINE_FUNCTION operator BasicQuaternionArray<const Real>() const
      requires(!std::is_const_v<Real>) {
    return {w, x, y, z};
  }
};
using QuaternionArray = BasicQuaternionArray<double>;
using ConstQuaternionArray = BasicQuaternionArray<const double>;

}  // namespace rodeo
