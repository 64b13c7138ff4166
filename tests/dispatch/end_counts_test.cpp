#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/output/status_report.hpp"

#include "dispatch/outcome_report.hpp"

namespace rodeo {
namespace {

using Members = std::vector<std::uint64_t>;

TEST(DispatchEndCounts, NamesTheFirstMembersOfAStatusInWhateverOrderTheyEnd) {
  EndCounts ends(0);
  for (const std::uint64_t member : {9u, 4u, 7u, 2u, 8u})
    ends.add({member, 1, MemberStatus::diverged, {0.0}});
  ends.add({5, 1, MemberStatus::done, {0.0}});
  ends.add({6, 1, MemberStatus::pruned, {0.0}});
  EXPECT_EQ(ends.first(MemberStatus::diverged), (Members{2, 4, 7}));
  EXPECT_TRUE(ends.first(MemberStatus::failed).empty());
  EXPECT_EQ(ends.of(MemberStatus::diverged), 5u);
  EXPECT_EQ(ends.all(), 7u);
  EXPECT_EQ(ends.well(), 1u);
  EXPECT_EQ(ends.badly(), 5u);  // to be pruned is no failure
}

TEST(DispatchEndCounts, AMemberThatStoppedEarlyEndedWell) {
  EndCounts ends(0);
  ends.add({0, 1, MemberStatus::stopped_early, {0.0}});
  EXPECT_EQ(ends.well(), 1u);
  EXPECT_EQ(ends.badly(), 0u);
}

TEST(DispatchEndCounts, ObjectivesAreFlatIfAllThatEndedWellHaveTheSame) {
  EndCounts ends(0);
  ends.add({0, 1, MemberStatus::done, {2.5}});
  EXPECT_FALSE(ends.flat());  // one alone differs from nothing
  ends.add({1, 1, MemberStatus::diverged, {3.5}});
  ends.add({2, 1, MemberStatus::stopped_early, {2.5}});
  EXPECT_TRUE(ends.flat());
  EXPECT_EQ(ends.objective(), 2.5);
  ends.add({3, 1, MemberStatus::done, {std::nan("")}});
  EXPECT_FALSE(ends.flat());
  EndCounts varied(0);
  varied.add({0, 1, MemberStatus::done, {2.5}});
  varied.add({1, 1, MemberStatus::done, {std::nextafter(2.5, 3.0)}});
  EXPECT_FALSE(varied.flat());
}

}  // namespace
}  // namespace rodeo
