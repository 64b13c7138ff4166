#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// A rod of 1 m along x of bend stiffness 1, whose nodes stand at 0.3 u + 0.7 u^2.
std::string uneven_rod(int elements) {
  std::string nodes;
  for (int i = 0; i <= elements; ++i) {
    const double u = static_cast<double>(i) / elements;
    nodes += (i > 0 ? ", " : "") + std::to_string(0.3 * u + 0.7 * u * u) + ", 0, 0";
  }
  return "[rod]\nshape = file\nshape_nodes = " + nodes +
         "\nradius = 0.001\ndensity = 1000\nbend_stiffness = 1\ntwist_stiffness = 1\nstretch_stiffness = "
         "1e9\n"
         "shear_stiffness = 1e9\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[time]\nmethod = static\n";
}

TEST(UnevenElements, HaveTheMiddleForceAtMidLength) {
  for (const int elements : {40, 41}) {
    const Measured run(
        uneven_rod(elements) +
        "[boundary]\nfirst = pinned\nlast = pinned_sliding\n[load]\nmiddle_force = 0, 0, -1e-3\n"
        "[measure]\ndefine = z [m] : last(z(s 0.5))\n");
    EXPECT_NEAR(run["z"], -1e-3 / 48.0, 2e-3 * 1e-3 / 48.0) << elements;
  }
}

TEST(UnevenElements, AreTetheredAtTheNearestNode) {
  const Measured run(
      uneven_rod(40) +
      "[boundary]\nfirst = clamped\n[load]\ntether_point = 0.5, 0, 1\ntether_stiffness = 1e-4\n"
      "tether_place = 0.5\n[measure]\ndefine = end [m] : last(z(end))\n");
  const double a = 0.3 * 0.65 + 0.7 * 0.65 * 0.65;  // node 26
  EXPECT_NEAR(run["end"], 1e-4 * a * a * (3.0 - a) / 6.0, 1e-2 * 1e-4 * a * a * (3.0 - a) / 6.0);
}

}  // namespace
}  // namespace rodeo
