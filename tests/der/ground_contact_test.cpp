#include "rodeo/coupling/ground_contact.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/der/implicit_euler.hpp"

#include "cosserat/test_rod.hpp"
#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo::der {
namespace {

using cosserat::g;
using cosserat::soft_mass;
using cosserat::soft_radius;

constexpr double ground_stiffness = 1e4;  // of an element, N/m

/// A rod along z that touches the plane y = 0.
MemberSpec lying_rod(int elements) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.model = ModelKind::der;
  spec.shears = false;
  spec.sections_shrink = 0.0;
  spec.rod.origin = {0, soft_radius, 0};
  spec.load.gravity = {0, -g, 0};
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 1, 0};
  spec.ground.stiffness = ground_stiffness;
  spec.ground.damping = 10.0;
  spec.ground.velocity_threshold = 1e-8;
  spec.newton = {.tolerance = 1e-9, .iterations = 50, .halvings = 10};
  spec.frames = 2;
  spec.fields = {0, 1};  // positions, velocities
  return spec;
}

MemberSpec lasting(MemberSpec spec, double seconds, std::int64_t steps) {
  spec.time = {.step = seconds / static_cast<double>(steps), .steps = steps, .slice_steps = 1000};
  return spec;
}

struct EndState {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;

  Vec3 mean_position() const { return mean(position); }
  Vec3 mean_velocity() const { return mean(velocity); }

 private:
  /// With half of the weight at ends.
  static Vec3 mean(const std::vector<Vec3>& v) {
    Vec3 sum = -0.5 * (v.front() + v.back());
    for (const Vec3& one : v) sum = sum + one;
    return (1.0 / static_cast<double>(v.size() - 1)) * sum;
  }
};

EndState end_of(const MemberSpec& spec) {
  const MemberOutcome outcome = run_member(spec);
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EndState end;
  for (const int f : {0, 1}) {
    const std::vector<double>& values = outcome.fields.at(static_cast<std::size_t>(f));
    std::vector<Vec3>& list = f == 0 ? end.position : end.velocity;
    for (std::size_t k = values.size() / 2; k < values.size(); k += 3)
      list.push_back({values[k], values[k + 1], values[k + 2]});
  }
  return end;
}

/// Rod arrays with a step from one lively state to another.
class GroundStep {
 public:
  explicit GroundStep(const MemberSpec& spec, double move)
      : storage_(rod_size(array_elements(spec))), ground(spec, layout.stride) {
    const RodView all(storage_.data(), array_elements(spec), spec.sections_shrink);
    build_rods(spec, all);
    const RodView rod = all.part(0, spec.rod.elements);
    start = present(rod);
    for (std::size_t k = 0; k < start.size(); ++k)
      start[k] += k % 4 == 3 ? 0.0 : 2e-3 * std::sin(1.7 * static_cast<double>(k));
    q = start;
    for (std::size_t k = 0; k < q.size(); ++k)
      q[k] += move * (k % 4 == 3 ? 20.0 : 1.0) * std::cos(2.3 * static_cast<double>(k));
    ground.place_platen(0.0, 1e-3);
    ground.begin_step({{rod, 0, start.data()}}, 1e-3);
  }

  std::vector<double> residual(const std::vector<double>& at) const {
    std::vector<double> force(at.size(), 0.0);
    ground.add_residual(at, force);
    return force;
  }

 private:
  std::vector<double> storage_;

 public:
  coupling::GroundContact ground;
  std::vector<double> start;
  std::vector<double> q;
};

void expect_exact_jacobian(const MemberSpec& spec, double move) {
  GroundStep test(spec, move);
  const int size = static_cast<int>(test.q.size());
  BandedMatrix jacobian(size, elastic_bandwidth);
  test.ground.add_jacobian(test.q, jacobian);
  double largest = 0.0;
  double farthest = 0.0;
  for (int j = 0; j < size; ++j) {
    constexpr double change = 1e-8;
    std::vector<double> ahead = test.q;
    std::vector<double> behind = test.q;
    ahead[static_cast<std::size_t>(j)] += change;
    behind[static_cast<std::size_t>(j)] -= change;
    const std::vector<double> after = test.residual(ahead);
    const std::vector<double> before = test.residual(behind);
    for (int i = 0; i < size; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double slope = (after[k] - before[k]) / (2.0 * change);
      const double entry = std::abs(i - j) <= elastic_bandwidth ? jacobian.at(i, j) : 0.0;
      largest = std::max(largest, std::abs(entry));
      farthest = std::max(farthest, std::abs(slope - entry));
    }
  }
  EXPECT_GT(largest, 0.1 * ground_stiffness);
  EXPECT_LT(farthest, 1e-6 * largest);
}

