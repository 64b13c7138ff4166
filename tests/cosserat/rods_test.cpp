#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"

#include "cosserat/test_rod.hpp"

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
  spec.ground.has_plane = true;
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
  second.muscle = third.muscle = spec.muscle;
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
    static_cast<NodeSums&>(sum) += sample;
    static_cast<RegionSums&>(sum) += sample;
    sum.end = sample.end;
    sum.end_load_potential += sample.end_load_potential;
  }
  EXPECT_NEAR(together.bend_energy, sum.bend_energy, 1e-12);
  EXPECT_NEAR(together.twist_energy, sum.twist_energy, 1e-12);
  EXPECT_NEAR(together.mass, sum.mass, 1e-12);
  EXPECT_NEAR(together.end_load_potential, sum.end_load_potential, 1e-12);
  EXPECT_LT(norm(together.end - sum.end), 1e-12);
  EXPECT_LT(norm(together.angular_momentum - sum.angular_momentum), 1e-12);
}

/// Expects each of three rods to come to what it comes to alone, which its muscles are to matter for.
void expect_own_muscles(const MemberSpec& spec, bool differ) {
  TestRod all(spec);
  EXPECT_EQ(all.data().muscles_differ, differ);
  all.advance(1500);
  for (int k = 0; k < 3; ++k) {
    MemberSpec own = rod_alone(spec, k);
    own.load.gravity = spec.load.gravity;
    TestRod alone(own);
    alone.advance(1500);
    EXPECT_LT(largest_difference(state(alone.view()), state(all.rod(k))), 1e-9) << k;
    own.muscle.kind = MuscleKind::none;
    TestRod idle(own);
    idle.advance(1500);
    EXPECT_GT(largest_difference(state(alone.view()), state(idle.view())), 1e-4) << k;
  }
}

