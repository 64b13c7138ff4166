#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/contact/contact_potential.hpp"
#include "rodeo/contact/friction.hpp"
#include "rodeo/contact/segment_distance.hpp"

namespace rodeo::contact {
namespace {

struct Ends {
  Vec3 x[pair_nodes];

  double& at(int i) {
    Vec3& v = x[i / 3];
    return i % 3 == 0 ? v.x : i % 3 == 1 ? v.y : v.z;
  }
};

using Values = std::vector<double>;

/// Central difference, of fourth order, of `values` by the i-th component.
Values difference(Ends ends, int i, double step, const std::function<Values(const Ends&)>& values) {
  const double here = ends.at(i);
  const auto moved = [&](double by) {
    ends.at(i) = here + by;
    return values(ends);
  };
  const Values near_ahead = moved(step), near_behind = moved(-step);
  const Values far_ahead = moved(2 * step), far_behind = moved(-2 * step);
  Values result(near_ahead.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = (8 * (near_ahead[k] - near_behind[k]) - (far_ahead[k] - far_behind[k])) / (12 * step);
  }
  return result;
}

Values gradient(const Ends& ends) {
  const PairDistance d(ends.x);
  Values result;
  for (int k = 0; k < pair_nodes; ++k) {
    const Vec3 g = d.gradient(k);
    result.insert(result.end(), {g.x, g.y, g.z});
  }
  return result;
}

struct Matrix {
  PairMatrix entries;
};

Matrix hessian(const Ends& ends) {
  PairDistance d(ends.x);
  d.differentiate_parameters();
  Matrix h;
  add_distance_hessian(d, 1.0, h.entries);
  return h;
}

void expect_columns(const Ends& ends, const Matrix& matrix, double step,
                    const std::function<Values(const Ends&)>& values) {
  double largest = 0.0;
  for (const double entry : matrix.entries) largest = std::max(largest, std::abs(entry));
  for (int j = 0; j < pair_size; ++j) {
    const Values column = difference(ends, j, step, values);
    for (int i = 0; i < pair_size; ++i) {
      EXPECT_NEAR(matrix.entries[i][j], column[static_cast<std::size_t>(i)], 1e-8 * largest)
          << "row " << i << ", column " << j;
    }
  }
}

void expect_derivatives(const Ends& ends) {
  const Values g = gradient(ends);
  for (int i = 0; i < pair_size; ++i) {
    const Values by =
        difference(ends, i, 1e-4, [](const Ends& e) { return Values{PairDistance(e.x).value()}; });
    EXPECT_NEAR(g[static_cast<std::size_t>(i)], by[0], 1e-8) << "component " << i;
  }
  expect_columns(ends, hessian(ends), 1e-4, gradient);
}

Ends edges_across() { return {{{0, 0, 0}, {1, 0.2, 0.1}, {0.4, -0.5, 0.6}, {0.5, 0.7, 0.8}}}; }
Ends point_over_edge() { return {{{0, 0, 0}, {1, 0.2, 0.1}, {0.4, 0.3, 0.5}, {0.5, 0.7, 1.8}}}; }
Ends edge_under_point() { return {{{0.4, 0.3, 0.5}, {0.5, 0.7, 1.8}, {0, 0, 0}, {1, 0.2, 0.1}}}; }
Ends apart() { return {{{0, 0, 0}, {1, 0.2, 0.1}, {1.4, 0.3, 0.5}, {2.5, 0.7, 1.8}}}; }
/// Both at an angle of 0.01.
Ends nearly_parallel() { return {{{0, 0, 0}, {1, 0, 0}, {0.2, 0.3, -0.005}, {1.2, 0.3, 0.005}}}; }

TEST(DistanceDerivatives, EdgeToEdge) {
  const PairDistance d(edges_across().x);
  EXPECT_GT(d.first() * (1 - d.first()) * d.second() * (1 - d.second()), 0.0);
  expect_derivatives(edges_across());
}

TEST(DistanceDerivatives, PointToEdge) {
  EXPECT_EQ(PairDistance(point_over_edge().x).second(), 0.0);
  EXPECT_EQ(PairDistance(edge_under_point().x).first(), 0.0);
  expect_derivatives(point_over_edge());
  expect_derivatives(edge_under_point());
}

TEST(DistanceDerivatives, PointToPoint) {
  EXPECT_EQ(PairDistance(apart().x).first(), 1.0);
  EXPECT_EQ(PairDistance(apart().x).second(), 0.0);
  expect_derivatives(apart());
}

/// The closest points slide fast there: differences need small steps.
TEST(DistanceDerivatives, NearlyParallelEdges) {
  const Ends ends = nearly_parallel();
  expect_columns(ends, hessian(ends), 1e-6, gradient);
}

TEST(DistanceDerivatives, AllCasesAtRandom) {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int kinds[3] = {};
  for (int trial = 0; trial < 200; ++trial) {
    Ends ends;
    for (int i = 0; i < pair_size; ++i) ends.at(i) = uniform(engine);
    PairDistance d(ends.x);
    const double s = d.first();
    const double t = d.second();
    const auto near_end = [](double p) { return p != 0.0 && p != 1.0 && (p < 0.02 || p > 0.98); };
    if (near_end(s) || near_end(t) || d.value() < 0.1) continue;  // differences would cross into another case
    d.differentiate_parameters();
    const Values g = gradient(ends);
    Matrix h = hessian(ends);
    // Steps that stay within the case, and fit its curvature.
    double largest = 0.0;
    for (const double entry : h.entries) largest = std::max(largest, std::abs(entry));
    expect_columns(ends, h, 1e-4 / std::max(1.0, largest), gradient);
    ++kinds[(s > 0.0 && s < 1.0) + (t > 0.0 && t < 1.0)];
  }
  for (const int count : kinds) EXPECT_GT(count, 10);
}

/// s is held in the middle of what the two share, and the point there follows the other edge.
TEST(DistanceDerivatives, ParallelEdges) {
  const Ends ends = {{{0, 0, 0}, {1, 0, 0}, {0.4, 0.3, 0}, {1.6, 0.3, 0}}};
  PairDistance d(ends.x);
  EXPECT_NEAR(d.first(), 0.7, 0.01);
  EXPECT_DOUBLE_EQ(d.value(), 0.3);
  d.differentiate_parameters();
  for (int k = 0; k < pair_nodes; ++k) EXPECT_EQ(norm(d.first_by(k)), 0.0);
  const double s = d.first();
  const auto held = [s](const Ends& e) {
    const Vec3 point = e.x[0] + s * (e.x[1] - e.x[0]);
    const Vec3 edge = e.x[3] - e.x[2];
    const double t = dot(point - e.x[2], edge) / dot(edge, edge);
    const Vec3 gap = e.x[2] + t * edge - point;
    const double weights[] = {s - 1, -s, 1 - t, t};
    Values g;
    for (const double w : weights) {
      const Vec3 n = (w / norm(gap)) * gap;
      g.insert(g.end(), {n.x, n.y, n.z});
    }
    return g;
  };
  expect_columns(ends, hessian(ends), 1e-4, held);
}

constexpr double spread = 0.01;  // m^2

TEST(SpreadPoints, AreWhereTheirFunctionIsLeast) {
  std::mt19937_64 engine(12);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int moved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Ends ends;
    for (int i = 0; i < pair_size; ++i) ends.at(i) = uniform(engine);
    ends.x[3] = ends.x[2] + 0.4 * (ends.x[3] - ends.x[2]) + 2.0 * uniform(engine) * (ends.x[1] - ends.x[0]);
    const Vec3 u = ends.x[1] - ends.x[0];
    const Vec3 v = ends.x[3] - ends.x[2];
    const double left = std::max(1.0 - (1.0 - dot(u, v) * dot(u, v) / (dot(u, u) * dot(v, v))) / 0.1, 0.0);
    const double own = spread * left * left;
    const auto value = [&](double s, double t) {
      const Vec3 gap = ends.x[2] + t * v - (ends.x[0] + s * u);
      return dot(gap, gap) + own * ((s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5));
    };
    const PairDistance d(ends.x, spread);
    const PairDistance nearest(ends.x);
    const double least = value(d.first(), d.second());
    for (int i = 0; i <= 20; ++i) {
      for (int j = 0; j <= 20; ++j) EXPECT_LE(least, value(i / 20.0, j / 20.0) + 1e-13);
    }
    EXPECT_GE(d.value(), nearest.value() - 1e-15);
    EXPECT_LE(d.value() * d.value(), nearest.value() * nearest.value() + 0.5 * spread);
    if (own == 0.0) {
      EXPECT_EQ(d.value(), nearest.value());
    }
    moved += d.first() != nearest.first();
  }
  EXPECT_GT(moved, 20);
}

TEST(SpreadPoints, OfParallelSegmentsAreInTheMiddleOfWhatTheyShare) {
  const Ends ends = {{{0, 0, 0}, {1, 0, 0}, {0.4, 0.3, 0}, {1.4, 0.3, 0}}};
  const PairDistance d(ends.x, spread);
  EXPECT_NEAR(d.first(), 0.7, 0.2 * spread);  // 0.5 + 0.2 / (1 + e / 2)
  EXPECT_NEAR(d.second(), 0.3, 0.2 * spread);
  EXPECT_NEAR(d.value(), 0.3, spread * spread);
  EXPECT_NEAR(d.first() + d.second(), 1.0, 1e-14);
}

/// The spread itself does not change to first order as they turn from there.
TEST(SpreadPoints, OfParallelSegmentsHaveExactDerivatives) {
  const Ends ends = {{{0, 0, 0}, {1, 0, 0}, {0.4, 0.3, 0}, {1.6, 0.3, 0}}};
  PairDistance d(ends.x, spread);
  d.differentiate_parameters();
  for (int i = 0; i < pair_size; ++i) {
    const Values by = difference(ends, i, 1e-4, [](const Ends& e) {
      const PairDistance moved(e.x, spread);
      return Values{moved.first(), moved.second()};
    });
    EXPECT_NEAR(PairDistance::component(d.first_by(i / 3), i % 3), by[0], 1e-5) << "component " << i;
    EXPECT_NEAR(PairDistance::component(d.second_by(i / 3), i % 3), by[1], 1e-5) << "component " << i;
  }
}

/// Where a segment turns through the direction of another one.
TEST(SpreadPoints, DoNotJump) {
  const auto turned = [](double angle) {
    return Ends{{{-0.5, 0, 0}, {0.5, 0, 0}, {-0.5, 0.3 + 0.5 * angle, 0}, {0.5, 0.3 - 0.5 * angle, 0}}};
  };
  const auto largest_jump = [&](double of_spread) {
    double jump = 0.0;
    for (int i = -500; i < 500; ++i) {
      const auto weight = [&](double angle) { return PairDistance(turned(angle).x, of_spread).weight(0); };
      jump = std::max(jump, std::abs(weight(1e-3 * (i + 1.5)) - weight(1e-3 * (i + 0.5))));
    }
    return jump;
  };
  EXPECT_GT(largest_jump(0.0), 0.9);
  EXPECT_LT(largest_jump(spread), 0.02);
}

TEST(DistanceDerivatives, CrossingLinesAndPointsStayFinite) {
  const Ends crossing = {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}};
  const Ends points = {{{0, 0, 0}, {0, 0, 0}, {1, 2, 2}, {1, 2, 2}}};
  const Ends point_and_edge = {{{0, 0, 0}, {0, 0, 0}, {-1, 2, 0}, {2, 2, 0}}};
  const Ends same = {{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}};
  for (const Ends& ends : {crossing, points, point_and_edge, same}) {
    const Matrix h = hessian(ends);
    for (const double entry : h.entries) EXPECT_TRUE(std::isfinite(entry));
  }
  EXPECT_EQ(PairDistance(crossing.x).value(), 0.0);
  EXPECT_EQ(norm(PairDistance(crossing.x).gradient(0)), 0.0);
  EXPECT_DOUBLE_EQ(PairDistance(points.x).value(), 3.0);
  EXPECT_DOUBLE_EQ(PairDistance(point_and_edge.x).value(), 2.0);
  expect_columns(points, hessian(points), 1e-4, [](const Ends& e) {
    Values g;  // the segments' first ends are what closest_points names; s = t = 0
    const Vec3 gap = e.x[2] - e.x[0];
    for (const double w : {-1.0, 0.0, 1.0, 0.0}) {
      const Vec3 n = (w / norm(gap)) * gap;
      g.insert(g.end(), {n.x, n.y, n.z});
    }
    return g;
  });
}

