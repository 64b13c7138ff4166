#include "der/hinge.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "rodeo/der/hinge_law.hpp"

#include "der/stretching.hpp"

namespace rodeo::der {
namespace {

/// Two edges far from the frames they had at the start of a step, whose own frames are far apart too.
struct TestHinge {
  Quaternion start_before = rotation({0.3, -0.5, 0.9});
  Quaternion start_after = start_before * rotation({0.4, 0.7, -1.1});

  /// The relative frame at q: edge before, edge after, their angles.
  RelativeFrame at(const double (&q)[hinge_size], TurnedEdge& before, TurnedEdge& after) const {
    before = turned_edge(start_before, {q[0], q[1], q[2]}, q[6]);
    after = turned_edge(start_after, {q[3], q[4], q[5]}, q[7]);
    return relative_frame(conjugate(start_before) * start_after, before, after);
  }
};

/// Degrees of freedom near the start, but moved by much.
void fill(const TestHinge& hinge, double (&q)[hinge_size]) {
  const Vec3 before = 0.7 * directors(hinge.start_before * rotation({0.3, 0.2, 0})).d3;
  const Vec3 after = 1.3 * directors(hinge.start_after * rotation({-0.2, 0.5, 0})).d3;
  const double values[hinge_size] = {before.x, before.y, before.z, after.x, after.y, after.z, 0.4, -0.3};
  std::copy(values, values + hinge_size, q);
}

using Energy = std::function<double(const double (&)[4])>;
using Derivatives = std::function<void(const double (&)[4], FrameDerivatives&)>;

/// Gradient against differences of the energy, and Hessian against differences of the gradient, to 1e-6 of
/// their largest entry.
void check_derivatives(const TestHinge& hinge, const Energy& energy, const Derivatives& add) {
  double q[hinge_size];
  fill(hinge, q);
  TurnedEdge before;
  TurnedEdge after;
  const auto gradient_at = [&](const double(&at)[hinge_size], double(&gradient)[hinge_size]) {
    const RelativeFrame r = hinge.at(at, before, after);
    FrameDerivatives d;
    add(r.value, d);
    hinge_gradient(before, after, r, d, gradient);
  };
  double gradient[hinge_size];
  gradient_at(q, gradient);
  const RelativeFrame r = hinge.at(q, before, after);
  FrameDerivatives d;
  add(r.value, d);
  double hessian[hinge_size][hinge_size];
  hinge_hessian(before, after, r, d, hessian);

  constexpr double step = 1e-6;
  double largest_slope = 0.0;
  double largest_curvature = 0.0;
  for (int i = 0; i < hinge_size; ++i) {
    largest_slope = std::max(largest_slope, std::abs(gradient[i]));
    for (int j = 0; j < hinge_size; ++j)
      largest_curvature = std::max(largest_curvature, std::abs(hessian[i][j]));
  }
  for (int i = 0; i < hinge_size; ++i) {
    double ahead[hinge_size];
    double behind[hinge_size];
    std::copy(q, q + hinge_size, ahead);
    std::copy(q, q + hinge_size, behind);
    ahead[i] += step;
    behind[i] -= step;
    const double slope =
        (energy(hinge.at(ahead, before, after).value) - energy(hinge.at(behind, before, after).value)) /
        (2 * step);
    EXPECT_NEAR(gradient[i], slope, 1e-6 * largest_slope) << "entry " << i;
    double gradient_ahead[hinge_size];
    double gradient_behind[hinge_size];
    gradient_at(ahead, gradient_ahead);
    gradient_at(behind, gradient_behind);
    for (int j = 0; j < hinge_size; ++j) {
      EXPECT_NEAR(hessian[i][j], (gradient_ahead[j] - gradient_behind[j]) / (2 * step),
                  1e-6 * largest_curvature)
          << "entry " << i << ", " << j;
    }
  }
}

/// Frames far apart, nearly along each other, and almost half a turn of twist apart.
void check_derivatives(const Energy& energy, const Derivatives& add) {
  for (const Vec3& turn : {Vec3{0.4, 0.7, -1.1}, Vec3{1e-6, 0, 0}, Vec3{0.2, 0.1, 2.2}}) {
    TestHinge hinge;
    hinge.start_after = hinge.start_before * rotation(turn);
    check_derivatives(hinge, energy, add);
  }
}

TEST(DerHinge, BendingDerivatives) {
  for (const CurvatureLaw of : {CurvatureLaw::untwisted, CurvatureLaw::published}) {
    const HingeLaw law = {{0.8, {2.5, 1.6, 0.0}, {0.3, -0.2, 0.0}}, of};
    check_derivatives([&](const double(&r)[4]) { return law.at(r).energy_across() / 0.8; },
                      [&](const double(&r)[4], FrameDerivatives& d) { law.add(r, d); });
  }
}

TEST(DerHinge, TwistingDerivatives) {
  const HingeLaw law = {{0.8, {0.0, 0.0, 1.7}, {0.0, 0.0, 0.4}}};
  check_derivatives([&](const double(&r)[4]) { return law.at(r).energy_along() / 0.8; },
                    [&](const double(&r)[4], FrameDerivatives& d) { law.add(r, d); });
}

/// Equations 2 to 4 as they are printed, with the frames and the transport from one edge to the next in the
/// open.
TEST(DerHinge, StrainsAreThoseOfThePaper) {
  const TestHinge hinge;
  double q[hinge_size];
  fill(hinge, q);
  TurnedEdge before;
  TurnedEdge after;
  const RelativeFrame r = hinge.at(q, before, after);
  const Directors m = directors(turned_frame(hinge.start_before, before));
  const Directors n = directors(turned_frame(hinge.start_after, after));
  EXPECT_NEAR(norm(m.d3 - before.tangent), 0.0, 1e-14);
  EXPECT_NEAR(norm(n.d3 - after.tangent), 0.0, 1e-14);

  const Vec3 binormal = (2.0 / (1.0 + dot(m.d3, n.d3))) * cross(m.d3, n.d3);
  const Curvature k = curvature(r.value, CurvatureLaw::published);
  EXPECT_NEAR(k.value[0], 0.5 * dot(m.d1 + n.d1, binormal), 1e-14);
  EXPECT_NEAR(k.value[1], 0.5 * dot(m.d2 + n.d2, binormal), 1e-14);

  const Vec3 axis = normalized(binormal);
  const Vec3 carried = dot(m.d1, axis) * axis + dot(m.d1, cross(axis, m.d3)) * cross(axis, n.d3);
  const Vec3 rest = m.d1 - dot(m.d1, axis) * axis - dot(m.d1, cross(axis, m.d3)) * cross(axis, m.d3);
  EXPECT_NEAR(norm(rest), 0.0, 1e-14);  // d1 has no part along the tangent
  EXPECT_NEAR(twist(r.value), std::atan2(dot(cross(carried, n.d1), n.d3), dot(carried, n.d1)), 1e-14);
}

TEST(DerHinge, CurvatureDoesNotDependOnTheTwist) {
  constexpr double turning = 0.4;
  for (const double twist_angle : {0.0, 0.3, -1.2, 2.5}) {
    const Quaternion midway = rotation({0, 0, 0.5 * twist_angle});
    const Quaternion q = midway * rotation({turning * 0.6, turning * 0.8, 0}) * midway;
    const double r[4] = {q.w, q.x, q.y, q.z};
    EXPECT_NEAR(twist(r), twist_angle, 1e-14);
    const Curvature k = curvature(r, CurvatureLaw::untwisted);
    const Curvature published = curvature(r, CurvatureLaw::published);
    const double expected[2] = {2.0 * std::tan(0.5 * turning) * 0.6, 2.0 * std::tan(0.5 * turning) * 0.8};
    for (int j = 0; j < 2; ++j) {
      EXPECT_NEAR(k.value[j], expected[j], 1e-14) << twist_angle;
      EXPECT_NEAR(published.value[j], std::cos(0.5 * twist_angle) * expected[j], 1e-14) << twist_angle;
    }
  }
}

TEST(DerHinge, TransportIsTheSmallestRotation) {
  const Quaternion start = rotation({0.3, -0.5, 0.9});
  const Vec3 tangent = directors(start * rotation({0.6, -0.8, 0})).d3;
  const Quaternion turned = turned_frame(start, turned_edge(start, 0.3 * tangent, 0.0));
  EXPECT_NEAR(norm(rotation_vector(conjugate(start) * turned) - Vec3{0.6, -0.8, 0}), 0.0, 1e-14);
}

TEST(DerStretching, Derivatives) {
  const Stretching law = {{0.4, 1.0 / 0.4, {0.0, 0.0, 30.0}, 0.9}};
  const Vec3 edge = {0.1, 0.3, -0.25};
  constexpr double step = 1e-6;
  const auto at = [](const Vec3& e) { return turned_edge(Quaternion{}, e, 0.0); };
  double hessian[3][3];
  law.hessian(at(edge), hessian);
  const Vec3 gradient = law.gradient(at(edge));
  const Vec3 axes[3] = {{step, 0, 0}, {0, step, 0}, {0, 0, step}};
  const double slopes[3] = {gradient.x, gradient.y, gradient.z};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(slopes[i], (law.energy(edge + axes[i]) - law.energy(edge - axes[i])) / (2 * step), 1e-7);
    const Vec3 row = (0.5 / step) * (law.gradient(at(edge + axes[i])) - law.gradient(at(edge - axes[i])));
    EXPECT_NEAR(norm(row - Vec3{hessian[i][0], hessian[i][1], hessian[i][2]}), 0.0, 1e-6 * 75.0);
  }
}

}  // namespace
}  // namespace rodeo::der
