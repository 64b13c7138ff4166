#include "rodeo/rod/section.hpp"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

namespace rodeo::section {
namespace {

/// Moments of a section with the circle's taken out: I1, I2 and the torsion constant, m^4.
Moments absolute(SectionShape shape, double width, double thickness) {
  const double area = area_share(shape) * width * thickness;
  const double of_circle = area * area / (4.0 * M_PI);
  const Moments over = moments(shape, width, thickness);
  return {over.first * of_circle, over.second * of_circle, 2.0 * over.torsion * of_circle};
}

TEST(Section, TorsionConstantsOfRectanglesAreThosePublished) {
  // Timoshenko and Goodier, Theory of Elasticity (1951), section 94: I3 over longer side times shorter side
  // cubed.
  for (const auto& [ratio, share] : {std::pair(1.0, 0.1406), std::pair(1.2, 0.166), std::pair(1.5, 0.196),
                                     std::pair(2.0, 0.229), std::pair(2.5, 0.249), std::pair(3.0, 0.263),
                                     std::pair(4.0, 0.281), std::pair(5.0, 0.291), std::pair(10.0, 0.312)}) {
    const double digits = ratio == 1.0 ? 5e-5 : 6e-4;
    EXPECT_NEAR(absolute(SectionShape::rectangle, 1.0, ratio).torsion / ratio, share, digits) << ratio;
    EXPECT_NEAR(absolute(SectionShape::rectangle, ratio, 1.0).torsion / ratio, share, digits) << ratio;
  }
  // Of a thin strip 1/3 - 0.210083 over the ratio of its sides: 64/pi^5 times 31/32 zeta(5).
  EXPECT_NEAR(absolute(SectionShape::rectangle, 1e-3, 1.0).torsion / 1e-9, (1.0 - 0.630249e-3) / 3.0, 1e-9);
}

TEST(Section, TorsionConstantOfARectangleIsTheSumOfItsSeries) {
  for (const double ratio : {0.05, 0.4, 0.9, 1.0}) {
    long double sum = 0.0L;
    for (int n = 4001; n > 0; n -= 2) {
      sum += std::tanh(n * static_cast<long double>(M_PI) / (2.0L * ratio)) / std::pow(1.0L * n, 5);
    }
    const auto expected =
        static_cast<double>(1.0L / 3 - 64 / std::pow(static_cast<long double>(M_PI), 5) * ratio * sum);
    EXPECT_NEAR(absolute(SectionShape::rectangle, ratio, 1.0).torsion / std::pow(ratio, 3), expected, 1e-14);
  }
}

TEST(Section, MomentsOfEllipsesAndRectanglesAreTheirIntegrals) {
  const double w = 0.7;
  const double t = 0.2;
  const Moments ellipse = absolute(SectionShape::ellipse, w, t);
  EXPECT_NEAR(ellipse.first, M_PI / 64 * w * t * t * t, 1e-17);
  EXPECT_NEAR(ellipse.second, M_PI / 64 * t * w * w * w, 1e-16);
  EXPECT_NEAR(ellipse.torsion, M_PI / 16 * std::pow(w * t, 3) / (w * w + t * t), 1e-16);
  const Moments rectangle = absolute(SectionShape::rectangle, w, t);
  EXPECT_NEAR(rectangle.first, w * t * t * t / 12, 1e-17);
  EXPECT_NEAR(rectangle.second, t * w * w * w / 12, 1e-16);
}

TEST(Section, AnEllipseOfEqualWidthsIsACircle) {
  const Moments round = moments(SectionShape::ellipse, 0.3, 0.3);
  EXPECT_EQ(round.first, 1.0);
  EXPECT_EQ(round.second, 1.0);
  EXPECT_EQ(round.torsion, 1.0);
}

}  // namespace
}  // namespace rodeo::section
