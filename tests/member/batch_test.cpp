#include "rodeo/member/batch.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo {
namespace {

MemberJob perturbed(int elements, std::uint64_t seed) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.load.perturbation = 0.5;
  spec.load.perturbation_duration = 0.02;
  spec.load.axial_force = 1.0;
  spec.boundary = {EndCondition::pinned, EndCondition::pinned_sliding};
  spec.frames = 4;
  spec.time.steps = 2500;
  return {spec, seed};
}

TEST(Batch, AMembersResultDoesNotDependOnItsNeighbours) {
  const std::vector<MemberJob> jobs = {perturbed(20, 1), perturbed(33, 2), perturbed(20, 3)};
  const auto together = run_members(jobs);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const auto alone = run_members({jobs[k]});
    EXPECT_EQ(alone[0].status, MemberStatus::done);
    for (std::size_t o = 0; o < observables.size(); ++o) {
      const bool both_nan = std::isnan(alone[0].observables[o]) && std::isnan(together[k].observables[o]);
      EXPECT_TRUE(both_nan || alone[0].observables[o] == together[k].observables[o]) << observables[o].name;
    }
    EXPECT_EQ(alone[0].fields[0], together[k].fields[0]);
  }
  EXPECT_NE(together[0].fields[0], together[2].fields[0]);
}

TEST(Batch, DivergedMembersEndWithinASliceAndHarmNobody) {
  MemberJob wild = perturbed(20, 1);
  wild.spec.time.step = 20.0 * cosserat::stable_step(wild.spec.rod);
  const auto outcomes = run_members({perturbed(20, 2), wild, perturbed(20, 3)});
  EXPECT_EQ(outcomes[1].status, MemberStatus::diverged);
  EXPECT_LE(outcomes[1].steps, 1000u);
  EXPECT_TRUE(std::isnan(outcomes[1].observables.at(observable_index("total_energy"))));
  const auto alone = run_members({perturbed(20, 3)});
  EXPECT_EQ(outcomes[2].status, MemberStatus::done);
  EXPECT_EQ(outcomes[2].fields[0], alone[0].fields[0]);
}

TEST(Batch, AMemberStopsWhereItBuckles) {
  MemberJob job = perturbed(20, 1);
  job.spec.load.axial_force = 100.0;  // Euler's load is 7.9 N
  job.spec.buckling_energy = 1e-4;
  job.spec.time.steps = 100000;
  job.spec.time.slice_steps = 100;
  const auto outcome = run_members({job})[0];
  EXPECT_EQ(outcome.status, MemberStatus::stopped_early);
  EXPECT_EQ(outcome.observables.at(observable_index("buckled")), 1.0);
  EXPECT_GT(outcome.observables.at(observable_index("bending_energy")), 1e-4);
  const double time = outcome.observables.at(observable_index("buckling_time"));
  EXPECT_DOUBLE_EQ(time, static_cast<double>(outcome.steps) * job.spec.time.step);
  EXPECT_LT(outcome.steps, 100000u);
  EXPECT_TRUE(std::isnan(outcome.time.back()));  // frames after the event were never reached
}

TEST(Batch, FramesStandAtTheirTimes) {
  const auto outcome = run_members({perturbed(10, 5)})[0];
  ASSERT_EQ(outcome.time.size(), 4u);
  EXPECT_EQ(outcome.time[0], 0.0);
  EXPECT_DOUBLE_EQ(outcome.time[1], 833 * 1e-4);
  EXPECT_DOUBLE_EQ(outcome.time[3], 0.25);
  EXPECT_EQ(outcome.fields[0].size(), 4u * 11u * 3u);
  EXPECT_EQ(outcome.fields[0][2 * 3 + 2], 0.2);  // z of node 2 at t = 0
}

TEST(Batch, FramesHoldObservablesOfTheirTimes) {
  MemberJob job = perturbed(10, 5);
  job.spec.frame_observables = {observable_index("end_x"), observable_index("total_energy")};
  const auto outcome = run_members({job})[0];
  ASSERT_EQ(outcome.fields.size(), 3u);
  ASSERT_EQ(outcome.fields[1].size(), 4u);
  for (std::size_t frame = 0; frame < 4; ++frame) {
    EXPECT_EQ(outcome.fields[1][frame], outcome.fields[0][(frame * 11 + 10) * 3]);
  }
  EXPECT_NEAR(outcome.fields[2][0], 0.0, 1e-20);
  EXPECT_GT(outcome.fields[2][1], 0.0);
  EXPECT_EQ(outcome.fields[2][3], value(outcome, "total_energy"));
}

