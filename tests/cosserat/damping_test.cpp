#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/rod/bending_mode.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::cosserat {
namespace {

constexpr double line_inertia = 1000.0 * M_PI * 0.05 * 0.05 * 0.05 * 0.05 / 4;  // about d1, kg m

/// Natural logarithms of how much is left of the speed along x and of the rates about d1 and d3 after 0.1 s.
struct Fading {
  double velocity, bend_rate, twist_rate;
};

/// Of a rod without elasticity, so that nothing but damping acts on its elements.
Fading fading(const RodSpec& rod) {
  MemberSpec spec = soft_rod(rod.elements);
  spec.rod = rod;
  spec.rod.bend_stiffness = spec.rod.twist_stiffness = 1e-12;
  spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 1e-12;
  TestRod test(spec);
  const RodView view = test.view();
  for (int i = 0; i <= rod.elements; ++i) view.set_vec3(field::velocity, i, {0.4, 0, 0});
  for (int i = 0; i < rod.elements; ++i) view.set_vec3(field::angular_velocity, i, {0.3, 0, 0});
  test.advance(1000);
  Fading left{std::log(view.vec3(field::velocity, 0).x / 0.4),
              std::log(view.vec3(field::angular_velocity, 0).x / 0.3), 0.0};
  test.reset();
  for (int i = 0; i < rod.elements; ++i) view.set_vec3(field::angular_velocity, i, {0, 0, 0.3});
  test.advance(1000);
  left.twist_rate = std::log(view.vec3(field::angular_velocity, 0).z / 0.3);
  return left;
}

TEST(Damping, TurningFadesAsMovingDoesWhateverTheElements) {
  for (const int elements : {2, 10, 80}) {
    RodSpec rod = soft_rod(elements).rod;
    rod.damping = 3.0;
    const Fading left = fading(rod);
    EXPECT_NEAR(left.velocity, -0.1 * 3.0 / soft_mass, 1e-10);
    EXPECT_NEAR(left.bend_rate, -0.1 * 3.0 / soft_mass, 1e-10);
    EXPECT_NEAR(left.twist_rate, -0.1 * 3.0 / soft_mass, 1e-10);
  }
}

TEST(Damping, RotationalDampingIsACouplePerLengthWhateverTheElements) {
  for (const int elements : {2, 10, 80}) {
    RodSpec rod = soft_rod(elements).rod;
    rod.damping = 3.0;
    rod.rotational_damping = 0.02;
    const Fading left = fading(rod);
    EXPECT_NEAR(left.velocity, -0.1 * 3.0 / soft_mass, 1e-10);
    EXPECT_NEAR(left.bend_rate, -0.1 * 0.02 / line_inertia, 1e-10);
    EXPECT_NEAR(left.twist_rate, -0.1 * 0.02 / (2 * line_inertia), 1e-10);
  }
}

TEST(Damping, RateIsThatOfAllMotion) {
  for (const int elements : {2, 10, 80}) {
    RodSpec rod = soft_rod(elements).rod;
    rod.inertia_ratio = 2.0;
    rod.point_masses = {{5.0, 0.0}};
    rod.damping_rate = 4.0;
    const Fading left = fading(rod);
    EXPECT_NEAR(left.velocity, -0.4, 1e-10);
    EXPECT_NEAR(left.bend_rate, -0.4, 1e-10);
    EXPECT_NEAR(left.twist_rate, -0.4, 1e-10);
  }
}

TEST(Damping, OfATaperedRodIsThatOfEachSection) {
  RodSpec rod = soft_rod(40).rod;
  rod.end_radius_ratio = 0.25;
  rod.damping = 3.0;
  MemberSpec spec = soft_rod(40);
  spec.rod = rod;
  spec.rod.bend_stiffness = spec.rod.twist_stiffness = 1e-12;
  spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 1e-12;
  TestRod test(spec);
  const RodView view = test.view();
  for (int i = 0; i < 40; ++i) {
    view.set_vec3(field::velocity, i, {0.4, 0, 0});
    view.set_vec3(field::angular_velocity, i, {0, 0, 0.3});
  }
  test.advance(1000);
  for (const int i : {1, 20, 38}) {
    const double radius = 0.05 * (1.0 - 0.75 * i / 40.0);
    const double middle = 0.05 * (1.0 - 0.75 * (i + 0.5) / 40.0);
    const double rate = 3.0 / (1000.0 * M_PI * radius * radius);
    const double middle_rate = 3.0 / (1000.0 * M_PI * middle * middle);
    EXPECT_NEAR(std::log(view.vec3(field::velocity, i).x / 0.4), -0.1 * rate, 2e-3 * 0.1 * rate) << i;
    EXPECT_NEAR(std::log(view.vec3(field::angular_velocity, i).z / 0.3), -0.1 * middle_rate,
                2e-3 * 0.1 * middle_rate)
        << i;
  }
}

/// Whatever a free member does, its momentum and its angular momentum fade at the rate of its damping.
void expect_fading(const MemberSpec& spec, double exponent, const std::string& what) {
  TestRod test(spec);
  for (int k = 0; k < spec.rod_count(); ++k) stir(test.rod(k), 0.2);
  const Sample start = test.advance(1);
  const Sample end = test.advance(1000);
  EXPECT_GT(norm(start.momentum), 0.01);
  EXPECT_GT(norm(start.angular_momentum), 0.01);
  EXPECT_NEAR(norm(end.momentum - std::exp(-exponent) * start.momentum), 0.0, 1e-9 * norm(start.momentum))
      << what;
  EXPECT_NEAR(norm(end.angular_momentum - std::exp(-exponent) * start.angular_momentum), 0.0,
              2e-4 * norm(start.angular_momentum))
      << what;
}

TEST(Damping, OfALivelyFreeRodTakesMomentumAtItsRate) {
  MemberSpec spec = soft_rod(20);
  spec.rod.damping = 3.0;
  expect_fading(spec, 0.1 * 3.0 / soft_mass, "coefficient");
  spec.rod.damping = 0.0;
  spec.rod.damping_rate = 5.0;
  expect_fading(spec, 0.5, "rate");
  spec.rod.damping_decay_time = 1e9;
  expect_fading(spec, 0.5, "rate that hardly decays");
  spec.rod.damping_decay_time = 0.0;
  spec.rod.end_radius_ratio = 0.5;
  spec.rod.point_masses = {{3.0, 0.4}, {1.0, 1.0}};
  expect_fading(spec, 0.5, "taper and point masses");
  spec = soft_rod(20);
  spec.rod.damping_rate = 5.0;
  spec.rod.closed = true;
  spec.rod.shape = RodShape::ring;
  expect_fading(spec, 0.5, "ring");
  spec = soft_rod(20);
  spec.rod.damping_rate = 5.0;
  RodSetup second{spec.rod, {}, {}, JointKind::rigid};
  second.rod.origin = {0, 0, 1};
  second.rod.radius = 0.04;
  second.rod.elements = 7;
  spec.further_rods = {second};
  expect_fading(spec, 0.5, "joined rods");
}

TEST(Damping, RateFallsAsTheDeckSays) {
  MemberSpec spec = soft_rod(10);
  spec.rod.damping_rate = 8.0;
  spec.rod.damping_decay_time = 0.05;
  TestRod test(spec);
  for (int i = 0; i < 11; ++i) test.view().set_vec3(field::velocity, i, {0.4, 0, 0});
  for (int i = 0; i < 10; ++i) test.view().set_vec3(field::angular_velocity, i, {0, 0, 0.3});
  test.advance(2000);
  const double left = std::exp(-8.0 * 0.05 * (1 - std::exp(-0.2 / 0.05)));
  for (int i = 0; i < 10; ++i) {
    EXPECT_NEAR(test.view().vec3(field::velocity, i).x, 0.4 * left, 1e-7);
    EXPECT_NEAR(test.view().vec3(field::angular_velocity, i).z, 0.3 * left, 1e-7);
  }
}

TEST(Damping, IsTheSameInSinglePrecision) {
  for (const double decay_time : {0.0, 0.5}) {
    MemberSpec spec = soft_rod(12);
    spec.rod.damping = 2.0;
    spec.rod.end_radius_ratio = 0.6;
    spec.rod.damping_decay_time = decay_time;
    spec.boundary.first = EndCondition::clamped;
    spec.load.end_force = {2, 1, 0};
    spec.load.end_couple = {0, 0, 0.1};
    spec.time.steps = 5000;
    const MemberOutcome whole = run_member(spec);
    spec.single_precision = true;
    const MemberOutcome single = run_member(spec);
    for (const char* name : {"tip_deflection", "end_twist", "bending_energy"}) {
      EXPECT_NEAR(value(single, name), value(whole, name), 1e-4 * std::abs(value(whole, name))) << name;
    }
  }
}

/// A slender cantilever that is released in its slowest mode swings less by exp(-2 pi zeta/sqrt(1 - zeta^2))
/// from one swing to the next.
TEST(Damping, RatioIsTheLogarithmicDecrementOfACantilever) {
  constexpr double ratio = 0.05;
  constexpr double beta = 1.875104068711961;
  for (const int elements : {15, 20}) {
    MemberSpec spec = soft_rod(elements);
    spec.rod.radius = 0.005;
    spec.rod.density = 1e5;
    spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 2000.0;
    spec.boundary.first = EndCondition::clamped;
    const double frequency = slowest_bending_frequency(spec.rod, BeamEnd::of(spec.boundary.first),
                                                       BeamEnd::of(spec.boundary.last));
    spec.rod.damping_rate = 2.0 * ratio * frequency;
    TestRod test(spec);
    const RodView rod = test.view();
    const double share = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
    for (int i = 1; i <= elements; ++i) {
      const double x = beta * i / elements;
      const double mode = std::cosh(x) - std::cos(x) - share * (std::sinh(x) - std::sin(x));
      rod.set_vec3(field::velocity, i, {0.01 * mode, 0, 0});
    }
    // Speeds of the tip as it comes through the straight shape, every half period.
    std::vector<double> times, speeds;
    double before = 0.0;
    while (speeds.size() < 9) {
      const Sample sample = test.advance(20);
      const double now = sample.end.x;
      if (before * now < 0.0) {
        times.push_back(static_cast<double>(test.taken()) * spec.time.step);
        speeds.push_back(std::abs(rod.vec3(field::velocity, elements).x));
      }
      before = now;
    }
    const double root = std::sqrt(1 - ratio * ratio);
    const double decrement = std::log(speeds[0] / speeds[8]) / 4;
    EXPECT_NEAR(decrement, 2 * M_PI * ratio / root, 0.02 * 2 * M_PI * ratio) << elements;
    EXPECT_NEAR((times[8] - times[0]) / 4, 2 * M_PI / (frequency * root), 0.01 * 2 * M_PI / frequency)
        << elements;
  }
}

/// A soft slender rod is where it rests after a few of its slowest periods, and does not creep there.
TEST(Damping, SlenderRodUnderACoupleComesToRestInAnArc) {
  MemberSpec spec = soft_rod(20);
  spec.rod.length = 0.2;
  spec.rod.radius = 0.005;
  spec.rod.bend_stiffness = 1e6 * M_PI * std::pow(0.005, 4) / 4;
  spec.rod.twist_stiffness = spec.rod.bend_stiffness;
  spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 1e6 * M_PI * 0.005 * 0.005;
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_couple = {0, 5e-4, 0};
  spec.rod.damping = 1.1;  // about critical
  const double curvature = 5e-4 / spec.rod.bend_stiffness;
  const double arc = (1.0 - std::cos(0.2 * curvature)) / curvature;
  EXPECT_NEAR(TestRod(spec).advance(40000).end.x, arc, 1e-4 * arc);
  spec.rod.rotational_damping = spec.rod.damping;  // as published
  EXPECT_LT(TestRod(spec).advance(40000).end.x, 0.15 * arc);
}

}  // namespace
}  // namespace rodeo::cosserat