template <class Law>
void expect_slopes(const Law& law, const std::vector<double>& gaps) {
  for (const double x : gaps) {
    const double step = 1e-4 * law.tolerance;
    const auto by = [&](const auto& value) {
      return (8 * (value(x + step) - value(x - step)) - (value(x + 2 * step) - value(x - 2 * step))) /
             (12 * step);
    };
    const double slope = by([&](double y) { return law.energy(y); });
    const double curvature = by([&](double y) { return law.slope(y); });
    EXPECT_NEAR(law.slope(x), slope, 1e-8 * std::abs(slope)) << x;
    EXPECT_NEAR(law.curvature(x), curvature, 1e-8 * std::abs(curvature)) << x;
  }
}

TEST(ContactPotential, SlopesAreThoseOfTheEnergy) {
  expect_slopes(ImplicitContactModel{0.01}, {-0.5, -0.011, -0.009, -0.001, 0.0, 0.002, 0.005});
  expect_slopes(Barrier{0.01}, {0.001, 0.004, 0.008, 0.0095});
}

TEST(ContactPotential, EndsAtTheToleranceAndIsSmoothInside) {
  const ImplicitContactModel soft{0.01};
  EXPECT_EQ(soft.energy(0.01), 0.0);
  EXPECT_LT(soft.energy(0.00999), 1e-15);
  EXPECT_NEAR(soft.energy(-0.00999) / (0.00999 * 0.00999), 1.0, 1e-5);
  EXPECT_NEAR(soft.energy(0.0), std::pow(std::log(2.0) * 0.01 / 15, 2), 1e-15);  // eq. 9 at touch
  const Barrier barrier{0.01};
  EXPECT_EQ(barrier.slope(0.01), 0.0);
  EXPECT_LT(barrier.slope(1e-6), -10.0);
  EXPECT_TRUE(std::isinf(barrier.energy(0.0)));
}

