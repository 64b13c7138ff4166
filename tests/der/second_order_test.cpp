#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/observe/trajectory_fields.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo::der {
namespace {

// Schemes of second order.

/// A clamped rod along z that is bent and twisted far in less than a second.
MemberSpec swinging_rod() {
  MemberSpec spec = cosserat::soft_rod(8);
  spec.model = ModelKind::der;
  spec.scheme = TimeScheme::sdirk2;
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {-10, 0, -5};
  spec.load.end_couple = {0, 0.8, 3};
  spec.load.ramp_time = 0.4;
  spec.newton = {.tolerance = 1e-9, .iterations = 50, .halvings = 10};
  spec.frames = 2;
  spec.fields = {0, 1, 2};  // positions, velocities, orientations
  return spec;
}

constexpr TimeScheme all[] = {TimeScheme::sdirk2, TimeScheme::midpoint, TimeScheme::generalized_alpha};

MemberSpec over(double seconds, std::int64_t steps, MemberSpec spec) {
  spec.time = {.step = seconds / static_cast<double>(steps),
               .steps = steps,
               .slice_steps = 1000,
               .spectral_radius = 0.5};
  return spec;
}

std::vector<double> end_state(const MemberOutcome& outcome) {
  EXPECT_EQ(outcome.status, MemberStatus::done);
  std::vector<double> state;
  for (const std::vector<double>& field : outcome.fields) {
    state.insert(state.end(), field.end() - static_cast<std::ptrdiff_t>(field.size() / 2), field.end());
  }
  return state;
}

std::vector<double> end_state(const MemberSpec& spec) { return end_state(run_member(spec)); }

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// All schemes find the same motion, each with its order, and those of second order more exactly at the same
/// number of solves.
void expect_orders(const MemberSpec& spec) {
  constexpr double seconds = 0.4;
  constexpr std::int64_t steps = 400;
  const std::vector<double> exact = end_state(over(seconds, 8 * steps, spec));
  const auto error = [&](TimeScheme scheme, std::int64_t count) {
    MemberSpec by_scheme = spec;
    by_scheme.scheme = scheme;
    return distance(end_state(over(seconds, count, by_scheme)), exact);
  };
  const double first[2] = {error(TimeScheme::backward_euler, 2 * steps),
                           error(TimeScheme::backward_euler, 4 * steps)};
  EXPECT_NEAR(std::log2(first[0] / first[1]), 1.0, 0.25) << first[0] << ' ' << first[1];
  for (const TimeScheme scheme : all) {
    const int solves = scheme == TimeScheme::sdirk2 ? 2 : 1;
    if (scheme != TimeScheme::sdirk2 && spec.fluid.acts_by(FluidKind::stokeslets)) continue;  // not its own
    const std::int64_t count = 2 * steps / solves;
    const double second[2] = {error(scheme, count), error(scheme, 2 * count)};
    EXPECT_NEAR(std::log2(second[0] / second[1]), 2.0, 0.2)
        << word_of(scheme) << ' ' << second[0] << ' ' << second[1];
    EXPECT_LT(second[0], 0.1 * first[0]) << word_of(scheme);
  }
}

TEST(SecondOrder, InASwingWithTwist) { expect_orders(swinging_rod()); }

TEST(SecondOrder, WithDampingThatFades) {
  MemberSpec spec = swinging_rod();
  spec.rod.damping = 5.0;
  spec.rod.damping_rate = 1.0;
  spec.rod.rotational_damping = 0.1;
  spec.rod.damping_decay_time = 1.0;
  expect_orders(spec);
}

TEST(SecondOrder, WithAnEndLoadThatSwings) {
  MemberSpec spec = swinging_rod();
  spec.load.end_force = {1.0, -2.0, 0.5};
  spec.load.distributed_force = {0.0, 3.0, 0.0};
  spec.load.frequency = 0.7;
  expect_orders(spec);
}

TEST(SecondOrder, WithLoadsThatFollowTheRod) {
  MemberSpec spec = swinging_rod();
  spec.load.follower_force = {1.0, 2.0, -2.0};
  spec.load.magnetization = 1e4;
  spec.load.magnetic_flux_density = {0.01, 0.005, 0.0};
  expect_orders(spec);
}

MemberSpec driven_rod() {
  MemberSpec spec = swinging_rod();
  spec.boundary = {EndCondition::clamped, EndCondition::clamped, 2.0, 0.2, 2.0, DrivenEnds::both};
  spec.load.middle_force = {0.5, 0.2, 0};
  return spec;
}

TEST(SecondOrder, BetweenEndsThatMove) { expect_orders(driven_rod()); }

TEST(SecondOrder, WithElementsThatAreHeld) {
  MemberSpec spec = swinging_rod();
  spec.boundary.first = EndCondition::clamped_element;
  expect_orders(spec);
}

TEST(SecondOrder, InAFluidOfStokeslets) {
  MemberSpec spec = swinging_rod();
  spec.fluid.kind = FluidKind::stokeslets;
  spec.fluid.viscosity = 1.0;
  spec.fluid.tolerance = 1e-11;
  expect_orders(spec);
}

TEST(SecondOrder, EndsAreWhereTheyBelong) {
  MemberSpec spec = over(0.37, 30, driven_rod());  // the motion goes on
  const auto nodes = static_cast<std::size_t>(spec.rod.elements) + 1;
  for (const TimeScheme scheme : all) {
    spec.scheme = scheme;
    for (const double motion : {2.0, 0.2}) {
      spec.boundary.motion_time = motion;
      const std::vector<double> state = end_state(spec);
      const double travel = 0.1 * std::min(1.0, 0.37 / motion);
      EXPECT_NEAR(state[2], travel, 1e-15);
      EXPECT_NEAR(state[3 * nodes - 1], 1.0 - travel, 1e-15);
    }
  }
}

/// A rod that falls from the horizontal and swings, for about ten periods.
TEST(SecondOrder, KeepsTheEnergyOfTenPeriods) {
  MemberSpec spec = swinging_rod();
  spec.load = {};
  spec.load.gravity = {-0.5, 0, 0};
  const double lost = -value(run_member(over(50.0, 2000, spec)), "energy_drift");
  spec.scheme = TimeScheme::midpoint;
  const double lost_by_midpoint = -value(run_member(over(50.0, 2000, spec)), "energy_drift");
  EXPECT_LT(std::abs(lost_by_midpoint), 0.1 * std::abs(lost));
  spec.scheme = TimeScheme::backward_euler;
  const double lost_by_euler = -value(run_member(over(50.0, 4000, spec)), "energy_drift");
  EXPECT_GT(lost_by_euler, 0.0);
  EXPECT_LT(std::abs(lost), 0.02 * lost_by_euler);
}

/// Steps far over the period of stretch waves, 4 ms, and of the short bending waves.
TEST(SecondOrder, StiffRodsStayBounded) {
  MemberSpec spec = swinging_rod();
  spec.rod.elements = 40;
  spec.rod.radius = 1e-3;
  spec.rod.bend_stiffness = 7.85e-4;
  spec.rod.twist_stiffness = 5.2e-4;
  spec.rod.stretch_stiffness = 3141.6;
  spec.load = {};
  spec.load.gravity = {-2, 0, 0};
  spec.newton.tolerance = 1e-6;
  for (const TimeScheme scheme : {TimeScheme::sdirk2, TimeScheme::generalized_alpha}) {
    spec.scheme = scheme;
    const MemberOutcome outcome = run_member(over(20.0, 400, spec));
    ASSERT_EQ(outcome.status, MemberStatus::done) << word_of(scheme);
    EXPECT_LT(value(outcome, "energy_drift"), 1e-6) << word_of(scheme);
    EXPECT_LT(value(outcome, "shear_energy"), 1e-6) << word_of(scheme);
    EXPECT_LT(std::abs(value(outcome, "end_x")), 1.0) << word_of(scheme);
  }
}

TEST(SecondOrder, FramesStayAlongTheirEdges) {
  MemberSpec spec = over(2.0, 200, swinging_rod());
  const auto nodes = static_cast<std::size_t>(spec.rod.elements) + 1;
  for (const TimeScheme scheme : all) {
    spec.scheme = scheme;
    const std::vector<double> state = end_state(spec);
    for (std::size_t i = 0; i + 1 < nodes; ++i) {
      const double* const r = &state[3 * i];
      const double* const q = &state[6 * nodes + 4 * i];
      const Quaternion frame = {q[0], q[1], q[2], q[3]};
      EXPECT_NEAR(squared_norm(frame), 1.0, 1e-14) << word_of(scheme);
      const Vec3 tangent = normalized(Vec3{r[3] - r[0], r[4] - r[1], r[5] - r[2]});
      EXPECT_NEAR(norm(directors(frame).d3 - tangent), 0.0, 1e-12) << word_of(scheme);
    }
  }
}

/// In this spec steps are halved and grow again.
MemberSpec hard_steps() {
  MemberSpec spec = over(2.0, 40, swinging_rod());
  spec.newton.iterations = 5;
  spec.time.slice_steps = 3;
  return spec;
}

void expect_halved_steps(MemberSpec spec) {
  const MemberOutcome hard = run_member(spec);
  EXPECT_EQ(hard.steps, 40u);
  spec.newton.halvings = 0;
  spec.frames = 41;
  const MemberOutcome stopped = run_member(spec);
  ASSERT_EQ(stopped.status, MemberStatus::too_stiff);
  ASSERT_LT(stopped.steps, 40u);

  // The step that failed has left the state before it.
  MemberSpec shorter = spec;
  shorter.time.steps = static_cast<std::int64_t>(stopped.steps);
  shorter.frames = 2;
  if (stopped.steps == 0) return;
  const MemberOutcome before = run_member(shorter);
  EXPECT_EQ(value(before, "end_x"), value(stopped, "end_x"));
  EXPECT_EQ(value(before, "translational_energy"), value(stopped, "translational_energy"));
  EXPECT_EQ(value(before, "twist_energy"), value(stopped, "twist_energy"));
}

TEST(SecondOrder, StepsThatDoNotConvergeAreHalved) {
  expect_halved_steps(hard_steps());
  MemberSpec spec = hard_steps();
  spec.scheme = TimeScheme::generalized_alpha;
  expect_halved_steps(spec);
}

void expect_goes_on(MemberSpec spec, TimeScheme scheme) {
  spec.scheme = scheme;
  const MemberJob job{spec, 1};
  const std::vector<double> whole = end_state(job.spec);
  EXPECT_EQ(end_state(run_in_pieces(job)), whole) << word_of(scheme);
}

TEST(SecondOrder, GoesOnBitByBitInAnotherBatch) {
  for (const TimeScheme scheme : {TimeScheme::sdirk2, TimeScheme::generalized_alpha})
    expect_goes_on(hard_steps(), scheme);
  MemberSpec driven = over(0.4, 40, driven_rod());
  driven.time.slice_steps = 3;
  for (const TimeScheme scheme : all) expect_goes_on(driven, scheme);
}

/// A free node on a spring k, with the mass m, that a force pulls from t = 0 on, by generalised alpha (Chung
/// and Hulbert 1993, eqs. 5 to 8), whose first acceleration is that of a step of backward Euler.
struct Oscillator {
  double place = 0.0;
  double velocity = 0.0;

