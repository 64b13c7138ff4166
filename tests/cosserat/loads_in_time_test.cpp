#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

TEST(LoadsInTime, RampedForceGivesItsImpulse) {
  MemberSpec spec = soft_rod(8);
  spec.load.end_force = {0, 0, 20.0};
  spec.load.ramp_time = 0.05;
  TestRod test(spec);
  EXPECT_NEAR(test.advance(300).momentum.z, 20.0 * 0.03 * 0.03 / (2 * 0.05), 1e-12);
  EXPECT_NEAR(test.advance(500).momentum.z, 20.0 * (0.025 + 0.03), 1e-11);
}

TEST(LoadsInTime, OscillatingCoupleGivesItsAngularImpulse) {
  MemberSpec spec = soft_rod(8);
  spec.load.end_couple = {0, 0, 0.3};
  spec.load.frequency = 12.0;
  TestRod test(spec);
  for (const std::int64_t step : {100, 417, 1000}) {
    const double turn = 2 * M_PI * 12.0 * 1e-4;  // of a step; the couple is taken in its middle
    const double impulse =
        0.3 * 1e-4 * (1 - std::cos(turn * static_cast<double>(step))) / (2 * std::sin(0.5 * turn));
    const Sample sample = test.advance(step - test.taken());
    EXPECT_NEAR(sample.angular_momentum.z, impulse, 1e-14) << step;
  }
}

TEST(LoadsInTime, OscillatingForceGivesItsImpulse) {
  MemberSpec spec = soft_rod(8);
  spec.load.end_force = {0, 0, 0.3};
  spec.load.frequency = 12.0;
  TestRod test(spec);
  for (const std::int64_t step : {100, 417, 1000}) {
    const double turn = 2 * M_PI * 12.0 * 1e-4;
    const double impulse =
        0.3 * 1e-4 * (1 - std::cos(turn * static_cast<double>(step))) / (2 * std::sin(0.5 * turn));
    EXPECT_NEAR(test.advance(step - test.taken()).momentum.z, impulse, 1e-14) << step;
  }
}

TEST(LoadsInTime, DistributedLoadsRampAndOscillateToo) {
  MemberSpec spec = soft_rod(8);
  spec.load.distributed_force = {0.2, 0, 0.3};
  spec.load.distributed_couple = {0, 0, 0.1};
  spec.load.ramp_time = 0.05;
  TestRod ramped(spec);
  const Sample early = ramped.advance(300);
  EXPECT_NEAR(early.momentum.z, 0.3 * 0.03 * 0.03 / (2 * 0.05), 1e-14);
  EXPECT_NEAR(early.momentum.x, 0.2 * 0.03 * 0.03 / (2 * 0.05), 1e-14);
  EXPECT_NEAR(early.angular_momentum.z, 0.1 * 0.03 * 0.03 / (2 * 0.05), 1e-12);
  spec.load.ramp_time = 0.0;
  spec.load.frequency = 25.0;
  TestRod swung(spec);
  const Sample period = swung.advance(400);
  EXPECT_NEAR(norm(period.momentum), 0.0, 1e-14);
  EXPECT_NEAR(period.angular_momentum.z, 0.0, 1e-12);
}

TEST(LoadsInTime, DistributedForceIsWeightWhereTheMassIsEven) {
  for (const int elements : {1, 7, 8}) {
    const double mass = 1000.0 * M_PI * 0.05 * 0.05;
    MemberSpec spec = soft_rod(elements);
    spec.boundary.first = EndCondition::clamped;
    spec.load.gravity = {0.3, 0.1, -0.2};
    TestRod weighed(spec);
    spec.load.distributed_force = mass * spec.load.gravity;
    spec.load.gravity = {};
    TestRod pushed(spec);
    weighed.advance(1000);
    pushed.advance(1000);
    const std::vector<double> expected = weighed.state();
    const std::vector<double> state = pushed.state();
    for (std::size_t i = 0; i < state.size(); ++i) EXPECT_NEAR(state[i], expected[i], 1e-12) << i;
  }
}

TEST(LoadsInTime, MiddleForceActsOnTheMiddleForItsDuration) {
  for (const int elements : {1, 8, 9}) {
    MemberSpec spec = soft_rod(elements);
    spec.load.middle_force = {0, 0, 2.0};
    spec.load.perturbation_duration = 0.01;
    TestRod test(spec);
    const Sample start = test.sample();
    EXPECT_NEAR(test.advance(300).momentum.z, 0.02, 1e-14);
    const double mass = 1000.0 * M_PI * 0.05 * 0.05;
    EXPECT_NEAR(test.sample().first_moment.z - start.first_moment.z, 0.02 * (0.03 - 0.005), 1e-12 * mass);
    EXPECT_NEAR(norm(test.sample().angular_momentum), 0.0, 1e-14);
  }
}

