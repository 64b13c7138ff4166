#include "implicit/conserving_terms.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "rodeo/linear/dense.hpp"

#include "tangent/element_and_region.hpp"

namespace rodeo::implicit {
namespace {

using tangent::Draws;
using tangent::eigen;

Vec3 unit(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

/// Derivative of a vector by three numbers, by central differences.
Eigen::Matrix3d differences(const std::function<Vec3(const Vec3&)>& f) {
  constexpr double h = 1e-5;
  Eigen::Matrix3d d;
  for (int k = 0; k < 3; ++k) d.col(k) = eigen((0.5 / h) * (f(h * unit(k)) - f((-h) * unit(k))));
  return d;
}

struct ElementInStep {
  law::ShearStretch<double> law;
  Quaternion frame;
  Vec3 edge;
  Quaternion end_frame;
  Vec3 end_edge;

  explicit ElementInStep(Draws& draws)
      : law{0.1,
            10.0,
            {draws.between(1.0, 30.0), draws.between(1.0, 30.0), draws.between(30.0, 90.0)},
            draws.between(0.9, 1.1)},
        frame(draws.orientation()),
        edge(0.1 * directors(frame).d3 + draws.vec3(0.03)),
        end_frame(frame * rotation(draws.vec3(1.0))),
        end_edge(edge + draws.vec3(0.05)) {}

  tangent::ShearStretch<double> state(const Quaternion& q, const Vec3& e) const {
    return tangent::ShearStretch<double>::at(law, q, e);
  }
  ConservingElement at(const Vec3& edge_step, const Vec3& turn) const {
    const auto end = state(end_frame * rotation(turn), end_edge + edge_step);
    const Vec3 start_stress = state(frame, edge).stress;
    return {directors(frame), start_stress, end, 0.5 * (edge + end_edge + edge_step),
            0.5 * (start_stress + end.stress)};
  }
};

TEST(ConservingTerms, ElementDoesTheWorkOfItsEnergyAndHasNoMoment) {
  Draws draws(1);
  for (int k = 0; k < 20; ++k) {
    const ElementInStep e(draws);
    const ConservingElement element = e.at({}, {});
    const Vec3 eta = directors(e.frame).to_laboratory(cayley_vector(e.frame, e.end_frame));
    const double work = dot(element.force, e.end_edge - e.edge) + dot(element.couple, eta);
    const double change = e.state(e.end_frame, e.end_edge).energy() - e.state(e.frame, e.edge).energy();
    EXPECT_NEAR(work, change, 1e-13);
    EXPECT_LT(norm(cross(0.5 * (e.edge + e.end_edge), element.force) + element.couple), 1e-14);
  }
}

TEST(ConservingTerms, ElementHasTheDerivativesItSays) {
  Draws draws(2);
  for (int k = 0; k < 10; ++k) {
    const ElementInStep e(draws);
    const ConservingElement element = e.at({}, {});
    const auto expect = [](const Matrix3& said, const std::function<Vec3(const Vec3&)>& f) {
      EXPECT_LT((eigen(said) - differences(f)).norm(), 1e-7 * (1.0 + eigen(said).norm()));
    };
    expect(element.force_edge, [&](const Vec3& v) { return e.at(v, {}).force; });
    expect(element.force_turn, [&](const Vec3& v) { return e.at({}, v).force; });
    expect(element.couple_edge, [&](const Vec3& v) { return e.at(v, {}).couple; });
    expect(element.couple_turn, [&](const Vec3& v) { return e.at({}, v).couple; });
  }
}

struct RegionInStep {
  law::BendTwist<double> law;
  Quaternion before;
  Quaternion after;
  Quaternion end_before;
  Quaternion end_after;

  /// Frames that turn together by up to 0.5 rad, and by `step` against each other.
  RegionInStep(Draws& draws, double step)
      : law{10.0,
            {draws.between(0.1, 0.3), draws.between(0.1, 0.3), draws.between(0.1, 0.3)},
            draws.vec3(3.0)},
        before(draws.orientation()),
        after(before * rotation(draws.vec3(0.3))) {
    const Quaternion common = rotation(draws.vec3(0.5));
    end_before = common * before * rotation(draws.vec3(step));
    end_after = common * after * rotation(draws.vec3(step));
  }

  Vec3 relative_turn(const Vec3& first, const Vec3& second) const {
    const auto turned = [](const Quaternion& from, const Quaternion& to) {
      return directors(from).to_laboratory(cayley_vector(from, to));
    };
    return turned(after, end_after * rotation(second)) - turned(before, end_before * rotation(first));
  }

  tangent::BendTwist<double> state(const Quaternion& a, const Quaternion& b) const {
    return tangent::BendTwist<double>::at(law, a, b);
  }
  ConservingRegion at(const Vec3& first, const Vec3& second) const {
    const Quaternion before_last = end_before * rotation(first);
    const Quaternion last = end_after * rotation(second);
    return {state(before, after), state(before_last, last), {before, before_last}, {after, last}};
  }
};

TEST(ConservingTerms, RegionDoesTheWorkOfItsEnergy) {
  Draws draws(3);
  for (int k = 0; k < 20; ++k) {
    const RegionInStep r(draws, 0.3);
    const double change = r.state(r.end_before, r.end_after).energy() - r.state(r.before, r.after).energy();
    EXPECT_NEAR(dot(r.at({}, {}).couple, r.relative_turn({}, {})), change, 1e-13);
  }
}

TEST(ConservingTerms, RegionHasTheDerivativesItSaysButForWhatConservesEnergy) {
  // That part has derivatives of first order in the step.
  for (const double step : {0.1, 0.01, 0.001}) {
    Draws draws(4);
    double worst = 0.0;
    for (int k = 0; k < 10; ++k) {
      const RegionInStep r(draws, step);
      const ConservingRegion region = r.at({}, {});
      const Eigen::Matrix3d before = differences([&](const Vec3& v) { return r.at(v, {}).couple; });
      const Eigen::Matrix3d after = differences([&](const Vec3& v) { return r.at({}, v).couple; });
      worst = std::max({worst, (eigen(region.by_before) - before).norm() / before.norm(),
                        (eigen(region.by_after) - after).norm() / after.norm()});
    }
    EXPECT_LT(worst, 2.0 * step);
  }
}

TEST(ConservingTerms, ATopKeepsItsMomentumAndItsEnergy) {
  const Vec3 inertia = {0.7, 1.3, 1.6};
  const double step = 0.1;
  Quaternion frame = rotation({0.3, -0.8, 0.5});
  Vec3 rate = {2.0, -1.0, 3.0};
  const auto momentum = [&] {
    return directors(frame).to_laboratory({inertia.x * rate.x, inertia.y * rate.y, inertia.z * rate.z});
  };
  const auto energy = [&] {
    return 0.5 * (inertia.x * rate.x * rate.x + inertia.y * rate.y * rate.y + inertia.z * rate.z * rate.z);
  };
  const Vec3 first_momentum = momentum();
  const double first_energy = energy();
  for (int k = 0; k < 500; ++k) {
    Quaternion end = frame * rotation(step * rate);
    int iterations = 0;
    for (double correction = 1.0; correction > 1e-14 && iterations < 8; ++iterations) {
      const ConservingSpin spin(directors(end), rate, cayley_vector(frame, end), inertia, step);
      const Eigen::Vector3d left = eigen(spin.momentum - momentum());
      const Eigen::Vector3d turn = -solved(eigen(spin.by_turn), left);
      end = end * rotation({turn(0), turn(1), turn(2)});
      correction = turn.norm();
    }
    EXPECT_LE(iterations, 6);  // quadratic
    rate = ConservingSpin(directors(end), rate, cayley_vector(frame, end), inertia, step).rate;
    frame = end;
  }
  EXPECT_LT(norm(momentum() - first_momentum), 1e-11);
  EXPECT_NEAR(energy(), first_energy, 1e-11);
}

}  // namespace
}  // namespace rodeo::implicit