TEST(Batch, ConservedEnergyCountsTheLoadsPotential) {
  MemberJob job = perturbed(20, 1);
  job.spec.load.gravity = {0, 0, -9.81};
  job.spec.time.step = 2e-5;
  job.spec.time.steps = 50000;
  job.spec.rod.stretch_stiffness = 3e5;
  job.spec.rod.shear_stiffness = 2e5;
  const auto outcome = run_members({job})[0];
  const double drift = outcome.observables.at(observable_index("energy_drift"));
  // The weight makes the rod fall over; the energy of its motion comes from the potential, and the sum stays.
  const double moving = outcome.observables.at(observable_index("translational_energy"));
  EXPECT_GT(moving, 1.0);
  EXPECT_LT(std::abs(drift), 1e-3 * moving) << drift;
}

TEST(Batch, SpeedsAreMeansOverTheLastPeriod) {
  // In free fall the centre of mass moves by g T (t_end - T/2) in the last period, whatever cuts the slices.
  MemberSpec spec = cosserat::soft_rod(10);
  spec.load.gravity = {-0.7, 0.3, 2.0};
  spec.muscle.period = 0.0123;
  spec.time.steps = 400;
  spec.time.slice_steps = 70;
  spec.frames = 4;
  const auto outcome = run_members({{spec, 1}})[0];
  const double mean_time = 0.04 - 0.0123 / 2;
  EXPECT_NEAR(outcome.observables.at(observable_index("forward_speed")), 2.0 * mean_time, 1e-12);
  EXPECT_NEAR(outcome.observables.at(observable_index("lateral_speed")), 0.3 * mean_time, 1e-12)
      << "along d2";
  EXPECT_NEAR(outcome.observables.at(observable_index("gait_width")), 0.3 * mean_time * 0.0123, 1e-12)
      << "what a rod along z sweeps that falls along y";
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitude_count = 2;
  spec.muscle.in_laboratory = true;
  spec.muscle.axis = {0, 1, 0};
  const auto about_y = run_members({{spec, 1}})[0];
  EXPECT_NEAR(about_y.observables.at(observable_index("lateral_speed")), 0.7 * mean_time, 1e-12)
      << "along d3 x y";
  spec.muscle.period = 0.04;
  EXPECT_NEAR(run_members({{spec, 1}})[0].observables.at(observable_index("forward_speed")), 2.0 * 0.02,
              1e-12);
  for (const double period : {0.0, 0.0402}) {
    spec.muscle.period = period;
    const auto without = run_members({{spec, 1}})[0].observables;
    EXPECT_TRUE(std::isnan(without.at(observable_index("forward_speed")))) << period;
    EXPECT_TRUE(std::isnan(without.at(observable_index("gait_width")))) << period;
  }
}

TEST(Batch, ASwimmerMovesAgainstItsWave) {
  MemberSpec spec = cosserat::soft_rod(20);
  spec.rod.bend_stiffness = 3.0;
  spec.rod.damping = 5.0;
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitudes.fill(20.0);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 1.0;
  spec.muscle.axis = {1, 0, 0};
  spec.fluid.viscosity = 1e3;
  spec.time.steps = 20000;
  const auto forward_speed = [&](double wave_number) {
    spec.muscle.wave_number = wave_number;
    return run_members({{spec, 1}})[0].observables.at(observable_index("forward_speed"));
  };
  const double swimming = forward_speed(12.0);
  EXPECT_GT(swimming, 0.01) << "the wave runs to node 0, the swimmer to the last node";
  // Seen from the other end the wave has another phase, which a whole period averages out once the start is
  // forgotten.
  EXPECT_NEAR(forward_speed(-12.0), -swimming, 0.02 * swimming);
}

TEST(Batch, NoopMembersWaitAndReportNothing) {
  MemberSpec spec;
  spec.model = ModelKind::noop;
  spec.noop_seconds = 0.001;
  const auto outcomes = run_members({{spec, 1}, {spec, 2}});
  for (const MemberOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_TRUE(std::isnan(outcome.observables.front()));
  }
}

}  // namespace
}  // namespace rodeo
