#pragma once

namespace rodeo::section {

/// Means over a piece of a rod whose radius goes linearly from a to b (m), exact.

/// Mean of r^2 (m^2): mass and volume per length over density and pi.
constexpr double mean_square(double a, double b) { return (a * a + a * b + b * b) / 3.0; }

/// Mean of r^4 (m^4): moments of inertia.
constexpr double mean_fourth(double a, double b) {
  return ((a * a + b * b) * (a * a + a * b + b * b) - a * a * b * b) / 5.0;
}

/// 1/mean(1/r^2) (m^2): the stiffness against stretch and shear of a piece that carries one force.
constexpr double harmonic_square(double a, double b) { return a * b; }

/// 1/mean(1/r^4) (m^4): the stiffness against bend and twist of a piece that carries one couple.
constexpr double harmonic_fourth(double a, double b) {
  return 3.0 * (a * a * a) * (b * b * b) / (a * a + a * b + b * b);
}

}  // namespace rodeo::section
