#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"

#include "cosserat/test_rod.hpp"
#include "member/measured.hpp"

namespace rodeo::cosserat {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(Dynamics, PositionVerletIsSecondOrderInTime) {
  // All terms at once: stretch, shear, bend, twist, transport, unsteady dilatation.
  std::vector<std::vector<double>> states;
  for (const int refinement : {1, 2, 4, 8, 64}) {
    MemberSpec spec = soft_rod(10);
    spec.time.step = 4e-4 / refinement;
    TestRod test(spec);
    stir(test.view(), 1.0);
    test.advance(250 * refinement);
    states.push_back(test.state());
  }
  std::vector<double> errors;
  for (int k = 0; k < 4; ++k) errors.push_back(distance(states[static_cast<std::size_t>(k)], states.back()));
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    EXPECT_NEAR(std::log2(errors[k] / errors[k + 1]), 2.0, 0.15) << errors[k] << " " << errors[k + 1];
  }
}

TEST(Dynamics, StepsInScratchMemoryAreTheSame) {
  std::vector<std::vector<double>> states;
  for (const bool scratch : {false, true}) {
    TestRod test(soft_rod(20));
    if (scratch) test.use_scratch();
    stir(test.view(), 0.5);
    test.advance(50);
    const Sample sample = test.advance(50);
    states.push_back(test.state());
    states.back().insert(states.back().end(), {energy(sample), sample.largest_move});
  }
  EXPECT_EQ(states[0], states[1]);
}

TEST(Dynamics, FreeRodKeepsItsMomentum) {
  TestRod test(soft_rod(20));
  stir(test.view(), 0.5);
  const Sample before = test.sample();
  const Sample after = test.advance(5000);
  EXPECT_NEAR(norm(after.momentum - before.momentum), 0.0, 1e-11 * norm(before.momentum));
}

TEST(Dynamics, StiffFreeRodKeepsEnergyAndAngularMomentum) {
  // Nearly inextensible, where the scheme is Hamiltonian (section 3.3): energy oscillates but does not drift.
  MemberSpec spec = soft_rod(20);
  spec.rod.shear_stiffness = 2e6;
  spec.rod.stretch_stiffness = 3e6;
  spec.time.step = 0.2 * stable_step(spec.rod);
  TestRod test(spec);
  const RodView rod = test.view();
  for (int i = 0; i < rod.nodes(); ++i) {
    const double s = static_cast<double>(i) / rod.elements - 0.5;
    rod.set_vec3(field::velocity, i, {2.0 * s * s, 3.0 * s, 0.0});
  }
  const Sample start = test.sample();
  double largest = 0.0;
  Sample end;
  for (int k = 0; k < 20; ++k) {
    end = test.advance(20000);
    largest = std::max(largest, std::abs(energy(end) / energy(start) - 1.0));
  }
  EXPECT_LT(largest, 2e-3);
  EXPECT_LT(std::abs(energy(end) / energy(start) - 1.0), 2e-3);
  EXPECT_NEAR(norm(end.angular_momentum - start.angular_momentum), 0.0, 1e-4 * norm(start.angular_momentum));
  EXPECT_GT(end.bend_energy + start.bend_energy, 0.0);
}

TEST(Dynamics, ASpinningDiscKeepsItsWobble) {
  // A free symmetric top precesses for ever: its axis stays as far from the angular momentum.
  const Measured disc(
      "[rod]\nlength = 0.05\nradius = 0.1\ndensity = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\n"
      "elements = 2\nstart_spin = 1, 0, 100\nstart_velocity = 0, -1*(s-0.5)*0.05, 0\n"
      "[time]\nstep = 1e-4\nend = 6\n[measure]\ninterval = 1e-3\n"
      "define = first [rad] : max(acos(d3z(start)) over 0 to 0.1)\n"
      "define = last [rad] : max(acos(d3z(start)) over 5.8 to 6)\n");
  EXPECT_NEAR(disc["first"], 0.01125, 1e-5);
  EXPECT_NEAR(disc["last"], disc["first"], 1e-5);
}

TEST(Dynamics, ARodThatStretchesAsItSpinsKeepsItsAngularMomentum) {
  // The momentum is that of the spin about the axis alone, J3 omega; it is off by the square of the step.
  std::vector<double> errors;
  for (const std::string step : {"2e-5", "1e-5"}) {
    const Measured rod(
        "[model]\nsection = incompressible\n[rod]\nlength = 0.2\nradius = 0.01\ndensity = 1000\n"
        "young_modulus = 1e6\npoisson_ratio = 0.5\nelements = 20\nstart_spin = 0, 0, 20\n"
        "start_velocity = 0, 0, 12*(s-0.5)\n[time]\nend = 0.1\n",
        {"time.step=" + step});
    errors.push_back(rod["angular_momentum_drift"]);
  }
  const double spin = 0.5 * 1e3 * 3.14159265 * 1e-4 * 0.2 * 1e-4 * 20.0;
  EXPECT_LT(errors[0], 1e-5 * spin);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.2);
}

TEST(Dynamics, AxialPullReachesTheStretchOfAppendixB) {
  for (const double force : {-400.0, 300.0, 900.0}) {
    MemberSpec spec = soft_rod(8);
    spec.boundary.first = EndCondition::clamped;
    spec.load.end_force = {0, 0, force};
    spec.rod.damping = 200.0;
    spec.time.step = 5e-5;
    TestRod test(spec);
    const Sample end = test.advance(80000);
    EXPECT_NEAR(end.end.z, 1.0 / (1.0 - force / 3000.0), 1e-9) << force;
  }
}