/// Forces of friction on the ends in a step from `start`, pressed by eq. 9.
constexpr double radius = 0.1;
constexpr double stiffness = 30.0;
constexpr double step = 0.01;

/// Elements that touch with their axes.
const Turning on_axes[2];

struct Pressed {
  Ends start;
  Friction friction;
  ImplicitContactModel law{0.6};

  double gap(const PairDistance& d) const { return (d.value() - 2 * radius) / radius; }
  double normal_force(const PairDistance& d) const { return -stiffness * law.slope(gap(d)); }
  void velocities(const Ends& ends, Vec3 (&v)[pair_nodes]) const {
    for (int k = 0; k < pair_nodes; ++k) v[k] = (1.0 / step) * (ends.x[k] - start.x[k]);
  }

  Values forces(const Ends& ends) const {
    const PairDistance d(ends.x);
    Vec3 v[pair_nodes];
    velocities(ends, v);
    const Vec3 f = normal_force(d) * friction.force(Slip(d, v, on_axes).value());
    Values result;
    for (int k = 0; k < pair_nodes; ++k) {
      const Vec3 share = d.weight(k) * f;
      result.insert(result.end(), {share.x, share.y, share.z});
    }
    return result;
  }

  Matrix gradient(const Ends& ends) const {
    PairDistance d(ends.x);
    d.differentiate_parameters();
    Vec3 v[pair_nodes];
    velocities(ends, v);
    Matrix m;
    const double slope = -stiffness * law.curvature(gap(d)) / radius;
    const Slip sliding(d, v, on_axes);
    add_friction_gradient(friction, d, sliding, FrictionTangent(friction, sliding.value(), 0.0),
                          normal_force(d), slope, step, 1.0, m.entries);
    return m;
  }
};

