#include <gtest/gtest.h>

#include "rodeo/input/key_rows.hpp"

namespace rodeo {
namespace {

/// What a law of one's own would be to its keys.
struct PullOfATest {
  Vec3 towards = {0, 0, 1};
  double strength = 2.0;
};

template <class... Numbers>
void give(const KeyInfo& row, LoadSpec& load, Numbers... numbers) {
  const double all[] = {numbers...};
  std::get<Setter<LoadSpec>>(row.field)(load, {.numbers = all, .word = {}, .choices = {}});
}

TEST(OwnKeys, FillTheLawItself) {
  constexpr KeyInfo strength =
      keys::real<&PullOfATest::strength>("pull.strength", "N", "2", keys::not_negative, "how strong it is");
  constexpr KeyInfo towards = keys::vec3<&PullOfATest::towards>("pull.towards", "1", "0, 0, 1", "where to");
  LoadSpec load;
  EXPECT_EQ(load.own.get<PullOfATest>().strength, 2.0) << "as it is by itself";
  give(strength, load, 5.0);
  give(towards, load, 1.0, 2.0, 3.0);
  const LoadSpec copy = load;
  give(strength, load, 6.0);
  EXPECT_EQ(load.own.get<PullOfATest>().strength, 6.0);
  EXPECT_EQ(copy.own.get<PullOfATest>().strength, 5.0);
  EXPECT_EQ(copy.own.get<PullOfATest>().towards.y, 2.0);
}

}  // namespace
}  // namespace rodeo
