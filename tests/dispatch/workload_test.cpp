#include <gtest/gtest.h>

#include "rodeo/dispatch/machine.hpp"

#include "dispatch/member_queue.hpp"

namespace rodeo {
namespace {

using Ranks = std::set<std::size_t>;

TEST(Workload, KnowsWhoHoldsHowMuch) {
  Workload load(4, false);
  EXPECT_EQ(load.workers(), 3U);
  EXPECT_EQ(load.holders(0), (Ranks{1, 2, 3}));
  EXPECT_TRUE(load.nobody_works());
  load.give(2, {5, 6});
  load.give(3, {7});
  load.give(2, {8});
  EXPECT_EQ(load.holders(0), Ranks{1});
  EXPECT_EQ(load.holders(1), Ranks{3});
  EXPECT_EQ(load.holders(2), Ranks{2});
  EXPECT_FALSE(load.nobody_works());
  EXPECT_FALSE(load.end(2, 6));  // not in order
  EXPECT_EQ(load.holders(2), Ranks{2});
  EXPECT_TRUE(load.end(2, 5));
  EXPECT_EQ(load.holders(1), (Ranks{2, 3}));
  EXPECT_TRUE(load.end(2, 8));
  EXPECT_TRUE(load.end(3, 7));
  EXPECT_TRUE(load.nobody_works());
  EXPECT_TRUE(load.holds_nothing(2));
}

TEST(Workload, GivesBackWhatALostWorkerHad) {
  Workload load(3, true);
  EXPECT_EQ(load.workers(), 3U);
  load.give(1, {1, 2, 3});
  load.give(1, {4});
  load.end(1, 1);
  const auto left = load.lose(1);
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(std::set<std::uint64_t>(left[0].begin(), left[0].end()), (std::set<std::uint64_t>{2, 3}));
  EXPECT_EQ(left[1], std::vector<std::uint64_t>{4});
  EXPECT_EQ(load.workers(), 2U);
  EXPECT_EQ(load.holders(0), (Ranks{0, 2}));
  EXPECT_TRUE(load.nobody_works());
}

}  // namespace
}  // namespace rodeo
