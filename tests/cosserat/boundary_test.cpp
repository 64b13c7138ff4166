#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

/// The beam of Figure 5 of Gazzola et al. 2018 under a load so small that eq. 3.14 holds, damped about
/// critically.
MemberSpec timoshenko_beam(int elements) {
  MemberSpec spec = soft_rod(elements);
  const double area = M_PI * 0.25 * 0.25;
  spec.rod.length = 3.0;
  spec.rod.radius = 0.25;
  spec.rod.density = 5000.0;
  spec.rod.bend_stiffness = 1e6 * area * area / (4 * M_PI);
  spec.rod.twist_stiffness = 1e4 * area * area / (2 * M_PI);
  spec.rod.shear_stiffness = 4.0 / 3.0 * 1e4 * area;
  spec.rod.stretch_stiffness = 1e6 * area;
  spec.rod.damping = 1200.0;
  spec.load.end_force = {-0.015, 0, 0};
  spec.time.step = 0.8 * stable_step(spec.rod);
  return spec;
}

double timoshenko_deflection(const MemberSpec& spec, double s) {
  const double force = spec.load.end_force.x;
  return force / spec.rod.shear_stiffness * s +
         force / spec.rod.bend_stiffness * (0.5 * spec.rod.length * s * s - s * s * s / 6.0);
}

std::int64_t steps_to(const MemberSpec& spec, double time) { return std::llround(time / spec.time.step); }

TEST(Clamp, CantileverDeflectsAsTimoshenkoSaysInSecondOrder) {
  std::vector<double> errors;
  for (const int elements : {10, 20, 40, 80}) {
    MemberSpec spec = timoshenko_beam(elements);
    spec.boundary.first = EndCondition::clamped;
    TestRod test(spec);
    const Sample end = test.advance(steps_to(spec, 100.0));
    errors.push_back(end.end.x / timoshenko_deflection(spec, 3.0) - 1.0);
  }
  EXPECT_LT(std::abs(errors[2]), 1e-3);
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    EXPECT_GE(std::log2(errors[k] / errors[k + 1]), 1.8) << errors[k] << " " << errors[k + 1];
  }
}

TEST(Clamp, BeamClampedAtBothEndsDeflectsAsFourSpringsSay) {
  // Two ends at once: force P at mid-length, deflection P L^3/(192 E I) + P L/(4 S1).
  std::vector<double> errors;
  for (const int elements : {10, 20, 40}) {
    MemberSpec spec = timoshenko_beam(elements);
    spec.boundary = {EndCondition::clamped, EndCondition::clamped};
    spec.load.end_force = {};
    spec.load.middle_force = {0.015, 0, 0};
    spec.load.perturbation_duration = 1e9;
    TestRod test(spec);
    test.advance(steps_to(spec, 60.0));
    const double expected =
        0.015 * (27.0 / (192.0 * spec.rod.bend_stiffness) + 0.75 / spec.rod.shear_stiffness);
    errors.push_back(test.view().vec3(field::position, elements / 2).x / expected - 1.0);
  }
  EXPECT_LT(std::abs(errors[2]), 1e-3);
  for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
    EXPECT_GE(std::log2(std::abs(errors[k] / errors[k + 1])), 1.8) << errors[k] << " " << errors[k + 1];
  }
}

TEST(Clamp, HoldsTheEndAndLetsTheElementTurn) {
  // Under a couple M the half element turns by M/B l_hat/2, and the clamp carries M.
  MemberSpec spec = soft_rod(10);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_couple = {0, 0, 0.1};
  spec.rod.damping = 0.3;
  spec.rod.rotational_damping = 0.3;
  TestRod test(spec);
  test.advance(50000);
  const RodView rod = test.view();
  EXPECT_EQ(norm(rod.vec3(field::position, 0)), 0.0);
  EXPECT_EQ(rod.quaternion(-1).w, 1.0);
  EXPECT_NEAR(rotation_vector(rod.quaternion(0)).z, 0.1 / 0.5 * 0.05, 1e-9);
  EXPECT_NEAR(rod.vec3(field::bend_couple, -1).z, 0.1, 1e-9);
}

TEST(Clamp, StableStepBoundsTheStepOfAClampedRod) {
  for (const int elements : {1, 5, 40}) {
    MemberSpec spec = soft_rod(elements);
    spec.boundary = {EndCondition::clamped, EndCondition::clamped};
    // Bend and twist so stiff that they, with the half regions, give the highest frequency.
    spec.rod.bend_stiffness = 20.0 / elements;
    spec.rod.twist_stiffness = 40.0 / elements;
    const auto energy = [](const Sample& s) {
      return s.translational_energy + s.rotational_energy + s.bend_energy + s.twist_energy + s.shear_energy;
    };
    const auto grows = [&](double factor) {
      spec.time.step = factor * stable_step(spec.rod);
      TestRod test(spec);
      stir(test.view(), 1e-6);
      test.view().set_vec3(field::position, 0, {});
      test.view().set_vec3(field::position, elements, {0, 0, 1.0});
      test.view().set_vec3(field::velocity, 0, {});
      test.view().set_vec3(field::velocity, elements, {});
      const double start = energy(test.sample());
      return !(energy(test.advance(4000)) < 100.0 * start);
    };
    EXPECT_FALSE(grows(0.98)) << elements;
    EXPECT_TRUE(grows(1.5)) << elements;
  }
}

