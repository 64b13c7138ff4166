#include "rodeo/observe/observables.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/models/models.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

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
  EXPECT_NEAR(result["end_distance_period"] / period, 1.0, 1e-3);
  EXPECT_NEAR((result["end_distance_max"] - 1.0) / (2 * extension), 1.0, 1e-3);
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

TEST(Observables, DriftsCountFromTheSameStepHoweverLongSlicesAre) {
  const auto drifts = [](std::int64_t slice_steps) {
    MemberSpec spec = cosserat::soft_rod(8);
    spec.boundary.first = EndCondition::clamped;
    spec.load.end_force = {0, 0.1, 0};
    spec.time.step = 0.2 * cosserat::stable_step(spec.rod);
    spec.time.steps = 2000;
    spec.load.ramp_time = 777.5 * spec.time.step;
    spec.time.slice_steps = slice_steps;
    const Result result(spec);
    return std::array{result["energy_drift"], result["momentum_drift"], result["angular_momentum_drift"]};
  };
  const auto often = drifts(7);
  for (const std::int64_t steps : {1000, 2000}) {
    const auto seldom = drifts(steps);
    for (std::size_t k = 0; k < often.size(); ++k) EXPECT_NEAR(seldom[k] / often[k], 1.0, 1e-6);
  }
}

