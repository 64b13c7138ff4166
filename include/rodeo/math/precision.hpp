#pragma once

namespace rodeo {

/// What code that is a template of its scalar has to know of it. A new scalar: its entry here, and its line
/// where kernels and arrays are instantiated.
template <class Scalar>
struct Precision;

template <>
struct Precision<double> {
  /// What a number of the state is read and set as.
  using Whole = double;
  /// Whether each number of the state carries its compensation, and losses stand where decays stand
  /// otherwise.
  static constexpr bool compensated = false;
  /// What keeps a square that may be zero from being divided by.
  static constexpr double smallest_square = 1e-300;
  /// The inverse of no less is a number whose square is one too.
  static constexpr double smallest_divisor = 1e-150;
};

template <>
struct Precision<float> {
  using Whole = double;
  static constexpr bool compensated = true;
  static constexpr float smallest_square = 1e-30f;
  static constexpr float smallest_divisor = 1e-18f;
};

/// Of arrays that are only read.
template <class Scalar>
struct Precision<const Scalar> : Precision<Scalar> {};

}  // namespace rodeo
