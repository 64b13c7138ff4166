#include "rodeo/math/rotation.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

constexpr double epsilon = 2.3e-16;

Vec3 unit(double polar, double azimuth) {
  return {std::sin(polar) * std::cos(azimuth), std::sin(polar) * std::sin(azimuth), std::cos(polar)};
}

TEST(Rotation, LogUndoesExpFromZeroToPi) {
  for (const double angle :
       {0.0, 1e-12, 1e-8, 1e-3, 0.1, 0.5, 0.99, 1.0, 1.5, 2.0, 3.0, 3.1, M_PI - 1e-6, M_PI - 1e-12}) {
    for (int k = 0; k < 20; ++k) {
      const Vec3 axis = unit(0.1 + 0.15 * k, 0.7 * k);
      const Vec3 back = rotation_vector(rotation(angle * axis));
      EXPECT_NEAR(norm(back - angle * axis), 0.0, 20 * epsilon * std::max(angle, epsilon))
          << "angle " << angle;
    }
  }
}

TEST(Rotation, HalfCotangentIsItsClosedForm) {
  for (double angle = 0.01; angle < M_PI; angle += 0.01) {
    const double half = 0.5 * angle;
    EXPECT_NEAR(rotation_log(rotation(angle * Vec3{0.6, 0.0, -0.8})).half_cotangent, half / std::tan(half),
                1e-15)
        << angle;
  }
  EXPECT_NEAR(rotation_log({1, 0, 0, 0}).half_cotangent, 1.0, 4e-16);
}

TEST(Rotation, LogIsTheSameForBothSignsOfAQuaternion) {
  const Quaternion q = rotation({0.3, -0.4, 1.2});
  const Vec3 a = rotation_vector(q);
  const Vec3 b = rotation_vector({-q.w, -q.x, -q.y, -q.z});
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.z, b.z);
}

TEST(Rotation, LogOfMoreThanPiTurnsTheOtherWay) {
  const Vec3 axis = unit(1.0, 2.0);
  const Vec3 back = rotation_vector(rotation((M_PI + 0.25) * axis));
  EXPECT_NEAR(norm(back - (0.25 - M_PI) * axis), 0.0, 1e-14);
}

TEST(Rotation, SmallRotationIsTheClosedForm) {
  for (const double angle : {1e-9, 1e-4, 0.01, 0.3, 0.7, small_rotation_limit}) {
    const Vec3 axis = unit(0.8, 0.3);
    const Quaternion q = small_rotation(angle * axis);
    EXPECT_NEAR(q.w, std::cos(0.5 * angle), 2 * epsilon);
    EXPECT_NEAR(q.x, std::sin(0.5 * angle) * axis.x, 2 * epsilon * angle);
    EXPECT_NEAR(q.z, std::sin(0.5 * angle) * axis.z, 2 * epsilon * angle);
    EXPECT_NEAR(squared_norm(q), 1.0, 4 * epsilon);
  }
}

TEST(Rotation, DirectorsAreTheRowsOfQ) {
  // A quarter turn about z takes e_x to e_y: d1 = y, d2 = -x, d3 = z.
  const Directors d = directors(rotation({0.0, 0.0, M_PI / 2}));
  EXPECT_NEAR(d.d1.y, 1.0, 1e-15);
  EXPECT_NEAR(d.d2.x, -1.0, 1e-15);
  EXPECT_NEAR(d.d3.z, 1.0, 1e-15);
  const Vec3 v = {0.3, -1.2, 2.2};
  EXPECT_NEAR(norm(d.to_laboratory(d.to_body(v)) - v), 0.0, 1e-15);
}

TEST(Rotation, RotationsOfTheBodyComposeFromTheRight) {
  // Turning a body by its own angular velocity: Q(t + dt) = exp(-dt [omega_L]x) Q(t), so d_j' = omega x d_j.
  const Quaternion q = rotation({0.5, -0.2, 0.9});
  const Vec3 body_rate = {0.3, 0.7, -0.4};
  const double dt = 1e-6;
  const Directors before = directors(q);
  const Directors after = directors(q * small_rotation(dt * body_rate));
  const Vec3 rate = before.to_laboratory(body_rate);
  EXPECT_NEAR(norm((1.0 / dt) * (after.d1 - before.d1) - cross(rate, before.d1)), 0.0, 1e-6);
  EXPECT_NEAR(norm((1.0 / dt) * (after.d3 - before.d3) - cross(rate, before.d3)), 0.0, 1e-6);
}

TEST(Rotation, OrientationHasTheGivenDirectors) {
  for (int k = 0; k < 50; ++k) {
    const Vec3 d3 = unit(0.06 * k + 0.01, 1.3 * k);
    const Vec3 d1 = normalized(cross(d3, unit(1.9 - 0.03 * k, 2.0 + 0.4 * k)));
    const Quaternion q = orientation(d3, d1);
    EXPECT_NEAR(squared_norm(q), 1.0, 1e-15);
    const Directors d = directors(q);
    EXPECT_NEAR(norm(d.d3 - d3), 0.0, 2e-15);
    EXPECT_NEAR(norm(d.d1 - d1), 0.0, 2e-15);
  }
  const Directors turned = directors(orientation({0, 0, -1}, {-1, 0, 0}));
  EXPECT_NEAR(turned.d3.z, -1.0, 1e-15);
  EXPECT_NEAR(turned.d2.y, 1.0, 1e-15);
}

TEST(Rotation, InSinglePrecisionIsThatInDoubleToRounding) {
  for (const double angle : {1e-6, 1e-3, 0.1, 0.9}) {
    const Vec3 v = {0.6 * angle, -0.48 * angle, 0.64 * angle};
    const BasicVec3<float> half = 0.5f * static_cast<BasicVec3<float>>(v);
    const BasicQuaternion<float> turn =
        times_rotation(BasicQuaternion<float>{}, half, SmallAngle<float>::less_one_of(dot(half, half)));
    const Quaternion exact = small_rotation(v);
    EXPECT_NEAR(turn.w, exact.w - 1.0, 1e-6 * angle * angle + 2e-16);
    EXPECT_NEAR(turn.x, exact.x, 2e-7 * angle);
    EXPECT_NEAR(turn.z, exact.z, 2e-7 * angle);
  }
  for (const double cosine : {0.0, 1e-3, 0.3, 0.9, 1.0}) {
    const TurnRatio<float> ratio(static_cast<float>(cosine));
    const TurnRatio<double> exact(cosine);
    EXPECT_NEAR(ratio.numerator / ratio.denominator, exact.numerator / exact.denominator, 1e-6);
  }
}

}  // namespace
}  // namespace rodeo
