#include <functional>

#include <gtest/gtest.h>

#include "rodeo/law/hinge.hpp"
#include "rodeo/law/shear_stretch.hpp"

namespace rodeo::law {
namespace {

const BasicVec3<double> units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// Central differences of a function of a vector.
Vec3 slopes(const std::function<double(const Vec3&)>& f, const Vec3& at, double step) {
  const auto along = [&](const Vec3& unit) {
    return (f(at + step * unit) - f(at - step * unit)) / (2 * step);
  };
  return {along(units[0]), along(units[1]), along(units[2])};
}

/// Stresses are the derivative of the energy by what strains are made of, and the stiffness that of stresses.
void expect_derivatives(const std::function<Elastic<double>(const Vec3&)>& law, const Vec3& at, double rate,
                        double length) {
  const Vec3 stress = law(at).stress();
  const Vec3 slope = slopes([&](const Vec3& v) { return length * law(v).energy(); }, at, 1e-5);
  EXPECT_LT(norm(slope - stress), 1e-9 * norm(stress));
  const Vec3 stiffness = rate * law(at).stiffness;
  const Vec3 of_stress = {slopes([&](const Vec3& v) { return law(v).stress().x; }, at, 1e-5).x,
                          slopes([&](const Vec3& v) { return law(v).stress().y; }, at, 1e-5).y,
                          slopes([&](const Vec3& v) { return law(v).stress().z; }, at, 1e-5).z};
  EXPECT_LT(norm(of_stress - stiffness), 1e-9 * norm(stiffness));
}

TEST(Law, ForceIsTheDerivativeOfTheEnergyOfShearAndStretch) {
  const ShearStretch<double> law = {0.2, 5.0, {3.0, 4.0, 70.0}, 1.1};
  const Vec3 edge = {0.03, -0.05, 0.24};
  expect_derivatives([&](const Vec3& b) { return law.at(b); }, edge, 1.0, 1.0);
  expect_derivatives([&](const Vec3& b) { return law.at(b, 1.3); }, edge, 1.0, 1.0);
  EXPECT_EQ(norm(law.at({0.0, 0.0, 0.2 * 1.1}).stress()), 0.0);
  EXPECT_NEAR(law.at(edge).stress().z, 70.0 * (0.24 / 0.2 - 1.1), 1e-13);
}

TEST(Law, CoupleIsTheDerivativeOfTheEnergyOfBendAndTwist) {
  const BendTwist<double> law = {5.0, {0.3, 0.4, 0.7}, {0.2, -0.3, 0.5}};
  const Vec3 turn = {0.4, -0.1, 0.3};
  expect_derivatives([&](const Vec3& v) { return law.at(v); }, turn, 5.0, 0.2);
  expect_derivatives([&](const Vec3& v) { return law.at(v, 1.3); }, turn, 5.0, 0.2);
  EXPECT_NEAR(law.at(turn, 2.0).stress().x, 0.3 * (0.4 * 5.0 - 0.2) / 8.0, 1e-15);
}

TEST(Law, EnergyIsThatOfBothParts) {
  const Elastic<double> elastic = {{0.3, -0.2, 0.7}, {2.0, 3.0, 5.0}};
  EXPECT_NEAR(elastic.energy(), elastic.energy_across() + elastic.energy_along(), 1e-15);
  EXPECT_DOUBLE_EQ(elastic.energy_along(), 0.5 * 5.0 * 0.49);
}

TEST(Law, HingesAreAtRestAtTheirNaturalTurn) {
  const BendTwist<double> region = {5.0, {0.3, 0.4, 0.7}, {1.2, -2.3, 1.5}};
  const Quaternion natural = rotation(0.2 * region.rest_curvature);
  for (const CurvatureLaw law : {CurvatureLaw::untwisted, CurvatureLaw::published})
    EXPECT_LT(norm(hinge_law(region, law).at(hinge_turn(natural, law)).strain), 1e-14);
}

TEST(Law, CouplesOfARegionAreTheDerivativeOfItsEnergyByTurns) {
  const BendTwist<double> law = {5.0, {0.3, 0.4, 0.7}, {0.2, -0.3, 0.5}};
  const Quaternion turn = rotation({0.9, -0.6, 1.1});
  const RegionLoad load = region_load(turn, 1.2, law);
  const auto energy = [&](const Quaternion& q) { return 0.2 * law.at(rotation_vector(q), 1.2).energy(); };
  const Vec3 after = slopes([&](const Vec3& v) { return energy(turn * rotation(v)); }, {}, 1e-5);
  const Vec3 before = slopes([&](const Vec3& v) { return energy(conjugate(rotation(v)) * turn); }, {}, 1e-5);
  EXPECT_LT(norm(load.couple - load.transport - after), 1e-9);
  EXPECT_LT(norm(load.couple + load.transport + before), 1e-9);
}

}  // namespace
}  // namespace rodeo::law
