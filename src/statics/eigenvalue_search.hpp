#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "rodeo/member/stability.hpp"

namespace rodeo::statics {

// How the least eigenvalue of an equilibrium is looked for, of one member alone or of several in lanes.

inline constexpr double few_digits = 1e-2;  ///< of an eigenvalue, relative
inline constexpr double some_digits = 1e-4;
inline constexpr double all_digits = 1e-9;

/// What tells eigenvalues from zero, 1/s^2. Rounding of the state adds to that of the matrix.
inline double least_sign(double neutral, double rounding) { return std::max(neutral, 100.0 * rounding); }

/// Where iterations for a mode begin.
template <class Number, class Hold>
void start_mode(std::vector<Number>& mode, std::size_t size, const Hold& hold) {
  mode.resize(size);
  for (std::size_t i = 0; i < size; ++i) mode[i] = Number(std::sin(1.0 + static_cast<double>(i)));
  hold(mode);
}

/// All digits of an eigenvalue that has been found from `share` below zero. From closer below it the
/// iteration goes faster. factor(closer) gives the share that the matrix then has; nearest(share, digits)
/// iterates.
template <class Number, class Factor, class Nearest>
Number refined(Number least, const Number& share, const Factor& factor, const Nearest& nearest) {
  const Number distance = least + share;
  for (const auto& [part, digits] : {std::pair{0.1, some_digits}, std::pair{0.01, all_digits}}) {
    const Number closer = factor(Number(part) * distance - least);
    least = nearest(closer, digits);
  }
  return least;
}

}  // namespace rodeo::statics
