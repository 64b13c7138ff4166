#include "rodeo/observe/deformation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::observe {
namespace {

using cosserat::soft_rod;
using cosserat::TestRod;

TEST(Curvature, OfAStraightRodIsZero) { EXPECT_LT(largest_curvature(TestRod(soft_rod(12)).view()), 1e-12); }

TEST(Curvature, OfARingIsOneOverItsRadius) {
  MemberSpec spec = soft_rod(40);
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  EXPECT_NEAR(largest_curvature(TestRod(spec).view()), 2 * M_PI, 1e-9);  // its length is 1 m
}

TEST(Curvature, OfAHelixLeavesItsTwistOut) {
  MemberSpec spec = soft_rod(200);
  spec.rod.shape = RodShape::helix;
  spec.rod.helix_radius = 0.05;
  spec.rod.helix_pitch = 0.2;
  const double rise = spec.rod.helix_pitch / (2 * M_PI);
  const double expected = 0.05 / (0.05 * 0.05 + rise * rise);
  EXPECT_NEAR(largest_curvature(TestRod(spec).view()), expected, 2e-3 * expected);
}

TEST(Curvature, OfACantileverIsThatAtItsClamp) {
  MemberSpec spec = soft_rod(16);
  spec.boundary.first = EndCondition::clamped;
  TestRod test(spec);
  const RodView rod = test.view();
  const double angle = 0.02;
  const Quaternion bent = rod.quaternion(0) * small_rotation({angle, 0, 0});
  for (int i = 0; i < rod.elements; ++i) rod.set_quaternion(i, bent);
  EXPECT_NEAR(largest_curvature(rod), angle / (0.5 / 16), 1e-9);  // half an element from the clamp
}

}  // namespace
}  // namespace rodeo::observe