TEST(DecayingDamping, SlowsAFreeRodByItsIntegral) {
  MemberSpec spec = soft_rod(10);
  spec.rod.damping = 30.0;
  spec.rod.damping_decay_time = 0.05;
  TestRod test(spec);
  for (int i = 0; i < 11; ++i) test.view().set_vec3(field::velocity, i, {0.4, 0, 0});
  test.advance(2000);
  const double line_mass = 1000.0 * M_PI * 0.05 * 0.05;
  const double integral = 30.0 * 0.05 * (1 - std::exp(-0.2 / 0.05));
  for (int i = 0; i < 11; ++i) {
    EXPECT_NEAR(test.view().vec3(field::velocity, i).x, 0.4 * std::exp(-integral / line_mass), 1e-7);
  }
}

TEST(DecayingDamping, IsConstantDampingWhereItDoesNotDecay) {
  // Every rate with its own decay and gain: held node, point mass, elements in bend and in twist.
  MemberSpec spec = soft_rod(9);
  spec.boundary.first = EndCondition::clamped;
  spec.rod.point_masses = {{2.0, 1.0}};
  spec.rod.damping = 5.0;
  spec.load.gravity = {1.0, -9.81, 0.5};
  spec.load.end_couple = {0.05, 0.02, 0.1};
  TestRod constant(spec);
  spec.rod.damping_decay_time = 1e15;
  TestRod decaying(spec);
  constant.advance(3000);
  decaying.advance(3000);
  const auto expected = constant.state();
  const auto state = decaying.state();
  for (std::size_t i = 0; i < state.size(); ++i) EXPECT_NEAR(state[i], expected[i], 1e-9) << i;
}

TEST(PointMass, AtTheEndStretchesAHangingRodByEveryWeightBelow) {
  // F = S3 (e - 1)/e in each element, F the weight of the nodes below it.
  MemberSpec spec = soft_rod(6);
  spec.boundary.first = EndCondition::clamped;
  spec.rod.point_masses = {{30.0, 1.0}};
  spec.rod.damping = 300.0;
  spec.load.gravity = {0, 0, 9.81};
  TestRod test(spec);
  const Sample end = test.advance(200000);
  const double element_mass = 1000.0 * M_PI * 0.05 * 0.05 / 6;
  double length = 0.0;
  for (int i = 0; i < 6; ++i) {
    const double weight = 9.81 * (30.0 + (5.5 - i) * element_mass);
    length += 1.0 / 6 / (1.0 - weight / 3000.0);
  }
  EXPECT_NEAR(end.end.z, length, 1e-9);
}

/// A rod pulled to e = 1.05, whose end is turned by 0.05 N m sin(2 pi 1.2 t) until only the standing wave is
/// left.
double error_of_standing_twist_wave(int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.boundary = {EndCondition::clamped, EndCondition::pinned};
  spec.boundary.slack = -0.05;
  spec.boundary.driven = DrivenEnds::last;
  spec.boundary.motion_time = 0.5;
  spec.load.end_couple = {0, 0, 0.05};
  spec.load.frequency = 1.2;
  spec.rod.damping = 100.0;
  spec.rod.rotational_damping = 100.0;
  spec.rod.damping_decay_time = 2.0;
  spec.time.step = 0.02 / elements;
  TestRod test(spec);
  const double time = 48.2 / 1.2;
  test.advance(std::llround(time / spec.time.step));
  // Eq. F5 in the rod's own terms, with c = sqrt(B_3/J_3) the wave speed at rest (and 1/c^2 in eq. F4).
  const double inertia = 1000.0 * M_PI * std::pow(0.05, 4) / 2;
  const double wave_number = 2 * M_PI * 1.2 * 1.05 / std::sqrt(0.5 / inertia);
  const double amplitude = 0.05 * std::pow(1.05, 3) / (0.5 * wave_number * std::cos(wave_number));
  const double present = static_cast<double>(test.taken()) * spec.time.step;
  double error = 0.0;
  for (int i = 0; i < elements; ++i) {
    const double s = (i + 0.5) / elements;
    const double expected = amplitude * std::sin(wave_number * s) * std::sin(2 * M_PI * 1.2 * present);
    error = std::max(error, std::abs(rotation_vector(test.view().quaternion(i)).z - expected));
  }
  return error / amplitude;
}

TEST(TwistVibration, StandsAsEquationF5SaysInSecondOrder) {
  const double errors[] = {error_of_standing_twist_wave(8), error_of_standing_twist_wave(16),
                           error_of_standing_twist_wave(32)};
  EXPECT_LT(errors[2], 1e-3);
  EXPECT_GE(std::log2(errors[0] / errors[1]), 1.8) << errors[0] << " " << errors[1];
  EXPECT_GE(std::log2(errors[1] / errors[2]), 1.8) << errors[1] << " " << errors[2];
}

}  // namespace
}  // namespace rodeo::cosserat
