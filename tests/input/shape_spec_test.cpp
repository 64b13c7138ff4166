#include <numbers>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using std::numbers::pi;
using test::complete_deck;
using test::file_deck;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(ShapeKeys, ARingIsClosedUnlessTheDeckOpensIt) {
  EXPECT_FALSE(spec_of(complete_deck).rod.closed);
  const RodSpec ring = spec_of(complete_deck, {"rod.shape=ring", "rod.total_twist=3"}).rod;
  EXPECT_EQ(ring.shape, RodShape::ring);
  EXPECT_TRUE(ring.closed);
  EXPECT_FALSE(ring.rests_straight);
  EXPECT_EQ(ring.total_twist, 3.0);
  EXPECT_FALSE(spec_of(complete_deck, {"rod.shape=ring", "rod.closed=no"}).rod.closed);
}

TEST(ShapeKeys, GiveNaturalShapeTaperAndMass) {
  const RodSpec rod =
      spec_of(complete_deck,
              {"rod.rest_shape=straight", "rod.intrinsic_curvature=1, -2", "rod.intrinsic_twist=0.5",
               "rod.end_radius=0.05", "rod.shape=helix", "rod.helix_radius=0.3", "rod.helix_pitch=-0.2"})
          .rod;
  EXPECT_TRUE(rod.rests_straight);
  EXPECT_EQ(rod.intrinsic_curvature.x, 1.0);
  EXPECT_EQ(rod.intrinsic_curvature.y, -2.0);
  EXPECT_EQ(rod.intrinsic_curvature.z, 0.5);
  EXPECT_EQ(rod.end_radius_ratio, 0.5);
  EXPECT_EQ(rod.helix_pitch, -0.2);
  std::string massive = complete_deck;
  massive.replace(massive.find("density = 1000"), 14, "mass = 3");
  // A frustum: pi L (a^2 + a b + b^2)/3.
  EXPECT_NEAR(spec_of(massive, {"rod.end_radius=0.05"}).rod.density, 3 / (pi * 2 * 0.0175 / 3), 1e-10);
}

TEST(ShapeKeys, RefuseWhatCannotBe) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.closed=yes"}),
                   {"command line: rod.closed", "rod.shape = straight", "do not meet"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=helix"}), {"rod.helix_radius is missing"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.shape=helix", "rod.helix_radius=0.01", "rod.helix_pitch=0.01"}),
           {"rod.helix_radius", "fewer than two", "50 elements"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=ring", "rod.elements=2"}),
                   {"rod.elements", "2 elements", "at least 3"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.total_twist=160"}),
                   {"rod.total_twist", "half a turn or more an element"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=ring", "rod.end_radius=0.2"}),
                   {"rod.end_radius", "closed"}));
  EXPECT_TRUE(says(test::parse_error(complete_deck, {"rod.intrinsic_curvature=1"}),
                   {"rod.intrinsic_curvature", "2 comma-separated"}));
}

TEST(ShapeKeys, RefuseEndsOfAClosedRod) {
  for (const char* const given : {"boundary.first=clamped", "boundary.last=pinned", "load.end_force=0, 0, 1",
                                  "load.end_couple=1, 0, 0", "load.axial_force=-1"}) {
    const std::string key(given, std::string(given).find('='));
    EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shape=ring", given}),
                     {"command line: " + key, "closed rod has none"}));
    EXPECT_NO_THROW(spec_of(complete_deck, {"rod.shape=ring", "rod.closed=no", given}));
  }
}

TEST(ShapeKeys, PointMassesNeedAPlaceEach) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.point_masses=1"}),
                   {"rod.point_mass_positions is missing", "needed for rod.point_masses"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.point_mass_positions=1"}), {"rod.point_masses is missing"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.point_masses=1, 2", "rod.point_mass_positions=1"}),
                   {"rod.point_mass_positions", "holds 1 numbers, rod.point_masses 2"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.point_masses=1", "rod.point_mass_positions=2.5"}),
                   {"2.5 m is beyond the rod's 2 m"}));
  EXPECT_TRUE(says(test::parse_error(complete_deck, {"rod.point_masses=-1"}), {"out of range"}));
  Deck deck =
      Deck::parse(complete_deck, "deck.ini", {"rod.point_masses=1, 2", "rod.point_mass_positions=1, 2"});
  deck.set(parse_parameter_address("rod.point_masses[1]"), 5.0);
  EXPECT_EQ(make_member_spec(deck).rod.point_masses[1].mass, 5.0);
}

