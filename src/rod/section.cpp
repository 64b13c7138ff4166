#include "rodeo/rod/section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rodeo::section {

namespace {

/// Torsion constant of a rectangle over its longer side times the cube of the shorter one,
///   1/3 - 64/pi^5 s sum over odd n of tanh(n pi/(2 s))/n^5,  s = shorter/longer.
/// The sum of 1/n^5 is 31/32 zeta(5), and what tanh lacks of 1 falls exponentially.
double torsion_share(double ratio) {
  constexpr double all = 31.0 / 32.0 * 1.0369277551433699;
  constexpr int last = 15;  // exp(-15 pi) is below rounding
  double lacking = 0.0;
  for (int n = last; n > 0; n -= 2) {
    lacking += 2.0 / (std::exp(n * std::numbers::pi / ratio) + 1.0) / std::pow(n, 5);
  }
  return 1.0 / 3.0 - 64.0 / std::pow(std::numbers::pi, 5) * ratio * (all - lacking);
}

}  // namespace

Moments moments(SectionShape shape, double width, double thickness) {
  if (shape == SectionShape::circle) return {};
  const double flatness = thickness / width;
  if (shape == SectionShape::ellipse) {
    const double square = width * width + thickness * thickness;
    return {flatness, width / thickness, 2.0 * width * thickness / square};
  }
  const double ratio = std::min(flatness, width / thickness);
  constexpr double of_square = std::numbers::pi / 3.0;
  return {of_square * flatness, of_square * (width / thickness),
          2.0 * std::numbers::pi * torsion_share(ratio) * ratio};
}

double area_share(SectionShape shape) {
  return shape == SectionShape::rectangle ? 1.0 : 0.25 * std::numbers::pi;
}

double shear_coefficient(SectionShape shape) {
  return shape == SectionShape::rectangle ? 5.0 / 6.0 : 4.0 / 3.0;
}

}  // namespace rodeo::section
