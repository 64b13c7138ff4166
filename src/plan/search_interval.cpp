#include "search_interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rodeo {

namespace {

constexpr double margin_share = 0.05;

}  // namespace

SearchInterval::SearchInterval(const SearchParameter& parameter)
    : parameter_(parameter),
      lower_(coordinate(parameter.values.empty() ? parameter.lower : parameter.values.front())),
      upper_(coordinate(parameter.values.empty() ? parameter.upper : parameter.values.back())),
      margin_(margin_share * parameter.scale) {
  if (std::isfinite(lower_) && std::isfinite(upper_)) margin_ = margin_share * (upper_ - lower_);
}

double SearchInterval::coordinate(double value) const {
  const std::vector<double>& values = parameter_.values;
  if (!values.empty()) return static_cast<double>(std::ranges::find(values, value) - values.begin());
  return parameter_.logarithmic ? std::log10(value) : value;
}

double SearchInterval::value_at(double coordinate) const {
  if (!parameter_.logarithmic) return coordinate;
  // Rounding must not lead beyond the bounds.
  return std::clamp(std::pow(10.0, coordinate), parameter_.lower, parameter_.upper);
}

/// The whole number, or the place in the list, of a map with plateaus.
double SearchInterval::nearest(double u) const { return std::round(value_at(std::clamp(u, lower_, upper_))); }

Plateau SearchInterval::plateau(double u) const {
  const double here = nearest(u);
  const bool is_listed = !parameter_.values.empty();
  const auto halfway = [&](double number) { return is_listed ? number : coordinate(number); };
  Plateau plateau;
  if (here > (is_listed ? lower_ : parameter_.lower)) plateau.below = halfway(here - 0.5);
  if (here < (is_listed ? upper_ : parameter_.upper)) plateau.above = halfway(here + 0.5);
  return plateau;
}

double SearchInterval::value(double u) const {
  if (!parameter_.values.empty()) return parameter_.values[static_cast<std::size_t>(nearest(u))];
  if (parameter_.whole) return nearest(u);
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
  return value_at(std::clamp(u, lower_, upper_));
}

double SearchInterval::point(double value) const {
  const double x = coordinate(value);
  if (has_plateaus()) return x;
  if (x < lower_ + margin_) return lower_ - margin_ + 2.0 * std::sqrt(margin_ * (x - lower_));
  if (x > upper_ - margin_) return upper_ + margin_ - 2.0 * std::sqrt(margin_ * (upper_ - x));
  return x;
}

double SearchInterval::deviation(double value, double of_coordinates) const {
  return parameter_.logarithmic ? std::numbers::ln10 * value * of_coordinates : of_coordinates;
}

double SearchInterval::random_value(double share, double reach) const {
  const double range = upper_ - lower_;
  if (has_plateaus() && !parameter_.logarithmic) return value(lower_ + std::floor(share * (range + 1.0)));
  if (has_plateaus()) return value(lower_ + share * range);
  if (std::isfinite(range)) return value_at(lower_ + share * range);
  const double start = coordinate(parameter_.start);
  return value_at(std::clamp(start + reach * parameter_.scale * (2.0 * share - 1.0), lower_, upper_));
}

}  // namespace rodeo
