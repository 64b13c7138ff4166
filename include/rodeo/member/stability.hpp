#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "rodeo/math/pack.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Stability of an equilibrium under small displacements; NaN where there is none, or no energy.
struct Stability {
  double unstable_modes = std::nan("");  ///< ways to leave it by which the energy falls
  /// Least stiffness against displacements of mean square 1 m^2, except those that cost no energy, N/m.
  double least_stiffness = std::nan("");
  bool has_digits =
      true;  ///< they are not NaN because rounding hides them, or as a search ended at its limit
};

/// Square of the rate at which the softest rod would swing between hinges, (pi/L)^4 B/m' of a mass m' per
/// length, if it were as long as the path along all rods joined to it.
double slowest_rate(const MemberSpec& spec);

/// Share of slowest_rate() below which an eigenvalue over the inertia has no sign.
inline constexpr double neutral_part = 1e-6;

/// The first share of the inertia, each four times the one before, with which no eigenvalue is negative, as
/// factor(share) counts them; not finite if there is none. It begins above zero.
template <class Factor>
double definite_share(double share, const Factor& factor) {
  while (std::isfinite(share) && factor(share) > 0) share *= 4.0;
  return share;
}

/// Accuracy of an iteration for an eigenvalue.
template <class Number>
struct EigenvalueDigits {
  Number share;     ///< the eigenvalue nearest to minus this is looked for, 1/s^2
  double relative;  ///< digits of its distance from there
  Number rounding;  ///< and what has none, 1/s^2
};

/// Finds the eigenvalue of a matrix over the inertia nearest to minus a share of it, and its mode, of unit
/// norm, by inverse iteration from `mode`; NaN if not converged after a hundred rounds. solve(v): v <-
/// (matrix + share inertia)^-1 v; leave_out(v) removes unwanted parts of v. Each lane of packs is a matrix of
/// its own, unaffected by how long others take.
template <class Number, class Solve, class LeaveOut>
Number nearest_eigenvalue(const std::vector<Number>& inertia, const EigenvalueDigits<Number>& digits,
                          const Solve& solve, const LeaveOut& leave_out, std::vector<Number>& mode) {
  using std::sqrt;
  constexpr int most_iterations = 100;
  const auto product = [&](const std::vector<Number>& a, const std::vector<Number>& b) {
    Number sum(0.0);
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * inertia[i] * b[i];
    return sum;
  };
  std::vector<Number> answer(mode.size());
  Number nearest(std::numeric_limits<double>::infinity());
  auto ended = nearest < Number(0.0);
  for (int k = 1;; ++k) {
    leave_out(mode);
    const Number scale = select(ended, Number(1.0), Number(1.0) / sqrt(product(mode, mode)));
    for (std::size_t i = 0; i < mode.size(); ++i) {
      mode[i] *= scale;
      answer[i] = mode[i] * inertia[i];
    }
    solve(answer);
    const Number next = Number(1.0) / product(mode, answer) - digits.share;
    const Number enough = Number(digits.relative) * magnitude(next + digits.share) + digits.rounding;
    const auto ends = magnitude(next - nearest) <= enough;
    nearest = select(ended, nearest, next);
    ended = ended | ends;
    if (k == most_iterations || every_lane(ended))
      return select(ended, nearest, Number(std::numeric_limits<double>::quiet_NaN()));
    for (std::size_t i = 0; i < mode.size(); ++i) mode[i] = select(ended, mode[i], answer[i]);
  }
}

/// Finds all digits of the least eigenvalue, of which an iteration with a share of the inertia has found few.
/// It goes faster from closer below, and at last from so close that no other eigenvalue can be between:
/// factor(closer) gives the share of the matrix, and notes if an eigenvalue is below, so that the one found
/// is not the least. nearest(share, digits) iterates.
template <class Number, class Factor, class Nearest>
Number refined(const EigenvalueDigits<Number>& found, Number least, const Factor& factor,
               const Nearest& nearest) {
  struct Step {
    double part;    ///< of the distance from the first share
    double digits;  ///< relative
  };
  constexpr Step steps[] = {{0.1, 1e-4}, {0.01, 1e-6}, {1e-6, 1e-5}};
  const Number distance = least + found.share;
  for (const Step& step : steps) {
    const Number part = Number(step.part) * distance;
    const Number rounded = Number(10.0) * found.rounding;
    least = nearest(factor(select(part < rounded, rounded, part) - least), step.digits);
  }
  return least;
}

}  // namespace rodeo