TEST(Dynamics, ClampedRodUnderAnEndCoupleBendsToAnArc) {
  MemberSpec spec = soft_rod(40);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_couple = {0.2, 0, 0};
  spec.rod.damping = 3.0;
  spec.rod.rotational_damping = 3.0;
  spec.time.step = 5e-5;
  TestRod test(spec);
  test.advance(500000);
  // kappa = M/B about x over 39 and a half Voronoi regions of dl between the clamp and the last element.
  EXPECT_NEAR(rotation_vector(test.view().quaternion(39)).x, 0.2 / 0.8 * 39.5 / 40.0, 1e-6);
}

TEST(Dynamics, EndCoupleAboutTheAxisTwists) {
  MemberSpec spec = soft_rod(16);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_couple = {0, 0, 0.1};
  spec.rod.damping = 2.0;
  spec.rod.rotational_damping = 2.0;
  TestRod test(spec);
  test.advance(500000);
  EXPECT_NEAR(rotation_vector(test.view().quaternion(15)).z, 0.1 / 0.5 * 15.5 / 16.0, 1e-8);
}

TEST(Dynamics, DampingOfAFreeRodIsExact) {
  MemberSpec spec = soft_rod(10);
  spec.rod.damping = 3.0;
  TestRod test(spec);
  const RodView rod = test.view();
  for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::velocity, i, {0.4, 0, 0});
  test.advance(2000);
  const double line_mass = 1000.0 * M_PI * 0.05 * 0.05;
  for (int i = 0; i < rod.nodes(); ++i) {
    EXPECT_NEAR(rod.vec3(field::velocity, i).x, 0.4 * std::exp(-3.0 / line_mass * 0.2), 1e-13);
  }
}

TEST(Dynamics, DampedRodFallsAtItsTerminalSpeed) {
  // An explicit damping couple would blow up here: rate times step is far above 2.
  MemberSpec spec = soft_rod(10);
  spec.rod.damping = 5e5;
  spec.load.gravity = {0, -9.81, 0};
  TestRod test(spec);
  test.advance(1000);
  const double line_mass = 1000.0 * M_PI * 0.05 * 0.05;
  for (int i = 0; i < 11; ++i) {
    EXPECT_NEAR(test.view().vec3(field::velocity, i).y, -9.81 * line_mass / 5e5, 1e-12);
  }
}

TEST(Dynamics, FreeFallIsExact) {
  MemberSpec spec = soft_rod(10);
  spec.load.gravity = {1.0, -9.81, 0.5};
  TestRod test(spec);
  const Sample end = test.advance(1000);
  EXPECT_NEAR(end.end.y, -0.5 * 9.81 * 0.01, 1e-12);
  EXPECT_NEAR(end.end.z, 1.0 + 0.5 * 0.5 * 0.01, 1e-12);
}

TEST(Dynamics, EndConditionsHoldWhatTheySay) {
  MemberSpec spec = soft_rod(12);
  spec.load.gravity = {3.0, -9.81, 4.0};
  spec.boundary = {EndCondition::clamped, EndCondition::pinned_sliding};
  TestRod clamped(spec);
  clamped.advance(3000);
  EXPECT_EQ(norm(clamped.view().vec3(field::position, 0)), 0.0);
  // The director at the end itself is held, half an element before the first: angles grow from there on.
  const double first = norm(rotation_vector(clamped.view().quaternion(0)));
  const double second = norm(rotation_vector(clamped.view().quaternion(1)));
  EXPECT_LT(first, 0.7 * second);
  const Vec3 end = clamped.view().vec3(field::position, 12);
  EXPECT_EQ(end.x, 0.0);
  EXPECT_EQ(end.y, 0.0);
  EXPECT_GT(std::abs(end.z - 1.0), 1e-4);

  spec.boundary = {EndCondition::pinned, EndCondition::pinned};
  TestRod pinned(spec);
  pinned.advance(3000);
  EXPECT_EQ(norm(pinned.view().vec3(field::position, 0)), 0.0);
  EXPECT_EQ(pinned.view().vec3(field::position, 12).z, 1.0);
  EXPECT_LT(pinned.view().quaternion(0).w, 1.0 - 1e-6);
}

TEST(Dynamics, StableStepBoundsTheStepFromBothSides) {
  for (const int elements : {5, 40}) {
    MemberSpec spec = soft_rod(elements);
    const auto grows = [&](double factor) {
      spec.time.step = factor * stable_step(spec.rod);
      TestRod test(spec);
      stir(test.view(), 1e-6);
      const double start = energy(test.sample());
      const double end = energy(test.advance(4000));
      return !(end < 100.0 * start);
    };
    EXPECT_FALSE(grows(0.98)) << elements;
    EXPECT_TRUE(grows(1.5)) << elements;
  }
}

TEST(Dynamics, OrientationsStayUnit) {
  TestRod test(soft_rod(10));
  stir(test.view(), 1.0);
  for (int k = 0; k < 20; ++k) test.advance(5000);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(squared_norm(test.view().quaternion(i)), 1.0, 1e-12);
}

TEST(Dynamics, PaddingHasNoInfluence) {
  // 8, 9 and 16 elements use full and partial vectors; a rod's first node must feel the same stretch in all.
  for (const int elements : {1, 7, 8, 9, 15, 16, 17}) {
    MemberSpec spec = soft_rod(elements);
    spec.load.end_force = {0, 0, 10.0};
    TestRod test(spec);
    const Sample end = test.advance(500);
    const double mass = 1000.0 * M_PI * 0.05 * 0.05;
    EXPECT_NEAR(end.momentum.z, 10.0 * 0.05, 1e-11) << elements;
    EXPECT_NEAR(end.first_moment.z, mass * 0.5 + 0.5 * 10.0 * 0.05 * 0.05, 1e-11) << elements;
  }
}

}  // namespace
}  // namespace rodeo::cosserat
