#include "rodeo/tangent/shear_stretch.hpp"

#include <gtest/gtest.h>

#include "rodeo/math/pack.hpp"

#include "element_and_region.hpp"
#include "finite_differences.hpp"

namespace rodeo::tangent {
namespace {

struct TestElement {
  law::ShearStretch<double> law;
  Quaternion orientation;
  Vec3 edge;

  explicit TestElement(Draws& draws) {
    const double length = draws.between(0.01, 0.5);
    law = {length,
           1 / length,
           {draws.between(1.0, 30.0), draws.between(1.0, 30.0), draws.between(30.0, 90.0)},
           draws.between(0.7, 1.3)};
    orientation = draws.orientation();
    edge = length * (directors(orientation).d3 + draws.vec3(0.6));
  }

  ShearStretch<double> state() const { return ShearStretch<double>::at(law, orientation, edge); }

  /// The energy after a step of the edge (in rest lengths) and a turn.
  long double energy(const std::array<long double, 6>& step) const {
    const auto part = [](double x) { return static_cast<long double>(x); };
    const LongQuaternion q = product({orientation.w, orientation.x, orientation.y, orientation.z},
                                     exponential({step[3], step[4], step[5]}));
    const LongVec3 b = to_body(q, {edge.x + law.rest_length * step[0], edge.y + law.rest_length * step[1],
                                   edge.z + law.rest_length * step[2]});
    const long double l = law.rest_length;
    const long double z = b[2] - l * part(law.natural_stretch);
    return (part(law.stiffness.x) * b[0] * b[0] + part(law.stiffness.y) * b[1] * b[1] +
            part(law.stiffness.z) * z * z) /
           (2 * l);
  }
};

TEST(ShearStretch, DerivativesAreThoseOfTheEnergy) {
  Draws draws(1);
  for (int k = 0; k < 40; ++k) {
    const TestElement element(draws);
    const FiniteDifferences<6> differences{[&](const auto& step) { return element.energy(step); }};
    const ShearStretch<double> state = element.state();
    EXPECT_NEAR(state.energy(), static_cast<double>(element.energy({})), 1e-14 * state.energy());
    const double l = element.law.rest_length;
    const ElementGradient<double> g = state.gradient();
    const Eigen::VectorXd gradient = joined(l * eigen(g.edge), eigen(g.turn));
    const Eigen::VectorXd expected = differences.gradient();
    EXPECT_LT((gradient - expected).norm(), 1e-11 * expected.norm());
    const ElementHessian<double> h = state.hessian();
    const Eigen::MatrixXd hessian =
        joined(l * l * eigen(h.edge_edge), l * eigen(h.edge_turn).transpose(), eigen(h.turn_turn));
    const Eigen::MatrixXd second = differences.hessian();
    EXPECT_LT((hessian - second).norm(), 1e-9 * second.norm());
  }
}

TEST(ShearStretch, PredictionIsTheStressToFirstOrder) {
  Draws draws(2);
  for (int k = 0; k < 10; ++k) {
    const TestElement element(draws);
    const Vec3 step = element.law.rest_length * draws.vec3(1.0);
    const Vec3 turn = draws.vec3(1.0);
    const auto error = [&](double part) {
      TestElement moved = element;
      moved.edge = element.edge + part * step;
      moved.orientation = element.orientation * rotation(part * turn);
      return norm(moved.state().stress - element.state().predicted(part * step, part * turn));
    };
    EXPECT_NEAR(error(1e-3) / error(5e-4), 4.0, 0.02);
  }
}

TEST(ShearStretch, OnlyTheGeometricTermsHaveTheStressThatIsGiven) {
  Draws draws(3);
  const TestElement element(draws);
  const ShearStretch<double> state = element.state();
  const Vec3 p = draws.vec3(5.0);
  const ElementHessian<double> of_none = state.hessian(Vec3{});
  const ElementHessian<double> h = state.hessian(p);
  const Vec3& b = state.body_edge;
  EXPECT_LT((eigen(h.edge_edge) - eigen(of_none.edge_edge)).norm(), 1e-14);
  const Matrix3 edge_turn = of_none.edge_turn - to_laboratory_matrix(state.frame) * cross_matrix(p);
  EXPECT_LT((eigen(h.edge_turn) - eigen(edge_turn)).norm(), 1e-12);
  const Eigen::Matrix3d turn_turn =
      eigen(of_none.turn_turn) + eigen(symmetric_part(outer(p, b))) - dot(p, b) * Eigen::Matrix3d::Identity();
  EXPECT_LT((eigen(h.turn_turn) - turn_turn).norm(), 1e-12);
}

TEST(ShearStretch, LanesOfPacksAreElements) {
  Draws draws(4);
  std::vector<TestElement> elements;
  for (int lane = 0; lane < 8; ++lane) elements.emplace_back(draws);
  law::ShearStretch<DoublePack> law;
  BasicQuaternion<DoublePack> q;
  BasicVec3<DoublePack> edge;
  for (int lane = 0; lane < 8; ++lane) {
    const TestElement& e = elements[static_cast<std::size_t>(lane)];
    law.rest_length.set(lane, e.law.rest_length);
    law.inverse_rest_length.set(lane, e.law.inverse_rest_length);
    law.stiffness.x.set(lane, e.law.stiffness.x);
    law.stiffness.y.set(lane, e.law.stiffness.y);
    law.stiffness.z.set(lane, e.law.stiffness.z);
    law.natural_stretch.set(lane, e.law.natural_stretch);
    q.w.set(lane, e.orientation.w);
    q.x.set(lane, e.orientation.x);
    q.y.set(lane, e.orientation.y);
    q.z.set(lane, e.orientation.z);
    edge.x.set(lane, e.edge.x);
    edge.y.set(lane, e.edge.y);
    edge.z.set(lane, e.edge.z);
  }
  const ElementHessian<DoublePack> h = ShearStretch<DoublePack>::at(law, q, edge).hessian();
  for (int lane = 0; lane < 8; ++lane) {
    const ElementHessian<double> expected = elements[static_cast<std::size_t>(lane)].state().hessian();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(h.edge_edge(i, j)[lane], expected.edge_edge(i, j), 1e-9);
        EXPECT_NEAR(h.edge_turn(i, j)[lane], expected.edge_turn(i, j), 1e-11);
        EXPECT_NEAR(h.turn_turn(i, j)[lane], expected.turn_turn(i, j), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace rodeo::tangent
