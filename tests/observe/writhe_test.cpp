#include "rodeo/observe/writhe.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/observe/linking.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::observe {
namespace {

using cosserat::soft_rod;
using cosserat::TestRod;

/// The Gauss integral of two segments by the midpoint rule, for pairs well apart.
double gauss_integral(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  constexpr int points = 400;
  const Vec3 a = a1 - a0;
  const Vec3 b = b1 - b0;
  double sum = 0.0;
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      const Vec3 r = (a0 + ((i + 0.5) / points) * a) - (b0 + ((j + 0.5) / points) * b);
      sum += dot(cross(a, b), r) / std::pow(norm(r), 3);
    }
  }
  return sum / (4 * M_PI * points * points);
}

TEST(Writhe, OfTwoSegmentsIsTwiceTheirGaussIntegral) {
  const Vec3 a0 = {0, 0, 0};
  const Vec3 a1 = {1, 0.2, -0.1};
  const Vec3 b0 = {0.5, -0.7, 0.6};
  const Vec3 b1 = {0.3, 0.9, 0.8};
  const double expected = 2 * gauss_integral(a0, a1, b0, b1);
  EXPECT_GT(std::abs(expected), 0.1);
  EXPECT_NEAR(segment_writhe(a0, a1, b0, b1), expected, 1e-5);
  EXPECT_NEAR(segment_writhe(b0, b1, a0, a1), expected, 1e-5);   // symmetric
  EXPECT_NEAR(segment_writhe(a1, a0, b1, b0), expected, 1e-5);   // whichever way the curve runs
  EXPECT_NEAR(segment_writhe(a0, a1, b1, b0), -expected, 1e-5);  // but not if one strand turns round
}

TEST(Writhe, OfALongHelixIsOneLessTheSineOfItsPitchAngleATurn) {
  // Fuller: 1 - cos(theta) a turn, theta the angle of tangent and axis; the ends take a share that does not
  // grow.
  const auto writhe_of = [](int turns, double handedness) {
    const int elements = 60 * turns;
    TestRod test(soft_rod(elements));
    const RodView rod = test.view();
    for (int i = 0; i < rod.nodes(); ++i) {
      const double a = 2 * M_PI * turns * i / elements;
      rod.set_vec3(field::position, i, {std::cos(a), handedness * std::sin(a), 0.5 * a});
    }
    return centre_line_writhe(rod);
  };
  const double a_turn = 1.0 - 0.5 / std::sqrt(1.25);
  EXPECT_NEAR(writhe_of(20, 1.0) - writhe_of(10, 1.0), 10 * a_turn, 0.01 * 10 * a_turn);
  EXPECT_DOUBLE_EQ(writhe_of(5, -1.0), -writhe_of(5, 1.0));
}

TEST(Writhe, OfPlaneCurvesIsZero) {
  TestRod test(soft_rod(40));
  const RodView rod = test.view();
  EXPECT_EQ(centre_line_writhe(rod), 0.0);
  for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::position, i, {0.3 * i, std::sin(0.4 * i), 0.0});
  EXPECT_EQ(centre_line_writhe(rod), 0.0);
}

TEST(TwistTurns, CountsTheTurnsOfTheDirectors) {
  TestRod test(soft_rod(50));
  const RodView rod = test.view();
  for (int i = 0; i < rod.elements; ++i) {
    rod.set_quaternion(i, rod.quaternion(i) * rotation({0, 0, 2 * M_PI * 3.5 * i / 49}));
  }
  EXPECT_NEAR(turns_of_twist(rod), 3.5, 1e-12);
}

TEST(Link, IsWhatTheClampsAreTurnedByWhateverTheShape) {
  MemberSpec spec = soft_rod(60);
  spec.boundary = {EndCondition::clamped, EndCondition::clamped};
  constexpr double turns = 3.25;
  const Sample sample;
  const Oscillation length;
  double writhe_before = 0.0;
  for (const double amount : {0.0, 0.3, 1.0}) {
    TestRod test(spec);
    const RodView rod = test.view();
    const auto turned = [&](double s) { return Quaternion{} * rotation({0, 0, 2 * M_PI * turns * s}); };
    for (int i = 0; i < 60; ++i) rod.set_quaternion(i, turned((i + 0.5) / 60));
    rod.set_quaternion(60, turned(1.0));
    for (int i = 0; i < rod.nodes(); ++i) {  // a loose coil between straight ends
      const double s = i / 60.0;
      const double radius = 0.1 * amount * std::sin(M_PI * s) * std::sin(M_PI * s);
      const Vec3 r = rod.vec3(field::position, i);
      rod.set_vec3(field::position, i, r + radius * Vec3{std::cos(20 * s), std::sin(20 * s), 0});
    }
    // Directors that shear: the sum of the turns about d3 is off by then.
    for (int i = 0; i < 60; ++i) {
      const double s = (i + 0.5) / 60;
      rod.set_quaternion(i, rod.quaternion(i) * rotation(amount * std::sin(M_PI * s) *
                                                         Vec3{0.4 * std::cos(9 * s), 0.3 * s, 0}));
    }
    const Observation o{
        .spec = spec, .baseline = sample, .last = sample, .state = rod, .end_distance = length};
    EXPECT_NEAR(linking_number(o), turns, 1e-4) << amount;
    const double writhe_now = centre_line_writhe(rod);
    if (amount > 0.0) {
      EXPECT_GT(writhe_now, writhe_before + 1e-3);
    }
    writhe_before = writhe_now;
  }
  spec.boundary.last = EndCondition::free;
  TestRod free(spec);
  const Observation o{
      .spec = spec, .baseline = sample, .last = sample, .state = free.view(), .end_distance = length};
  EXPECT_TRUE(std::isnan(linking_number(o)));
}

}  // namespace
}  // namespace rodeo::observe
