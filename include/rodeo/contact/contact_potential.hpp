#pragma once

#include <cmath>
#include <limits>

namespace rodeo::contact {

/// The potential E of two elements at a gap x (distance less both radii, over their mean radius) that is
/// pressed together: it falls to nothing at `tolerance`, over the mean radius too. The force is k E'(x), with
/// one stiffness k (N) for all pairs.
///
/// That of the implicit contact model (eq. 9 of Tong et al. 2023): x^2 below, the square of a rounded ramp
/// around zero. It lets elements overlap, and pushes them apart the more.
struct ImplicitContactModel {
  double tolerance;

  double energy(double x) const {
    if (x >= tolerance) return 0.0;
    if (x <= -tolerance) return x * x;
    const double y = ramp(x);
    return y * y;
  }
  double slope(double x) const {
    if (x >= tolerance) return 0.0;
    if (x <= -tolerance) return 2.0 * x;
    return -2.0 * ramp(x) * steepness(x);
  }
  double curvature(double x) const {
    if (x >= tolerance) return 0.0;
    if (x <= -tolerance) return 2.0;
    const double s = steepness(x);
    return 2.0 * s * s + 2.0 * ramp(x) * rate() * s * (1.0 - s);
  }

 private:
  double rate() const { return 15.0 / tolerance; }  // K1
  double ramp(double x) const { return std::log1p(std::exp(-rate() * x)) / rate(); }
  double steepness(double x) const { return 1.0 / (1.0 + std::exp(rate() * x)); }
};

/// The barrier of incremental potential contact (Li et al. 2020; eq. 8 of Tong et al. 2023 has a logarithm
/// that is finite at touch, the authors' program this one): -(x - tolerance)^2 ln(x/tolerance), infinite at
/// touch.
struct Barrier {
  double tolerance;

  double energy(double x) const {
    if (x >= tolerance) return 0.0;
    if (x <= 0.0) return std::numeric_limits<double>::infinity();
    const double left = x - tolerance;
    return -left * left * std::log(x / tolerance);
  }
  double slope(double x) const {
    if (x >= tolerance) return 0.0;
    if (x <= 0.0) return -std::numeric_limits<double>::infinity();
    const double left = x - tolerance;
    return -2.0 * left * std::log(x / tolerance) - left * left / x;
  }
  double curvature(double x) const {
    if (x >= tolerance) return 0.0;
    if (x <= 0.0) return std::numeric_limits<double>::infinity();
    const double ratio = (x - tolerance) / x;
    return -2.0 * std::log(x / tolerance) - 4.0 * ratio + ratio * ratio;
  }
};

}  // namespace rodeo::contact
