#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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

/// The keys of three layers of so many rods each, across each other, in so many stacks side by side.
std::string layers_of(int each, int stacks = 1) {
  std::string places[5];  // along x, y, z; directions along x, y
  for (int k = 0; k < 3 * each * stacks; ++k) {
    const int in_stack = k % (3 * each);
    const int layer = in_stack / each;
    const int row = in_stack % each;
    const bool lies_along_x = layer % 2 == 0;
    const double along = (row + layer / 2) % 2 == 1 ? 0.06 : 0.0;
    const double across = (row + 0.5) * 0.02;
    const double askew = 0.01 * std::sin(in_stack * in_stack);
    const double numbers[5] = {
        lies_along_x ? along : across, (lies_along_x ? across : along) + k / (3 * each) * 1.0,
        0.0052 + 0.01005 * layer, lies_along_x ? 1.0 : askew, lies_along_x ? askew : 1.0};
    for (int c = 0; c < 5; ++c) places[c] += (k > 0 ? ", " : "") + std::to_string(numbers[c]);
  }
  return "count = " + std::to_string(3 * each * stacks) + "\nelements = 8\neach = rod.origin[0] : list(" +
         places[0] + ")\neach = rod.origin[1] : list(" + places[1] + ")\neach = rod.origin[2] : list(" +
         places[2] + ")\neach = rod.direction[0] : list(" + places[3] + ")\neach = rod.direction[1] : list(" +
         places[4] + ")\n";
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
  // Three layers of ten rods that cross each other and settle. With the derivative of friction Newton's
  // method takes 18.5 iterations a step, with that foreseen by the iteration before 9.2. As friction acts on
  // surfaces, rods that touch begin to roll: most pairs stay near rest, where friction is stiffest and its
  // slope changes most.
  const Measured pile(
      pile_of(layers_of(10), "0.05", "define = iterations [1] : newton_iterations_per_contact_step\n"));
  EXPECT_LT(pile["iterations"], 12.0);
}

/// A rod that comes down between two along it. With the closest points, which jump from end to end of
/// elements there, steps take 5.8 iterations; with spread ones 3.8.
TEST(Pile, OfRodsAlongEachOtherTakesFewIterations) {
  const Measured pile(
      pile_of("count = 3\nelements = 8\neach = rod.origin[0] : list(0, 0.003, 0.007)\n"
              "each = rod.origin[1] : list(-0.0055, 0.0055, -0.0015)\n"
              "each = rod.origin[2] : list(0.0052, 0.0052, 0.0145)\n"
              "each = rod.direction[1] : list(0.002, -0.001, 0.03)\n",
              "0.2",
              "define = iterations [1] : newton_iterations_per_contact_step\n"
              "define = moving [J] : last(translational_energy)\n"
              "define = released [J] : -last(energy_drift)\n"));
  EXPECT_LT(pile["iterations"], 4.2);
  EXPECT_GT(pile["released"], 0.0);
  EXPECT_LT(pile["moving"], 1e-4 * pile["released"]);
}

/// Of two stacks beside each other the matrix is so large that it is solved with by iterations, of one not.
TEST(Pile, IsSolvedAlikeByFactorsAndByIterations) {
  const auto places = [](int stacks, const std::string& tolerance) {
    const std::vector<std::string> overrides = {"output.frames=2", "newton.tolerance=" + tolerance,
                                                "newton.relative_tolerance=" + tolerance};
    const MemberOutcome outcome =
        run_member(make_member_spec(Deck::parse(pile_of(layers_of(8, stacks), "0.02", ""), "", overrides)));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return outcome.fields.front();
  };
  const std::vector<double> alone = places(1, "1e-10");
  const std::vector<double> beside = places(2, "1e-10");
  const std::vector<double> loose = places(2, "1e-3");
  const std::size_t frame = alone.size() / 2;
  ASSERT_EQ(beside.size(), 2 * alone.size());
  double most = 0.0;
  double most_of_loose = 0.0;
  for (std::size_t i = 0; i < frame; ++i) {
    most = std::max(most, std::abs(beside[2 * frame + i] - alone[frame + i]));
    most_of_loose = std::max(most_of_loose, std::abs(loose[2 * frame + i] - alone[frame + i]));
  }
  EXPECT_LT(most, 1e-9);
  EXPECT_LT(most_of_loose, 1e-5);
}

}  // namespace
}  // namespace rodeo
