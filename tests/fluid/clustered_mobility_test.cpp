#include "rodeo/fluid/clustered_mobility.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/fluid/resistance.hpp"
#include "rodeo/fluid/rodwise_inverse.hpp"
#include "rodeo/linear/gmres.hpp"
#include "rodeo/math/host_threads.hpp"

namespace rodeo::fluid {
namespace {

/// Helices along x that stand in a square, turn and bend.
struct Carpet {
  int side = 4;
  int nodes_each = 34;
  double spacing = 0.03;   ///< m
  double shrinking = 0.0;  ///< of the regularisation along a rod

  int rods() const { return side * side; }
  int nodes() const { return rods() * nodes_each; }

  std::vector<Filament> filaments() const {
    Filament filament{nodes_each, {}};
    for (int i = 1; i < nodes_each; ++i)
      filament.regularizations.push_back(1e-3 * (1.0 - shrinking * i / nodes_each));
    return std::vector<Filament>(static_cast<std::size_t>(rods()), filament);
  }

  Vec3 place(int node, double time) const {
    const int rod = node / nodes_each;
    const double s = 0.003 * (node % nodes_each);
    const double angle = 125.0 * s - 1.6 * time * (1.0 + 0.1 * std::sin(rod));
    const double bend = 3.0 * std::sin(0.7 * time + rod) * s * s;
    return {s, 0.01 * std::cos(angle) + spacing * (rod % side) + bend,
            0.01 * std::sin(angle) + spacing * (rod / side)};
  }

  NodeVectors positions(double time) const {
    NodeVectors position(nodes());
    for (int i = 0; i < position.nodes(); ++i) position.set(i, place(i, time));
    return position;
  }

  NodeVectors velocities(double time) const {
    constexpr double step = 1e-3;
    NodeVectors velocity(nodes());
    for (int i = 0; i < velocity.nodes(); ++i)
      velocity.set(i, (1 / step) * (place(i, time) - place(i, time - step)));
    return velocity;
  }

