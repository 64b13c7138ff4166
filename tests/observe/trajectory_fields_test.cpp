#include "rodeo/observe/trajectory_fields.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::observe {
namespace {

using cosserat::soft_rod;
using cosserat::TestRod;

constexpr int elements = 6;

std::vector<double> at(const TrajectoryField& field, const RodView& rod, int node, bool closed = false) {
  std::vector<double> values(static_cast<std::size_t>(field.components), std::nan(""));
  field.value(rod, closed, node, values.data());
  return values;
}

TEST(TrajectoryFields, OfAStretchedRodThatBendsAndTwistsEvenly) {
  const MemberSpec spec = soft_rod(elements);
  const TestRod test(spec);
  const RodView rod = test.view();
  constexpr double stretch = 1.44;
  const Vec3 curvature = {0.3, -0.2, 0.5};
  const double rest_length = spec.rod.length / elements;
  Quaternion q = rod.quaternion(0);
  for (int i = 0; i <= elements; ++i) {
    rod.set_vec3(field::position, i, {0, 0, stretch * rest_length * i});
    rod.set_vec3(field::velocity, i, {1.0 * i, 2.0, 3.0});
    if (i == elements) break;
    rod.set_quaternion(i, q);
    rod.set_vec3(field::angular_velocity, i, {0.0, 5.0 * i, 6.0});
    q = q * rotation(rest_length * curvature);
  }
  EXPECT_EQ(at(position, rod, 2), (std::vector{0.0, 0.0, 2 * stretch * rest_length}));
  EXPECT_EQ(at(velocity, rod, elements), (std::vector{1.0 * elements, 2.0, 3.0}));
  const Quaternion third = rod.quaternion(2);
  EXPECT_EQ(at(orientation, rod, 2), (std::vector{third.w, third.x, third.y, third.z}));
  EXPECT_EQ(at(orientation, rod, elements), at(orientation, rod, elements - 1));
  EXPECT_EQ(at(angular_velocity, rod, 3), (std::vector{0.0, 15.0, 6.0}));
  EXPECT_EQ(at(angular_velocity, rod, elements), (std::vector{0.0, 5.0 * (elements - 1), 6.0}));
  for (const int node : {0, 3, elements}) {
    EXPECT_NEAR(at(dilatation, rod, node)[0], stretch, 1e-14);
    EXPECT_NEAR(at(radius, rod, node)[0], spec.rod.radius / std::sqrt(stretch), 1e-15);
  }
  for (const int node : {0, elements}) EXPECT_EQ(at(observe::curvature, rod, node), (std::vector(3, 0.0)));
  for (const int node : {1, elements - 1}) {
    const std::vector<double> found = at(observe::curvature, rod, node);
    EXPECT_NEAR(found[0], curvature.x, 1e-12);
    EXPECT_NEAR(found[1], curvature.y, 1e-12);
    EXPECT_NEAR(found[2], curvature.z, 1e-12);
  }
}

TEST(TrajectoryFields, HaveTheCurvatureAtTheSeamOfARingAndAtClamps) {
  MemberSpec ring = soft_rod(elements);
  ring.rod.shape = RodShape::ring;
  ring.rod.closed = true;
  const TestRod closed(ring);
  for (const int node : {0, 1, elements}) {
    const std::vector<double> found = at(observe::curvature, closed.view(), node, true);
    EXPECT_NEAR(std::hypot(found[0], found[1]), 2 * M_PI / ring.rod.length, 1e-9) << node;
  }
  MemberSpec held = soft_rod(elements);
  held.boundary.first = EndCondition::clamped;
  const TestRod cantilever(held);
  const RodView rod = cantilever.view();
  const Quaternion bent = rod.quaternion(0) * rotation({0.02, 0, 0});
  for (int i = 0; i < elements; ++i) rod.set_quaternion(i, bent);
  EXPECT_NEAR(at(observe::curvature, rod, 0)[0], 0.02 / (0.5 * held.rod.length / elements), 1e-9);
  EXPECT_EQ(at(observe::curvature, rod, elements), (std::vector(3, 0.0)));
}

}  // namespace
}  // namespace rodeo::observe
