#include "rodeo/der/der_member.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::der {
namespace {

/// A slender rod of 1 m along z that resists its motion enough to come to rest in a few long steps.
MemberSpec slender_rod(int elements) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.model = ModelKind::der;
  spec.rod.radius = 0.01;
  spec.rod.stretch_stiffness = 1e6;
  spec.rod.damping = 0.5;
  spec.rod.rotational_damping = 0.5;
  spec.boundary.first = EndCondition::clamped;
  spec.time = {.step = 0.2, .steps = 100, .slice_steps = 100};
  spec.newton = {.tolerance = 1e-9, .iterations = 50, .halvings = 10};
  return spec;
}

/// Drop of the end of a horizontal clamped elastica under its weight (w per length):
/// B theta'' = -w (L - s) cos theta, theta(0) = 0, theta'(L) = 0, by Runge-Kutta and bisection.
double elastica_drop(double load, double stiffness, double length) {
  constexpr int steps = 2000;
  const double h = length / steps;
  double drop = 0.0;
  const auto slope_at_end = [&](double start) {
    double theta = 0.0;
    double slope = start;
    drop = 0.0;
    for (int i = 0; i < steps; ++i) {
      const auto bend = [&](double s, double angle) {
        return -load / stiffness * (length - s) * std::cos(angle);
      };
      const double s = i * h;
      const double a1 = slope, b1 = bend(s, theta);
      const double a2 = slope + 0.5 * h * b1, b2 = bend(s + 0.5 * h, theta + 0.5 * h * a1);
      const double a3 = slope + 0.5 * h * b2, b3 = bend(s + 0.5 * h, theta + 0.5 * h * a2);
      const double a4 = slope + h * b3, b4 = bend(s + h, theta + h * a3);
      const double middle = theta + 0.5 * h * a2;
      const double next = theta + h / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4);
      drop += h / 6.0 * (std::sin(theta) + 4 * std::sin(middle) + std::sin(next));
      slope += h / 6.0 * (b1 + 2 * b2 + 2 * b3 + b4);
      theta = next;
    }
    return slope;
  };
  double lower = 0.0;
  double upper = load * length * length / stiffness;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (lower + upper);
    (slope_at_end(middle) < 0.0 ? lower : upper) = middle;
  }
  return drop;
}

TEST(DerMember, CantileverUnderItsWeightIsTheElastica) {
  double errors[2];
  for (const int level : {0, 1}) {
    MemberSpec spec = slender_rod(10 << level);
    spec.load.gravity = {-30, 0, 0};
    const double weight = 1000.0 * M_PI * 1e-4 * 30;  // w L^3/B = 11.8: the drop is 0.73 L
    const double exact = elastica_drop(weight, 0.8, 1.0);
    const MemberOutcome outcome = run_member(spec);
    ASSERT_EQ(outcome.status, MemberStatus::done);
    errors[level] = std::abs(value(outcome, "tip_deflection") - exact);
    // What holds the clamp: the weight of all but its own node, and no axial couple.
    EXPECT_NEAR(value(outcome, "end_couple"), 0.0, 1e-8);
    EXPECT_NEAR(value(outcome, "end_force"), 0.0, 1e-5);
    EXPECT_LT(value(outcome, "translational_energy"), 1e-12);
  }
  EXPECT_LT(errors[1], 2e-4);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.9);  // at least second order
}

TEST(DerMember, EndCouplesBendAndTwist) {
  MemberSpec spec = slender_rod(20);
  spec.load.end_couple = {0.8, 0, 0};  // B kappa with kappa = 1/m
  const MemberOutcome bent = run_member(spec);
  // The couple acts on the last element, whose outer half stays straight.
  const double arc = 1.0 - 0.5 / 20;
  EXPECT_NEAR(value(bent, "tip_deflection"), 1.0 - std::cos(arc) + (1.0 - arc) * std::sin(arc), 2e-4);
  // A hinge turned by phi bears M = dE/dphi of E = 1/2 B/D (2 tan(phi/2))^2.
  const double phi = 1.0 / 20;
  EXPECT_NEAR(value(bent, "bending_energy"), 0.4 * arc * (1 - phi * phi / 2), 2e-5);

  spec.load.end_couple = {0, 0, 0.3};
  const MemberOutcome twisted = run_member(spec);
  EXPECT_NEAR(value(twisted, "end_twist"), 0.3 / 0.5, 1e-6);
  EXPECT_NEAR(value(twisted, "end_couple"), 0.3, 1e-6);
}

