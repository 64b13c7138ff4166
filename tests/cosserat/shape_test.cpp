#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/rod/rod_properties.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

void evaluate_loads(const TestRod& test) {
  const RodView rod = test.view();
  const Rods rods = test.rods();
  on_team([&](const auto& team) {
    rods.fill_ghosts(team, rod);
    shear_and_stretch(team, rod);
    rods.fill_ghost_elements(team, rod, field::length);
    bend_and_twist(team, rod);
    rods.load_ends(team, rod, 0.0);
  });
}

MemberSpec shaped(RodShape shape, int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.rod.shape = shape;
  spec.rod.closed = shape == RodShape::ring;
  spec.rod.helix_radius = 0.1;
  spec.rod.helix_pitch = 0.2;
  return spec;
}

TEST(Shape, IsFreeOfLoadsWhereItIsTheRestShape) {
  for (const RodShape shape : {RodShape::straight, RodShape::ring, RodShape::helix}) {
    MemberSpec spec = shaped(shape, 21);
    if (shape != RodShape::ring) {
      spec.rod.end_radius_ratio = 0.5;
      spec.boundary = {EndCondition::clamped, EndCondition::clamped};
    }
    TestRod test(spec);
    evaluate_loads(test);
    for (int i = 0; i < 21; ++i) {
      EXPECT_NEAR(norm(force_on(test.view(), i)), 0.0, 1e-10);
      EXPECT_NEAR(norm(couple_on(test.view(), i)), 0.0, 1e-12);
    }
    EXPECT_NEAR(test.sample().bend_energy, 0.0, 1e-25);
  }
}

TEST(Shape, CurvedBetweenClampsAsARodThatRestsStraightHoldsItsClampsCouple) {
  // An arc of constant curvature: B kappa everywhere, in the half regions at the clamps too.
  MemberSpec spec = shaped(RodShape::helix, 16);
  spec.rod.helix_pitch = 0.0;
  spec.rod.helix_radius = 0.5;
  spec.rod.rests_straight = true;
  spec.boundary = {EndCondition::clamped, EndCondition::clamped};
  TestRod test(spec);
  evaluate_loads(test);
  const double bend = norm(test.view().vec3(field::bend_couple, 7));
  EXPECT_NEAR(bend, 0.8 / 0.5, 2e-3);
  for (int i = -1; i < 16; ++i) EXPECT_NEAR(norm(test.view().vec3(field::bend_couple, i)), bend, 1e-12);
  for (int i = 0; i < 16; ++i) EXPECT_NEAR(norm(couple_on(test.view(), i)), 0.0, 1e-12);
}

TEST(Shape, LoadsAreMinusTheGradientOfTheEnergyWithRestCurvature) {
  for (const bool closed : {false, true}) {
    MemberSpec spec = shaped(closed ? RodShape::ring : RodShape::straight, 12);
    spec.rod.intrinsic_curvature = {0.7, -0.4, 1.1};
    spec.rod.total_twist = closed ? 1.3 : 0.0;
    if (!closed) spec.boundary = {EndCondition::clamped, EndCondition::clamped};
    TestRod test(spec);
    const RodView rod = test.view();
    for (int i = 0; i < rod.elements; ++i) {
      const double s = (i + 0.5) / rod.elements;
      const double amount = s * (1.0 - s);
      rod.set_quaternion(i, rod.quaternion(i) * rotation(amount * Vec3{0.2 * std::sin(4 * s), 0.3 * s,
                                                                       0.5 * std::cos(3 * s)}));
    }
    const auto energy = [&] {
      on_team([&](const auto& team) { test.rods().fill_ghosts(team, rod); });
      const Sample s = test.sample();
      return s.bend_energy + s.twist_energy + s.shear_energy;
    };
    evaluate_loads(test);
    const double h = 1e-5;
    for (const int i : {0, 1, 5, 11}) {
      const Vec3 couple = couple_on(rod, i);
      const Quaternion q = rod.quaternion(i);
      for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        rod.set_quaternion(i, q * rotation(h * axis));
        const double up = energy();
        rod.set_quaternion(i, q * rotation(-h * axis));
        const double down = energy();
        rod.set_quaternion(i, q);
        EXPECT_NEAR(dot(couple, axis), -(up - down) / (2 * h), 1e-7 * norm(couple))
            << "element " << i << " closed " << closed;
      }
    }
  }
}

/// Lets a rod without loads come to rest.
void relax(TestRod& test) { test.advance(400000); }

