#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace rodeo {

// Functions of vectors of equal length. The order of sums is fixed: neither the compiler nor the place of
// entries in memory changes a result.

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const std::size_t whole = a.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

inline double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

/// y <- y + factor x
inline void add(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// y <- x - y
inline void subtract_from(const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] - y[i];
}

inline void scale(double factor, std::vector<double>& v) {
  for (double& entry : v) entry *= factor;
}

}  // namespace rodeo
