#include "dispatch/end_counts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/output/status_report.hpp"

namespace rodeo {
namespace {

using Members = std::vector<std::uint64_t>;

TEST(DispatchEndCounts, NamesTheFirstMembersOfAStatusInWhateverOrderTheyEnd) {
  EndCounts ends;
  for (const std::uint64_t member : {9, 4, 7, 2, 8}) ends.add({member, 1, 0.0, MemberStatus::diverged});
  ends.add({5, 1, 0.0, MemberStatus::done});
  ends.add({6, 1, 0.0, MemberStatus::pruned});
  EXPECT_EQ(ends.first(MemberStatus::diverged), (Members{2, 4, 7}));
  EXPECT_TRUE(ends.first(MemberStatus::failed).empty());
  EXPECT_EQ(ends.of(MemberStatus::diverged), 5u);
  EXPECT_EQ(ends.all(), 7u);
  EXPECT_EQ(ends.well(), 1u);
  EXPECT_EQ(ends.badly(), 5u);  // to be pruned is no failure
}

TEST(DispatchEndCounts, AMemberThatStoppedEarlyEndedWell) {
  EndCounts ends;
  ends.add({0, 1, 0.0, MemberStatus::stopped_early});
  EXPECT_EQ(ends.well(), 1u);
  EXPECT_EQ(ends.badly(), 0u);
}

TEST(DispatchEndCounts, ObjectivesAreFlatIfAllThatEndedWellHaveTheSame) {
  EndCounts ends;
  ends.add({0, 1, 2.5, MemberStatus::done});
  EXPECT_FALSE(ends.flat());  // one alone differs from nothing
  ends.add({1, 1, 3.5, MemberStatus::diverged});
  ends.add({2, 1, 2.5, MemberStatus::stopped_early});
  EXPECT_TRUE(ends.flat());
  EXPECT_EQ(ends.objective(), 2.5);
  ends.add({3, 1, std::nan(""), MemberStatus::done});
  EXPECT_FALSE(ends.flat());
  EndCounts varied;
  varied.add({0, 1, 2.5, MemberStatus::done});
  varied.add({1, 1, std::nextafter(2.5, 3.0), MemberStatus::done});
  EXPECT_FALSE(varied.flat());
}

}  // namespace
}  // namespace rodeo
