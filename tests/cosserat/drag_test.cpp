#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/forces/slender_body_drag.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

/// 4 pi mu/ln(L/r) of soft_rod (L/r = 20): drag across the rod per length and velocity.
double drag_across(double viscosity) { return 4 * M_PI * viscosity / std::log(20.0); }

/// The drag on every node at the rod's present state, without any other external force.
std::vector<Vec3> drag_on_nodes(TestRod& test) {
  const RodView rod = test.view();
  on_team([&](const auto& team) {
    shear_and_stretch(team, rod);
    test.data().forces.evaluate(team, rod, test.rods(), 0.0);
  });
  std::vector<Vec3> forces;
  for (int i = 0; i < rod.nodes(); ++i) forces.push_back(rod.vec3(field::external_force, i));
  return forces;
}

Vec3 sum(const std::vector<Vec3>& vectors) {
  Vec3 total;
  for (const Vec3& v : vectors) total = total + v;
  return total;
}

void set_velocity(const RodView& rod, const Vec3& velocity) {
  for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::velocity, i, velocity);
}

TEST(SlenderBodyDrag, OfAStraightRodIsEquation414) {
  // In a step so short that the velocity stays the same.
  const Vec3 tangent = normalized({1, 2, -0.5});
  const Vec3 normal = normalized(cross(tangent, {0, 0, 1}));
  for (const double stretch : {1.0, 1.2}) {
    MemberSpec spec = soft_rod(13);
    spec.rod.direction = tangent;
    spec.rod.normal = normal;
    spec.rod.stretch_stiffness = spec.rod.shear_stiffness = 1e-9;
    spec.fluid.viscosity = 0.7;
    spec.time.step = 1e-13;
    TestRod test(spec);
    const RodView rod = test.view();
    for (int i = 0; i < rod.nodes(); ++i) {
      rod.set_vec3(field::position, i, stretch * rod.vec3(field::position, i));
    }
    const double across = stretch * drag_across(0.7);
    for (const auto& [speed_along, speed_across] : {std::pair(3.0, 0.0), {0.0, 2.0}, {1.5, -4.0}}) {
      set_velocity(rod, speed_along * tangent + speed_across * normal);
      const std::vector<Vec3> drag = drag_on_nodes(test);
      EXPECT_NEAR(dot(sum(drag), tangent), -0.5 * across * speed_along, 1e-10 * across);
      EXPECT_NEAR(dot(sum(drag), normal), -across * speed_across, 1e-10 * across);
      EXPECT_NEAR(dot(sum(drag), cross(tangent, normal)), 0.0, 1e-10 * across);
      EXPECT_NEAR(norm(drag[0]), 0.5 * norm(drag[6]), 1e-10 * across) << "an end carries half an element";
    }
  }
}

TEST(SlenderBodyDrag, FollowsTheLocalTangent) {
  // A rod on a quarter circle that moves along x: eq. 4.13 node by node.
  MemberSpec spec = soft_rod(24);
  spec.fluid.viscosity = 0.7;
  spec.time.step = 1e-13;
  TestRod test(spec);
  const RodView rod = test.view();
  const double radius = 2 / M_PI;
  for (int i = 0; i <= 24; ++i) {
    const double angle = 0.5 * M_PI * i / 24;
    rod.set_vec3(field::position, i, {0, radius * std::sin(angle), radius * std::cos(angle)});
  }
  set_velocity(rod, {0, 1, 0});
  const std::vector<Vec3> drag = drag_on_nodes(test);
  const double length = 2 * radius * std::sin(0.25 * M_PI / 24);
  for (const int i : {1, 9, 12, 23}) {
    const double angle = 0.5 * M_PI * i / 24;
    const Vec3 tangent = {0, std::cos(angle), -std::sin(angle)};
    const Vec3 expected = -drag_across(0.7) * length * (Vec3{0, 1, 0} - 0.5 * tangent.y * tangent);
    EXPECT_NEAR(norm(drag[static_cast<std::size_t>(i)] - expected), 0.0, 1e-10 * norm(expected)) << i;
  }
}