/// However long slices are it is looked at every thousand steps; shorter ones look more often.
TEST(Observables, LargestEndDistanceDoesNotDependOnSlicesOfAThousandStepsOrMore) {
  MemberSpec spec = cosserat::soft_rod(8);
  spec.rod.direction = {0, 0, -1};
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {0, 0, -9.81};
  spec.time.step = 0.2 * cosserat::stable_step(spec.rod);
  spec.time.steps = 20'000;
  std::array<double, 3> largest{};
  for (std::size_t k = 0; k < largest.size(); ++k) {
    spec.time.slice_steps = std::array{1000, 4000, 20'000}[k];
    largest[k] = Result(spec)["end_distance_max"];
  }
  EXPECT_GT(largest[0], 1.0);
  EXPECT_EQ(largest[0], largest[1]);
  EXPECT_EQ(largest[0], largest[2]);
}

TEST(Observables, PeriodIsNanBeforeTwoPassages) {
  MemberSpec spec = cosserat::soft_rod(4);
  EXPECT_TRUE(std::isnan(Result(spec)["end_distance_period"]));
  EXPECT_EQ(Result(spec)["end_distance_max"], 1.0);
}

TEST(Observables, EndDistanceIsThatOfTheEndsWhereverTheRodGoes) {
  MemberSpec spec = cosserat::soft_rod(4);
  spec.rod.origin = {5.0, -2.0, 0.0};
  spec.rod.velocity = {30.0, 0.0, 0.0};
  EXPECT_NEAR(Result(spec)["end_distance_max"], 1.0, 1e-12);
  // Of several rods it is the last one's.
  RodSetup second = spec;
  second.rod.length = 0.5;
  spec.further_rods = {second};
  EXPECT_NEAR(Result(spec)["end_distance_max"], 0.5, 1e-12);
  spec.further_rods.clear();
  spec.rod.closed = true;
  spec.rod.shape = RodShape::ring;
  EXPECT_TRUE(std::isnan(Result(spec)["end_distance_max"]));
}

/// An observable of a rod in a state that was set by hand.
double at_once(cosserat::TestRod& test, const MemberSpec& spec, std::string_view name) {
  const Sample sample = test.sample();
  const observe::Oscillation distance;
  return observables[observable_index(name)].value(
      {.spec = spec, .baseline = sample, .last = sample, .state = test.view(), .end_distance = distance});
}

TEST(Observables, ElasticEnergiesAreThatOfTheirOwnStrainAlone) {
  constexpr int elements = 10;
  constexpr double shear = 0.03;
  constexpr double stretch = 0.02;
  constexpr double bend = 0.4;   // 1/m
  constexpr double twist = 0.7;  // 1/m
  const MemberSpec spec = cosserat::soft_rod(elements);
  const double length = 1.0 / elements;
  {
    cosserat::TestRod test(spec);
    for (int i = 0; i <= elements; ++i) {
      test.view().set_vec3(field::position, i, {shear * length * i, 0.0, (1.0 + stretch) * length * i});
    }
    EXPECT_NEAR(at_once(test, spec, "shear_energy"), 0.5 * 2000.0 * shear * shear, 1e-12);
    EXPECT_NEAR(at_once(test, spec, "stretch_energy"), 0.5 * 3000.0 * stretch * stretch, 1e-12);
    EXPECT_EQ(at_once(test, spec, "bending_energy"), 0.0);
    EXPECT_EQ(at_once(test, spec, "twist_energy"), 0.0);
  }
  cosserat::TestRod test(spec);
  const RodView rod = test.view();
  Quaternion turn = rod.quaternion(0);
  Vec3 r;
  for (int i = 0; i < elements; ++i) {
    rod.set_quaternion(i, turn);
    rod.set_vec3(field::position, i, r);
    r = r + length * directors(turn).d3;
    turn = turn * rotation({length * bend, 0.0, length * twist});
  }
  rod.set_vec3(field::position, elements, r);
  const double inside = 1.0 - length;  // the halves at free ends store nothing
  EXPECT_NEAR(at_once(test, spec, "bending_energy"), 0.5 * 0.8 * bend * bend * inside, 1e-12);
  EXPECT_NEAR(at_once(test, spec, "twist_energy"), 0.5 * 0.5 * twist * twist * inside, 1e-12);
  EXPECT_NEAR(at_once(test, spec, "shear_energy"), 0.0, 1e-20);
  EXPECT_NEAR(at_once(test, spec, "stretch_energy"), 0.0, 1e-20);
  EXPECT_NEAR(at_once(test, spec, "total_energy"), 0.5 * (0.8 * bend * bend + 0.5 * twist * twist) * inside,
              1e-12);
}

TEST(Observables, EnergiesAreSumsOverAllRods) {
  MemberSpec spec = cosserat::soft_rod(8);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_force = {1.0, 0.0, 20.0};
  spec.load.end_couple = {0.0, 0.0, 0.1};
  const Result alone(spec);
  RodSetup second = spec;
  second.rod.origin = {0.5, 0.0, 0.0};
  spec.further_rods = {second};
  const Result both(spec);
  for (const char* const name : {"translational_energy", "rotational_energy", "bending_energy",
                                 "twist_energy", "shear_energy", "stretch_energy", "total_energy"}) {
    EXPECT_GT(alone[name], 0.0) << name;
    EXPECT_NEAR(both[name] / alone[name], 2.0, 1e-6) << name;
  }
}

TEST(Observables, DiscreteElasticRodsStretchButDoNotShear) {
  MemberSpec spec = cosserat::soft_rod(8);
  spec.model = ModelKind::der;
  spec.shears = false;
  spec.sections_shrink = 0.0;
  spec.newton = {1e-8, 50, 10, 0.0};
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_force = {0.0, 0.0, 60.0};
  spec.rod.damping = 20.0;
  spec.time.step = 0.01;
  spec.time.steps = 1000;
  const Result result(spec);
  EXPECT_EQ(result["shear_energy"], 0.0);
  EXPECT_NEAR(result["stretch_energy"] / (0.5 * 60.0 * 60.0 / 3000.0), 1.0, 0.01);
}

TEST(Observables, GaitWidthIsThatOfOneBodyAmongSeveral) {
  MemberSpec spec = cosserat::soft_rod(10);
  spec.rod.velocity = {0.0, 0.3, 2.0};
  spec.muscle.period = 0.04;
  spec.time.steps = 400;
  spec.time.slice_steps = 70;
  const double swept = 0.3 * 0.04;
  EXPECT_NEAR(Result(spec)["gait_width"], swept, 1e-9);
  RodSetup second = spec;
  second.rod.origin = {0.0, 1.5, 0.0};
  second.rod.velocity = {0.0, 0.5, 2.0};
  spec.further_rods = {second};
  EXPECT_NEAR(Result(spec)["gait_width"], 0.5 * 0.04, 1e-9) << "the widest, not what lies between rods";
  // Rods that are joined are one body: the second one stands askew on the first.
  second.joint = JointKind::ball;
  second.rod.origin = {0.0, 0.0, 1.0};
  second.rod.velocity = spec.rod.velocity;
  second.rod.direction = normalized(Vec3{0.0, 1.0, 1.0});
  second.rod.normal = {1.0, 0.0, 0.0};
  spec.further_rods = {second};
  EXPECT_GT(Result(spec)["gait_width"], 0.7);
}

TEST(Observables, AFreeRodHasNoReactions) {
  MemberSpec spec = cosserat::soft_rod(6);
  spec.load.end_force = {0.0, 0.0, 1.0};
  EXPECT_TRUE(std::isnan(Result(spec)["end_force"]));
  EXPECT_TRUE(std::isnan(Result(spec)["end_couple"]));
  spec.boundary.last = EndCondition::pinned;
  EXPECT_TRUE(std::isfinite(Result(spec)["end_force"]));
  EXPECT_TRUE(std::isfinite(Result(spec)["end_couple"]));
}

}  // namespace
}  // namespace rodeo