PlatenSpec moving_platen() {
  const char* deck =
      "[rod]\nelements = 1\nlength = 1\nradius = 0.1\ndensity = 1\nyoung_modulus = 1\npoisson_ratio = 0.5\n"
      "[ground]\nplaten = 0, 4e-3, 0, 0.1, 1, 0.002 : 0.3 * t, t, -0.2 * t\n[time]\nstep = 1\nend = 1\n";
  return make_member_spec(Deck::parse(deck, "test.ini", {})).ground.platen;
}

MemberSpec rubbing_rod() {
  MemberSpec spec = lying_rod(6);
  spec.ground.origin = {0, 5e-3, 0};
  spec.ground.static_friction = spec.ground.kinetic_friction = {0.3, 0.4, 0.5};
  return spec;
}

TEST(GroundContact, HasAnExactJacobianOnEverySurface) {
  for (const double move : {1e-6, 1e-3}) {  // held by friction, and slipping
    expect_exact_jacobian(rubbing_rod(), move);
    MemberSpec spec = rubbing_rod();
    spec.ground.has_plane = false;
    spec.ground.solid_count = 1;
    spec.ground.solids[0] = {{0.1, -0.7, 0.5}, {}, 0.72};  // a ball below the middle
    expect_exact_jacobian(spec, move);
    spec.ground.solids[0] = {{0.1, -0.4, 0.0}, {0, 0, 1}, 0.43};  // a cylinder
    expect_exact_jacobian(spec, move);
    spec.ground.solids[0] = {{0.1, 1.0, 0.0}, {0, 0, 1}, -0.99};  // inside of one
    expect_exact_jacobian(spec, move);
    spec.ground.solid_count = 0;
    spec.ground.planes = {{{0, 4e-3, 0}, normalized(Vec3{0.1, 1, 0.002})}, {{0, 6e-3, 0}, {0, 1, 0}}};
    expect_exact_jacobian(spec, move);
    spec.ground.planes.clear();
    spec.ground.platen = moving_platen();
    expect_exact_jacobian(spec, move);
  }
}

TEST(GroundContact, WhatIsFarIsFeltByAStepThatGoesThere) {
  const auto residual_at = [](double distance, double height) {
    MemberSpec spec = lying_rod(6);
    spec.ground.has_plane = true;
    spec.ground.origin = {0, -distance, 0};
    spec.ground.solid_count = 1;
    spec.ground.solids[0] = {{0.1, -distance - 5.0, 0.5}, {}, 5.0};
    spec.ground.planes = {{{0, -distance, 0}, normalized(Vec3{0.1, 1, 0.002})}};
    GroundStep test(spec, 0.0);
    std::vector<double> q = test.start;
    for (std::size_t k = 1; k < q.size(); k += 4) q[k] += height - distance;
    test.ground.look(q);
    return test.residual(q);
  };
  // A step that ends as deep in the ground feels the same, however far away it starts.
  const std::vector<double> near = residual_at(0.5, -0.05);
  double largest = 0.0;
  for (const double distance : {2.0, 30.0}) {
    const std::vector<double> far = residual_at(distance, -0.05);
    for (std::size_t k = 0; k < near.size(); ++k) {
      EXPECT_NEAR(far[k], near[k], 1e-9 * ground_stiffness) << k;
      largest = std::max(largest, std::abs(far[k]));
    }
  }
  EXPECT_GT(largest, 1e-3 * ground_stiffness);
  for (const double entry : residual_at(30.0, 20.0)) EXPECT_EQ(entry, 0.0);
}

