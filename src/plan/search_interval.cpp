#include "search_interval.hpp"

#include <algorithm>
#include <cmath>

namespace rodeo {

namespace {

constexpr double margin_share = 0.05;

}  // namespace

SearchInterval::SearchInterval(double lower, double upper, double scale)
    : lower_(lower), upper_(upper), margin_(margin_share * scale) {
  if (std::isfinite(lower) && std::isfinite(upper)) margin_ = margin_share * (upper - lower);
}

double SearchInterval::value(double u) const {
  const double first = lower_ - margin_;  // the vertices
  const double last = upper_ + margin_;
  if (u < first || u > last) {
    if (std::isfinite(first) && std::isfinite(last)) {
      u = first + std::abs(std::remainder(u - first, 2.0 * (last - first)));
    } else {
      u = u < first ? 2.0 * first - u : 2.0 * last - u;
    }
  }
  if (u < lower_ + margin_) u = lower_ + (u - first) * (u - first) / (4.0 * margin_);
  if (u > upper_ - margin_) u = upper_ - (last - u) * (last - u) / (4.0 * margin_);
  return std::clamp(u, lower_, upper_);
}

double SearchInterval::point(double value) const {
  if (value < lower_ + margin_) return lower_ - margin_ + 2.0 * std::sqrt(margin_ * (value - lower_));
  if (value > upper_ - margin_) return upper_ + margin_ - 2.0 * std::sqrt(margin_ * (upper_ - value));
  return value;
}

}  // namespace rodeo