  void advance(double radius, double k, double m, double force, double h, int steps) {
    const double of_mass = (2.0 * radius - 1.0) / (radius + 1.0);
    const double of_force = radius / (radius + 1.0);
    const double gamma = 0.5 - of_mass + of_force;
    const double beta = 0.25 * (1.0 - of_mass + of_force) * (1.0 - of_mass + of_force);
    double a = (force - k * (place + h * velocity)) / (m + h * h * k);
    double rate = a;  // that of the equation of motion, but at the start
    for (int step = 0; step < steps; ++step) {
      const double known = place + h * velocity + h * h * (0.5 - beta) * a;
      const double next = ((1.0 - of_force) * (force - k * known) / m + of_force * rate - of_mass * a) /
                          (1.0 - of_mass + (1.0 - of_force) * k * beta * h * h / m);
      place = known + h * h * beta * next;
      velocity += h * ((1.0 - gamma) * a + gamma * next);
      a = next;
      rate = (force - k * place) / m;
    }
  }
};

TEST(SecondOrder, GeneralizedAlphaIsThatOfItsPaper) {
  MemberSpec spec = swinging_rod();
  spec.scheme = TimeScheme::generalized_alpha;
  spec.rod.elements = 1;
  spec.load = {};
  constexpr double force = 1e-3;
  spec.load.end_force = {0, 0, force};
  spec.newton.tolerance = 1e-13;
  const double k = spec.rod.stretch_stiffness / spec.rod.length;
  const double m = 0.5 * spec.rod.density * M_PI * spec.rod.radius * spec.rod.radius * spec.rod.length;
  for (const double radius : {0.0, 0.3, 0.8, 1.0}) {
    for (const double radians : {0.1, 1.0, 40.0}) {  // in a step
      constexpr int steps = 12;
      spec = over(steps * radians * std::sqrt(m / k), steps, spec);
      spec.time.spectral_radius = radius;
      Oscillator exact;
      exact.advance(radius, k, m, force, spec.time.step, steps);
      const std::vector<double> state = end_state(spec);
      const double way = force / k;
      EXPECT_NEAR(state[5] - 1.0, exact.place, 1e-7 * way) << radius << ' ' << radians;
      EXPECT_NEAR(state[6 + 5], exact.velocity, 1e-7 * way / spec.time.step) << radius << ' ' << radians;
    }
  }
}

}  // namespace
}  // namespace rodeo::der