TEST(GroundContact, FrictionYieldsAtItsLimits) {
  MemberSpec spec = rubbing_rod();
  spec.rod.elements = 1;
  GroundStep test(spec, 0.0);
  for (std::size_t k = 0; k < test.q.size(); ++k) test.q[k] = test.start[k];
  const double load = -test.residual(test.q)[1] - test.residual(test.q)[5];  // on both nodes
  ASSERT_GT(load, 1.0);
  const auto pushed = [&](const Vec3& move) {
    std::vector<double> q = test.q;
    for (const int node : {0, 4}) {
      q[static_cast<std::size_t>(node)] += move.x;
      q[static_cast<std::size_t>(node + 2)] += move.z;
    }
    const std::vector<double> force = test.residual(q);
    return Vec3{-force[0] - force[4], 0.0, -force[2] - force[6]};
  };
  const Vec3 axis = normalized(Vec3{test.q[4] - test.q[0], 0, test.q[6] - test.q[2]});
  const Vec3 side = cross(axis, {0, 1, 0});
  EXPECT_NEAR(dot(pushed(0.1 * axis), axis), -0.3 * load, 1e-9 * load);
  EXPECT_NEAR(dot(pushed(-0.1 * axis), axis), 0.4 * load, 1e-9 * load);
  EXPECT_NEAR(dot(pushed(0.1 * side), side), -0.5 * load, 1e-9 * load);
  const tangent::Capsule element = {{test.start[0], test.start[1], test.start[2]},
                                    {test.start[4], test.start[5], test.start[6]},
                                    soft_radius};
  const double share = tangent::touch(forces::Plane{{0, 1, 0}, 5e-3}, element).share;
  const double stiffness = share * (ground_stiffness + 10.0 / 1e-3);  // spring and dashpot
  EXPECT_NEAR(dot(pushed(1e-7 * axis), axis), -1e-7 * stiffness, 1e-9);
}

TEST(GroundContact, CarriesARodAtTheDepthOfItsWeight) {
  for (const int elements : {1, 8}) {
    const EndState end = end_of(lasting(lying_rod(elements), 2.0, 100));
    const double depth = soft_mass * g / (ground_stiffness * elements);
    EXPECT_NEAR(soft_radius - end.mean_position().y, depth, 1e-9) << elements;
    EXPECT_NEAR(norm(end.mean_velocity()), 0.0, 1e-9);
  }
}

TEST(GroundContact, CarriesARodWhereTheExplicitOneStands) {
  // That one bears the weight at any depth: the two differ by weight over stiffness.
  MemberSpec spec = lasting(lying_rod(8), 0.5, 5000);
  spec.ground.stiffness = 1e6;
  spec.ground.damping = 100.0;
  const double y = end_of(spec).mean_position().y;
  spec.model = ModelKind::cosserat;
  spec.shears = true;
  EXPECT_NEAR(y, end_of(spec).mean_position().y, 1.01 * soft_mass * g / 8e6);
}

/// A rod that keeps its length, on a plane that rises at an angle along it or across.
MemberSpec on_slope(double angle, bool along) {
  MemberSpec spec = lying_rod(4);
  spec.rod.stretch_stiffness = 1e5;
  const Vec3 downhill = along ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  spec.load.gravity = g * (std::sin(angle) * downhill - std::cos(angle) * Vec3{0, 1, 0});
  return spec;
}

TEST(GroundContact, HoldsOnASlopeForAHundredSecondsAndSlipsOnASteeperOne) {
  constexpr double mu = 0.4;
  for (const bool backward : {false, true}) {
    const auto on = [&](double part) {
      MemberSpec spec = on_slope(std::atan(part * mu), true);
      if (backward) spec.load.gravity.z *= -1.0;
      spec.ground.static_friction =
          backward ? FrictionCoefficients{0, mu, 0} : FrictionCoefficients{mu, 0, 0};
      spec.ground.kinetic_friction = spec.ground.static_friction;
      return spec;
    };
    const auto place = [&](double seconds) {
      return end_of(lasting(on(0.99), seconds, static_cast<std::int64_t>(20 * seconds))).mean_position().z;
    };
    EXPECT_NEAR(place(100.0), place(10.0), 1e-9) << "no creep";
    EXPECT_NEAR(place(10.0), 0.5, 2e-3) << "but for the springs";
    const double angle = std::atan(1.01 * mu);
    const double speed = end_of(lasting(on(1.01), 10.0, 1000)).mean_velocity().z;
    const double expected = 10.0 * g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(backward ? -speed : speed, expected, 0.03 * expected);
  }
}

