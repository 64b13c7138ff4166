#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo {
namespace {

/// A rod of ten elements, 0.5 m long, with further lines.
std::vector<StartWarning> warnings(const std::string& more, const std::vector<std::string>& changed = {}) {
  const std::string deck =
      "[rod]\nelements = 10\nlength = 0.5\nradius = 0.003\ndensity = 1100\nyoung_modulus = 5e6\n"
      "poisson_ratio = 0.45\ndirection = 1, 0, 0\n[time]\nmethod = static\n";
  return warnings_at_start(make_member_spec(Deck::parse(deck + more, "deck.ini", changed)));
}

TEST(StartDoubts, AreOfPlacesBetweenNodes) {
  const std::string held = "[motion]\nposition = s 0.25 : 0, 0, 0\nposition = s 0.75 : 0, 0, 0\n";
  const auto found = warnings(held);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].details,
            "motion.position at 0.25 of rod 0 takes node 2, at 0.2; with 12 elements a node stands there");
  EXPECT_TRUE(warnings(held, {"rod.elements=12"}).empty());
  EXPECT_TRUE(warnings("[motion]\nposition = middle : 0, 0, 0\nposition = node 3 : 0, 0, 0\n").empty());
  EXPECT_EQ(warnings("[load]\ntether_point = 0, 0, 0\ntether_stiffness = 1\ntether_place = 0.33\n").size(),
            1U);
  EXPECT_TRUE(warnings("[load]\ntether_point = 0, 0, 0\ntether_stiffness = 1\n").empty());
  EXPECT_EQ(warnings("[rod]\npoint_masses = 1\npoint_mass_positions = 0.02\n").size(), 1U);
}

/// A rod of model.kind = rigid or der that starts with such lines.
std::vector<StartWarning> moving_warnings(const std::string& model, const std::string& more,
                                          const std::string& elements = "20") {
  return warnings_at_start(make_member_spec(
      Deck::parse("[model]\nkind = " + model + "\n[rod]\nlength = 0.1\nradius = 0.001\ndensity = 1000\n" +
                      (model == "der" ? "young_modulus = 1e6\npoisson_ratio = 0.5\n" : "") +
                      "[time]\nstep = 1e-4\nend = 0.1\n[rod]\nelements = " + elements + "\n" + more,
                  "deck.ini", {})));
}

TEST(StartDoubts, AreOfStartsThatAModelDrops) {
  // About y, of a rod along z whose middle stays: with W x r, and without.
  const std::string turn = "start_spin = 0, 10, 0\nstart_velocity = 10*(s-0.5)*0.1, 0, 0\n";
  EXPECT_TRUE(moving_warnings("rigid", turn).empty());
  EXPECT_TRUE(moving_warnings("der", turn).empty());
  EXPECT_TRUE(moving_warnings("der", "start_spin = 0, 0, 10\n").empty());
  EXPECT_TRUE(moving_warnings("rigid", "start_spin = 0, 0, 10\n").empty());
  EXPECT_TRUE(moving_warnings("rigid", "velocity = 1, 0, 2\n").empty());
  const auto spin = moving_warnings("rigid", "start_spin = 0, 10, 0\n");
  ASSERT_EQ(spin.size(), 1U);
  EXPECT_EQ(spin[0].details, "rod 0 keeps 0.03 % of the kinetic energy");
  EXPECT_EQ(moving_warnings("rigid", "start_velocity = 0, 0.1*sin(pi*s), 0\n").size(), 1U);
  const auto of_der = moving_warnings("der", "start_spin = 0, 10, 0\n");
  ASSERT_EQ(of_der.size(), 1U);
  EXPECT_EQ(of_der[0].details, "rod 0");
}

TEST(StartDoubts, AreOfBodiesOfFewElements) {
  EXPECT_TRUE(moving_warnings("rigid", "", "10").empty());
  const auto few = moving_warnings("rigid", "", "2");
  ASSERT_EQ(few.size(), 1U);
  EXPECT_EQ(few[0].details, "that of rod 0 with rod.elements = 2 is 1.5 times a straight rod's");
}

}  // namespace
}  // namespace rodeo
