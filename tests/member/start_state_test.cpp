#include "rodeo/member/start_state.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo {
namespace {

constexpr double radius = 0.02;

/// Three rods of half a metre: one along x, one across it at a height, and one far away.
MemberSpec crossed(double height) {
  MemberSpec spec = cosserat::soft_rod(5);
  spec.rod.length = 0.5;
  spec.rod.radius = radius;
  spec.rod.origin = {-0.25, 0, 0};
  spec.rod.direction = {1, 0, 0};
  spec.rod.normal = {0, 0, 1};
  RodSetup far = spec;
  far.rod.origin = {0, 0, 5};
  RodSetup across = spec;
  across.rod.origin = {0.11, -0.15, height};
  across.rod.direction = {0, 1, 0};
  spec.further_rods = {far, across};
  spec.contact = {ContactKind::penalty, 1e4, 0.0};
  return spec;
}

TEST(OverlapAtStart, NamesTheElementsThatOverlapMost) {
  const auto overlap = overlap_at_start(crossed(0.5 * radius));
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->first.rod, 0);
  EXPECT_EQ(overlap->first.element, 3);
  EXPECT_EQ(overlap->second.rod, 2);
  EXPECT_EQ(overlap->second.element, 1);
  EXPECT_NEAR(overlap->depth, 1.5 * radius, 1e-15);
  EXPECT_NEAR(overlap->radius, radius, 1e-15);
}

TEST(OverlapAtStart, LetsRodsTouch) {
  for (const double overlap : {-0.1, 0.0, 1e-12, 0.009}) {
    EXPECT_FALSE(overlap_at_start(crossed((2.0 - overlap) * radius))) << overlap;
  }
  EXPECT_TRUE(overlap_at_start(crossed((2.0 - 0.011) * radius)));
}

TEST(OverlapAtStart, IsOfPenaltyContactAlone) {
  MemberSpec spec = crossed(0.0);
  EXPECT_TRUE(overlap_at_start(spec));
  spec.contact.kind = ContactKind::none;
  EXPECT_FALSE(overlap_at_start(spec));
}

TEST(OverlapAtStart, LeavesNeighboursOfARodAside) {
  MemberSpec spec = cosserat::soft_rod(60);  // elements of a third of a radius
  spec.contact = {ContactKind::penalty, 1e4, 0.0};
  EXPECT_FALSE(overlap_at_start(spec));
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  EXPECT_FALSE(overlap_at_start(spec));
  spec.rod.closed = false;
  spec.rod.shape = RodShape::helix;
  spec.rod.helix_radius = 0.2;
  spec.rod.length = 4.0;
  spec.rod.helix_pitch = 0.101;
  EXPECT_FALSE(overlap_at_start(spec));
  spec.rod.helix_pitch = 0.09;
  EXPECT_TRUE(overlap_at_start(spec));
}

TEST(DepthAtStart, NamesTheDeepestElement) {
  MemberSpec spec = crossed(2.0 * radius);
  EXPECT_FALSE(depth_at_start(spec));
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 0, 1};
  spec.ground.origin = {0, 0, -radius};
  EXPECT_FALSE(depth_at_start(spec));
  spec.ground.origin = {0, 0, -0.5 * radius};
  const auto below = depth_at_start(spec);
  ASSERT_TRUE(below);
  EXPECT_EQ(below->place.rod, 0);
  EXPECT_NEAR(below->depth, 0.5 * radius, 1e-15);
  spec.ground.has_plane = false;
  spec.ground.planes = {{{0, 0, -radius}, {0, 0, 1}}, {{0, 0, -0.25 * radius}, {0, 0, 1}}};
  const auto in_second = depth_at_start(spec);
  ASSERT_TRUE(in_second);
  EXPECT_NEAR(in_second->depth, 0.75 * radius, 1e-15);
  spec.ground.planes.clear();
  spec.ground.solids[0] = {{0.11, 0.1, 2.0 * radius}, {}, 0.03};
  spec.ground.solid_count = 1;
  const auto inside = depth_at_start(spec);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->place.rod, 2);
  EXPECT_EQ(inside->place.element, 2);
  EXPECT_NEAR(inside->depth, radius + 0.03, 1e-12);
}

}  // namespace
}  // namespace rodeo
