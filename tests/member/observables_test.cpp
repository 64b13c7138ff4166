#include "rodeo/observe/observables.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/batch.hpp"

namespace rodeo {
namespace {

/// The observable of that name of a member run to its end.
class Result {
 public:
  explicit Result(const MemberSpec& spec) {
    const std::vector<MemberJob> jobs = {{spec, 1}};
    const auto batch = make_batch(jobs);
    while (batch->advance()) {
    }
    outcome_ = batch->outcomes()[0];
    EXPECT_EQ(outcome_.status, MemberStatus::done);
  }

  double operator[](std::string_view name) const { return outcome_.observables.at(observable_index(name)); }

 private:
  MemberOutcome outcome_;
};

TEST(Observables, ReportAngleAndReactionsOfATwistedPulledRod) {
  for (const bool last_held : {false, true}) {
    MemberSpec spec = cosserat::soft_rod(8);
    spec.boundary.first = EndCondition::clamped;
    spec.boundary.last = last_held ? EndCondition::clamped_sliding : EndCondition::free;
    spec.load.end_force = {0, 0, 300.0};
    spec.rod.damping = 5.0;
    spec.rod.rotational_damping = 5.0;
    spec.time.step = 1e-3;
    spec.time.steps = 100000;
    spec.time.slice_steps = 10000;
    const double softening = std::pow(1.0 / (1.0 - 0.1), 3);
    if (last_held) {
      spec.boundary.twist = 2.0;
      spec.boundary.motion_time = 0.1;
      spec.boundary.driven = DrivenEnds::last;
    } else {
      spec.load.end_couple = {0, 0, 0.5 * 2.0 / softening};
    }
    const Result result(spec);
    EXPECT_NEAR(result["end_force"], 300.0, 1e-6);
    EXPECT_NEAR(result["end_couple"], 0.5 * 2.0 / softening, 1e-8);
    EXPECT_NEAR(result["end_twist"], 2.0, 1e-8);
    EXPECT_NEAR(result["theta_max"], 0.0, 1e-7);
  }
}

TEST(Observables, ThetaMaxIsTheSlopeOfTheLastElementOfAnArc) {
  MemberSpec spec = cosserat::soft_rod(10);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_couple = {0.2, 0, 0};
  spec.rod.damping = 3.0;
  spec.rod.rotational_damping = 3.0;
  spec.time.step = 1e-3;
  spec.time.steps = 40000;
  EXPECT_NEAR(Result(spec)["theta_max"], 0.2 / 0.8 * 0.95, 1e-8);
}

/// Period and largest extension of a hanging rod, over those of the spring of eq. 3.13 of Gazzola et al.
/// 2018.
void compare_with_spring(double end_mass, double rod_share, double young_modulus) {
  MemberSpec spec = cosserat::soft_rod(40);
  const double area = M_PI * 0.05 * 0.05;
  spec.rod.stretch_stiffness = young_modulus * area;
  spec.rod.shear_stiffness = 8.0 / 9.0 * young_modulus * area;
  spec.rod.bend_stiffness = young_modulus * area * area / (4 * M_PI);
  spec.rod.twist_stiffness = 4.0 / 3.0 * spec.rod.bend_stiffness;
  spec.rod.point_masses = {{end_mass, 1.0}};
  spec.rod.direction = {0, 0, -1};
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {0, 0, -9.81};
  const double rod_mass = 1000.0 * area;
  const double stiffness = spec.rod.stretch_stiffness / spec.rod.length;
  const double period = 2 * M_PI * std::sqrt((end_mass + rod_share * rod_mass) / stiffness);
  const double extension = 9.81 * (end_mass + 0.5 * rod_mass) / stiffness;
  spec.time.step = 0.2 * cosserat::stable_step(spec.rod);
  spec.time.steps = std::llround(2.5 * period / spec.time.step);
  spec.time.slice_steps = std::llround(period / spec.time.step / 500);
  const Result result(spec);
  EXPECT_NEAR(result["oscillation_period"] / period, 1.0, 1e-3);
  EXPECT_NEAR((result["largest_length"] - 1.0) / (2 * extension), 1.0, 1e-3);
}

TEST(Observables, HangingMassOscillatesAsASpring) { compare_with_spring(300.0, 1.0 / 3.0, 1e9); }
TEST(Observables, HangingRodOscillatesAsASpring) { compare_with_spring(0.0, 4.0 / (M_PI * M_PI), 1e9); }

TEST(Observables, EnergyDriftCountsFromWhereTheEndsAreHeld) {
  // Nearly inextensible, as in Figure 3d of Gazzola et al. 2018: twisting and pushing puts energy in, holding
  // keeps it.
  MemberSpec spec = cosserat::soft_rod(20);
  spec.rod.shear_stiffness = 2e5;
  spec.rod.stretch_stiffness = 3e5;
  spec.boundary = {EndCondition::clamped, EndCondition::clamped};
  spec.boundary.twist = 6.0;
  spec.boundary.slack = 0.05;
  spec.boundary.motion_time = 2.0;
  spec.load.middle_force = {0.1, 0, 0};
  spec.load.perturbation_duration = 1.0;
  spec.time.step = 0.2 * cosserat::stable_step(spec.rod);
  spec.time.steps = std::llround(6.0 / spec.time.step);
  const Result result(spec);
  EXPECT_GT(result["bending_energy"], 1.0);
  EXPECT_NEAR(result["energy_drift"], 0.0, 2e-3 * result["total_energy"]);
}

TEST(Observables, PeriodIsNanBeforeTwoPassages) {
  MemberSpec spec = cosserat::soft_rod(4);
  EXPECT_TRUE(std::isnan(Result(spec)["oscillation_period"]));
  EXPECT_EQ(Result(spec)["largest_length"], 1.0);
}

}  // namespace
}  // namespace rodeo
