#pragma once

#include <Kokkos_Core.hpp>

namespace rodeo::math {

// Device-callable functions, which moved out of Kokkos::Experimental with Kokkos 3.7.
#if KOKKOS_VERSION >= 30700
using Kokkos::acos;
using Kokkos::asin;
using Kokkos::atan;
using Kokkos::atan2;
using Kokkos::cos;
using Kokkos::cosh;
using Kokkos::exp;
using Kokkos::expm1;
using Kokkos::fabs;
using Kokkos::floor;
using Kokkos::log;
using Kokkos::log10;
using Kokkos::pow;
using Kokkos::sin;
using Kokkos::sinh;
using Kokkos::sqrt;
using Kokkos::tan;
using Kokkos::tanh;
#else
using Kokkos::Experimental::acos;
using Kokkos::Experimental::asin;
using Kokkos::Experimental::atan;
using Kokkos::Experimental::atan2;
using Kokkos::Experimental::cos;
using Kokkos::Experimental::cosh;
using Kokkos::Experimental::exp;
using Kokkos::Experimental::expm1;
using Kokkos::Experimental::fabs;
using Kokkos::Experimental::floor;
using Kokkos::Experimental::log;
using Kokkos::Experimental::log10;
using Kokkos::Experimental::pow;
using Kokkos::Experimental::sin;
using Kokkos::Experimental::sinh;
using Kokkos::Experimental::sqrt;
using Kokkos::Experimental::tan;
using Kokkos::Experimental::tanh;
#endif

}  // namespace rodeo::math

namespace rodeo {

/// Properties of a scalar for code that is a template of it. A new scalar needs its entry here, and its line
/// where kernels and arrays are instantiated.
template <class Scalar>
struct Precision;

template <>
struct Precision<double> {
  /// Type in which a number of the state is read and set.
  using Whole = double;
  /// True if each number of the state carries its compensation, and losses replace decays.
  static constexpr bool compensated = false;
  /// Addend that keeps a square from being a zero divisor.
  static constexpr double smallest_square = 1e-300;
  /// Smallest divisor whose inverse square is finite in this precision.
  static constexpr double smallest_divisor = 1e-150;
};

template <>
struct Precision<float> {
  using Whole = double;
  static constexpr bool compensated = true;
  static constexpr float smallest_square = 1e-30f;
  static constexpr float smallest_divisor = 1e-18f;
};

/// Precision of arrays that are only read.
template <class Scalar>
struct Precision<const Scalar> : Precision<Scalar> {};

}  // namespace rodeo
