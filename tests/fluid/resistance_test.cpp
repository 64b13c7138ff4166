#include "rodeo/fluid/resistance.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/linear/dense.hpp"
#include "rodeo/math/host_threads.hpp"

#include "fluid/mobility_matrix.hpp"

namespace rodeo::fluid {
namespace {

/// Two helices that turn about their axes, bend and drift, at a time.
struct MovingHelices {
  int nodes_each = 30;

  std::vector<Filament> filaments() const {
    return std::vector<Filament>(
        2, {nodes_each, std::vector<double>(static_cast<std::size_t>(nodes_each) - 1, 1e-3)});
  }

  Vec3 place(int node, double time) const {
    const int rod = node / nodes_each;
    const double s = 0.005 * (node % nodes_each);
    const double angle = 80.0 * s + 3.0 * time;
    return {s + 0.01 * time, 0.01 * std::cos(angle) + 0.03 * rod + 2.0 * time * s * s,
            0.01 * std::sin(angle) + 0.002 * std::sin(5 * time + rod)};
  }

  NodeVectors positions(double time) const {
    NodeVectors position(2 * nodes_each);
    for (int i = 0; i < position.nodes(); ++i) position.set(i, place(i, time));
    return position;
  }

  NodeVectors velocities(double time) const {
    constexpr double step = 1e-3;
    NodeVectors velocity(2 * nodes_each);
    for (int i = 0; i < velocity.nodes(); ++i)
      velocity.set(i, (1 / step) * (place(i, time) - place(i, time - step)));
    return velocity;
  }
};

Eigen::MatrixXd matrix_at(const MovingHelices& helices, MobilityKind kind, double time) {
  Mobility mobility(helices.filaments(), kind);
  mobility.assemble(helices.positions(time));
  return matrix_of(mobility);
}

TEST(Resistance, AgreesWithTheDirectSolution) {
  for (const MobilityKind kind : {MobilityKind::full, MobilityKind::lower_triangle}) {
    for (const double tolerance : {1e-4, 1e-6, 1e-10}) {
      const MovingHelices helices;
      Resistance resistance(helices.filaments(), kind, tolerance);
      for (int step = 0; step < 40; ++step) {
        const double time = 1e-3 * step;
        const NodeVectors velocity = helices.velocities(time);
        resistance.solve(helices.positions(time), velocity);
        if (step % 10 != 9) continue;
        const Eigen::MatrixXd matrix = matrix_at(helices, kind, time);
        const Eigen::VectorXd v = vector_of(velocity);
        const Eigen::VectorXd f = vector_of(resistance.force());
        ASSERT_LE((matrix * f - v).norm(), 1.001 * tolerance * v.norm()) << step;
        const Eigen::VectorXd direct = solved(matrix, v);
        ASSERT_LT((f - direct).norm(), 20 * tolerance * direct.norm()) << step;
      }
      EXPECT_EQ(resistance.counts().solves, 40);
      EXPECT_LT(resistance.counts().factorizations, 5);
      EXPECT_LT(resistance.counts().iterations, 4 * 40);
    }
  }
}

/// Where the rods jump, no solution before and no factors of before help.
TEST(Resistance, RecoversFromJumps) {
  const MovingHelices helices;
  Resistance resistance(helices.filaments(), MobilityKind::full, 1e-10);
  for (const double time : {0.0, 1.0, 0.3, 2.0}) {
    const NodeVectors velocity = helices.velocities(time);
    resistance.solve(helices.positions(time), velocity);
    const Eigen::VectorXd v = vector_of(velocity);
    const Eigen::VectorXd f = vector_of(resistance.force());
    EXPECT_LE((matrix_at(helices, MobilityKind::full, time) * f - v).norm(), 1.001e-10 * v.norm());
  }
}

/// Factors are made anew as they age: what they cost then stays bounded.
TEST(Resistance, RenewsItsFactors) {
  const MovingHelices helices;
  Resistance resistance(helices.filaments(), MobilityKind::full, 1e-10);
  for (int step = 0; step < 300; ++step) {
    const double time = 0.01 * step;
    resistance.solve(helices.positions(time), helices.velocities(time));
  }
  EXPECT_GT(resistance.counts().factorizations, 5);
  EXPECT_LT(resistance.counts().factorizations, 150);
  EXPECT_LT(resistance.counts().iterations, 300 * 12);
}

TEST(Resistance, IsTheSameForAnyNumberOfThreads) {
  const MovingHelices helices{.nodes_each = 140};
  Resistance many(helices.filaments(), MobilityKind::full, 1e-6);
  Resistance one(helices.filaments(), MobilityKind::full, 1e-6);
  for (int step = 0; step < 10; ++step) {
    const NodeVectors position = helices.positions(1e-3 * step);
    const NodeVectors velocity = helices.velocities(1e-3 * step);
    many.solve(position, velocity);
    share_among_threads(1, [&](int) { one.solve(position, velocity); });
    EXPECT_EQ(many.force().entries(), one.force().entries());
  }
}

TEST(Resistance, KnowsRestAndNoNumbers) {
  const MovingHelices helices;
  Resistance resistance(helices.filaments(), MobilityKind::full, 1e-6);
  const NodeVectors rest(2 * helices.nodes_each);
  resistance.solve(helices.positions(0.0), rest);
  EXPECT_EQ(resistance.force().entries(), rest.entries());

  NodeVectors broken = helices.positions(0.0);
  broken.component(1)[4] = std::numeric_limits<double>::quiet_NaN();
  resistance.solve(broken, helices.velocities(0.0));
  EXPECT_TRUE(std::isnan(resistance.force().component(0)[0]));

  resistance.solve(helices.positions(0.0), helices.velocities(0.0));
  EXPECT_TRUE(std::isfinite(resistance.force().component(0)[0]));
}

}  // namespace
}  // namespace rodeo::fluid