TEST(Rods, HaveMusclesOfTheirOwn) {
  MemberSpec spec = three_rods();
  MuscleSpec& second = spec.further_rods[0].muscle;
  MuscleSpec& third = spec.further_rods[1].muscle;
  spec.muscle.phase = 0.4;
  second.phase = -1.1;
  second.wave_number = -3.0;
  third.phase = 2.0;
  third.amplitudes.fill(0.03);
  expect_own_muscles(spec, false);
  second.period = 0.13;
  second.axis = {0, 1, 0};
  second.in_laboratory = true;
  third.kind = MuscleKind::force;
  third.amplitudes.fill(20.0);
  third.axis = {0, 0, 1};
  expect_own_muscles(spec, true);
  third.in_laboratory = true;
  spec.muscle.kind = MuscleKind::force;
  expect_own_muscles(spec, true);
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

/// Two stiff rods of half a metre, the second at an angle to the first in the x-z plane.
MemberSpec stiff_pair(JointKind joint, double first_angle, double second_angle) {
  MemberSpec spec = halves(joint);
  spec.rod.bend_stiffness = 1e5;
  spec.rod.twist_stiffness = 8e4;
  spec.rod.shear_stiffness = 1e7;
  spec.rod.stretch_stiffness = 1e7;
  const auto direction = [](double angle) { return Vec3{std::sin(angle), 0, -std::cos(angle)}; };
  spec.further_rods[0].rod = spec.rod;
  spec.rod.direction = direction(first_angle);
  spec.further_rods[0].rod.direction = direction(second_angle);
  spec.rod.normal = spec.further_rods[0].rod.normal = {0, 1, 0};
  spec.further_rods[0].rod.origin = 0.5 * spec.rod.direction;
  spec.time.step = 0.8 * stable_step(spec.rod);
  return spec;
}

/// Time of the second upward passage of x through zero, less that of the first, s.
double swing_period(TestRod& test, double step) {
  const auto x = [&](const Sample& s) { return s.end.x; };
  double before = x(test.sample());
  double first = 0.0;
  for (int passages = 0; passages < 2;) {
    constexpr int stride = 100;
    const double after = x(test.advance(stride));
    if (before < 0.0 && after >= 0.0) {
      const double time = step * (static_cast<double>(test.taken()) - stride * after / (after - before));
      if (++passages == 2) return time - first;
      first = time;
    }
    before = after;
  }
  return 0.0;
}

/// Small swings of a rigid body in the x-z plane about `pivot`: 2 pi sqrt(I/(m g d)), with the nodes' masses
/// and the elements' own moments.
double pendulum_period(const RodView& rod, const Vec3& pivot, double gravity) {
  double inertia = 0.0;
  Vec3 moment;
  for (int i = 0; i < rod.nodes(); ++i) {
    const Vec3 arm = rod.vec3(field::position, i) - pivot;
    inertia += rod.array(field::mass)[i] * dot(arm, arm);
    moment = moment + rod.array(field::mass)[i] * arm;
  }
  for (int i = 0; i < rod.elements; ++i) inertia += rod.array(field::bend_inertia)[i];
  return 2 * M_PI * std::sqrt(inertia / (gravity * norm(moment)));
}

TEST(BallJoint, LetsARodSwingLikeAPendulum) {
  MemberSpec spec = stiff_pair(JointKind::ball, 0.0, 0.02);
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {0, 0, -9.81};
  TestRod test(spec);
  // The node at the joint also has half an element of the rod it hangs on, without an arm.
  const double expected = pendulum_period(test.rod(1), test.rod(1).vec3(field::position, 0), 9.81);
  EXPECT_NEAR(expected, 2 * M_PI * std::sqrt(2 * 0.5 / (3 * 9.81)), 0.01);
  EXPECT_NEAR(swing_period(test, spec.time.step), expected, 1e-3 * expected);
  EXPECT_EQ(norm(test.view().vec3(field::bend_couple, 7)), 0.0);
}

TEST(RigidJoint, LetsRodsAtAnAngleSwingAsOneBody) {
  // A right angle hung by one end: its centre of mass is at rest below the pivot.
  const double rest = -std::atan2(0.25, 0.75);
  MemberSpec spec = stiff_pair(JointKind::rigid, rest + 0.02, rest + 0.02 + 0.5 * M_PI);
  spec.boundary.first = EndCondition::pinned;
  spec.load.gravity = {0, 0, -9.81};
  TestRod test(spec);
  const double expected = pendulum_period(test.view(), {}, 9.81);
  constexpr double inertia = 0.25 / 3 + 0.25 / 12 + 0.25 + 0.25 / 4;  // per mass of a rod
  const double lever = std::hypot(0.25, 0.75);
  EXPECT_NEAR(expected, 2 * M_PI * std::sqrt(inertia / (9.81 * lever)), 0.01);
  // The last node is aside of the pivot: the passage that counts is that of the centre of mass.
  double before = 1.0;
  double first = 0.0;
  double period = 0.0;
  for (int passages = 0; passages < 2;) {
    const Sample s = test.advance(100);
    const double after = s.first_moment.x;
    if (before < 0.0 && after >= 0.0) {
      const double time =
          spec.time.step * (static_cast<double>(test.taken()) - 100 * after / (after - before));
      if (++passages == 1) first = time;
      period = time - first;
    }
    before = after;
  }
  EXPECT_NEAR(period, expected, 1e-3 * expected);
}

TEST(Joints, KeepMomentumEnergyAndAngularMomentum) {
  for (const JointKind joint : {JointKind::ball, JointKind::rigid}) {
    MemberSpec spec = stiff_pair(joint, 0.3, 1.8);
    spec.further_rods[0].rod.normal = normalized({0.1, 1, 0.2});  // the joint twists too
    spec.further_rods[0].rod.normal =
        normalized(spec.further_rods[0].rod.normal -
                   dot(spec.further_rods[0].rod.normal, spec.further_rods[0].rod.direction) *
                       spec.further_rods[0].rod.direction);
    spec.rod.bend_stiffness = spec.further_rods[0].rod.bend_stiffness = 50.0;
    spec.rod.twist_stiffness = spec.further_rods[0].rod.twist_stiffness = 30.0;
    spec.time.step = 0.2 * stable_step(spec.rod);
    TestRod test(spec);
    const RodView rod = test.view();
    for (int i = 0; i < rod.nodes(); ++i) {
      const double s = static_cast<double>(i) / rod.elements - 0.5;
      rod.set_vec3(field::velocity, i, {2.0 * s * s, 3.0 * s, s});
    }
    const auto energy = [](const Sample& s) {
      return s.translational_energy + s.rotational_energy + s.bend_energy + s.twist_energy + s.shear_energy;
    };
    const Sample start = test.sample();
    double most_bent = 0.0;
    for (int k = 0; k < 20; ++k) {
      const Sample now = test.advance(2000);
      most_bent = std::max(most_bent, now.bend_energy);
      EXPECT_LT(std::abs(energy(now) / energy(start) - 1.0), 2e-3) << k;
      EXPECT_LT(norm(now.momentum - start.momentum), 1e-10 * norm(start.momentum));
      EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-4 * norm(start.angular_momentum))
          << k;
    }
    EXPECT_GT(most_bent, 1e-2 * energy(start));
  }
}