Pressed pressed(Ends ends, double speed, double slip_tolerance) {
  Pressed p{ends, {0.3, slip_tolerance}};
  const Vec3 velocity[pair_nodes] = {{1, 0.3, 0}, {0.8, 0.1, 0.4}, {-0.2, -0.5, 0.1}, {0, 0.7, -0.3}};
  for (int k = 0; k < pair_nodes; ++k) p.start.x[k] = ends.x[k] - (step * speed) * velocity[k];
  return p;
}

TEST(Friction, GradientIsThatOfTheForces) {
  const Ends cases[] = {{{{0, 0, 0}, {1, 0.2, 0.1}, {0.4, -0.5, 0.17}, {0.5, 0.7, 0.23}}},
                        {{{0, 0, 0}, {1, 0.2, 0.1}, {0.4, 0.2, 0.14}, {0.5, 0.7, 0.8}}},
                        {{{0, 0, 0}, {1, 0, 0}, {1.1, 0.1, 0.05}, {2, 0.3, 0.2}}}};
  for (const Ends& ends : cases) {
    for (const double speed : {1e-3, 0.02, 0.5}) {  // sticking, rounded and sliding at nu = 0.1
      const Pressed p = pressed(ends, speed, 0.1);
      ASSERT_GT(p.normal_force(PairDistance(ends.x)), 0.0);
      expect_columns(ends, p.gradient(ends), 1e-7, [&](const Ends& e) { return p.forces(e); });
    }
    const Pressed at_rest = pressed(ends, 0.0, 0.1);
    expect_columns(ends, at_rest.gradient(ends), 1e-6, [&](const Ends& e) { return at_rest.forces(e); });
  }
}

