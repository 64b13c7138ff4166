#pragma once

#include <cstddef>
#include <type_traits>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/scalars.hpp"
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

/// Numbers to which many small ones are added. With a const Real they are only read.
template <class Real>
struct SummedArray {
  using Number = std::remove_const_t<Real>;
  using Whole = typename Precision<Real>::Whole;

  Real* value = nullptr;

  /// Value rounded to Real.
  KOKKOS_FORCEINLINE_FUNCTION Number operator()(std::ptrdiff_t i) const { return value[i]; }
  KOKKOS_FORCEINLINE_FUNCTION Whole whole(std::ptrdiff_t i) const { return static_cast<Whole>(value[i]); }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, Whole x) const { value[i] = static_cast<Number>(x); }
  KOKKOS_FORCEINLINE_FUNCTION Number difference(std::ptrdiff_t to, std::ptrdiff_t from) const {
    return value[to] - value[from];
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, Number x) const { value[i] += x; }
  /// Adds a kick to a rate, which its damping shrinks. Returns the new rate.
  KOKKOS_FORCEINLINE_FUNCTION Number kick(std::ptrdiff_t i, Number decay, Number kick) const {
    return value[i] = decay * value[i] + kick;
  }
  KOKKOS_FORCEINLINE_FUNCTION Number kick(std::ptrdiff_t i, Number decay, Number kick, Number further) const {
    return value[i] = decay * value[i] + kick + further;
  }
  /// View of the array with entry `first` as entry 0.
  KOKKOS_FORCEINLINE_FUNCTION SummedArray from(std::ptrdiff_t first) const { return {value + first}; }
};

/// SummedArray with a compensation beside each number, the part that rounding took from it, so that a sum has
/// about twice the digits (Dekker's Fast2Sum). Code that adds must be compiled without -fassociative-math,
/// which would take the compensation for zero.
template <class Real>
requires(Precision<Real>::compensated) struct SummedArray<Real> {
  using Number = std::remove_const_t<Real>;
  using Whole = typename Precision<Real>::Whole;

  Real* value = nullptr;
  Real* compensation = nullptr;

  KOKKOS_FORCEINLINE_FUNCTION Number operator()(std::ptrdiff_t i) const { return value[i]; }
  KOKKOS_FORCEINLINE_FUNCTION Whole whole(std::ptrdiff_t i) const {
    return static_cast<Whole>(value[i]) + static_cast<Whole>(compensation[i]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, Whole x) const {
    value[i] = static_cast<Number>(x);
    compensation[i] = static_cast<Number>(x - static_cast<Whole>(value[i]));
  }
  /// Small differences of large numbers keep their digits.
  KOKKOS_FORCEINLINE_FUNCTION Number difference(std::ptrdiff_t to, std::ptrdiff_t from) const {
    return (value[to] - value[from]) + (compensation[to] - compensation[from]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, Number x) const {
    const Number before = value[i];
    const Number change = compensation[i] + x;
    const Number after = before + change;
    value[i] = after;
    compensation[i] = change - (after - before);
  }
  /// Adds a kick to a rate, which `loss`, 1 - decay, shrinks. Returns the new rate.
  KOKKOS_FORCEINLINE_FUNCTION Number kick(std::ptrdiff_t i, Number loss, Number kick) const {
    add(i, kick - loss * value[i]);
    return value[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION Number kick(std::ptrdiff_t i, Number loss, Number kick, Number further) const {
    return this->kick(i, loss, kick + further);
  }
  KOKKOS_FORCEINLINE_FUNCTION SummedArray from(std::ptrdiff_t first) const {
    return {value + first, compensation + first};
  }
};

/// Vectors to which many small ones are added: positions and velocities.
template <class Real>
struct SummedVec3Array {
  using Vector = BasicVec3<std::remove_const_t<Real>>;
  using WholeVector = BasicVec3<typename Precision<Real>::Whole>;

  SummedArray<Real> x;
  SummedArray<Real> y;
  SummedArray<Real> z;

  KOKKOS_FORCEINLINE_FUNCTION Vector operator()(std::ptrdiff_t i) const { return {x(i), y(i), z(i)}; }
  KOKKOS_FORCEINLINE_FUNCTION WholeVector whole(std::ptrdiff_t i) const {
    return {x.whole(i), y.whole(i), z.whole(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, const WholeVector& v) const {
    x.set(i, v.x);
    y.set(i, v.y);
    z.set(i, v.z);
  }
  /// Difference from entry i to entry i + 1: for positions of nodes, the edge of element i.
  KOKKOS_FORCEINLINE_FUNCTION Vector edge(std::ptrdiff_t i) const {
    return {x.difference(i + 1, i), y.difference(i + 1, i), z.difference(i + 1, i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::ptrdiff_t i, const Vector& v) const {
    x.add(i, v.x);
    y.add(i, v.y);
    z.add(i, v.z);
  }
  /// View of the arrays with entry `first` as entry 0.
  KOKKOS_FORCEINLINE_FUNCTION SummedVec3Array from(std::ptrdiff_t first) const {
    return {x.from(first), y.from(first), z.from(first)};
  }
};

/// Orientations of elements.
template <class Real>
struct BasicOrientationArray {
  using Number = std::remove_const_t<Real>;
  using Value = BasicQuaternion<Number>;
  using WholeValue = BasicQuaternion<typename Precision<Real>::Whole>;

  SummedArray<Real> w;
  SummedArray<Real> x;
  SummedArray<Real> y;
  SummedArray<Real> z;

  KOKKOS_FORCEINLINE_FUNCTION Value operator()(std::ptrdiff_t i) const { return {w(i), x(i), y(i), z(i)}; }
  KOKKOS_FORCEINLINE_FUNCTION WholeValue whole(std::ptrdiff_t i) const {
    return {w.whole(i), x.whole(i), y.whole(i), z.whole(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::ptrdiff_t i, const WholeValue& q) const {
    w.set(i, q.w);
    x.set(i, q.x);
    y.set(i, q.y);
    z.set(i, q.z);
  }

  /// The turn from element i to element i + 1.
  KOKKOS_FORCEINLINE_FUNCTION Value turn(std::ptrdiff_t i) const {
    if constexpr (!Precision<Real>::compensated) {
      return conjugate((*this)(i)) * (*this)(i + 1);
    } else {
      // With a and b of norm 1, conj(a) b = 1 + conj(a) (b - a), which keeps the digits of a small turn.
      Value turn = conjugate((*this)(i)) * Value{w.difference(i + 1, i), x.difference(i + 1, i),
                                                 y.difference(i + 1, i), z.difference(i + 1, i)};
      turn.w += 1;
      return turn;
    }
  }

  /// Turns element i by the rotation vector v (body components, rad), |v| <= small_rotation_limit.
  KOKKOS_FORCEINLINE_FUNCTION void rotate(std::ptrdiff_t i, const BasicVec3<Number>& v) const {
    const BasicVec3<Number> half = Number(0.5) * v;
    const Number square = dot(half, half);
    if constexpr (!Precision<Real>::compensated) {
      const Value q = times_rotation((*this)(i), half, SmallAngle<Number>::of(square));
      w.value[i] = q.w;
      x.value[i] = q.x;
      y.value[i] = q.y;
      z.value[i] = q.z;
    } else {
      const Value change = times_rotation((*this)(i), half, SmallAngle<Number>::less_one_of(square));
      w.add(i, change.w);
      x.add(i, change.x);
      y.add(i, change.y);
      z.add(i, change.z);
    }
  }
};

}  // namespace rodeo