TEST(GroundContact, StaticFrictionHoldsWhatKineticFrictionDoesNotStop) {
  MemberSpec spec = on_slope(std::atan(0.35), true);
  spec.ground.static_friction = {0.4, 0.4, 0.4};
  spec.ground.kinetic_friction = {0.3, 0.3, 0.3};
  EXPECT_NEAR(end_of(lasting(spec, 10.0, 1000)).mean_velocity().z, 0.0, 1e-9);
  spec.rod.velocity = {0, 0, 1.0};
  spec.newton.tolerance = 1e-6;  // it goes far
  const double angle = std::atan(0.35);
  const double speed = 1.0 + 10.0 * g * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR(end_of(lasting(spec, 10.0, 1000)).mean_velocity().z, speed, 0.01 * speed);
}

TEST(GroundContact, ARodSlidesAsFarAsFrictionLetsIt) {
  constexpr double mu = 0.25;
  constexpr double speed = 2.0;
  for (const double sign : {1.0, -1.0}) {
    MemberSpec spec = lying_rod(4);
    spec.rod.stretch_stiffness = 1e5;
    spec.rod.origin.y -= soft_mass * g / (4 * ground_stiffness);  // at rest on its springs
    spec.rod.velocity = {0, 0, sign * speed};
    spec.ground.static_friction = spec.ground.kinetic_friction = {mu, mu, mu};
    const EndState end = end_of(lasting(spec, 2.0, 1000));
    const double way = speed * speed / (2.0 * mu * g);
    EXPECT_NEAR(sign * (end.mean_position().z - 0.5), way, 0.01 * way);
    EXPECT_NEAR(end.mean_velocity().z, 0.0, 1e-4);
    spec.model = ModelKind::cosserat;
    spec.shears = true;
    spec.time = {.step = 1e-4, .steps = 20000, .slice_steps = 20000};
    EXPECT_NEAR(end_of(spec).mean_position().z, end.mean_position().z, 0.01 * way) << "both models";
  }
}

/// What rolls without slipping falls at two thirds of the slope's acceleration, and needs a third of it as
/// friction.
TEST(GroundContact, ARodRollsDownASlopeAndSlipsOnASteeperOne) {
  constexpr double mu = 0.1;
  for (const double tangent : {0.2, 0.6}) {
    MemberSpec spec = on_slope(std::atan(tangent), false);
    spec.rod.origin.y -= soft_mass * g * std::cos(std::atan(tangent)) / (4 * ground_stiffness);
    spec.ground.static_friction = spec.ground.kinetic_friction = {0, 0, mu};
    const EndState end = end_of(lasting(spec, 1.0, 1000));
    const double slope = std::sin(std::atan(tangent));
    const double rolling = 2.0 / 3.0 * g * slope;
    const double slipping = g * (slope - mu * std::cos(std::atan(tangent)));
    const double expected = tangent < 3.0 * mu ? rolling : slipping;
    EXPECT_NEAR(end.mean_velocity().x, expected, 0.01 * expected) << tangent;
  }
}

TEST(GroundContact, ARodThatSlidesSidewaysEndsUpRolling) {
  MemberSpec spec = lying_rod(4);
  spec.rod.velocity = {1.5, 0, 0};
  spec.ground.static_friction = spec.ground.kinetic_friction = {0, 0, 0.3};
  EXPECT_NEAR(end_of(lasting(spec, 1.0, 500)).mean_velocity().x, 1.0, 0.01);
}

/// Rolling without slipping it swings as a pendulum whose mass counts one and a half times.
TEST(GroundContact, ARodRollsToAndFroInACylinder) {
  constexpr double hollow = 0.55;
  MemberSpec spec = lying_rod(3);
  spec.ground.has_plane = false;
  spec.ground.solid_count = 1;
  spec.ground.solids[0] = {{0, 0, 0}, {0, 0, 1}, -hollow};
  spec.ground.stiffness = 1e5;
  spec.ground.static_friction = spec.ground.kinetic_friction = {0, 0, 2.0};
  const double arm = hollow - soft_radius;
  const double start = 0.2;
  spec.rod.origin = arm * Vec3{std::sin(start), -std::cos(start), 0};
  const double period = 2.0 * M_PI * std::sqrt(1.5 * arm / g) * (1.0 + start * start / 16.0);
  const EndState quarter = end_of(lasting(spec, 0.25 * period, 500));
  EXPECT_NEAR(quarter.mean_position().x / arm, 0.0, 0.01 * start);
  const double fastest = std::sqrt(2.0 * g * arm * (1.0 - std::cos(start)) / 1.5);
  EXPECT_NEAR(quarter.mean_velocity().x, -fastest, 0.02 * fastest);
  // In long steps it comes to rest at the bottom.
  spec.rod.damping = 20.0;
  const EndState rest = end_of(lasting(spec, 20.0, 400));
  EXPECT_NEAR(rest.mean_position().x, 0.0, 1e-3);
  EXPECT_NEAR(rest.mean_position().y, -arm - soft_mass * g / 3e5, 1e-4);
}

