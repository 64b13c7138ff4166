#pragma once

#include <type_traits>

#include "rodeo/math/vec3_array.hpp"

namespace rodeo {

/// Numbers to which many small ones are added.
template <class Real>
struct SummedArray {
  Real* value = nullptr;

  /// Rounded to Real.
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(std::ptrdiff_t i) const { return value[i]; }
  KOKKOS_FORCEINLINE_FUNCTION double whole(std::ptrdiff_t i) const { return value[i]; }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, double x) const { value[i] = x; }
  KOKKOS_FORCEINLINE_FUNCTION Real difference(std::ptrdiff_t to, std::ptrdiff_t from) const {
    return value[to] - value[from];
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, Real x) const { value[i] += x; }
  /// Adds a kick to a rate, which its damping shrinks. Returns the new rate.
  KOKKOS_FORCEINLINE_FUNCTION Real kick(std::ptrdiff_t i, Real decay, Real kick) const {
    return value[i] = decay * value[i] + kick;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real kick(std::ptrdiff_t i, Real decay, Real kick, Real further) const {
    return value[i] = decay * value[i] + kick + further;
  }
  /// The same array with entry `first` as entry 0.
  KOKKOS_FORCEINLINE_FUNCTION SummedArray from(std::ptrdiff_t first) const { return {value + first}; }
};

/// The same in single precision: each number has its compensation beside it, the part that rounding took from
/// it, so that a sum has about twice the digits (Dekker's Fast2Sum). Code that adds must be compiled without
/// -fassociative-math, which would take the compensation for zero.
template <>
struct SummedArray<float> {
  float* value = nullptr;
  float* compensation = nullptr;

  KOKKOS_FORCEINLINE_FUNCTION float operator()(std::ptrdiff_t i) const { return value[i]; }
  KOKKOS_FORCEINLINE_FUNCTION double whole(std::ptrdiff_t i) const {
    return static_cast<double>(value[i]) + static_cast<double>(compensation[i]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, double x) const {
    value[i] = static_cast<float>(x);
    compensation[i] = static_cast<float>(x - static_cast<double>(value[i]));
  }
  /// Small differences of large numbers keep their digits.
  KOKKOS_FORCEINLINE_FUNCTION float difference(std::ptrdiff_t to, std::ptrdiff_t from) const {
    return (value[to] - value[from]) + (compensation[to] - compensation[from]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, float x) const {
    const float before = value[i];
    const float change = compensation[i] + x;
    const float after = before + change;
    value[i] = after;
    compensation[i] = change - (after - before);
  }
  /// With the loss that stands for the decay in single precision.
  KOKKOS_FORCEINLINE_FUNCTION float kick(std::ptrdiff_t i, float loss, float kick) const {
    add(i, kick - loss * value[i]);
    return value[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION float kick(std::ptrdiff_t i, float loss, float kick, float further) const {
    return this->kick(i, loss, kick + further);
  }
  KOKKOS_FORCEINLINE_FUNCTION SummedArray from(std::ptrdiff_t first) const {
    return {value + first, compensation + first};
  }
};

/// Vectors to which many small ones are added: positions and velocities.
template <class Real>
struct SummedVec3Array {
  SummedArray<Real> x;
  SummedArray<Real> y;
  SummedArray<Real> z;

  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> operator()(std::ptrdiff_t i) const {
    return {x(i), y(i), z(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3 whole(std::ptrdiff_t i) const {
    return {x.whole(i), y.whole(i), z.whole(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, const Vec3& v) const {
    x.set(i, v.x);
    y.set(i, v.y);
    z.set(i, v.z);
  }
  /// From entry i to entry i + 1: of positions of nodes, the edge of element i.
  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> edge(std::ptrdiff_t i) const {
    return {x.difference(i + 1, i), y.difference(i + 1, i), z.difference(i + 1, i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, const BasicVec3<Real>& v) const {
    x.add(i, v.x);
    y.add(i, v.y);
    z.add(i, v.z);
  }
  /// The same arrays with entry `first` as entry 0.
  KOKKOS_FORCEINLINE_FUNCTION SummedVec3Array from(std::ptrdiff_t first) const {
    return {x.from(first), y.from(first), z.from(first)};
  }
};

/// Orientations of elements.
template <class Real>
struct BasicOrientationArray {
  SummedArray<Real> w;
  SummedArray<Real> x;
  SummedArray<Real> y;
  SummedArray<Real> z;

  KOKKOS_FORCEINLINE_FUNCTION BasicQuaternion<Real> operator()(std::ptrdiff_t i) const {
    return {w(i), x(i), y(i), z(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION Quaternion whole(std::ptrdiff_t i) const {
    return {w.whole(i), x.whole(i), y.whole(i), z.whole(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, const Quaternion& q) const {
    w.set(i, q.w);
    x.set(i, q.x);
    y.set(i, q.y);
    z.set(i, q.z);
  }

  /// The turn from element i to element i + 1.
  KOKKOS_FORCEINLINE_FUNCTION BasicQuaternion<Real> turn(std::ptrdiff_t i) const {
    if constexpr (std::is_same_v<Real, double>) {
      return conjugate((*this)(i)) * (*this)(i + 1);
    } else {
      // With a and b of norm 1, conj(a) b = 1 + conj(a) (b - a), which keeps the digits of a small turn.
      BasicQuaternion<Real> turn =
          conjugate((*this)(i)) * BasicQuaternion<Real>{w.difference(i + 1, i), x.difference(i + 1, i),
                                                        y.difference(i + 1, i), z.difference(i + 1, i)};
      turn.w += 1;
      return turn;
    }
  }

  /// Turns element i by the rotation vector v (body components, rad), |v| <= small_rotation_limit.
  KOKKOS_FORCEINLINE_FUNCTION void rotate(std::ptrdiff_t i, const BasicVec3<Real>& v) const {
    if constexpr (std::is_same_v<Real, double>) {
      set(i, (*this)(i)*small_rotation(v));
    } else {
      const BasicQuaternion<Real> change = (*this)(i)*small_turn(v);
      w.add(i, change.w);
      x.add(i, change.x);
      y.add(i, change.y);
      z.add(i, change.z);
    }
  }
};

}  // namespace rodeo
