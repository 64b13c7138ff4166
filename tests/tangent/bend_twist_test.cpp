#include "rodeo/tangent/bend_twist.hpp"

#include <gtest/gtest.h>

#include "element_and_region.hpp"
#include "finite_differences.hpp"

namespace rodeo::tangent {
namespace {

/// Frames an angle apart, with a natural curvature.
struct TestRegion {
  law::BendTwist<double> law;
  Quaternion before;
  Quaternion after;

  TestRegion(Draws& draws, double angle) {
    law = {1 / draws.between(0.02, 0.5),
           {draws.between(0.1, 3.0), draws.between(0.1, 3.0), draws.between(0.1, 3.0)},
           draws.vec3(5.0)};
    before = draws.orientation();
    after = before * rotation(angle * draws.unit());
  }

  BendTwist<double> state() const { return BendTwist<double>::at(law, before, after); }

  /// The energy after turns of both frames.
  long double energy(const std::array<long double, 6>& step) const {
    const LongQuaternion a =
        product({before.w, before.x, before.y, before.z}, exponential({step[0], step[1], step[2]}));
    const LongQuaternion c =
        product({after.w, after.x, after.y, after.z}, exponential({step[3], step[4], step[5]}));
    const LongVec3 theta = logarithm(product(inverse(a), c));
    const long double per_length = law.inverse_rest_voronoi;
    const long double x = theta[0] * per_length - law.rest_curvature.x;
    const long double y = theta[1] * per_length - law.rest_curvature.y;
    const long double z = theta[2] * per_length - law.rest_curvature.z;
    return (law.stiffness.x * x * x + law.stiffness.y * y * y + law.stiffness.z * z * z) / (2 * per_length);
  }
};

constexpr double angles[] = {0.0, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.99, 1.01, 1.7, 2.4, 3.0, 3.1};

TEST(BendTwist, DerivativesAreThoseOfTheEnergy) {
  Draws draws(1);
  for (const double angle : angles) {
    for (int k = 0; k < 10; ++k) {
      const TestRegion region(draws, angle);
      const FiniteDifferences<6> differences{[&](const auto& step) { return region.energy(step); }};
      const BendTwist<double> state = region.state();
      EXPECT_NEAR(state.energy(), static_cast<double>(region.energy({})), 1e-13 * state.energy());
      const RegionGradient<double> g = state.gradient();
      const Eigen::VectorXd gradient = joined(eigen(g.before), eigen(g.after));
      const Eigen::VectorXd expected = differences.gradient();
      EXPECT_LT((gradient - expected).norm(), 1e-11 * expected.norm()) << angle;
      const RegionHessian<double> h = state.hessian();
      const Eigen::MatrixXd hessian =
          joined(eigen(h.before_before), eigen(h.after_before), eigen(h.after_after));
      const Eigen::MatrixXd second = differences.hessian();
      EXPECT_LT((hessian - second).norm(), 1e-9 * second.norm()) << angle;
    }
  }
}

TEST(BendTwist, CouplesAreThoseOfExplicitSteps) {
  Draws draws(2);
  for (const double angle : angles) {
    const TestRegion region(draws, angle);
    const law::RegionLoad load = law::region_load(conjugate(region.before) * region.after, 1.0, region.law);
    const RegionGradient<double> g = region.state().gradient();
    const double size = norm(load.couple);
    EXPECT_LT(norm(g.before + (load.transport + load.couple)), 1e-13 * size);
    EXPECT_LT(norm(g.after + (load.transport - load.couple)), 1e-13 * size);
  }
}

TEST(BendTwist, CoefficientOfTheLogIsItsClosedForm) {
  for (double angle = 0.0; angle < 3.1415; angle += 0.01) {
    const LogCoefficient<double> c(angle * angle);
    // (1 - h cot h)/theta^2 and its derivative over theta, by series where they would cancel.
    const long double x = static_cast<long double>(angle) * angle;
    const long double h = static_cast<long double>(angle) / 2;
    long double value = 1.0L / 12 + x / 720 + x * x / 30240 + x * x * x / 1209600 + x * x * x * x / 47900160;
    long double slope = 2 * (1.0L / 720 + x / 15120 + x * x / 403200 + x * x * x / 11975040 +
                             x * x * x * x * 691 * 5 / 1307674368000);
    if (angle > 0.2) {
      value = (1 - h / std::tan(h)) / x;
      const long double sine = std::sin(h);
      slope = ((h / (sine * sine) - 1 / std::tan(h)) / (2 * 2 * h) - 2 * value) / x;
    }
    EXPECT_NEAR(c.value, static_cast<double>(value), 1e-15) << angle;
    EXPECT_NEAR(c.slope, static_cast<double>(slope), 1e-15) << angle;
  }
}

TEST(BendTwist, PredictionIsTheCoupleToFirstOrder) {
  Draws draws(3);
  for (int k = 0; k < 10; ++k) {
    const TestRegion region(draws, 1.3);
    const Vec3 before = draws.vec3(1.0);
    const Vec3 after = draws.vec3(1.0);
    const auto error = [&](double part) {
      TestRegion moved = region;
      moved.before = region.before * rotation(part * before);
      moved.after = region.after * rotation(part * after);
      return norm(moved.state().couple - region.state().predicted(part * before, part * after));
    };
    EXPECT_NEAR(error(1e-3) / error(5e-4), 4.0, 0.05);
  }
}

TEST(BendTwist, HessianIsLinearInTheCoupleThatIsGiven) {
  Draws draws(4);
  const BendTwist<double> state = TestRegion(draws, 2.0).state();
  const RegionHessian<double> material = state.hessian(Vec3{});
  const RegionHessian<double> h = state.hessian();
  const RegionHessian<double> twice = state.hessian(2.0 * state.couple);
  const auto expect = [](const Matrix3& none, const Matrix3& once, const Matrix3& two) {
    EXPECT_LT((eigen(two) - 2 * eigen(once) + eigen(none)).norm(), 1e-12 * eigen(two).norm());
    EXPECT_GT((eigen(once) - eigen(none)).norm(), 1e-3 * eigen(once).norm());
  };
  expect(material.before_before, h.before_before, twice.before_before);
  expect(material.after_before, h.after_before, twice.after_before);
  expect(material.after_after, h.after_after, twice.after_after);
}

}  // namespace
}  // namespace rodeo::tangent
