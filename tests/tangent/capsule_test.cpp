#include "rodeo/tangent/capsule.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/forces/surface.hpp"
#include "rodeo/tangent/soft_surface.hpp"

namespace rodeo::tangent {
namespace {

using forces::Plane;
using forces::RoundSurface;

constexpr double radius = 0.05;

/// Its nodes as six numbers.
using Places = std::array<double, 6>;

Capsule capsule(const Places& at) { return {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}, radius}; }

Places both(const Vec3& first, const Vec3& last) {
  return {first.x, first.y, first.z, last.x, last.y, last.z};
}

/// The Hessian's entries as a matrix of six rows.
double entry(const NodePairMatrix& matrix, int row, int column) {
  if (row < 3) return column < 3 ? matrix.first_first(row, column) : matrix.last_first(column - 3, row);
  return column < 3 ? matrix.last_first(row - 3, column) : matrix.last_last(row - 3, column - 3);
}

/// Elements that touch a surface in different ways.
template <class Surface>
void expect_derivatives(const Surface& surface, const std::vector<Places>& elements) {
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const SoftTouch soft = soft_touch(surface, capsule(elements[k]));
    ASSERT_GT(soft.touch.overlap, 0.0) << k;
    const Places pull = both(soft.touch.first, soft.touch.last);
    const Places load = both(soft.overlap_by_first, soft.overlap_by_last);
    for (int i = 0; i < 6; ++i) {
      constexpr double h = 1e-6;
      Places ahead = elements[k];
      Places behind = elements[k];
      ahead[static_cast<std::size_t>(i)] += h;
      behind[static_cast<std::size_t>(i)] -= h;
      const Touch after = touch(surface, capsule(ahead));
      const Touch before = touch(surface, capsule(behind));
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(-0.5 * (after.square - before.square) / (2.0 * h), pull[at], 1e-9) << k << " " << i;
      EXPECT_NEAR((after.overlap - before.overlap) / (2.0 * h), load[at], 1e-6) << k << " " << i;
      const Places pull_after = both(after.first, after.last);
      const Places pull_before = both(before.first, before.last);
      for (int j = 0; j < 6; ++j) {
        const auto row = static_cast<std::size_t>(j);
        EXPECT_NEAR(-(pull_after[row] - pull_before[row]) / (2.0 * h), entry(soft.hessian, j, i), 1e-6)
            << k << " " << j << " " << i;
      }
    }
  }
}

TEST(Capsule, DerivativesOnAPlaneAreThoseOfItsDepth) {
  const Plane plane = {normalized({0.2, 1.0, -0.3}), 0.04};
  expect_derivatives(plane, {{0.0, 0.05, 0.0, 0.2, 0.02, 0.1}, {0.0, 0.08, 0.0, 0.3, 0.9, 0.1}});
}

TEST(Capsule, DerivativesOnARoundSurfaceAreThoseOfItsDepth) {
  const std::vector<Places> over = {
      {-0.3, 0.33, 0.02, 0.4, 0.32, 0.05},     // by its middle alone
      {-0.05, 0.33, 0.02, 0.4, 0.34, 0.05},    // by its middle and one end
      {-0.05, 0.33, 0.02, 0.06, 0.32, -0.01},  // by its middle and both ends
      {0.03, 0.32, 0.02, 0.09, 0.31, 0.05},    // by both ends, the nearest one of them
      {0.1, 0.3, 0.02, 0.5, 0.6, 0.05}};       // by one end
  expect_derivatives(RoundSurface{{}, {}, 0.3, 1.0}, over);
  expect_derivatives(RoundSurface{{}, normalized({0.2, 0.1, 1.0}), 0.3, 1.0}, over);
  const std::vector<Places> within = {{0.05, 0.33, 0.02, 0.3, 0.16, 0.1}, {0.05, 0.33, 0.02, -0.1, 0.1, 0.1}};
  expect_derivatives(RoundSurface{{}, {}, 0.37, -1.0}, within);
  expect_derivatives(RoundSurface{{}, normalized({0.2, 0.1, 1.0}), 0.37, -1.0}, within);
}

TEST(Capsule, IsNotPulled) {
  const Capsule above = {{0.3, 0.0501, 0.1}, {0.5, 0.06, 0.1}, radius};
  const SoftTouch soft = soft_touch(Plane{{0, 1, 0}, 0.0}, above);
  EXPECT_EQ(soft.touch.overlap, 0.0);
  EXPECT_EQ(soft.touch.square, 0.0);
  EXPECT_EQ(norm(soft.touch.first), 0.0);
  EXPECT_EQ(norm(soft.touch.last), 0.0);
  EXPECT_NEAR(height(Plane{{0, 1, 0}, 0.0}, above), 0.0501, 1e-16);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(entry(soft.hessian, i, i), 0.0);
}

