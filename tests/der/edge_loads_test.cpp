#include "der/edge_loads.hpp"

#include <gtest/gtest.h>

namespace rodeo::der {
namespace {

constexpr double step = 1e-6;
constexpr Vec3 axes[3] = {{step, 0, 0}, {0, step, 0}, {0, 0, step}};

TEST(DerEdgeLoads, SteadyCoupleHasTheGradientsItSays) {
  const SteadyCouple load{{0.3, -0.7, 0.4}};
  const Vec3 edge = {0.2, 0.5, -0.3};
  const auto at = [](const Vec3& e) { return turned_edge(Quaternion{}, e, 0.0); };
  Vec3 gradient[3];
  Vec3 moment_gradient;
  load.gradients(at(edge), gradient, moment_gradient);
  const double slopes[3] = {moment_gradient.x, moment_gradient.y, moment_gradient.z};
  for (int j = 0; j < 3; ++j) {
    const Vec3 slope = (0.5 / step) * (load.force(at(edge + axes[j])) - load.force(at(edge - axes[j])));
    EXPECT_NEAR(norm(gradient[j] - slope), 0.0, 1e-8);
    EXPECT_NEAR(slopes[j], (load.moment(at(edge + axes[j])) - load.moment(at(edge - axes[j]))) / (2 * step),
                1e-8);
  }
}

TEST(DerEdgeLoads, SteadyCoupleDoesItsWorkOnATurn) {
  // A turn by w moves the end of the edge by w x e and turns the frame by w.t about the tangent.
  const SteadyCouple load{{0.3, -0.7, 0.4}};
  const Vec3 edge = {0.2, 0.5, -0.3};
  const Vec3 turn = {0.02, 0.05, -0.01};
  const TurnedEdge turned = turned_edge(Quaternion{}, edge, 0.0);
  const double work =
      dot(load.force(turned), cross(turn, edge)) + load.moment(turned) * dot(turn, turned.tangent);
  EXPECT_NEAR(work, dot(load.couple, turn), 1e-15);
}

TEST(DerEdgeLoads, TurnDragActsAgainstTheTurnAlone) {
  const Vec3 start = {0.2, 0.5, -0.3};
  const TurnDrag drag{3.0, 0.01, start, start};
  // Stretching is free; a turn at the rate w costs the power drag w^2.
  EXPECT_NEAR(norm(drag.force(1.3 * start)), 0.0, 1e-12);
  const Vec3 rate = normalized(cross(start, {1, 0, 0}));
  const Vec3 velocity = cross(rate, start);
  EXPECT_NEAR(dot(drag.force(start + 0.01 * velocity), velocity), -3.0, 1e-12);

  double gradient[3][3];
  drag.gradient(gradient);
  const Vec3 edge = {0.25, 0.45, -0.2};
  for (int j = 0; j < 3; ++j) {
    const Vec3 slope = (0.5 / step) * (drag.force(edge + axes[j]) - drag.force(edge - axes[j]));
    EXPECT_NEAR(norm(slope - Vec3{gradient[0][j], gradient[1][j], gradient[2][j]}), 0.0, 1e-5);
  }
}

}  // namespace
}  // namespace rodeo::der