TEST(Shape, NaturallyCurvedRodRelaxesToItsCircle) {
  MemberSpec spec = soft_rod(24);
  spec.rod.intrinsic_curvature = {0.0, 1.8, 0.0};
  spec.rod.damping = 5.0;
  spec.rod.rotational_damping = 5.0;
  spec.time.step = 1e-4;
  TestRod test(spec);
  relax(test);
  // A polygon whose sides turn by kappa l: its circumscribed radius is l/(2 sin(kappa l/2)).
  const double side = 1.0 / 24;
  const double radius = side / (2 * std::sin(0.5 * 1.8 * side));
  const RodView rod = test.view();
  for (int i = 0; i + 2 < rod.nodes(); ++i) {
    const Vec3 a = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const Vec3 b = rod.vec3(field::position, i + 2) - rod.vec3(field::position, i + 1);
    const Vec3 c = a + b;
    EXPECT_NEAR(norm(a) * norm(b) * norm(c) / (2 * norm(cross(a, b))), radius, 1e-6 * radius) << i;
  }
  EXPECT_NEAR(test.sample().bend_energy, 0.0, 1e-12);
}

TEST(Shape, RodOfIntrinsicCurvatureAndTwistRelaxesToItsHelix) {
  const double curvature = 3.0;
  const double twist = 2.0;
  MemberSpec spec = soft_rod(32);
  spec.rod.intrinsic_curvature = {curvature, 0.0, twist};
  spec.rod.damping = 5.0;
  spec.rod.rotational_damping = 5.0;
  spec.time.step = 1e-4;
  TestRod test(spec);
  relax(test);
  // Sections turn about one axis by omega a length and advance along it by twist/omega a length:
  // pitch 2 pi twist/omega^2, and a radius whose chord between nodes spans the rest of an element.
  const double omega = std::hypot(curvature, twist);
  const double side = 1.0 / 32;
  const double radius = curvature / omega * side / (2 * std::sin(0.5 * omega * side));
  EXPECT_NEAR(radius, curvature / (omega * omega), 2e-3 * radius);
  const RodView rod = test.view();
  const Vec3 axis = directors(rod.quaternion(0)).to_laboratory((1 / omega) * Vec3{curvature, 0.0, twist});
  for (int i = 0; i + 2 < rod.nodes(); ++i) {
    const Vec3 a = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const Vec3 b = rod.vec3(field::position, i + 2) - rod.vec3(field::position, i + 1);
    EXPECT_NEAR(dot(a, axis), side * twist / omega, 1e-6 * side) << i;
    const Vec3 flat_a = a - dot(a, axis) * axis;
    const Vec3 flat_b = b - dot(b, axis) * axis;
    const double turn = std::atan2(dot(axis, cross(flat_a, flat_b)), dot(flat_a, flat_b));
    EXPECT_NEAR(turn, omega * side, 1e-6) << i;  // with the advance a turn of 2 pi: the pitch
    EXPECT_NEAR(norm(flat_a) / (2 * std::sin(0.5 * turn)), radius, 1e-6 * radius) << i;
  }
}

TEST(Taper, CantileverBendsByItsFlexibilitysIntegral) {
  // Tip deflection F (integral (L - s)^2/(E I(s)) + 1/S(s) ds), with r(s) linear: second order in the grid.
  const double ratio = 0.5;
  const double force = 1e-3;
  const auto expected = [&] {
    double sum = 0.0;
    constexpr int points = 100000;
    for (int k = 0; k < points; ++k) {
      const double s = (k + 0.5) / points;
      const double r = 1 + (ratio - 1) * s;
      sum += ((1 - s) * (1 - s) / (0.8 * std::pow(r, 4)) + 1 / (2000.0 * r * r)) / points;
    }
    return force * sum;
  }();
  double errors[2];
  for (const int k : {0, 1}) {
    MemberSpec spec = soft_rod(16 << k);
    spec.rod.end_radius_ratio = ratio;
    spec.boundary.first = EndCondition::clamped;
    spec.load.end_force = {force, 0, 0};
    spec.rod.damping = 4.0;
    spec.rod.rotational_damping = 4.0;
    spec.time.step = 0.4 * stable_step(spec.rod);
    TestRod test(spec);
    const Sample end = test.advance(std::llround(100.0 / spec.time.step));
    errors[k] = end.end.x / expected - 1;
  }
  EXPECT_NEAR(errors[1], 0.0, 1e-3);
  EXPECT_NEAR(errors[1] + (errors[1] - errors[0]) / 3, 0.0, 1e-4);
  EXPECT_GT(std::log2(std::abs(errors[0] / errors[1])), 1.8) << errors[0] << " " << errors[1];
}