TEST(RigidJoint, PutsItsHalvesInSeries) {
  // A clamped bent rod under a small couple at its end: each part turns by couple times length over its
  // stiffness, in the first rod by twisting where in the second by bending.
  for (const Vec3& couple : {Vec3{1e-4, 0, 0}, Vec3{0, 1e-4, 0}, Vec3{0, 0, 1e-4}}) {
    MemberSpec spec = halves(JointKind::rigid);
    RodSpec& second = spec.further_rods[0].rod;
    second.elements = 5;
    second.length = 0.4;
    second.bend_stiffness = 0.3;
    second.twist_stiffness = 0.7;
    second.direction = {0, 1, 0};
    second.normal = {0, 0, -1};
    spec.rod.damping = second.damping = 3.0;
    spec.rod.rotational_damping = second.rotational_damping = 3.0;
    spec.boundary.first = EndCondition::clamped;
    spec.further_rods[0].load.end_couple = couple;
    spec.time.step = 2e-4;
    TestRod test(spec);
    const RodView last = test.rod(1);
    const Quaternion before = last.quaternion(4);
    test.advance(100000);
    const Vec3 turn =
        directors(before).to_laboratory(rotation_vector(conjugate(before) * last.quaternion(4)));
    const double reach = second.length - 0.04;  // to the middle of the last element
    const Vec3 expected = {couple.x * (0.5 / spec.rod.bend_stiffness + reach / second.bend_stiffness),
                           couple.y * (0.5 / spec.rod.bend_stiffness + reach / second.twist_stiffness),
                           couple.z * (0.5 / spec.rod.twist_stiffness + reach / second.bend_stiffness)};
    EXPECT_LT(norm(turn - expected), 2e-3 * norm(expected))
        << turn.x << " " << turn.y << " " << turn.z << " against " << norm(expected);
  }
}

TEST(Joints, ShareMassAndMotionOfTheirNode) {
  MemberSpec spec = halves(JointKind::ball);
  RodSpec& second = spec.further_rods[0].rod;
  second.density = 3000.0;
  second.velocity = {1, 0, 0};
  const double element = 1000.0 * M_PI * 0.05 * 0.05 / 16;
  TestRod test(spec);
  EXPECT_EQ(test.view().nodes(), 17);
  EXPECT_NEAR(test.view().array(field::mass)[8], 0.5 * (element + 3 * element), 1e-12);
  EXPECT_NEAR(test.view().vec3(field::velocity, 8).x, 0.75, 1e-14);
  EXPECT_NEAR(test.sample().momentum.x, 3 * 8 * element, 1e-11);
}

}  // namespace
}  // namespace rodeo::cosserat
