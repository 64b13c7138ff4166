#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

// Zeros of functions of one number.

namespace rodeo::method {

/// Two places between which a function changes its sign, and its values there.
struct Bracket {
  double a = 0.0;
  double b = 0.0;
  double at_a = 0.0;
  double at_b = 0.0;

  double zero() const { return a + (b - a) * at_a / (at_a - at_b); }

  /// Narrows it to a width by secants in which an end that stays counts half (the Illinois method). False if
  /// `evaluate` fails, which sets the function at a place, or if forty of them leave it wider.
  template <class Evaluate>
  bool narrow(double width, const Evaluate& evaluate) {
    constexpr int most_evaluations = 40;
    double weight_a = at_a;
    double weight_b = at_b;
    int stayed = 0;
    for (int k = 0; k < most_evaluations && b - a > width; ++k) {
      const double secant = a + (b - a) * weight_a / (weight_a - weight_b);
      const double margin = std::min(0.25 * (b - a), 0.4 * width);  // so that both ends come close
      const double place = std::clamp(secant, a + margin, b - margin);
      double f = 0.0;
      if (!evaluate(place, f)) return false;
      if ((f > 0.0) == (at_a > 0.0)) {
        a = place;
        at_a = weight_a = f;
        weight_b *= stayed == 1 ? 0.5 : 1.0;
        stayed = 1;
      } else {
        b = place;
        at_b = weight_b = f;
        weight_a *= stayed == -1 ? 0.5 : 1.0;
        stayed = -1;
      }
    }
    return b - a <= width;
  }
};

/// An eigenvalue at four points about where it is zero: not so close to it that rounding would count.
struct Crossing {
  std::array<double, 4> places{};
  std::array<double, 4> eigenvalues{};
  std::array<double, 4> values{};

  /// Whether the eigenvalue crosses zero smoothly. From one branch to another it would jump.
  bool goes_through_zero() const {
    const auto slope = [&](std::size_t k) { return eigenvalues[k + 1] - eigenvalues[k]; };
    const auto is_alike = [&](std::size_t k) {
      return slope(k) / slope(1) > 0.5 && slope(k) / slope(1) < 2.0;
    };
    return eigenvalues[0] * eigenvalues[3] < 0.0 && is_alike(0) && is_alike(2);
  }

  /// Value of a quantity at the zero of the eigenvalue, by inverse interpolation.
  double zero_of(const std::array<double, 4>& quantity) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      double weight = 1.0;
      for (std::size_t j = 0; j < 4; ++j) {
        if (j != i) weight *= eigenvalues[j] / (eigenvalues[j] - eigenvalues[i]);
      }
      sum += weight * quantity[i];
    }
    return sum;
  }
};

}  // namespace rodeo::method
