#include "rodeo/contact/segment_distance.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "contact/test_shapes.hpp"

namespace rodeo::contact {
namespace {

struct Pair {
  Vec3 p, u, q, v;
};

ClosestPoints closest(const Pair& s) { return closest_points(segment_of(s.p, s.u), segment_of(s.q, s.v)); }

double distance(const Pair& s) { return norm(closest(s).gap); }

double point_to_segment(const Vec3& point, const Vec3& q, const Vec3& v) {
  const double length = dot(v, v);
  const double t = length > 0.0 ? std::clamp(dot(point - q, v) / length, 0.0, 1.0) : 0.0;
  return norm(point - q - t * v);
}

/// The distance is convex along the first segment: golden sections of s find its minimum, whatever the case.
double searched_distance(const Pair& s) {
  const auto at = [&](double x) { return point_to_segment(s.p + x * s.u, s.q, s.v); };
  constexpr double golden = 0.6180339887498949;
  double low = 0.0;
  double high = 1.0;
  for (int k = 0; k < 80; ++k) {
    const double left = high - golden * (high - low);
    const double right = low + golden * (high - low);
    if (at(left) < at(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  return std::min({at(0.0), at(1.0), at(0.5 * (low + high))});
}

class Generator {
 public:
  double number() { return uniform_(engine_); }
  Vec3 vector() { return {number(), number(), number()}; }
  int digit() { return static_cast<int>(engine_() % 3) - 1; }
  Vec3 grid_vector() { return {1.0 * digit(), 1.0 * digit(), 1.0 * digit()}; }

 private:
  std::mt19937_64 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

void expect_closest(const Pair& s, double tolerance) {
  const ClosestPoints found = closest(s);
  EXPECT_GE(found.first, 0.0);
  EXPECT_LE(found.first, 1.0);
  EXPECT_GE(found.second, 0.0);
  EXPECT_LE(found.second, 1.0);
  const Vec3 gap = (s.q + found.second * s.v) - (s.p + found.first * s.u);
  EXPECT_NEAR(norm(gap - found.gap), 0.0, 1e-14);
  EXPECT_NEAR(norm(found.gap), searched_distance(s), tolerance);
}

TEST(SegmentDistance, IsTheLeastOverRandomPairs) {
  Generator random;
  for (int k = 0; k < 5000; ++k) {
    expect_closest({random.vector(), random.vector(), random.vector(), random.vector()}, 1e-7);
  }
}

TEST(SegmentDistance, IsTheLeastOnAGridFullOfDegenerateCases) {
  // Ends in {-1, 0, 1}^3: a third of the pairs is parallel, collinear, point-like, crossing or touching.
  // Where they cross, a rounding error of the squared distance is its root in the distance.
  Generator random;
  for (int k = 0; k < 20000; ++k) {
    expect_closest({random.grid_vector(), random.grid_vector(), random.grid_vector(), random.grid_vector()},
                   1e-7);
  }
}

TEST(SegmentDistance, IsTheLeastForNearlyParallelPairs) {
  Generator random;
  for (int k = 0; k < 5000; ++k) {
    const double tilt = std::pow(10.0, -16.0 * std::abs(random.number()));
    const Vec3 u = random.vector();
    const Vec3 v = random.number() * u + tilt * random.vector();
    expect_closest({random.vector(), u, random.vector(), v}, 1e-7);
  }
}

TEST(SegmentDistance, KnowsTheNamedCases) {
  const Vec3 x = {1, 0, 0};
  const Vec3 y = {0, 1, 0};
  const Vec3 z = {0, 0, 1};
  const Vec3 zero;
  EXPECT_DOUBLE_EQ(distance({zero, x, z, x}), 1.0);                       // parallel
  EXPECT_DOUBLE_EQ(distance({zero, x, z + x, -1.0 * x}), 1.0);            // anti-parallel
  EXPECT_DOUBLE_EQ(distance({zero, x, 0.5 * x, x}), 0.0);                 // collinear, overlapping
  EXPECT_DOUBLE_EQ(distance({zero, x, 3.0 * x, x}), 2.0);                 // collinear, apart
  EXPECT_DOUBLE_EQ(distance({zero, x, 4.0 * x, -1.0 * x}), 2.0);          // the same, anti-parallel
  EXPECT_DOUBLE_EQ(distance({zero, x, 2.0 * x + z, x}), std::sqrt(2.0));  // parallel, beyond the end
  EXPECT_DOUBLE_EQ(distance({zero, zero, 0.3 * y, zero}), 0.3);           // two points
  EXPECT_DOUBLE_EQ(distance({zero, x, 0.5 * x + 2.0 * y, zero}), 2.0);    // a point and a segment
  EXPECT_DOUBLE_EQ(distance({0.5 * x + 2.0 * y, zero, zero, x}), 2.0);
  EXPECT_DOUBLE_EQ(distance({zero, x, 0.5 * (x - y), y}), 0.0);            // crossing
  EXPECT_DOUBLE_EQ(distance({zero, x, x, y}), 0.0);                        // touching ends
  EXPECT_DOUBLE_EQ(distance({zero, x, 0.5 * (x - y) + 0.7 * z, y}), 0.7);  // skew
}

TEST(SegmentDistance, MeetsParallelSegmentsInTheMiddleOfTheirOverlap) {
  for (const double direction : {1.0, -1.0}) {
    const Vec3 q = {direction > 0 ? 0.4 : 1.4, 0.0, 1.0};
    const ClosestPoints found = closest({{0, 0, 0}, {1, 0, 0}, q, {direction, 0, 0}});
    EXPECT_NEAR(found.first, 0.7, 1e-12);
    EXPECT_NEAR(found.second, direction > 0 ? 0.3 : 0.7, 1e-12);
  }
}

TEST(SegmentDistance, DoesNotDependOnOrderNorOnDirection) {
  Generator random;
  for (int k = 0; k < 5000; ++k) {
    const Pair s = {random.vector(), random.vector(), random.vector(), random.vector()};
    const double there = distance(s);
    EXPECT_NEAR(distance({s.q, s.v, s.p, s.u}), there, 1e-13);
    EXPECT_NEAR(distance({s.p + s.u, -1.0 * s.u, s.q, s.v}), there, 1e-13);
    EXPECT_NEAR(distance({s.p, s.u, s.q + s.v, -1.0 * s.v}), there, 1e-13);
  }
}

}  // namespace
}  // namespace rodeo::contact
