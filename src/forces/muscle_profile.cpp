#include "rodeo/forces/muscle_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rodeo::forces {

namespace {

/// The spline with the control values `value(0)` to `value(spans + 2)` at u in [0, spans], by de Boor's
/// recursion.
template <class Value>
double clamped_cubic_spline(int spans, double u, const Value& value) {
  const auto knot = [&](int i) { return static_cast<double>(std::clamp(i - 3, 0, spans)); };
  const int first = std::min(static_cast<int>(u), spans - 1);  // u = spans belongs to the last span
  std::array<double, 4> d = {value(first), value(first + 1), value(first + 2), value(first + 3)};
  for (int level = 1; level <= 3; ++level) {
    for (int j = 3; j >= level; --j) {
      const double begin = knot(first + j);
      const double end = knot(first + j + 4 - level);
      const double weight = (u - begin) / (end - begin);
      const auto at = static_cast<std::size_t>(j);
      d[at] = (1.0 - weight) * d[at - 1] + weight * d[at];
    }
  }
  return d[3];
}

/// The curve parameter whose abscissa is `share`. The abscissa grows with u, from a zero slope, so it is
/// bisected.
double parameter_at(int spans, double share) {
  const auto abscissa = [&](int i) { return std::clamp((i - 1.0) / spans, 0.0, 1.0); };
  double low = 0.0;
  double high = spans;
  constexpr int halvings = 60;  // down to rounding
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (low + high);
    (clamped_cubic_spline(spans, middle, abscissa) < share ? low : high) = middle;
  }
  return share < 1.0 ? high : spans;
}

}  // namespace

double muscle_profile(std::span<const double> inner, double share) {
  const int spans = static_cast<int>(inner.size()) - 1;
  const auto amplitude = [&](int i) {
    return i == 0 || i == spans + 2 ? 0.0 : inner[static_cast<std::size_t>(i - 1)];
  };
  return clamped_cubic_spline(spans, parameter_at(spans, share), amplitude);
}

}  // namespace rodeo::forces
