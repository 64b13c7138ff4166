#include "rodeo/forces/magnetic_couple.hpp"

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

MemberSpec magnetised(const Vec3& flux_density) {
  MemberSpec spec = soft_rod(12);
  spec.load.magnetization = 2e4;
  spec.load.magnetic_flux_density = flux_density;
  return spec;
}

TEST(MagneticCouple, IsMinusTheGradientOfItsEnergyAndExertsNoForce) {
  const Vec3 field = {0.01, -0.03, 0.02};
  TestRod test(magnetised(field));
  const RodView rod = test.view();
  stir(rod, 0.3);
  on_team([&](const auto& team) { test.data().forces.evaluate(team, rod, test.rods(), 0.0); });
  const double volume = M_PI * 0.05 * 0.05 / 12;
  const double h = 1e-6;
  for (const int i : {0, 5, 11}) {
    const Quaternion q = rod.quaternion(i);
    const auto energy = [&](const Vec3& turn) {
      return -2e4 * volume * dot(directors(q * rotation(turn)).d3, field);
    };
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      EXPECT_NEAR(dot(rod.vec3(field::external_couple, i), axis),
                  -(energy(h * axis) - energy(-h * axis)) / (2 * h),
                  1e-8 * norm(rod.vec3(field::external_couple, i)));
    }
    EXPECT_EQ(norm(rod.vec3(field::external_force, i)), 0.0);
  }
}

TEST(MagneticCouple, BendsACantileverAsAnEvenCoupleDoes) {
  // E I theta' = M A B (L - s) for small angles: M A B L^3/(3 E I) at the tip.
  MemberSpec spec = magnetised({1e-6, 0, 0});
  spec.boundary.first = EndCondition::clamped;
  spec.rod.elements = 40;
  spec.rod.damping = 3.0;  // about critical for the first mode, as it acts on turns too
  spec.rod.rotational_damping = 3.0;
  spec.time.step = 4e-5;
  TestRod test(spec);
  const double tip = test.advance(500000).end.x;
  const double expected = 2e4 * M_PI * 0.05 * 0.05 * 1e-6 / (3 * 0.8);
  EXPECT_NEAR(tip / expected, 1.0, 1e-3);
}

TEST(MagneticCouple, TurnsAFreeRodIntoTheField) {
  // A stiff rod across a weak field swings as a compass needle: omega^2 = M V B/J.
  MemberSpec spec = magnetised({1e-4, 0, 1e-2});
  spec.rod.bend_stiffness = 800.0;
  spec.time.step = 2e-5;
  TestRod test(spec);
  const double volume = M_PI * 0.05 * 0.05;
  const double inertia = 1000.0 * volume * (1.0 / 12 + 0.05 * 0.05 / 4);
  const double quarter = 0.5 * M_PI / std::sqrt(2e4 * volume * 1e-2 / inertia);
  const auto steps = static_cast<std::int64_t>(std::round(quarter / spec.time.step));
  const Sample sample = test.advance(steps);
  const Vec3 axis = normalized(test.view().vec3(field::position, 12) - test.view().vec3(field::position, 0));
  EXPECT_NEAR(axis.x, 1e-2, 2e-4);  // a quarter of a period after rest it points along the field
  EXPECT_NEAR(norm(sample.momentum), 0.0, 1e-12);
}

}  // namespace
}  // namespace rodeo::cosserat
