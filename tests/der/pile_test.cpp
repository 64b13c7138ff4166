#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// Implicit rods that lie on the ground and on each other by friction of both.
std::string pile_of(const std::string& rods, const std::string& end, const std::string& measures) {
  return "[model]\nkind = der\n[rod]\n" + rods +
         "direction = 1, 0, 0\nnormal = 0, 0, 1\nlength = 0.1\nradius = 0.005\ndensity = 1000\n"
         "young_modulus = 1e6\npoisson_ratio = 0.5\nrelaxation_time = 0.2\n"
         "[gravity]\nacceleration = 0, 0, -9.81\n"
         "[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 2e4\ndamping = 1\n"
         "static_friction = 0.4, 0.4, 0.4\nkinetic_friction = 0.4, 0.4, 0.4\n"
         "[contact]\nkind = imc\ntolerance = 1e-4\nfriction = 0.4\nslip_tolerance = 1e-4\n"
         "[newton]\ntolerance = 1e-5\nrelative_tolerance = 1e-3\n[time]\nstep = 2e-3\nend = " +
         end + "\n[measure]\n" + measures;
}

TEST(Pile, OfImplicitRodsComesToRestAndStays) {
  // Four rods on the ground and four across them.
  const Measured pile(
      pile_of("count = 8\nelements = 3\n"
              "each = rod.origin[0] : list(-0.05, -0.05, -0.05, -0.05, -0.03, -0.01, 0.01, 0.03)\n"
              "each = rod.origin[1] : list(-0.03, -0.01, 0.01, 0.03, -0.05, -0.05, -0.05, -0.05)\n"
              "each = rod.origin[2] : list(0.0055, 0.0055, 0.0055, 0.0055, 0.016, 0.016, 0.016, 0.016)\n"
              "each = rod.direction[0] : list(1, 1, 1, 1, 0.02, -0.03, 0.02, -0.01)\n"
              "each = rod.direction[1] : list(-0.02, 0.01, -0.01, 0.02, 1, 1, 1, 1)\n",
              "2",
              "interval = 0.01\n"
              "define = moving [J] : max(translational_energy + rotational_energy over 1 to 2)\n"
              "define = sliding [J] : max(abs(translational_energy - 2*rotational_energy) over 1 to 2)\n"
              "define = released [J] : -last(energy_drift)\n"));
  const double weight = 1000.0 * 3.14159265 * 0.005 * 0.005 * 0.1 * 9.81;
  EXPECT_NEAR(pile["released"], weight * (4 * 0.0005 + 4 * 0.001), 0.05 * weight * 0.006);
  // Rods that have begun to roll on others go on, as friction does not resist that and damping has gone:
  // solid cylinders then turn with half of the energy that they go with. Nothing else moves.
  EXPECT_LT(pile["sliding"], 1e-8 * pile["released"]);
  EXPECT_LT(pile["moving"], 1e-7 * pile["released"]);
}

TEST(Pile, ThatSlidesTakesFewIterations) {
  // Three layers of ten rods that cross each other and settle. With all of the slope of friction Newton's
  // method takes 18.5 iterations a step. As friction acts on surfaces, rods that touch begin to roll: most
  // pairs stay near rest, where friction is stiffest and its slope changes most.
  std::string places[5];  // along x, y, z; directions along x, y
  for (int k = 0; k < 30; ++k) {
    const int layer = k / 10;
    const int row = k % 10;
    const bool lies_along_x = layer % 2 == 0;
    const double along = (row + layer / 2) % 2 == 1 ? 0.06 : 0.0;
    const double across = (row + 0.5) * 0.02;
    const double askew = 0.01 * std::sin(k * k);
    const double numbers[5] = {lies_along_x ? along : across, lies_along_x ? across : along,
                               0.0052 + 0.01005 * layer, lies_along_x ? 1.0 : askew,
                               lies_along_x ? askew : 1.0};
    for (int c = 0; c < 5; ++c) places[c] += (k > 0 ? ", " : "") + std::to_string(numbers[c]);
  }
  const Measured pile(pile_of("count = 30\nelements = 8\neach = rod.origin[0] : list(" + places[0] +
                                  ")\neach = rod.origin[1] : list(" + places[1] +
                                  ")\neach = rod.origin[2] : list(" + places[2] +
                                  ")\neach = rod.direction[0] : list(" + places[3] +
                                  ")\neach = rod.direction[1] : list(" + places[4] + ")\n",
                              "0.05", "define = iterations [1] : newton_iterations_per_contact_step\n"));
  EXPECT_LT(pile["iterations"], 15.0);
}

}  // namespace
}  // namespace rodeo
