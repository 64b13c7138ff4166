#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// Two rods in line that fly along themselves with a mass between them, of which only the first rod's own is
/// damped.
TEST(JointDamping, OfASharedNodeIsByTheMassThatEachRodBrings) {
  const double rod = 1000 * M_PI * 1e-4 * 0.5;
  for (const int owner : {0, 1}) {
    const std::string mass = owner == 0
                                 ? "list(1, 1e-9)\neach = rod.point_mass_positions[0] : list(0.5, 0)\n"
                                 : "list(1e-9, 1)\neach = rod.point_mass_positions[0] : list(0.5, 0)\n";
    const std::string deck =
        "[rod]\ncount = 2\nelements = 10\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e9\n"
        "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\nvelocity = 1, 0, 0\npoint_masses = 1\n"
        "point_mass_positions = 0\neach = rod.point_masses[0] : " +
        mass +
        "each = rod.relaxation_time : list(0.1, 1e9)\n[joint]\nkind = ball\n[time]\nend = 0.1\nstep = 5e-4\n"
        "[measure]\ndefine = v [m/s] : last(0.5*vx(rod 0, middle) + 0.5*vx(rod 1, middle))\n";
    const double damped = owner == 0 ? rod + 1.0 : rod;
    const double expected = std::exp(-damped / (2.0 * rod + 1.0));
    for (const std::vector<std::string>& scheme :
         {std::vector<std::string>{"time.method=implicit"},
          std::vector<std::string>{"time.method=implicit", "time.scheme=energy_momentum"},
          std::vector<std::string>{"model.kind=der", "time.scheme=midpoint"}}) {
      EXPECT_NEAR(Measured(deck, scheme)["v"], expected, 4e-3) << owner << " " << scheme.back();
    }
  }
}

/// A double pendulum of stiff rods, of which each has its own damping: joint.kind does as a connection does.
TEST(JointDamping, OfModesCountsBothRodsAtTheSharedNode) {
  const std::string deck =
      "[rod]\ncount = 2\nelements = 20\nlength = 0.3\nradius = 0.005\ndensity = 7850\nyoung_modulus = 2e11\n"
      "poisson_ratio = 0.3\ndirection = 0, 0, -1\neach = boundary.first : list(pinned, free)\n"
      "each = rod.origin[2] : list(0, -0.3)\n[gravity]\nacceleration = 0, 0, -9.81\n[time]\nmethod = static\n"
      "[modes]\ncount = 4\n";
  const double rates[2][2] = {{0.366346, 0.212926}, {0.157080, 0.769753}};
  for (const int k : {0, 1}) {
    const std::string damping =
        std::string("rod.each=rod.damping : ") + (k == 0 ? "list(0, 0.5)" : "list(2, 0)");
    const Measured joined(deck, {"joint.kind=ball", damping});
    const Measured connected(deck, {"connection.ball=rod 0, end to rod 1, start", damping});
    for (const std::string name : {"decay_rate_1", "decay_rate_3"})
      EXPECT_NEAR(joined[name] / connected[name], 1.0, 1e-6) << name;
    EXPECT_NEAR(joined["decay_rate_1"] / rates[k][0], 1.0, 1e-3);
    EXPECT_NEAR(joined["decay_rate_3"] / rates[k][1], 1.0, 1e-3);
  }
}

}  // namespace
}  // namespace rodeo
