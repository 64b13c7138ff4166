#include "rodeo/rod/bending_mode.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

using enum EndCondition;

RodSpec beam() {
  RodSpec rod;
  rod.elements = 10;
  rod.length = 2.0;
  rod.radius = 0.1;
  rod.density = 1000.0;
  rod.bend_stiffness = 3.0;
  return rod;
}

/// beta L of the slowest mode: the square root of its frequency over sqrt(B/m')/L^2.
double root(const RodSpec& rod, const BeamEnd& first, const BeamEnd& last) {
  const double unit = std::sqrt(3.0 / (1000.0 * M_PI * 0.01)) / 4.0;
  return std::sqrt(slowest_bending_frequency(rod, first, last) / unit);
}
double root(const RodSpec& rod, EndCondition first, EndCondition last) {
  return root(rod, BeamEnd::of(first), BeamEnd::of(last));
}

/// One end keeps its slope and moves across the rod, as a motion may hold it.
TEST(BendingMode, OfAGuidedEndIsThatOfHalfABeam) {
  const BeamEnd guided = {false, true, false};
  EXPECT_NEAR(root(beam(), guided, BeamEnd::of(free)), 2.36502, 1e-5);
  EXPECT_NEAR(root(beam(), BeamEnd::of(clamped), guided), 2.36502, 1e-5);
  EXPECT_NEAR(root(beam(), guided, BeamEnd::of(pinned)), M_PI / 2.0, 1e-5);
  EXPECT_NEAR(root(beam(), guided, guided), M_PI, 1e-5);
}

TEST(BendingMode, OfAUniformRodIsThatOfTheBeam) {
  const struct {
    EndCondition first, last;
    double root;
  } cases[] = {{clamped, free, 1.875104069},
               {free, clamped, 1.875104069},
               {free, free, 4.730040745},
               {clamped, clamped, 4.730040745},
               {pinned, pinned_sliding, M_PI},
               {pinned, clamped_sliding, 3.926602312},
               {clamped, pinned_sliding, 3.926602312},
               {pinned, free, 3.926602312},
               {free, pinned, 3.926602312}};
  for (const auto& expected : cases) {
    EXPECT_NEAR(root(beam(), expected.first, expected.last), expected.root, 2e-6 * expected.root);
  }
}

TEST(BendingMode, OfAHeldElementIsThatOfTheRest) {
  EXPECT_NEAR(root(beam(), clamped_element, free), 1.875104069 / 0.9, 1e-5);
  EXPECT_NEAR(root(beam(), free, clamped_element), 1.875104069 / 0.9, 1e-5);
}

TEST(BendingMode, OfALoadedEndSolvesTheBeamsEquation) {
  // A cantilever with a mass of M times its own at the end: 1 + cosh cos + M z (sinh cos - cosh sin) = 0.
  for (const double ratio : {0.1, 1.0, 100.0}) {
    RodSpec rod = beam();
    rod.point_masses = {{ratio * 1000.0 * M_PI * 0.01 * 2.0, 2.0}};
    const double z = root(rod, clamped, free);
    const auto equation = [&](double x) {
      return 1 + std::cosh(x) * std::cos(x) +
             ratio * x * (std::sinh(x) * std::cos(x) - std::cosh(x) * std::sin(x));
    };
    EXPECT_GT(equation(z * (1 - 1e-5)), 0.0) << ratio;
    EXPECT_LT(equation(z * (1 + 1e-5)), 0.0) << ratio;
  }
}

TEST(BendingMode, OfAConeIsKirchhoffs) {
  // Clamped at the base, free at the tip: omega = 8.719 sqrt(B/m')/L^2 with those of the base (Kirchhoff
  // 1879).
  RodSpec rod = beam();
  rod.end_radius_ratio = 1e-6;
  const double z = root(rod, clamped, free);
  EXPECT_NEAR(z * z, 8.719, 0.01);
}

}  // namespace
}  // namespace rodeo