MemberSpec driven_rod() {
  MemberSpec spec = soft_rod(12);
  spec.rod.origin = {0.1, 0.2, 0.3};
  spec.rod.direction = normalized({1, 2, -2});
  spec.rod.normal = normalized(cross(spec.rod.direction, {0, 0, 1}));
  spec.boundary = {EndCondition::clamped, EndCondition::clamped};
  spec.boundary.twist = 3.0;
  spec.boundary.slack = -0.2;
  spec.boundary.motion_time = 0.05003;  // ends within a step
  return spec;
}

TEST(PrescribedMotion, IsExactInTimeWhateverTheDamping) {
  for (const double damping : {0.0, 5e5}) {
    for (const DrivenEnds driven : {DrivenEnds::both, DrivenEnds::first, DrivenEnds::last}) {
      MemberSpec spec = driven_rod();
      spec.rod.damping = damping;
      spec.boundary.driven = driven;
      const double first = driven == DrivenEnds::both ? 0.5 : driven == DrivenEnds::first ? 1.0 : 0.0;
      const Vec3 axis = spec.rod.direction;
      TestRod test(spec);
      const RodView rod = test.view();
      const Quaternion rest = rod.quaternion(0);
      for (const double time : {0.0173, 0.05, 0.0501, 0.08}) {
        test.advance(steps_to(spec, time) - test.taken());
        const double progress = std::min(1.0, time / 0.05003);
        const Vec3 begin = rod.vec3(field::position, 0) - spec.rod.origin;
        const Vec3 end = rod.vec3(field::position, 12) - spec.rod.origin;
        EXPECT_NEAR(norm(begin - (-0.2 * first * progress) * axis), 0.0, 1e-15) << time;
        EXPECT_NEAR(norm(end - (1.0 + 0.2 * (1.0 - first) * progress) * axis), 0.0, 1e-15) << time;
        const Vec3 turned = rotation_vector(rod.quaternion(-1) * conjugate(rest));
        const Vec3 ahead = rotation_vector(rod.quaternion(12) * conjugate(rest));
        EXPECT_NEAR(norm(turned - (-3.0 * first * progress) * axis), 0.0, 1e-14) << time;
        EXPECT_NEAR(norm(ahead - (3.0 * (1.0 - first) * progress) * axis), 0.0, 1e-14) << time;
      }
    }
  }
}

TEST(PrescribedMotion, LeavesAnEvenlyTwistedAndStretchedRod) {
  MemberSpec spec = driven_rod();
  spec.rod.damping = 9.0;  // brings stretch and twist to rest equally fast
  spec.rod.rotational_damping = 9.0;
  spec.time.step = 1e-3;
  TestRod test(spec);
  test.advance(50000);
  const RodView rod = test.view();
  for (int i = -1; i < 12; ++i) {
    // B_3 kappa_3/e^3 everywhere, at both clamps too.
    EXPECT_NEAR(rod.vec3(field::bend_couple, i).z, 0.5 * 3.0 / (1.2 * 1.2 * 1.2), 1e-9) << i;
  }
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(dot(rod.vec3(field::internal_force, i), spec.rod.direction), 3000.0 * 0.2 / 1.2, 1e-7) << i;
  }
}

TEST(SlidingClamp, HoldsDirectorsAndIsFreeAlongTheAxis) {
  MemberSpec spec = soft_rod(8);
  spec.boundary = {EndCondition::clamped, EndCondition::clamped_sliding};
  spec.boundary.twist = 2.0;
  spec.boundary.motion_time = 0.1;
  spec.boundary.driven = DrivenEnds::last;
  spec.load.end_force = {5.0, 0, 300.0};  // the part across the axis must do nothing
  spec.load.end_couple = {1.0, 1.0, 1.0};
  spec.rod.damping = 5.0;
  spec.rod.rotational_damping = 5.0;
  spec.time.step = 1e-3;
  TestRod test(spec);
  const Sample end = test.advance(100000);
  const double dilatation = 1.0 / (1.0 - 0.1);
  EXPECT_NEAR(end.end.z, dilatation, 1e-8);
  EXPECT_EQ(end.end.x, 0.0);
  EXPECT_NEAR(test.view().vec3(field::bend_couple, 7).z, 0.5 * 2.0 / std::pow(dilatation, 3), 1e-8);
  EXPECT_NEAR(rotation_vector(test.view().quaternion(4)).x, 0.0, 1e-9);
}

TEST(PinnedSliding, StartsAlongItsAxis) {
  MemberSpec spec = soft_rod(4);
  spec.rod.direction = {0, 0.6, 0.8};
  spec.rod.velocity = {0.1, 0.2, 0.3};
  spec.boundary = {EndCondition::pinned_sliding, EndCondition::clamped_sliding};
  const TestRod test(spec);
  for (int i = 0; i <= 4; ++i) {
    const Vec3 expected = i % 4 == 0 ? 0.36 * spec.rod.direction : spec.rod.velocity;
    EXPECT_LT(norm(test.view().vec3(field::velocity, i) - expected), 1e-15) << i;
  }
}

}  // namespace
}  // namespace rodeo::cosserat
