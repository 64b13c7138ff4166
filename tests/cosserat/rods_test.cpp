#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"
#include "rodeo/cosserat/stable_step.hpp"

namespace rodeo::cosserat {
namespace {

/// A second rod of a member, unlike the first in all that rods may differ in.
RodSetup other_rod() {
  RodSetup setup;
  setup.rod = soft_rod(13).rod;
  setup.rod.length = 0.7;
  setup.rod.radius = 0.04;
  setup.rod.density = 1400.0;
  setup.rod.bend_stiffness = 0.5;
  setup.rod.shear_stiffness = 1500.0;
  setup.rod.damping = 2.0;
  setup.rod.origin = {0.5, 0.2, -0.1};
  setup.rod.direction = {1, 0, 0};
  setup.rod.normal = {0, 1, 0};
  return setup;
}

/// Every entry of a rod's state.
std::vector<double> state(const RodView& rod) {
  std::vector<double> values;
  for (int i = 0; i < rod.nodes(); ++i) {
    for (const int f : {field::position, field::velocity}) {
      const Vec3 v = rod.vec3(f, i);
      values.insert(values.end(), {v.x, v.y, v.z});
    }
  }
  for (int i = 0; i < rod.elements; ++i) {
    const Quaternion q = rod.quaternion(i);
    const Vec3 w = rod.vec3(field::angular_velocity, i);
    values.insert(values.end(), {q.w, q.x, q.y, q.z, w.x, w.y, w.z});
  }
  return values;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Three rods with everything at their ends that an end can have, and all forces along them.
MemberSpec three_rods() {
  MemberSpec spec = soft_rod(16);
  spec.boundary.first = EndCondition::clamped;
  spec.boundary.last = EndCondition::clamped_sliding;
  spec.boundary.twist = 0.4;
  spec.boundary.motion_time = 0.05;
  spec.boundary.driven = DrivenEnds::last;
  spec.rod.damping = 1.0;
  spec.rod.damping_decay_time = 0.3;
  spec.load.gravity = {0, 0.5, -9.81};
  spec.load.middle_force = {0.3, 0.1, 0};
  spec.load.perturbation_duration = 0.08;
  spec.ground.exists = true;
  spec.ground.normal = {0, 1, 0};
  spec.ground.origin = {0, -0.06, 0};
  spec.ground.stiffness = 100.0;
  spec.ground.damping = 0.1;
  spec.ground.kinetic_friction = spec.ground.static_friction = {0.3, 0.4, 0.2};
  spec.ground.velocity_threshold = 1e-6;
  spec.fluid.viscosity = 2.0;
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitudes.fill(0.02);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 0.1;
  spec.muscle.wave_number = 6.0;
  spec.muscle.axis = {1, 0, 0};
  RodSetup second = other_rod();
  second.boundary.last = EndCondition::pinned;
  second.load.distributed_couple = {0.02, 0, 0.01};
  RodSetup third = other_rod();
  third.rod.elements = 5;
  third.boundary.first = EndCondition::clamped;
  third.load.end_force = {0.2, 0.3, -0.1};
  third.load.end_couple = {0.01, 0, 0.02};
  third.load.ramp_time = 0.05;
  spec.further_rods = {second, third};
  return spec;
}

TEST(Rods, DoWhatEachDoesAlone) {
  const MemberSpec spec = three_rods();
  TestRod all(spec);
  const Sample together = all.advance(1500);
  Sample sum;
  for (int k = 0; k < 3; ++k) {
    MemberSpec own = rod_alone(spec, k);
    own.load.gravity = spec.load.gravity;
    TestRod alone(own);
    const std::vector<double> start = state(alone.view());
    const Sample sample = alone.advance(1500);
    EXPECT_GT(largest_difference(state(alone.view()), start), 1e-3) << k;
    EXPECT_LT(largest_difference(state(alone.view()), state(all.rod(k))), 1e-12) << k;
    sum.end = {};
    sum += sample;
  }
  EXPECT_NEAR(together.bend_energy, sum.bend_energy, 1e-12);
  EXPECT_NEAR(together.twist_energy, sum.twist_energy, 1e-12);
  EXPECT_NEAR(together.mass, sum.mass, 1e-12);
  EXPECT_NEAR(together.end_load_potential, sum.end_load_potential, 1e-12);
  EXPECT_LT(norm(together.end - sum.end), 1e-12);
  EXPECT_LT(norm(together.angular_momentum - sum.angular_momentum), 1e-12);
}

TEST(Rods, NothingMovesBetweenThem) {
  TestRod test(three_rods());
  const RodView all = test.view();
  const int node = 16 + 1;  // the one between the first two rods
  const Vec3 before = all.vec3(field::position, node);
  test.advance(500);
  EXPECT_EQ(norm(all.vec3(field::position, node) - before), 0.0);
  for (const int element : {16, 17}) {
    EXPECT_EQ(norm(all.vec3(field::angular_velocity, element)), 0.0);
    EXPECT_EQ(norm(all.vec3(field::internal_force, element)), 0.0);
  }
}

/// A rod of 1 m along z in two halves.
MemberSpec halves(JointKind joint) {
  MemberSpec spec = soft_rod(8);
  spec.rod.length = 0.5;
  RodSetup second{spec.rod, {}, {}, joint};
  second.rod.origin = {0, 0, 0.5};
  spec.further_rods = {second};
  return spec;
}

TEST(RigidJoint, OfTwoHalvesMakesTheWholeRod) {
  for (const double damping : {0.0, 2.0}) {
    MemberSpec spec = halves(JointKind::rigid);
    MemberSpec whole = soft_rod(16);
    spec.rod.damping = spec.further_rods[0].rod.damping = whole.rod.damping = damping;
    whole.boundary.first = spec.boundary.first = EndCondition::clamped;
    whole.load.gravity = spec.load.gravity = {3.0, 0, -9.81};
    TestRod joined(spec);
    TestRod one(whole);
    stir(joined.view(), 0.5);
    stir(one.view(), 0.5);
    const Sample a = joined.advance(2000);
    const Sample b = one.advance(2000);
    EXPECT_LT(largest_difference(joined.state(), one.state()), 1e-10);
    EXPECT_NEAR(a.bend_energy, b.bend_energy, 1e-11);
    EXPECT_NEAR(a.twist_energy, b.twist_energy, 1e-11);
    EXPECT_GT(b.twist_energy, 1e-5);
    EXPECT_NEAR(a.mass, b.mass, 1e-14);
  }
}

}  // namespace
}  // namespace rodeo::cosserat
