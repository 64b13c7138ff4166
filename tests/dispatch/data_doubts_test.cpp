#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"

#include "dispatch/start_warnings.hpp"

namespace rodeo {
namespace {

/// What is doubtful about data that are lines of measure.point, of a rod of 0.2 m along x from the origin on.
std::vector<StartWarning> doubts(const std::string& points,
                                 const std::string& more = "[boundary]\nfirst = clamped\n") {
  const std::string rod =
      "[rod]\nelements = 10\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\n[gravity]\nacceleration = 0, 0, -9.81\n"
      "[time]\nstep = 1e-3\nend = 10\n[measure]\n";
  const Deck deck = Deck::parse(rod + points + more, "deck.ini");
  return data_doubts(make_member_spec(deck), deck.places("measure.point"_key));
}

TEST(DataDoubts, AreNoneOfDataThatFit) {
  EXPECT_TRUE(doubts("").empty());
  EXPECT_TRUE(doubts("point = 0.01, s 0.5 : 0.1, 0, -0.001\npoint = 0.01, end : 0.2, , -0.01\n").empty());
  EXPECT_TRUE(doubts("point = 1, start : 0, 0, 0\npoint = 1, end : 0, 0, -0.2\n").empty())
      << "it starts at 0";
  EXPECT_TRUE(doubts("point = 1, end : 0, 0, 0\n").empty()) << "an end that is to come to the origin";
}

TEST(DataDoubts, AreOfMillimetres) {
  const auto found = doubts("point = 0, s 0.5 : 0.1, 0, 0\npoint = 0.01, end : 199.9, , -0.5\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what, "measured data are far from the rods");
  EXPECT_NE(found[0].details.find("at deck.ini:16 they are 200 m from where a rod of 0.2 m starts"),
            std::string::npos)
      << found[0].details;
}

TEST(DataDoubts, LeaveRodsFreeToFall) {
  const std::string fallen = "point = 5, end : 0.2, 0, -122.6\n";
  EXPECT_TRUE(doubts(fallen, "").empty());
  EXPECT_EQ(doubts(fallen).size(), 1u);
}

TEST(DataDoubts, AreOfLengthsInMillimetres) {
  // A deck in mm, and data in m.
  const std::string points =
      "point = 0, start : 0, 0, 0\npoint = 0, middle : 1e-4, 0, 0\npoint = 0, end : 2e-4, , 0\n";
  const auto found = doubts(points);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what, "measured data are small for the rods");
  EXPECT_NE(found[0].details.find("within 0.0002 m of one another, and are up to 0.2 m apart"),
            std::string::npos)
      << found[0].details;
  EXPECT_TRUE(doubts("point = 0, start : , 0, 0\npoint = 0, end : , 1e-5, 0\n").empty())
      << "seen along the rod";
}

TEST(DataDoubts, AreOfGapsWrittenAsZeros) {
  const auto found =
      doubts("point = 0, end : 0.2, 0, 0\npoint = 0.1, end : 0, 0, 0\npoint = 0.2, middle : 0, , 0\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].what.find("exactly 0 in all coordinates"), std::string::npos);
  EXPECT_NE(found[0].details.find("first at deck.ini:16; "), std::string::npos) << found[0].details;
  EXPECT_TRUE(doubts("point = 0, end : 0.2, 0, 0\npoint = 0.1, end : 0, 0, 0, 0\n").empty())
      << "without weight";
  EXPECT_TRUE(doubts("point = 0, end : 0.2, 0, 0\npoint = 0.1, end : , 0, \n").empty()) << "one coordinate";
}

}  // namespace
}  // namespace rodeo
