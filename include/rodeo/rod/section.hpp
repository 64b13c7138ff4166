#pragma once

#include "rodeo/spec/member_spec.hpp"

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

/// Second moments of area of a section over those of the circle of its area A, A^2/(4 pi), and its torsion
/// constant over that of this circle, A^2/(2 pi).
struct Moments {
  double first = 1.0;   ///< about d1
  double second = 1.0;  ///< about d2
  double torsion = 1.0;
};

/// `width` is along d1, `thickness` along d2, m. An ellipse has a torsion constant of pi a^3 b^3/(a^2 + b^2),
/// half-widths a and b; a rectangle that of Saint-Venant's series (Timoshenko and Goodier 1951, section 94),
/// to rounding.
Moments moments(SectionShape shape, double width, double thickness);

/// Area over width times thickness.
double area_share(SectionShape shape);

/// alpha_c of the shear stiffness alpha_c G A: of circles and ellipses 4/3 as in Gazzola et al. 2018, of
/// rectangles 5/6.
double shear_coefficient(SectionShape shape);

}  // namespace rodeo::section
