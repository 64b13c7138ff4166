#include <gtest/gtest.h>

#include "rodeo/forces/surface.hpp"
#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/follower_load.hpp"
#include "rodeo/tangent/soft_surface.hpp"

#include "element_and_region.hpp"
#include "finite_differences.hpp"

namespace rodeo::tangent {
namespace {

/// Central differences of a vector of three by three numbers, with two extrapolations.
template <class Function>
Eigen::Matrix3d jacobian(const Function& function) {
  Eigen::Matrix3d result;
  for (int j = 0; j < 3; ++j) {
    const auto difference = [&](double h) {
      const Vec3 step = {j == 0 ? h : 0.0, j == 1 ? h : 0.0, j == 2 ? h : 0.0};
      const Eigen::Vector3d plus = eigen(function(step));
      return Eigen::Vector3d((plus - eigen(function(-1.0 * step))) / (2 * h));
    };
    const Eigen::Vector3d a = difference(4e-3);
    const Eigen::Vector3d b = difference(2e-3);
    const Eigen::Vector3d c = difference(1e-3);
    const Eigen::Vector3d ab = b + (b - a) / 3;
    const Eigen::Vector3d bc = c + (c - b) / 3;
    result.col(j) = bc + (bc - ab) / 15;
  }
  return result;
}

template <class Surface>
void expect_derivatives(const Surface& surface, const Vec3& middle, double radius) {
  constexpr double stiffness = 70.0;
  const SurfaceSpring spring = surface_spring(surface, stiffness, radius, middle);
  ASSERT_GT(spring.energy, 0.0);
  // As the springs of explicit steps press.
  const forces::SurfacePoint point = surface.nearest(middle, {});
  EXPECT_LT(norm(spring.gradient + stiffness * (radius - point.height) * point.normal), 1e-12);
  const auto energy = [&](const Vec3& step) {
    return surface_spring(surface, stiffness, radius, middle + step).energy;
  };
  const auto of = [&](double x, double y, double z) { return energy({x, y, z}); };
  constexpr double h = 1e-4;
  const auto difference = [&](double by) {
    return (1 / (2 * by)) *
           Vec3{of(by, 0, 0) - of(-by, 0, 0), of(0, by, 0) - of(0, -by, 0), of(0, 0, by) - of(0, 0, -by)};
  };
  const Vec3 slope = (1.0 / 3.0) * (4.0 * difference(h) - difference(2.0 * h));
  EXPECT_LT(norm(spring.gradient - slope), 1e-8 * norm(slope));
  const Eigen::Matrix3d expected = jacobian(
      [&](const Vec3& step) { return surface_spring(surface, stiffness, radius, middle + step).gradient; });
  EXPECT_LT((eigen(spring.hessian) - expected).norm(), 1e-9 * expected.norm());
}

TEST(SoftSurface, DerivativesAreThoseOfTheEnergy) {
  Draws draws(1);
  for (int k = 0; k < 10; ++k) {
    const Vec3 normal = draws.unit();
    const Vec3 axis = draws.unit();
    const Vec3 across = normalized(normal - dot(normal, axis) * axis);
    expect_derivatives(forces::Plane{normal, 0.3}, 0.35 * normal + draws.vec3(0.02), 0.2);
    const Vec3 centre = draws.vec3(1.0);
    expect_derivatives(forces::RoundSurface{centre, {}, 0.5, 1.0}, centre + 0.6 * normal, 0.2);
    expect_derivatives(forces::RoundSurface{centre, {}, 0.5, -1.0}, centre + 0.4 * normal, 0.2);
    expect_derivatives(forces::RoundSurface{centre, axis, 0.5, 1.0}, centre + 0.6 * across + 2.0 * axis, 0.2);
    expect_derivatives(forces::RoundSurface{centre, axis, 0.5, -1.0}, centre + 0.4 * across + 2.0 * axis,
                       0.2);
  }
}

TEST(SoftSurface, DoesNotPull) {
  const SurfaceSpring spring = surface_spring(forces::Plane{{0, 0, 1}, 0.0}, 70.0, 0.1, {0.3, 0.2, 0.1001});
  EXPECT_EQ(spring.energy, 0.0);
  EXPECT_EQ(norm(spring.gradient), 0.0);
  EXPECT_EQ(eigen(spring.hessian).norm(), 0.0);
}

TEST(FollowerLoad, ForceTurnsWithTheElement) {
  Draws draws(2);
  const Quaternion q = draws.orientation();
  const Vec3 force = draws.vec3(3.0);
  const FollowerForceTerms<double> terms = follower_force(q, force);
  EXPECT_LT(norm(terms.gradient + directors(q).to_laboratory(force)), 1e-15);
  const Eigen::Matrix3d expected =
      jacobian([&](const Vec3& turn) { return follower_force(q * rotation(turn), force).gradient; });
  EXPECT_LT((eigen(terms.node_turn) - expected).norm(), 1e-10 * expected.norm());
}

TEST(FollowerLoad, FixedCoupleAndHessianAreTheDerivativeInEquilibrium) {
  Draws draws(3);
  for (int k = 0; k < 10; ++k) {
    const BendTwistLaw<double> law = {
        draws.between(2.0, 20.0),
        {draws.between(0.1, 3.0), draws.between(0.1, 3.0), draws.between(0.1, 3.0)},
        draws.vec3(5.0)};
    const Quaternion before = draws.orientation();
    const Quaternion after = before * rotation(draws.between(0.1, 2.5) * draws.unit());
    const BendTwist<double> state = law.at(before, after);
    const Vec3 couple = directors(after).to_laboratory(state.gradient().after);
    const FixedCoupleTerms<double> terms = fixed_couple(after, couple);
    EXPECT_LT(norm(state.gradient().after + terms.gradient), 1e-13 * norm(couple));
    const Eigen::Matrix3d sum = eigen(state.hessian().after_after) + eigen(terms.turn_turn);
    const Eigen::Matrix3d expected = jacobian([&](const Vec3& turn) {
      const Quaternion turned = after * rotation(turn);
      return law.at(before, turned).gradient().after + fixed_couple(turned, couple).gradient;
    });
    EXPECT_LT((sum - expected).norm(), 1e-9 * expected.norm());
  }
}

}  // namespace
}  // namespace rodeo::tangent
