#include <gtest/gtest.h>

#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/follower_load.hpp"

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
    const law::BendTwist<double> law = {
        draws.between(2.0, 20.0),
        {draws.between(0.1, 3.0), draws.between(0.1, 3.0), draws.between(0.1, 3.0)},
        draws.vec3(5.0)};
    const Quaternion before = draws.orientation();
    const Quaternion after = before * rotation(draws.between(0.1, 2.5) * draws.unit());
    const BendTwist<double> state = BendTwist<double>::at(law, before, after);
    const Vec3 couple = directors(after).to_laboratory(state.gradient().after);
    const FixedCoupleTerms<double> terms = fixed_couple(after, couple);
    EXPECT_LT(norm(state.gradient().after + terms.gradient), 1e-13 * norm(couple));
    const Eigen::Matrix3d sum = eigen(state.hessian().after_after) + eigen(terms.turn_turn);
    const Eigen::Matrix3d expected = jacobian([&](const Vec3& turn) {
      const Quaternion turned = after * rotation(turn);
      return BendTwist<double>::at(law, before, turned).gradient().after +
             fixed_couple(turned, couple).gradient;
    });
    EXPECT_LT((sum - expected).norm(), 1e-9 * expected.norm());
  }
}

}  // namespace
}  // namespace rodeo::tangent
