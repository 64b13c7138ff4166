#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// How an equilibrium answers small displacements; NaN where there is none, or no energy.
struct Stability {
  double unstable_modes = std::nan("");  ///< ways to leave it by which the energy falls
  /// Of all displacements whose mean square is 1 m^2 but those that cost no energy, N/m.
  double least_stiffness = std::nan("");
};

/// Square of the rate at which the softest rod would swing between hinges, (pi/L)^4 B/m' of a mass m' per
/// length.
double slowest_rate(const MemberSpec& spec);

/// Part of that: what less inertia than this holds has no sign.
inline constexpr double neutral_part = 1e-6;

/// How far an iteration for an eigenvalue goes.
struct EigenvalueDigits {
  double share;     ///< the eigenvalue nearest to minus this is looked for, 1/s^2
  double relative;  ///< digits of its distance from there
  double rounding;  ///< and what has none, 1/s^2
};

/// Of a matrix over the inertia the eigenvalue nearest to minus a share of it, and its mode, of unit norm, by
/// inverse iteration from `mode`. solve(v): v <- (matrix + share inertia)^-1 v; leave_out(v) takes out of v
/// what is not asked for.
template <class Solve, class LeaveOut>
double nearest_eigenvalue(const std::vector<double>& inertia, const EigenvalueDigits& digits,
                          const Solve& solve, const LeaveOut& leave_out, std::vector<double>& mode) {
  constexpr int most_iterations = 100;
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * inertia[i] * b[i];
    return sum;
  };
  std::vector<double> answer;
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 1;; ++k) {
    leave_out(mode);
    const double scale = 1.0 / std::sqrt(product(mode, mode));
    for (double& entry : mode) entry *= scale;
    answer = mode;
    for (std::size_t i = 0; i < mode.size(); ++i) answer[i] *= inertia[i];
    solve(answer);
    const double last = nearest;
    nearest = 1.0 / product(mode, answer) - digits.share;
    const double enough = digits.relative * std::abs(nearest + digits.share) + digits.rounding;
    if (k == most_iterations || std::abs(nearest - last) <= enough) return nearest;
    mode.swap(answer);
  }
}

}  // namespace rodeo
