#include "rodeo/math/random.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

TEST(Random, PhiloxGivesThePublishedNumbers) {
  // Known answers of Philox4x32-10 from the authors' Random123 distribution: zero and all-ones counters and
  // keys.
  const RandomBits zero = philox({{0, 0, 0, 0}}, 0, 0);
  EXPECT_EQ(zero.word[0], 0x6627e8d5u);
  EXPECT_EQ(zero.word[1], 0xe169c58du);
  EXPECT_EQ(zero.word[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.word[3], 0x9b00dbd8u);
  const RandomBits ones = philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u);
  EXPECT_EQ(ones.word[0], 0x408f276du);
  EXPECT_EQ(ones.word[1], 0x41c83b0eu);
  EXPECT_EQ(ones.word[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.word[3], 0x6d5451fdu);
}

TEST(Random, UniformNumbersHaveTheRightMoments) {
  const RandomStream stream{member_seed(7, 3, 1), RandomUse::perturbation};
  constexpr int count = 40000;
  double sum = 0.0;
  double squares = 0.0;
  double product = 0.0;
  for (int i = 0; i < count; ++i) {
    double u[4];
    stream.uniform(static_cast<std::uint64_t>(i), u);
    for (const double value : u) {
      ASSERT_GE(value, 0.0);
      ASSERT_LT(value, 1.0);
      sum += value;
      squares += value * value;
    }
    product += u[0] * u[1];
  }
  // Five standard errors.
  EXPECT_NEAR(sum / (4 * count), 0.5, 5 * 0.289 / std::sqrt(4.0 * count));
  EXPECT_NEAR(squares / (4 * count), 1.0 / 3.0, 5 * 0.298 / std::sqrt(4.0 * count));
  EXPECT_NEAR(product / count, 0.25, 5 * 0.22 / std::sqrt(1.0 * count));
}

TEST(Random, SeedsDifferBetweenCandidatesRepeatsAndStudies) {
  const std::uint64_t seed = member_seed(1, 5, 0);
  EXPECT_NE(seed, member_seed(1, 5, 1));
  EXPECT_NE(seed, member_seed(1, 6, 0));
  EXPECT_NE(seed, member_seed(2, 5, 0));
  EXPECT_EQ(seed, member_seed(1, 5, 0));
}

}  // namespace
}  // namespace rodeo
