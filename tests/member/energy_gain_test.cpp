#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/energy_ledger.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo {
namespace {

/// A rod that falls flat and a little aslant on a plane, from one radius above it, and nothing is damped.
MemberSpec falling_rod(double stiffness, double step_over_bound) {
  MemberSpec spec = cosserat::soft_rod(8);
  spec.rod.direction = normalized({1, 0, 0.02});
  spec.rod.normal = {0, 1, 0};
  spec.rod.origin = {0, 0, 2.0 * cosserat::soft_radius};
  spec.load.gravity = {0, 0, -9.81};
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 0, 1};
  spec.ground.velocity_threshold = 1e-6;
  spec.ground.stiffness = stiffness;
  spec.time.step = step_over_bound * cosserat::step_bounds(spec).all.step;
  spec.time.steps = std::llround(0.5 / spec.time.step);
  spec.time.slice_steps = 10;
  return spec;
}

TEST(EnergyGain, IsNearlyZeroWhereRodsBounceInASoundStep) {
  for (const double stiffness : {1e3, 1e5, 1e7}) {
    const MemberOutcome outcome = run_member(falling_rod(stiffness, 0.02));
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_GE(value(outcome, "energy_gain"), 0.0);
    EXPECT_LT(value(outcome, "energy_gain_relative"), 0.1) << stiffness;  // no warning
  }
}

TEST(EnergyGain, IsSeenWhereTheStepIsTooLongForTheGround) {
  for (const double stiffness : {1e6, 1e8}) {
    const MemberSpec spec = falling_rod(stiffness, 1.5);
    ASSERT_LT(spec.time.step, cosserat::stable_step(spec.rod));
    const MemberOutcome outcome = run_member(spec);
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_GT(value(outcome, "energy_gain_relative"), 0.1) << stiffness;
    EXPECT_GT(value(outcome, "energy_gain"), 0.1) << stiffness;
  }
}

TEST(EnergyGain, HasTheRoundingOfATaperedRodFromEitherEnd) {
  MemberSpec thick = cosserat::soft_rod(8);
  thick.rod.end_radius_ratio = 0.5;
  MemberSpec thin = thick;
  thin.rod.end_radius_ratio = 2.0;
  thin.rod.radius *= 0.5;
  thin.rod.stretch_stiffness *= 0.25;
  EXPECT_NEAR(rounding_energy(thin) / rounding_energy(thick), 1.0, 1e-14);
}

TEST(EnergyGain, CountsThePotentialsOfSteadyLoads) {
  MemberSpec spec = cosserat::soft_rod(10);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_force = {0.2, 0, 0};
  spec.load.distributed_force = {0, 0.3, -1.0};
  spec.load.gravity = {0, 0, -1.0};
  spec.time.step = 0.1 * cosserat::stable_step(spec.rod);
  spec.time.steps = 20000;
  spec.time.slice_steps = 100;
  const MemberOutcome outcome = run_member(spec);
  EXPECT_GT(value(outcome, "total_energy"), 0.01);
  EXPECT_LT(value(outcome, "energy_gain_relative"), 0.01);
  EXPECT_LT(std::abs(value(outcome, "energy_drift")), 0.01 * value(outcome, "total_energy"));
}

TEST(EnergyGain, KnowsThePotentialOfARodThatStretchesByHalf) {
  MemberSpec spec = cosserat::soft_rod(10);
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {0, 0, 98.1};
  spec.time.step = 0.05 * cosserat::stable_step(spec.rod);
  spec.time.steps = 10000;
  spec.time.slice_steps = 50;
  const MemberOutcome outcome = run_member(spec);
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_LT(value(outcome, "energy_gain_relative"), 0.01);
}

TEST(EnergyGain, IsNotKnownWhereSomethingDoesWork) {
  MemberSpec spec = cosserat::soft_rod(6);
  spec.boundary.first = EndCondition::clamped;
  EXPECT_LT(value(run_member(spec), "energy_gain"), 1e-20);
  const auto is_unknown = [&](const auto& change) {
    MemberSpec changed = spec;
    change(changed);
    return std::isnan(value(run_member(changed), "energy_gain"));
  };
  EXPECT_TRUE(is_unknown([](MemberSpec& s) { s.load.end_couple = {0, 1e-3, 0}; }));
  EXPECT_TRUE(is_unknown([](MemberSpec& s) { s.load.distributed_couple = {0, 1e-3, 0}; }));
  EXPECT_TRUE(is_unknown([](MemberSpec& s) {
    s.load.end_force = {1e-3, 0, 0};
    s.load.frequency = 2.0;
  }));
  EXPECT_TRUE(is_unknown([](MemberSpec& s) {
    s.load.magnetization = 1.0;
    s.load.magnetic_flux_density = {1, 0, 0};
  }));
  EXPECT_TRUE(is_unknown([](MemberSpec& s) {
    s.load.perturbation = 1e-3;
    s.load.perturbation_duration = 1e9;
  }));
  EXPECT_TRUE(is_unknown([](MemberSpec& s) {
    s.boundary.last = EndCondition::clamped;
    s.boundary.twist = 0.1;
    s.boundary.motion_time = 1.0;
  }));
  EXPECT_FALSE(is_unknown([](MemberSpec& s) {
    s.load.end_force = {1e-3, 0, 0};
    s.load.ramp_time = 0.05;
  }));
}

