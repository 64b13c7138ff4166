#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// A free steel needle of 50 mm, of which a thousandth of B/L^2 is more than its weight.
Measured needle(const std::string& scheme, const std::string& more) {
  return Measured(
      "[model]\nkind = der\n[rod]\nelements = 100\nlength = 0.05\nradius = 0.005\ndensity = 7800\n"
      "young_modulus = 2e11\npoisson_ratio = 0.3\ndirection = 1, 0, 0\n[time]\nstep = 1e-3\nend = 0.05\n"
      "[measure]\ninterval = 1e-3\ndefine = v [m/s] : last(vz(middle))\n",
      {"time.scheme=" + scheme, more});
}

TEST(StiffRods, FallAndFlyOn) {
  for (const std::string scheme : {"backward_euler", "generalized_alpha", "midpoint", "sdirk2"}) {
    EXPECT_NEAR(needle(scheme, "gravity.acceleration=0, 0, -9.81")["v"], -9.81 * 0.05, 1e-3 * 9.81 * 0.05)
        << scheme;
    EXPECT_NEAR(needle(scheme, "rod.velocity=0, 0, 1e-2")["v"], 1e-2, 1e-5) << scheme;
  }
}

/// A plate whose elements are forty times as wide as long: rounding of places leaves forces of its stiffer
/// bending.
TEST(StiffRods, ThatAreWideBendInAnyDirection) {
  for (const std::string scheme : {"backward_euler", "midpoint"}) {
    for (const std::string direction : {"1, 2, 0", "1, 2, 3", "3, 1, 0.5"}) {
      const Measured plate(
          "[model]\nkind = der\n[rod]\nelements = 60\nlength = 1.8\nsection = rectangle\nwidth = "
          "1.2\nthickness = 0.3\n"
          "density = 3000\nyoung_modulus = 7e4\npoisson_ratio = 0.5\n[boundary]\nfirst = clamped\n"
          "[gravity]\nacceleration = 0, 0, -0.007\n[time]\nstep = 0.5\nend = 2\n[newton]\ntolerance = "
          "1e-13\n",
          {"time.scheme=" + scheme, "rod.direction=" + direction});
      EXPECT_GT(plate["bending_energy"], 0.0) << scheme << ' ' << direction;
    }
  }
}

/// A column under nine tenths of its critical load: what counts as zero hides bending where it is thin, and a
/// roll about its axis hides nothing.
TEST(ThinRods, AreAsStableAsTheyAreOrItIsNotKnown) {
  int known = 0;
  for (const int elements : {50, 200, 1000}) {
    for (const double radius : {1e-3, 1e-4, 3e-5, 2e-5}) {
      const double bending = 1e11 * 3.14159265358979 * radius * radius * radius * radius / 4.0;
      const Measured column(
          "[model]\nkind = der\n[rod]\nelements = " + std::to_string(elements) +
              "\nlength = 1\ndensity = 1000\nyoung_modulus = 1e11\npoisson_ratio = 0.3\ndirection = 1, 0, 0\n"
              "[boundary]\nfirst = pinned\nlast = pinned_sliding\n[time]\nmethod = static\n",
          {"rod.radius=" + format_real(radius), "load.axial_force=" + format_real(9.0 * bending)});
      if (std::isnan(column["least_stiffness"])) continue;
      ++known;
      EXPECT_NEAR(column["least_stiffness"] / bending, 8.58, 0.05) << elements << " " << radius;
    }
  }
  EXPECT_GE(known, 7);
}

}  // namespace
}  // namespace rodeo
