#include "rodeo/profile/error_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo {

ErrorNorms error_norms(std::span<const double> errors, Sampling sampling) {
  if (errors.size() < 2 && sampling == Sampling::nodes) return no_error_norms();
  ErrorNorms norms;
  const auto add = [&](double error, double weight) {
    const double size = std::abs(error);
    norms.l1 += weight * size;
    norms.l2 += weight * size * size;
    norms.linf = size > norms.linf || std::isnan(size) ? size : norms.linf;
  };
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const bool half = sampling == Sampling::nodes && (i == 0 || i + 1 == errors.size());
    add(errors[i], half ? 0.5 : 1.0);
  }
  const double intervals = static_cast<double>(errors.size()) - (sampling == Sampling::nodes ? 1.0 : 0.0);
  norms.l1 /= intervals;
  norms.l2 = std::sqrt(norms.l2 / intervals);
  return norms;
}

ErrorNorms no_error_norms() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, nan};
}

double observed_order(const SpacedError& coarse, const SpacedError& fine, double reference) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const bool comparable = fine.error > 0.0 && coarse.error > fine.error && std::isfinite(coarse.error) &&
                          coarse.spacing > fine.spacing && fine.spacing > reference;
  if (!comparable) return nan;
  const double error_ratio = coarse.error / fine.error;
  if (reference == 0.0) return std::log(error_ratio) / std::log(coarse.spacing / fine.spacing);

  // (coarse^p - reference^p)/(fine^p - reference^p) = expm1(p a)/expm1(p b) grows with p, from 1 to infinity.
  const double a = std::log(coarse.spacing / reference);
  const double b = std::log(fine.spacing / reference);
  const auto ratio = [&](double order) {
    return order == 0.0 ? a / b : std::expm1(order * a) / std::expm1(order * b);
  };
  double lower = -20.0;
  double upper = 20.0;
  if (!(ratio(lower) < error_ratio && error_ratio < ratio(upper))) return nan;
  while (upper - lower > 1e-12) {
    const double middle = 0.5 * (lower + upper);
    (ratio(middle) < error_ratio ? lower : upper) = middle;
  }
  return 0.5 * (lower + upper);
}

double interpolate_at(std::span<const double> nodes, double position) {
  constexpr int most_points = 4;
  const int count = static_cast<int>(nodes.size());
  const int points = std::min(most_points, count);
  const int first = std::clamp(static_cast<int>(std::floor(position)) - 1, 0, count - points);
  double value = 0.0;
  for (int i = 0; i < points; ++i) {
    double weight = 1.0;
    for (int j = 0; j < points; ++j) {
      if (j != i) weight *= (position - (first + j)) / static_cast<double>(i - j);
    }
    value += weight * nodes[static_cast<std::size_t>(first + i)];
  }
  return value;
}

}  // namespace rodeo