TEST(ShapeNodes, GiveLengthAndElements) {
  const RodSpec open = spec_of(file_deck, {"rod.shape_nodes=0,0,0, 0,0,1, 0,2,1"}).rod;
  EXPECT_EQ(open.elements, 2);
  EXPECT_EQ(open.length, 3.0);
  ASSERT_EQ(open.shape_nodes.size(), 3);
  EXPECT_EQ(open.shape_nodes[2].y, 2.0);
  const RodSpec closed =
      spec_of(file_deck, {"rod.closed=yes", "rod.shape_nodes=0,0,0, 0,0,3, 0,4,3", "rod.elements=3"}).rod;
  EXPECT_EQ(closed.elements, 3);
  EXPECT_EQ(closed.length, 12.0);
}

TEST(ShapeNodes, AreCheckedOneByOne) {
  const auto error = [](const char* nodes, std::vector<std::string> more = {}) {
    more.push_back(std::string("rod.shape_nodes=") + nodes);
    return spec_error(file_deck, more);
  };
  EXPECT_TRUE(says(spec_error(file_deck), {"rod.shape_file is missing", "rod.shape = file (deck.ini:6)"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0"), {"holds 5 numbers"}));
  EXPECT_TRUE(says(error("0,0,0"), {"holds 1 nodes", "an open rod needs at least 2"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1", {"rod.closed=yes"}), {"a closed rod needs at least 3"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1, 0,0,1, 1,0,1"), {"nodes 1 and 2 coincide"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1, 0,1,1, 0,0,0", {"rod.closed=yes"}),
                   {"nodes 3 and 0 coincide; a closed rod lists each node once"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1, 0,0,0.5"), {"folds back on itself at node 1"}));
  EXPECT_TRUE(says(error("0,0,0, 1,0,0, 1,1,0", {"rod.normal=1, 0, 0"}),
                   {"rod.normal", "parallel to the first element"}));
  EXPECT_TRUE(
      says(error("0,0,0, 0,0,1", {"rod.elements=2"}), {"rod.elements", "1 elements", "leave it out"}));
  EXPECT_TRUE(says(error("0,0,0, 0,0,1", {"rod.shape_file=a.csv"}), {"contradicts rod.shape_file"}));
}

TEST(ShapeKeys, WhatActsAlongAFileNeedsItsDirection) {
  const auto with = [](const std::string& nodes, std::vector<std::string> more) {
    more.push_back("rod.shape_nodes=" + nodes);
    return more;
  };
  const std::string along_x = "0, 0, 0, 1, 0, 0, 2, 0, 0";
  const std::string along_z = "0, 0, 0, 0.1, 0, 1, 0, 0, 2";
  const std::vector<std::vector<std::string>> cases = {
      {"load.axial_force=1"},
      {"boundary.first=pinned_sliding"},
      {"boundary.last=clamped_sliding"},
      {"boundary.slack=0.1", "boundary.first=clamped", "boundary.last=clamped", "boundary.motion_time=1"}};
  for (std::vector<std::string> more : cases) {
    const std::string key = more.front().substr(0, more.front().find('='));
    EXPECT_TRUE(says(spec_error(file_deck, with(along_x, more)), {key, "rod.direction", "give it"}));
    EXPECT_NO_THROW(spec_of(file_deck, with(along_z, more))) << key;
    more.push_back("rod.direction=1, 0, 0");
    EXPECT_NO_THROW(spec_of(file_deck, with(along_x, more))) << key;
  }
  EXPECT_NO_THROW(spec_of(file_deck, with(along_x, {"load.end_force=1, 0, 0", "boundary.first=clamped"})));
}

}  // namespace
}  // namespace rodeo