TEST(Friction, ActsAgainstTheSlipWithCoulombsForce) {
  const Pressed p = pressed(edges_across(), 1.0, 0.1);
  const Ends ends = {{{0, 0, 0}, {1, 0.2, 0.1}, {0.4, -0.5, 0.17}, {0.5, 0.7, 0.23}}};
  const PairDistance d(ends.x);
  const Vec3 v[pair_nodes] = {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const Slip slip(d, v, on_axes);
  EXPECT_NEAR(dot(slip.value(), d.normal()), 0.0, 1e-15);
  const Vec3 on_second = p.friction.force(slip.value());
  EXPECT_NEAR(norm(on_second), 0.3, 1e-12);
  EXPECT_GT(dot(on_second, v[0]), 0.0);  // the first drags the second along
  const Values forces = p.forces(ends);
  for (int c = 0; c < 3; ++c) {
    double sum = 0.0;
    for (int k = 0; k < pair_nodes; ++k) sum += forces[static_cast<std::size_t>(3 * k + c)];
    EXPECT_NEAR(sum, 0.0, 1e-14);
  }
}

TEST(ContinuousCollision, EndsWhereSegmentsSlideAlongEachOther) {
  // Almost in touch and half a metre along each other: 5e12 steps, if all were taken.
  constexpr double thickness = 0.01;
  const Vec3 start[pair_nodes] = {
      {0, 0, 0}, {1, 0, 0}, {0.2, -1, thickness + 1e-13}, {0.2, 1, thickness + 1e-13}};
  const Vec3 slide[pair_nodes] = {{0, 0, 0}, {0, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0}};
  const double part = collision_free_part(start, slide, thickness);
  EXPECT_GE(part, 0.0);
  EXPECT_LT(part, 1.0);
}

TEST(ContinuousCollision, NeverPassesWhatIsInTheWayAndComesNear) {
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  constexpr double thickness = 0.1;
  int hits = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Ends start, move;
    for (int i = 0; i < pair_size; ++i) {
      start.at(i) = uniform(engine);
      move.at(i) = 2.0 * uniform(engine);
    }
    const auto gap = [&](double part) {
      Ends at;
      for (int k = 0; k < pair_nodes; ++k) at.x[k] = start.x[k] + part * move.x[k];
      return PairDistance(at.x).value() - thickness;
    };
    if (gap(0.0) <= 0.0) continue;
    const double bound = collision_free_part(start.x, move.x, thickness);
    ASSERT_GE(bound, 0.0);
    ASSERT_LE(bound, 1.0);
    for (int k = 0; k <= 1000; ++k) ASSERT_GT(gap(bound * k / 1000), 0.0);
    if (bound == 1.0) continue;
    ++hits;
    // Not far beyond the bound they come close indeed.
    double closest = gap(0.0);
    for (int k = 0; k <= 1000; ++k)
      closest = std::min(closest, gap(std::min(1.0, 1.2 * bound + 0.02) * k / 1000));
    EXPECT_LT(closest, 0.25 * gap(0.0));
  }
  EXPECT_GT(hits, 30);
}

}  // namespace
}  // namespace rodeo::contact
