#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rodeo/member/stability.hpp"

namespace rodeo::statics {

// Search for the least eigenvalue of an equilibrium, of one member alone or of several in lanes.

inline constexpr double few_digits = 1e-2;  ///< of an eigenvalue, relative
inline constexpr double all_digits = 1e-9;

/// Least size of an eigenvalue that has a sign, 1/s^2. Rounding of the state adds to that of the matrix.
inline double least_sign(double neutral, double rounding) { return std::max(neutral, 100.0 * rounding); }

/// Sets the vector with which iterations for a mode begin.
template <class Number, class Hold>
void start_mode(std::vector<Number>& mode, std::size_t size, const Hold& hold) {
  mode.resize(size);
  for (std::size_t i = 0; i < size; ++i) mode[i] = Number(std::sin(1.0 + static_cast<double>(i)));
  hold(mode);
}

}  // namespace rodeo::statics
