#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/forces/random_perturbation.hpp"

namespace rodeo::forces {
namespace {

TEST(RandomPerturbation, NormIsUniformAndDirectionIsIsotropic) {
  const RandomPerturbation law{2.0, 1.0, {member_seed(1, 2, 3), RandomUse::perturbation}};
  constexpr int count = 20000;
  double sum = 0.0;
  Vec3 mean;
  for (int i = 0; i < count; ++i) {
    const Vec3 force = law.force(i);
    ASSERT_LE(norm(force), 2.0 * (1 + 1e-15));
    sum += norm(force);
    mean = mean + (1.0 / count) * force;
  }
  EXPECT_NEAR(sum / count, 1.0, 5 * 0.58 / std::sqrt(1.0 * count));
  EXPECT_NEAR(norm(mean), 0.0, 5 * 1.16 / std::sqrt(1.0 * count));
}

TEST(RandomPerturbation, ActsUntilItsDuration) {
  const RandomPerturbation law{2.0, 0.5, {}};
  EXPECT_TRUE(law.acts(0.49));
  EXPECT_FALSE(law.acts(0.5));
  EXPECT_FALSE((RandomPerturbation{0.0, 0.5, {}}.acts(0.1)));
}

}  // namespace
}  // namespace rodeo::forces