/// Twisted from both ends and brought together: both models rest in the same curve.
TEST(DerMember, TwoModelsRestInTheSameShape) {
  MemberSpec spec = slender_rod(32);
  spec.rod.stretch_stiffness = 5e4;  // stiff: in stretch the models differ
  spec.rod.shear_stiffness = 5e4;
  spec.boundary = {EndCondition::clamped, EndCondition::clamped, 3.0, 0.2, 2.0, DrivenEnds::both};
  spec.load.middle_force = {0.1, 0, 0};
  spec.load.perturbation_duration = 1.0;
  spec.rod.damping = 2.0;
  spec.rod.rotational_damping = 2.0;
  spec.time = {.step = 0.005, .steps = 1200, .slice_steps = 100};  // short enough to see the rod buckle
  const MemberOutcome der = run_member(spec);
  ASSERT_EQ(der.status, MemberStatus::done);
  spec.model = ModelKind::cosserat;
  spec.time = {.step = 2e-5, .steps = 300000, .slice_steps = 1000};
  const MemberOutcome cosserat = run_member(spec);
  ASSERT_EQ(cosserat.status, MemberStatus::done);
  for (const char* name : {"theta_max", "end_couple", "end_force", "bending_energy", "twist_energy"}) {
    EXPECT_NEAR(value(der, name), value(cosserat, name), 0.01 * std::abs(value(cosserat, name))) << name;
  }
}

TEST(DerMember, FreeRodKeepsItsMomentumAndLosesEnergyWithTheStep) {
  double losses[2];
  for (const int level : {0, 1}) {
    MemberSpec spec = slender_rod(12);
    spec.boundary.first = EndCondition::free;
    spec.rod.damping = 0.0;
    spec.rod.rotational_damping = 0.0;
    spec.rod.velocity = {1, 2, 3};
    spec.load.perturbation = 5.0;
    spec.load.perturbation_duration = 0.1;
    spec.time = {.step = 1e-3 / (1 << level), .steps = 200 << level, .slice_steps = 10};
    const MemberOutcome outcome = run_member(spec);
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_LT(value(outcome, "momentum_drift"), 1e-10);
    losses[level] = -value(outcome, "energy_drift");
    EXPECT_GT(losses[level], 0.0);
  }
  EXPECT_NEAR(losses[0] / losses[1], 2.0, 0.5);
}

TEST(DerMember, StepsThatDoNotConvergeAreHalved) {
  MemberSpec spec = slender_rod(20);
  spec.load.gravity = {-30, 0, 0};
  const MemberOutcome easy = run_member(spec);
  spec.newton.iterations = 4;
  const MemberOutcome hard = run_member(spec);
  EXPECT_EQ(hard.status, MemberStatus::done);
  EXPECT_EQ(hard.steps, 100u);
  EXPECT_NEAR(value(hard, "tip_deflection"), value(easy, "tip_deflection"), 1e-6);
}

TEST(DerMember, AStepThatCannotConvergeEndsTheMemberWithItsFrames) {
  MemberSpec spec = slender_rod(20);
  spec.load.end_force = {-30, 0, 0};
  spec.load.ramp_time = 20.0;
  spec.newton.iterations = 4;
  spec.newton.halvings = 0;
  spec.frames = 101;
  const MemberOutcome outcome = run_member(spec);
  EXPECT_EQ(outcome.status, MemberStatus::too_stiff);
  ASSERT_GT(outcome.steps, 0u);
  ASSERT_LT(outcome.steps, 100u);
  EXPECT_EQ(outcome.time[outcome.steps], 0.2 * static_cast<double>(outcome.steps));
  EXPECT_TRUE(std::isnan(outcome.time[outcome.steps + 1]));
  EXPECT_TRUE(std::isfinite(value(outcome, "tip_deflection")));
}

TEST(DerMember, SeveralRodsDoNotDisturbEachOther) {
  MemberSpec spec = slender_rod(10);
  spec.load.gravity = {-30, 0, 0};
  const MemberOutcome alone = run_member(spec);
  RodSetup other{spec.rod, spec.boundary, spec.load};
  other.rod.origin = {0, 5, 0};
  spec.further_rods.push_back(other);
  spec.frames = 2;
  const MemberOutcome both = run_member(spec);
  EXPECT_NEAR(value(both, "bending_energy"), 2 * value(alone, "bending_energy"), 1e-6);
  EXPECT_NEAR(value(both, "tip_deflection"), value(alone, "tip_deflection"), 1e-6);
}

}  // namespace
}  // namespace rodeo::der
