#pragma once

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