/// Rounding adds to the energy of rods at rest in every step, and is no gain, however many steps there are.
TEST(EnergyGain, OfRodsAtRestIsRounding) {
  for (const char* const boundary : {"clamped", "free"}) {
    for (const double modulus : {2e6, 2e11}) {
      MemberSpec spec = make_member_spec(Deck::parse(
          "[rod]\nelements = 50\nlength = 0.2\nradius = 0.004\ndensity = 1100\npoisson_ratio = 0.5\n"
          "direction = 1, 0.3, 0.2\n[model]\nprecision = single\n[time]\nstep = 4e-8\nend = 4e-4\n",
          "test.ini",
          {"rod.young_modulus=" + std::to_string(modulus), std::string("boundary.first=") + boundary}));
      spec.time.step *= std::sqrt(2e11 / modulus);
      spec.time.slice_steps = 500;
      const MemberOutcome outcome = run_member(spec);
      EXPECT_EQ(outcome.status, MemberStatus::done) << boundary << " " << modulus;
      EXPECT_GT(value(outcome, "energy_gain"), 0.0);
      EXPECT_LT(value(outcome, "energy_gain"),
                0.5 * rounding_growth(spec) * static_cast<double>(spec.time.steps));
    }
  }
}

TEST(EnergyGain, InSinglePrecisionEndsAMemberWhereItIsMoreThanRounding) {
  MemberSpec spec = falling_rod(1e8, 1.5);
  spec.ground = {};
  spec.rod.velocity = {};
  spec.load.gravity = {};
  spec.load.end_force = {0.0, 0.01, 0.0};
  spec.boundary.first = EndCondition::clamped;
  spec.single_precision = true;
  spec.energy_tolerance = 0.02;
  spec.time.step = 1.05 * cosserat::step_bounds(spec).all.step;
  spec.time.steps = 20000;
  const MemberStatus status = run_member(spec).status;
  EXPECT_TRUE(status == MemberStatus::gained_energy || status == MemberStatus::diverged);
}

/// What stands between two rods in their arrays touches nothing, wherever surfaces are.
TEST(EnergyGain, OfRodsThatFallBesideWhatTheyDoNotTouchIsNone) {
  const std::string deck = RODEO_SOURCE_DIR "/inputs/validation/faults/energy_in_cylinder.ini";
  for (const std::string section : {"rigid", "incompressible", "published"}) {
    for (const std::string surface : {"ground.cylinders=0, 0, 0, 0, 0, 1, -0.06",
                                      "ground.spheres=0, 0, 0.1, -0.9", "ground.planes=0, 0, 1, 0, 0, -1"}) {
      for (const std::string response : {"net_force", "springs"}) {
        const MemberOutcome outcome = run_member(make_member_spec(
            Deck::read(deck, {"model.section=" + section, "ground.response=" + response, surface})));
        ASSERT_EQ(outcome.status, MemberStatus::done) << section << surface << response;
        EXPECT_EQ(value(outcome, "energy_gain"), 0.0) << section << surface << response;
        EXPECT_LT(value(outcome, "energy_drift"), 0.0) << section << surface << response;
        EXPECT_GT(value(outcome, "energy_drift"), -0.01) << section << surface << response;
      }
    }
  }
}

/// A hollow cylinder around all rods holds no energy by which a gain would seem small.
TEST(EnergyGain, IsSeenWithinAHollowCylinder) {
  const MemberOutcome blind = run_member(
      make_member_spec(Deck::read(RODEO_SOURCE_DIR "/inputs/validation/faults/energy_check_blind.ini", {})));
  EXPECT_EQ(blind.status, MemberStatus::gained_energy);
}

}  // namespace
}  // namespace rodeo
