#pragma once

#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

namespace rodeo {

/// Probability that a standard normal number is less than z.
inline double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// The number below which a standard normal one is with that probability.
inline double normal_quantile(double probability) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * probability);
}

}  // namespace rodeo
