#include "rodeo/contact/touch.hpp"

#include <gtest/gtest.h>

namespace rodeo::contact {
namespace {

TEST(TouchesOfElements, CountEachPairOfRodsOnce) {
  // Rods of elements 0 to 3, 7 to 9 and 13: the first touches the second twice, the third once and itself.
  const std::vector<Touch> touches = {
      {0, 2, 1.0, 0.0}, {0, 7, 2.0, 0.0}, {1, 8, 4.0, 1.99}, {3, 13, 8.0, 3.0}};
  const std::vector<ElementTouches> sums = touches_of_elements(touches, {0, 7, 13}, 14, 0.5);
  ElementTouches all;
  for (const ElementTouches& own : sums) {
    all.rods += own.rods;
    all.pairs += own.pairs;
    all.force += own.force;
    all.slipping += own.slipping;
  }
  EXPECT_EQ(all.rods, 4.0);
  EXPECT_EQ(all.pairs, 4.0);
  EXPECT_EQ(all.force, 15.0);
  EXPECT_EQ(all.slipping, 1.0);
  EXPECT_EQ(sums[0].rods, 1.0);
  EXPECT_EQ(sums[0].pairs, 1.0);
  EXPECT_EQ(sums[0].force, 1.5);
  EXPECT_EQ(sums[0].largest, 2.0);
  EXPECT_EQ(sums[1].rods, 0.0);
  EXPECT_EQ(sums[13].rods, 1.0);
}

}  // namespace
}  // namespace rodeo::contact