TEST(SlenderBodyDrag, RodSinksTwiceAsFastAlongItsAxis) {
  // At m g/(c L) across and at twice that along, also for a rate far above what an explicit step could take.
  const double line_mass = 1000.0 * M_PI * 0.05 * 0.05;
  for (const double viscosity : {1e3, 1e6}) {
    for (const double damping : {0.0, 50.0}) {
      MemberSpec spec = soft_rod(10);
      spec.fluid.viscosity = viscosity;
      spec.rod.damping = damping;
      const auto speed = [&](const Vec3& gravity) {
        spec.load.gravity = gravity;
        TestRod test(spec);
        const Sample end = test.advance(3000);
        return (1.0 / end.mass) * end.momentum;
      };
      const double across = speed({9.81, 0, 0}).x;
      const double along = speed({0, 0, 9.81}).z;
      EXPECT_NEAR(across * (drag_across(viscosity) + damping), line_mass * 9.81, 1e-9);
      EXPECT_NEAR(along * (0.5 * drag_across(viscosity) + damping), line_mass * 9.81, 1e-9);
    }
  }
}

TEST(SlenderBodyDrag, DecaysExponentiallyToSecondOrder) {
  const double rate = drag_across(1e3) / (1000.0 * M_PI * 0.05 * 0.05);
  const double exact = std::exp(-rate * 1e-3);
  std::vector<double> errors;
  for (const int steps : {4, 8, 16}) {
    MemberSpec spec = soft_rod(6);
    spec.fluid.viscosity = 1e3;
    spec.time.step = 1e-3 / steps;
    TestRod test(spec);
    set_velocity(test.view(), {1, 0, 0});
    test.advance(steps);
    errors.push_back(test.view().vec3(field::velocity, 2).x - exact);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

TEST(SlenderBodyDrag, NeverAddsEnergy) {
  for (const double viscosity : {1e-2, 1e2, 1e4, 1e8}) {
    MemberSpec spec = soft_rod(17);
    spec.rod.bend_stiffness = spec.rod.twist_stiffness = 0.0;
    spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 0.0;
    spec.fluid.viscosity = viscosity;
    TestRod test(spec);
    stir(test.view(), 1.0);
    const double start = test.sample().translational_energy;
    double energy = start;
    for (int k = 0; k < 40; ++k) {
      const double next = test.advance(1).translational_energy;
      EXPECT_LE(next, energy) << "step " << k << ", viscosity " << viscosity;
      energy = next;
    }
    EXPECT_LT(energy, (1 - 1e-7) * start);
  }
}

TEST(SlenderBodyDrag, KeepsTheStepSecondOrder) {
  // With all elastic terms, gravity, internal damping and muscles; the drag's rate times the step is 0.03 to
  // 0.9.
  std::vector<std::vector<double>> states;
  for (const int refinement : {1, 2, 4, 8, 64}) {
    MemberSpec spec = soft_rod(10);
    spec.load.gravity = {1, -9.81, 0};
    spec.rod.damping = 2.0;
    spec.fluid.viscosity = 4e2;
    spec.muscle.kind = MuscleKind::couple;
    spec.muscle.amplitudes.fill(1.0);
    spec.muscle.amplitude_count = 4;
    spec.muscle.period = 0.2;
    spec.muscle.wave_number = 6.0;
    spec.muscle.axis = {1, 0, 0};
    spec.time.step = 4e-4 / refinement;
    TestRod test(spec);
    stir(test.view(), 1.0);
    test.advance(250 * refinement);
    states.push_back(test.state());
  }
  const auto error = [&](std::size_t k) {
    double total = 0.0;
    for (std::size_t i = 0; i < states[k].size(); ++i) {
      total += (states[k][i] - states.back()[i]) * (states[k][i] - states.back()[i]);
    }
    return std::sqrt(total);
  };
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(std::log2(error(k) / error(k + 1)), 2.0, 0.15) << k;
}

}  // namespace
}  // namespace rodeo::cosserat