  /// Of all signs and scales.
  NodeVectors forces() const {
    NodeVectors force(nodes());
    for (int i = 0; i < force.nodes(); ++i)
      force.set(i, {std::cos(0.3 * i), 0.4 + std::sin(0.011 * i * i), std::sin(7.0 * i) - 0.2});
    return force;
  }
};

double relative_difference(std::vector<double> a, const std::vector<double>& b) {
  add(-1.0, b, a);
  return norm(a) / norm(b);
}

/// Norm of what the velocities of the whole matrix miss those of the nodes by.
double relative_residual(const Carpet& carpet, double time, const NodeVectors& force) {
  Mobility matrix(carpet.filaments(), MobilityKind::full);
  matrix.assemble(carpet.positions(time));
  std::vector<double> velocity = force.entries();
  matrix.apply(force.entries(), velocity);
  return relative_difference(velocity, carpet.velocities(time).entries());
}

double product_error(const Carpet& carpet, int& grids) {
  const NodeVectors position = carpet.positions(0.4);
  const NodeVectors force = carpet.forces();
  Mobility matrix(carpet.filaments(), MobilityKind::full);
  ClusteredMobility clusters(carpet.filaments());
  NodeVectors exact(carpet.nodes());
  NodeVectors found(carpet.nodes());
  matrix.assemble(position);
  matrix.apply(force.entries(), exact.entries());
  clusters.assemble(position);
  clusters.apply(force.entries(), found.entries());
  EXPECT_LT(clusters.stored_share(), 0.7);
  grids = clusters.grids();
  return relative_difference(found.entries(), exact.entries());
}

TEST(ClusteredMobility, ProductsAreThoseOfTheMatrix) {
  int grids = 0;
  EXPECT_LT(product_error({}, grids), 5e-7);  // half of the finest tolerance
  EXPECT_EQ(grids, 0);
  EXPECT_LT(product_error({.shrinking = 0.5}, grids), 5e-7);
  EXPECT_EQ(grids, 0);
}

/// Rods that stand apart are clusters for each other.
TEST(ClusteredMobility, GridsStandForWhatIsFar) {
  int grids = 0;
  EXPECT_LT(product_error({.side = 3, .nodes_each = 140, .spacing = 1.3}, grids), 1e-6);
  EXPECT_GT(grids, 4);
  // Regularisations that vary are those of the grid where that does not matter.
  EXPECT_LT(product_error({.side = 3, .nodes_each = 140, .spacing = 1.3, .shrinking = 0.5}, grids), 1e-6);
  EXPECT_GT(grids, 4);
}

TEST(ClusteredMobility, SolvesToItsTolerance) {
  const Carpet carpet{.side = 3};
  Resistance dense(carpet.filaments(), MobilityKind::full, 1e-10);
  dense.solve(carpet.positions(0.0), carpet.velocities(0.0));
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    Resistance resistance(carpet.filaments(), MobilityKind::full, tolerance, Summation::clusters);
    for (int step = 0; step < 6; ++step) {
      const double time = 1e-3 * step;
      resistance.solve(carpet.positions(time), carpet.velocities(time));
      const double residual = relative_residual(carpet, time, resistance.force());
      EXPECT_LE(residual, tolerance + 3e-7) << step;
      if (step > 0) continue;
      EXPECT_GT(residual, 1e-3 * tolerance);  // it has not solved for more than was asked
      EXPECT_LT(relative_difference(resistance.force().entries(), dense.force().entries()), 20 * tolerance);
    }
    EXPECT_EQ(resistance.counts().factorizations, 1);
    EXPECT_LT(resistance.counts().iterations, 30);
  }
}

/// Rods that all move alike feel each other most: the inverse of each alone gives forces that are far too
/// large.
TEST(ClusteredMobility, InverseKnowsTheOtherRods) {
  const Carpet carpet;
  const NodeVectors position = carpet.positions(0.2);
  NodeVectors force(carpet.nodes());
  for (int i = 0; i < force.nodes(); ++i) force.set(i, {1.0, 0.5, 0.2});
  NodeVectors velocity(carpet.nodes());
  NodeVectors found(carpet.nodes());
  ClusteredMobility mobility(carpet.filaments());
  mobility.assemble(position);
  mobility.apply(force.entries(), velocity.entries());
  RodwiseInverse all(carpet.filaments());
  all.factor(position);
  all.apply(velocity.entries(), found.entries());
  const auto residual_of = [&](const NodeVectors& forces) {
    NodeVectors caused(carpet.nodes());
    mobility.apply(forces.entries(), caused.entries());
    return relative_difference(caused.entries(), velocity.entries());
  };
  EXPECT_LT(residual_of(found), 0.1);

  NodeVectors alone(carpet.nodes());
  for (int rod = 0; rod < carpet.rods(); ++rod) {
    NodeVectors places(carpet.nodes_each);
    NodeVectors given(carpet.nodes_each);
    NodeVectors answer(carpet.nodes_each);
    for (int i = 0; i < carpet.nodes_each; ++i) {
      places.set(i, position.at(rod * carpet.nodes_each + i));
      given.set(i, velocity.at(rod * carpet.nodes_each + i));
    }
    RodwiseInverse one({carpet.filaments().front()});
    one.factor(places);
    one.apply(given.entries(), answer.entries());
    for (int i = 0; i < carpet.nodes_each; ++i) alone.set(rod * carpet.nodes_each + i, answer.at(i));
  }
  EXPECT_GT(residual_of(alone), 0.5);
}

TEST(ClusteredMobility, IsTheSameForAnyNumberOfThreads) {
  const Carpet carpet{.side = 3, .nodes_each = 100, .spacing = 1.3};
  Resistance many(carpet.filaments(), MobilityKind::full, 1e-6, Summation::clusters);
  Resistance one(carpet.filaments(), MobilityKind::full, 1e-6, Summation::clusters);
  for (int step = 0; step < 3; ++step) {
    const NodeVectors position = carpet.positions(1e-3 * step);
    const NodeVectors velocity = carpet.velocities(1e-3 * step);
    many.solve(position, velocity);
    share_among_threads(1, [&](int) { one.solve(position, velocity); });
    EXPECT_EQ(many.force().entries(), one.force().entries());
  }
}

TEST(ClusteredMobility, GoesOnFromItsState) {
  const Carpet carpet{.side = 3};
  Resistance whole(carpet.filaments(), MobilityKind::full, 1e-6, Summation::clusters);
  const auto solve = [&carpet](Resistance& resistance, int step) {
    resistance.solve(carpet.positions(1e-3 * step), carpet.velocities(1e-3 * step));
  };
  for (int step = 0; step < 4; ++step) solve(whole, step);
  StateArchive saved;
  whole.visit_state(saved);
  const std::vector<std::byte> bytes = saved.take();
  StateArchive archive{bytes};
  Resistance resumed(carpet.filaments(), MobilityKind::full, 1e-6, Summation::clusters);
  resumed.visit_state(archive);
  archive.require_end();
  for (int step = 4; step < 8; ++step) {
    solve(whole, step);
    solve(resumed, step);
    EXPECT_EQ(whole.force().entries(), resumed.force().entries());
    EXPECT_EQ(whole.counts().iterations, resumed.counts().iterations);
  }
}

TEST(ClusteredMobility, KnowsRestAndNoNumbers) {
  const Carpet carpet{.side = 3};
  Resistance resistance(carpet.filaments(), MobilityKind::full, 1e-6, Summation::clusters);
  const NodeVectors rest(carpet.nodes());
  resistance.solve(carpet.positions(0.0), rest);
  EXPECT_EQ(resistance.force().entries(), rest.entries());
  for (const double broken :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    NodeVectors position = carpet.positions(0.0);
    position.component(1)[4] = broken;
    resistance.solve(position, carpet.velocities(0.0));
    EXPECT_TRUE(std::isnan(resistance.force().component(0)[0]));
    resistance.solve(carpet.positions(0.0), carpet.velocities(0.0));
    EXPECT_TRUE(std::isfinite(resistance.force().component(0)[0]));
  }
}

TEST(ClusteredMobility, IsChosenBySizeAndTolerance) {
  EXPECT_EQ(quicker_summation(680, MobilityKind::full, 1e-6), Summation::matrix);
  EXPECT_EQ(quicker_summation(6800, MobilityKind::full, 1e-6), Summation::clusters);
  EXPECT_EQ(quicker_summation(6800, MobilityKind::full, 1e-7), Summation::matrix);
  EXPECT_EQ(quicker_summation(6800, MobilityKind::lower_triangle, 1e-6), Summation::matrix);
}

}  // namespace
}  // namespace rodeo::fluid