TEST(Taper, HangingRodCarriesTheWeightBelow) {
  MemberSpec spec = soft_rod(9);
  spec.rod.end_radius_ratio = 0.6;
  spec.boundary.first = EndCondition::clamped;
  spec.rod.damping = 200.0;
  spec.load.gravity = {0, 0, 9.81};
  spec.time.step = 0.4 * stable_step(spec.rod);
  TestRod test(spec);
  const double length = test.advance(std::llround(20.0 / spec.time.step)).end.z;
  // F = S (e - 1)/e with the weight of the nodes below, S = 1/mean(1/S(s)) of the element.
  const RodProperties made = rod_properties(spec.rod, initial_shape(spec.rod));
  double expected = 0.0;
  double weight = 0.0;
  for (std::size_t i = 9; i > 0; --i) {
    weight += 9.81 * made.masses[i];
    expected += 1.0 / 9 / (1 - weight / made.stretch_stiffnesses[i - 1]);
  }
  EXPECT_NEAR(length, expected, 1e-9);
  // The continuum: strain W(s)/S(s), W the weight of the frustum below.
  double strain = 0.0;
  constexpr int points = 10000;
  for (int k = 0; k < points; ++k) {
    const double s = (k + 0.5) / points;
    const double r = 1 - 0.4 * s;
    const double below = 1000 * M_PI * 0.0025 * (r * r + 0.6 * r + 0.36) / 3 * (1 - s) * 9.81;
    strain += below / (3000 * r * r) / points;
  }
  EXPECT_NEAR((length - 1) / strain, 1.0, 0.02);
}

TEST(Taper, StableStepFollowsTheWeakestElement) {
  for (const double ratio : {0.3, 2.0}) {
    MemberSpec spec = soft_rod(12);
    spec.rod.end_radius_ratio = ratio;
    const auto grows = [&](double factor) {
      spec.time.step = factor * stable_step(spec.rod);
      TestRod test(spec);
      stir(test.view(), 1e-6);
      const auto energy = [](const Sample& s) {
        return s.translational_energy + s.rotational_energy + s.bend_energy + s.twist_energy + s.shear_energy;
      };
      const double start = energy(test.sample());
      return !(energy(test.advance(4000)) < 100.0 * start);
    };
    EXPECT_FALSE(grows(0.98)) << ratio;
    EXPECT_TRUE(grows(1.5)) << ratio;
  }
}

TEST(Taper, EveryElementRestsOnTheGroundAtItsOwnRadius) {
  // A cone on a plane along its lower side: no element sinks in or hovers.
  MemberSpec spec = soft_rod(10);
  spec.rod.end_radius_ratio = 0.5;
  const double slope = std::asin(0.025);
  spec.rod.direction = {0.0, -std::sin(slope), std::cos(slope)};
  spec.rod.normal = {1, 0, 0};
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 1, 0};
  spec.ground.origin = {0, -0.05, 0};
  spec.ground.stiffness = 1e4;
  spec.ground.damping = 1.0;
  spec.ground.velocity_threshold = 1e-6;
  spec.ground.static_friction = {0.5, 0.5, 0.5};
  spec.ground.kinetic_friction = {0.5, 0.5, 0.5};
  spec.load.gravity = {0, -9.81, 0};
  TestRod test(spec);
  const double height = test.sample().first_moment.y;
  const Sample end = test.advance(1000);
  // Elements have the radius of their volume, which is up to (0.0025 m)^2/(24 r) above that of their middle.
  EXPECT_NEAR((end.first_moment.y - height) / end.mass, 0.0, 0.0025 * 0.0025 / (24.0 * 0.025));
  // Sliding along, kinetic friction takes 0.5 g of all masses, whatever their element.
  TestRod sliding(spec);
  for (int i = 0; i < 11; ++i) sliding.view().set_vec3(field::velocity, i, {0, 0, 1.0});
  const Sample slid = sliding.advance(1000);
  EXPECT_NEAR(slid.momentum.z / slid.mass, 1.0 - 0.5 * 9.81 * 0.1, 5e-3);
}

}  // namespace
}  // namespace rodeo::cosserat
