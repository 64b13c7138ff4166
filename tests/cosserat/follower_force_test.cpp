#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

TEST(FollowerForce, PushesAStraightRodAlongItsDirectors) {
  MemberSpec spec = soft_rod(9);
  spec.rod.direction = normalized({1, 2, -1});
  spec.rod.normal = normalized(cross(spec.rod.direction, {0, 0, 1}));
  spec.load.follower_force = {0.3, -0.2, 0.5};
  TestRod test(spec);
  const Directors d = directors(test.view().quaternion(0));
  const Sample sample = test.advance(1000);
  const Vec3 impulse = 0.1 * d.to_laboratory(spec.load.follower_force);  // of 1000 steps of 1e-4 s
  EXPECT_NEAR(norm(sample.momentum - impulse), 0.0, 1e-12);
}

TEST(FollowerForce, TurnsARingAboutItsAxis) {
  MemberSpec spec = soft_rod(16);
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  spec.load.follower_force = {0, 0, 0.2};
  TestRod test(spec);
  const Sample sample = test.advance(1000);
  const double element = 1.0 / 16;  // m; the force on an edge acts at its middle, so far from the axis
  const double arm = 0.5 * element / std::tan(M_PI / 16);
  EXPECT_NEAR(norm(sample.angular_momentum), 0.2 * arm * 0.1, 1e-6);
  EXPECT_NEAR(norm(sample.momentum), 0.0, 1e-12);
}

}  // namespace
}  // namespace rodeo::cosserat
