#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo::contact {

/// The potential E of two elements at a gap x (distance less both radii, over their mean radius): zero from
/// `tolerance` on, over the mean radius too. The force is -k E'(x), with one stiffness k (N) for all pairs.
template <class P>
concept ContactPotential = requires(const P& potential, double x) {
  P{.tolerance = x};
  { potential.energy(x) } -> std::same_as<double>;
  { potential.slope(x) } -> std::same_as<double>;      // E'
  { potential.curvature(x) } -> std::same_as<double>;  // E''
  { P::infinite_at_touch } -> std::convertible_to<bool>;
};

/// The potential of the implicit contact model (eq. 9 of Tong et al. 2023): x^2 below -tolerance, the square
/// of a rounded ramp around zero. It lets elements overlap, and pushes them apart the more.
struct ImplicitContactModel {
  static constexpr bool infinite_at_touch = false;
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
  static constexpr bool infinite_at_touch = true;
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

/// A potential whose kind is known when the program runs.
struct PotentialOfKind {
  struct Derivatives {
    double slope;
    double curvature;
  };

  bool infinite_at_touch;
  double (*energy)(double x, double tolerance);
  Derivatives (*derivatives)(double x, double tolerance);

  template <ContactPotential P>
  static constexpr PotentialOfKind of() {
    return {P::infinite_at_touch,
            [](double x, double tolerance) { return P{.tolerance = tolerance}.energy(x); },
            [](double x, double tolerance) -> Derivatives {
              const P potential{.tolerance = tolerance};
              return {potential.slope(x), potential.curvature(x)};
            }};
  }
};

/// The potential of `contact.kind`. A new one is its type here and its line.
constexpr PotentialOfKind potential_of(ContactKind kind) {
  return kind == ContactKind::ipc ? PotentialOfKind::of<Barrier>()
                                  : PotentialOfKind::of<ImplicitContactModel>();
}

}  // namespace rodeo::contact
