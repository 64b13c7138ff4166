#include "rodeo/math/pack.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/math/rotation.hpp"

namespace rodeo {
namespace {

constexpr double numbers[] = {-3.5, 2.0, 0.0, 7.25, -1e-3, 1e10, -0.5, 4.0, 9.0};

TEST(Pack, OperationsActOnEveryLane) {
  const DoublePack a = DoublePack::load(numbers);
  const DoublePack b = DoublePack::load(numbers + 1) + 0.5;
  DoublePack sum = a;
  sum += b;
  sum *= 2.0;
  sum -= 1.0;
  for (int lane = 0; lane < 8; ++lane) {
    const double x = numbers[lane];
    const double y = numbers[lane + 1] + 0.5;
    EXPECT_EQ((a + b)[lane], x + y);
    EXPECT_EQ((a - b)[lane], x - y);
    EXPECT_EQ((a * b)[lane], x * y);
    EXPECT_EQ((a / b)[lane], x / y);
    EXPECT_EQ((-a)[lane], -x);
    EXPECT_EQ(sum[lane], (x + y) * 2.0 - 1.0);
    EXPECT_EQ(magnitude(a)[lane], std::abs(x));
    EXPECT_EQ(sqrt(magnitude(a))[lane], std::sqrt(std::abs(x)));
    EXPECT_EQ(select(a < b, a, b)[lane], std::min(x, y));
    EXPECT_EQ(select(a > b, a, b)[lane], std::max(x, y));
    EXPECT_EQ(select(a <= 2.0, DoublePack(1.0), DoublePack(0.0))[lane], x <= 2.0 ? 1.0 : 0.0);
    EXPECT_EQ(select(a >= 2.0, DoublePack(1.0), DoublePack(0.0))[lane], x >= 2.0 ? 1.0 : 0.0);
  }
}

TEST(Pack, StoresToAnyPlace) {
  double stored[10] = {};
  DoublePack a = DoublePack::load(numbers);
  a.set(2, 11.0);
  a.store(stored + 1);
  EXPECT_EQ(stored[0], 0.0);
  EXPECT_EQ(stored[9], 0.0);
  for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(stored[lane + 1], lane == 2 ? 11.0 : numbers[lane]);
}

TEST(Pack, ServesTemplatesOfTheScalar) {
  BasicVec3<DoublePack> turn;
  for (int lane = 0; lane < 8; ++lane) {
    turn.x.set(lane, 0.1 * lane);
    turn.y.set(lane, -0.05 * lane);
    turn.z.set(lane, 0.3);
  }
  const BasicDirectors<DoublePack> d = directors(small_rotation(turn));
  for (int lane = 0; lane < 8; ++lane) {
    const Directors expected = directors(small_rotation(Vec3{0.1 * lane, -0.05 * lane, 0.3}));
    EXPECT_NEAR(d.d1.x[lane], expected.d1.x, 1e-15);
    EXPECT_NEAR(d.d2.z[lane], expected.d2.z, 1e-15);
    EXPECT_NEAR(d.d3.y[lane], expected.d3.y, 1e-15);
  }
}

}  // namespace
}  // namespace rodeo