TEST(Capsule, ThatLiesOnASurfaceIsAsDeepAsItsMiddle) {
  const auto expect_middle = [](const auto& surface, const Vec3& first, const Vec3& last, double depth) {
    const Touch touched = touch(surface, Capsule{first, last, radius});
    EXPECT_NEAR(touched.square, depth * depth, 1e-16);
    EXPECT_NEAR(touched.overlap, depth, 1e-15);
    EXPECT_NEAR(touched.weight, 0.5, 1e-12);
    EXPECT_NEAR(touched.share, 1.0, 1e-12);
    EXPECT_NEAR(norm(touched.up - Vec3{0, 1, 0}), 0.0, 1e-15);
    EXPECT_NEAR(norm(touched.first - 0.5 * depth * touched.up), 0.0, 1e-12);
    EXPECT_NEAR(norm(touched.last - 0.5 * depth * touched.up), 0.0, 1e-12);
  };
  expect_middle(Plane{{0, 1, 0}, 0.0}, {0, 0.04, 0}, {0.3, 0.04, 0}, 0.01);
  expect_middle(RoundSurface{{0, -0.3, 0}, {1, 0, 0}, 0.3, 1.0}, {0, 0.04, 0}, {0.3, 0.04, 0}, 0.01);
  expect_middle(RoundSurface{{0, 0.5, 0}, {1, 0, 0}, 0.5, -1.0}, {0, 0.04, 0}, {0.3, 0.04, 0}, 0.01);
}

TEST(Capsule, ThatStandsOnItsEndHasHalfOfItsSpringThere) {
  const Touch touched = touch(Plane{{0, 1, 0}, 0.0}, Capsule{{0, 0.04, 0}, {0.01, 0.3, 0}, radius});
  EXPECT_NEAR(touched.square, 0.5 * 0.01 * 0.01, 1e-16);
  EXPECT_NEAR(norm(touched.first - Vec3{0, 0.005, 0}), 0.0, 1e-16);
  EXPECT_EQ(norm(touched.last), 0.0);
  EXPECT_EQ(touched.weight, 0.0);
  EXPECT_EQ(touched.share, 0.5);
}

/// A straight rod of elements of 0.1 m over a peg: the same spring wherever the peg is, half of it at an end.
TEST(Capsule, HandsAPegOverToItsNeighbour) {
  const RoundSurface peg = {{0, 0, 0}, {0, 0, 1}, 0.01, 1.0};
  const auto square = [&](double start, int elements) {
    double sum = 0.0;
    for (int i = 0; i < elements; ++i) {
      const double x = start + 0.1 * i;
      sum += touch(peg, Capsule{{x, 0.059, 0.0}, {x + 0.1, 0.059, 0.0}, radius}).square;
    }
    return sum;
  };
  for (int k = 0; k <= 20; ++k) EXPECT_NEAR(square(-0.2 + 0.005 * k, 4), 1e-6, 1e-18) << k;
  EXPECT_NEAR(square(0.0, 4), 0.5e-6, 1e-18);
  EXPECT_EQ(square(0.02, 4), 0.0);
  // Off its end without a step.
  for (double x = -0.01; x < 0.01; x += 1e-4) {
    EXPECT_LT(std::abs(square(x + 1e-4, 1) - square(x, 1)), 0.05e-6) << x;
  }
}

/// Where an element comes to be parallel to a cylinder, no point of it is nearest any more.
TEST(Capsule, PressesEvenlyAsItComesToLieAlongACylinder) {
  const RoundSurface cylinder = {{0, -0.3, 0}, {1, 0, 0}, 0.3, 1.0};
  for (const double turn : {1e-2, 1e-4, 1e-6, 1e-9, 0.0}) {
    const Touch touched =
        touch(cylinder, Capsule{{-0.1, 0.04, -0.1 * turn}, {0.1, 0.04, 0.1 * turn}, radius});
    EXPECT_NEAR(touched.overlap, 0.01, 1e-4) << turn;
    // But for the normals, which turn by what the nodes stand aside.
    EXPECT_NEAR(norm(touched.first - touched.last), 0.01 * 0.1 * turn / 0.34, 1e-3 * 0.01 * turn + 1e-15)
        << turn;
  }
}

}  // namespace
}  // namespace rodeo::tangent
