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

}  // namespace
}  // namespace rodeo
