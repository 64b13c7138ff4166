#include "rodeo/rod/initial_shape.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo {
namespace {

using cosserat::soft_rod;

RodSpec shaped(RodShape shape, int elements) {
  RodSpec rod = soft_rod(elements).rod;
  rod.shape = shape;
  rod.closed = shape == RodShape::ring;
  rod.length = 2.0;
  rod.origin = {0.1, -0.2, 0.3};
  rod.direction = normalized({1, 2, -0.5});
  rod.normal = normalized(cross(rod.direction, {0, 0, 1}));
  rod.helix_radius = 0.2;
  rod.helix_pitch = 0.5;
  return rod;
}

/// A closed curve in space that is far from plane.
std::vector<Vec3> knot(int nodes) {
  std::vector<Vec3> curve;
  for (int i = 0; i < nodes; ++i) {
    const double a = 2 * M_PI * i / nodes;
    curve.push_back({std::sin(a) + 2 * std::sin(2 * a), std::cos(a) - 2 * std::cos(2 * a), -std::sin(3 * a)});
  }
  return curve;
}

Vec3 turn(const InitialShape& shape, std::size_t region) {
  return rotation_vector(conjugate(shape.frames[region]) * shape.frames[region + 1]);
}

/// Twist of a region: the turn about d3 that is left when d3 has been carried over.
double twist(const InitialShape& shape, std::size_t region) {
  const Quaternion q = conjugate(shape.frames[region]) * shape.frames[region + 1];
  return 2 * std::atan2(q.z, q.w);
}

TEST(InitialShape, OfAStraightRodIsExact) {
  RodSpec rod = shaped(RodShape::straight, 7);
  const InitialShape shape = initial_shape(rod);
  const Quaternion frame = orientation(rod.direction, rod.normal);
  for (const Quaternion& q : shape.frames) {
    EXPECT_EQ(q.w, frame.w);
    EXPECT_EQ(q.x, frame.x);
    EXPECT_EQ(q.y, frame.y);
    EXPECT_EQ(q.z, frame.z);
  }
  for (const Vec3& curvature : shape.rest_curvatures) EXPECT_EQ(norm(curvature), 0.0);
  EXPECT_NEAR(norm(shape.nodes.back() - (rod.origin + 2.0 * rod.direction)), 0.0, 1e-15);
  EXPECT_EQ(shape.rest_voronoi.front(), 0.5 * shape.rest_lengths.front());
  EXPECT_EQ(shape.rest_voronoi[1], shape.rest_lengths.front());
}

TEST(InitialShape, RingIsARegularPolygonOfItsLengthAboutItsAxis) {
  const RodSpec rod = shaped(RodShape::ring, 9);
  const InitialShape shape = initial_shape(rod);
  const double radius = 2.0 / 9 / (2 * std::sin(M_PI / 9));
  EXPECT_NEAR(norm(shape.nodes[0] - (rod.origin + radius * rod.normal)), 0.0, 1e-15);
  EXPECT_EQ(norm(shape.nodes[9] - shape.nodes[0]), 0.0);
  for (std::size_t i = 0; i < 9; ++i) {
    const Vec3 arm = shape.nodes[i] - rod.origin;
    EXPECT_NEAR(norm(arm), radius, 1e-15);
    EXPECT_NEAR(dot(arm, rod.direction), 0.0, 1e-15);
    EXPECT_NEAR(norm(shape.nodes[i + 1] - shape.nodes[i]), shape.rest_lengths[i], 1e-15);
    EXPECT_GT(dot(rod.direction, cross(arm, shape.nodes[i + 1] - shape.nodes[i])), 0.0);
  }
  // The whole turn of the tangent, spread evenly over all regions, the seam's among them; no twist.
  for (std::size_t region = 0; region <= 9; ++region) {
    EXPECT_NEAR(norm(shape.rest_curvatures[region]), 2 * M_PI / 2.0, 1e-13);
    EXPECT_NEAR(norm(turn(shape, region)), 2 * M_PI / 9, 1e-14);
    EXPECT_NEAR(turn(shape, region).z, 0.0, 1e-14);
  }
  EXPECT_NEAR(shape.seam.z, 0.0, 1e-14);
}

TEST(InitialShape, HelixHasItsRadiusPitchAndElementLength) {
  for (const double pitch : {0.5, -0.5, 0.0}) {
    RodSpec rod = shaped(RodShape::helix, 200);
    rod.helix_pitch = pitch;
    const InitialShape shape = initial_shape(rod);
    const double step = helix_step(0.2, pitch, 0.01);
    for (std::size_t i = 0; i <= 200; ++i) {
      const Vec3 arm = shape.nodes[i] - rod.origin;
      const double advance = dot(arm, rod.direction);
      EXPECT_NEAR(advance, static_cast<double>(i) * step * pitch / (2 * M_PI), 1e-14);
      EXPECT_NEAR(norm(arm - advance * rod.direction), 0.2, 1e-14);
      if (i > 0) {
        EXPECT_NEAR(norm(shape.nodes[i] - shape.nodes[i - 1]), 0.01, 1e-14);
      }
    }
    // kappa = a/(a^2 + b^2), b = pitch/2 pi; frames do not twist, so the curvature turns in them.
    const double b = pitch / (2 * M_PI);
    const Vec3 curvature = shape.rest_curvatures[100];
    EXPECT_NEAR(norm(curvature), 0.2 / (0.04 + b * b), 1e-3);
    EXPECT_NEAR(curvature.z, 0.0, 1e-12);
    const Vec3 tangent = normalized(shape.nodes[101] - shape.nodes[100]);
    EXPECT_NEAR(norm(directors(shape.frames[101]).d3 - tangent), 0.0, 1e-14);
  }
}

TEST(InitialShape, EndsGoOnAsTheRegionsNextToThem) {
  // Sections of an arc at its very ends, half an element from those of its first and last element.
  RodSpec rod = shaped(RodShape::helix, 10);
  rod.helix_pitch = 0.0;
  rod.total_twist = 0.8;
  const InitialShape shape = initial_shape(rod);
  const double bend = norm(shape.rest_curvatures[5]);
  for (const std::size_t region : {std::size_t{0}, std::size_t{10}}) {
    EXPECT_NEAR(shape.rest_voronoi[region], 0.1, 1e-15);
    const Vec3 half = turn(shape, region);
    EXPECT_NEAR(std::hypot(half.x, half.y), 0.1 * bend, 1e-3);
    EXPECT_NEAR(half.z, 0.8 / 20, 1e-3);
    EXPECT_NEAR(norm(shape.rest_curvatures[region]), bend, 1e-12);
  }
}

TEST(InitialShape, TotalTwistIsSpreadEvenlyAndElastic) {
  for (const RodShape kind : {RodShape::straight, RodShape::ring}) {
    RodSpec rod = shaped(kind, 20);
    rod.total_twist = 5.0;
    rod.rests_straight = true;
    rod.intrinsic_curvature = {0.1, 0.2, 0.3};
    const InitialShape shape = initial_shape(rod);
    for (std::size_t region = 1; region < 20; ++region) EXPECT_NEAR(twist(shape, region), 0.25, 1e-13);
    for (const Vec3& natural : shape.rest_curvatures) {
      EXPECT_EQ(natural.x, 0.1);
      EXPECT_EQ(natural.y, 0.2);
      EXPECT_EQ(natural.z, 0.3);
    }
    if (kind == RodShape::straight) continue;
    EXPECT_NEAR(twist(shape, 20), 0.25, 1e-13);
    // 5 rad is more than half a turn: the seam's quaternion is that of 5 - 2 pi.
    EXPECT_NEAR(std::abs(rotation_vector(shape.seam).z), 2 * M_PI - 5.0, 1e-13);
  }
}

TEST(InitialShape, LengthsOfAFileAreThoseBetweenItsNodes) {
  RodSpec rod = shaped(RodShape::file, 3);
  rod.origin = {};
  rod.shape_nodes = {
      {0, 0, 0}, {3, 4, 0}, {3, 9, 12}, {5, 12, 18}};  // whole numbers, so that nothing is rounded
  EXPECT_EQ(initial_shape(rod).rest_lengths, (std::vector<double>{5, 13, 7}));
}

TEST(InitialShape, OfAFileIsItsNodes) {
  RodSpec rod = shaped(RodShape::file, 59);
  rod.shape_nodes = knot(60);
  const InitialShape open = initial_shape(rod);
  ASSERT_EQ(open.nodes.size(), 60);
  EXPECT_NEAR(norm(open.nodes[7] - (rod.origin + rod.shape_nodes[7])), 0.0, 1e-15);
  for (std::size_t i = 0; i < 59; ++i) {
    EXPECT_NEAR(open.rest_lengths[i], norm(open.nodes[i + 1] - open.nodes[i]),
                1e-15);  // fused in another way
    EXPECT_NEAR(turn(open, i).z, 0.0, 1e-13);
  }
  rod.closed = true;
  rod.elements = 60;
  const InitialShape closed = initial_shape(rod);
  ASSERT_EQ(closed.nodes.size(), 61);
  EXPECT_EQ(norm(closed.nodes.back() - closed.nodes.front()), 0.0);
  // Transport around a curve in space does not come back to where it began: the seam takes that up.
  EXPECT_GT(std::abs(rotation_vector(closed.seam).z), 0.1);
  EXPECT_NEAR(turn(closed, 60).z, 0.0, 1e-13);
  EXPECT_NEAR(norm(turn(closed, 60)), norm(turn(closed, 0)), 1e-13);
}

}  // namespace
}  // namespace rodeo