TEST(GroundContact, ARodRestsOnABall) {
  MemberSpec spec = lying_rod(1);
  spec.ground.has_plane = false;
  spec.ground.solid_count = 1;
  spec.ground.solids[0] = {{0, -0.3, 0.5}, {}, 0.3};
  spec.ground.static_friction = spec.ground.kinetic_friction = {0.5, 0.5, 0.5};
  const EndState end = end_of(lasting(spec, 2.0, 200));
  EXPECT_NEAR(end.mean_position().y, soft_radius - soft_mass * g / ground_stiffness, 1e-6);
}

TEST(GroundContact, NothingIsHitThatIsPassedAtSpeedInOneStep) {
  MemberSpec spec = lying_rod(1);
  spec.load.gravity = {};
  spec.rod.origin = {0, 1.0, 0};
  spec.rod.velocity = {0, -50, 0};
  spec.ground.has_plane = false;
  spec.ground.solid_count = 1;
  spec.ground.solids[0] = {{0, 0, 0}, {0, 0, 1}, 0.1};
  spec.ground.stiffness = 1e8;
  spec.ground.damping = 0.0;
  const EndState end = end_of(lasting(spec, 0.1, 2));  // 2.5 m a step: halved until it cannot pass
  EXPECT_GT(end.mean_position().y, 0.1);
  EXPECT_GT(end.mean_velocity().y, 0.0) << "it bounces";
}

/// Without dashpot a rod that falls keeps its energy, but for what implicit Euler takes in proportion to the
/// step.
TEST(GroundContact, KeepsTheEnergyOfARodThatBounces) {
  MemberSpec spec = lying_rod(4);
  spec.rod.origin.y += 0.05;
  spec.ground.damping = 0.0;
  const double fall = soft_mass * g * 0.05;
  const auto lost = [&](std::int64_t steps) {
    const EndState end = end_of(lasting(spec, 0.13, steps));  // on its springs
    const Vec3 v = end.mean_velocity();
    const double y = end.mean_position().y;
    const double depth = soft_radius - y;
    EXPECT_GT(depth, 0.0);
    const double energy =
        0.5 * soft_mass * dot(v, v) + soft_mass * g * y + 0.5 * 4 * ground_stiffness * depth * depth;
    return soft_mass * g * spec.rod.origin.y - energy;
  };
  const double coarse = lost(500);
  const double fine = lost(1000);
  EXPECT_GT(fine, 0.0);
  EXPECT_LT(fine, 0.03 * fall);
  EXPECT_NEAR(fine / coarse, 0.5, 0.05);
}

TEST(GroundContact, CountsItsSpringsAsEnergy) {
  MemberSpec spec = lasting(lying_rod(4), 0.5, 100);
  spec.rod.origin.y -= 0.01;  // pressed into the ground, which throws it up
  spec.ground.damping = 0.0;
  spec.load.gravity = {};
  const MemberOutcome outcome = run_member(spec);
  const double pressed = 0.5 * 4 * ground_stiffness * 1e-4;
  EXPECT_GT(value(outcome, "translational_energy"), 0.5 * pressed);
  EXPECT_LT(value(outcome, "translational_energy"), pressed);
  EXPECT_EQ(value(outcome, "energy_gain"), 0.0);
}

/// Springs along the ground are part of the state.
TEST(GroundContact, GoesOnBitByBitInAnotherBatch) {
  MemberSpec spec = lasting(on_slope(std::atan(0.3), true), 0.2, 40);
  spec.time.slice_steps = 3;
  spec.ground.static_friction = spec.ground.kinetic_friction = {0.4, 0.4, 0.4};
  const MemberJob job{spec, 1};
  const MemberOutcome whole = run_member(spec);
  EXPECT_EQ(run_in_pieces(job).fields, whole.fields);
  EXPECT_GT(std::abs(value(whole, "end_z") - 1.0), 1e-6) << "springs that hold";
}

}  // namespace
}  // namespace rodeo::der
