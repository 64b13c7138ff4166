#include "dispatch/master.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

std::vector<std::uint64_t> members_of(const std::vector<MemberQueue::Entry>& entries) {
  std::vector<std::uint64_t> members;
  for (const MemberQueue::Entry& entry : entries) members.push_back(entry.member);
  return members;
}

TEST(DispatchQueue, LongestMembersComeFirstAndEqualOnesInOrder) {
  MemberQueue queue;
  queue.add(0, 1.0);
  queue.add(1, 3.0);
  queue.add(2, 1.0);
  queue.add(3, 3.0);
  queue.sort();
  EXPECT_EQ(queue.cost(), 8.0);
  EXPECT_EQ(members_of(queue.take(100.0, 1, 3, unlimited, unlimited)), (std::vector<std::uint64_t>{1, 3, 0}));
  EXPECT_EQ(queue.cost(), 1.0);
  queue.add(4, 5.0);
  queue.sort();
  EXPECT_EQ(members_of(queue.take(100.0, 1, 100, unlimited, unlimited)), (std::vector<std::uint64_t>{4, 2}));
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.take(1.0, 1, 10, unlimited, unlimited).empty());
}

TEST(DispatchQueue, AChunkHoldsItsCostButFillsTheBatch) {
  MemberQueue queue;
  for (std::uint64_t member = 0; member < 10; ++member) queue.add(member, 2.0);
  queue.sort();
  EXPECT_EQ(queue.take(5.0, 1, 100, unlimited, unlimited).size(), 3u);
  EXPECT_EQ(queue.take(0.0, 2, 100, unlimited, unlimited).size(), 2u);
  EXPECT_EQ(queue.take(100.0, 1, 4, unlimited, unlimited).size(), 4u);
}

TEST(DispatchQueue, WhatHasNoRoomStaysAndShorterOnesGoBefore) {
  MemberQueue queue;
  for (std::uint64_t member = 0; member < 6; ++member) queue.add(member, static_cast<double>(member));
  queue.sort();
  EXPECT_EQ(members_of(queue.take(100.0, 4, 100, 3.5, 5.5)), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(queue.cost(), 10.0);
  EXPECT_TRUE(queue.take(100.0, 1, 100, -1.0, -1.0).empty());
  EXPECT_EQ(members_of(queue.take(100.0, 1, 100, unlimited, unlimited)),
            (std::vector<std::uint64_t>{5, 4, 1, 0}));
  EXPECT_TRUE(queue.empty());
}

TEST(DispatchQueue, ChunksShrinkAndHaveSomeMembersForEachThread) {
  MemberQueue queue;
  EXPECT_EQ(queue.longest(), 0.0);
  EXPECT_EQ(chunk_cost(queue, 1, 2), 0.0);
  for (std::uint64_t member = 0; member < 60; ++member) queue.add(member, 3e9);
  queue.add(60, 4e9);
  queue.sort();
  EXPECT_EQ(queue.longest(), 4e9);
  EXPECT_EQ(chunk_cost(queue, 1, 1), 1e9);
  EXPECT_EQ(chunk_cost(queue, 1, 2), 32e9);             // four of the longest for each thread
  EXPECT_EQ(chunk_cost(queue, 1, 1000), queue.cost());  // a device that has no other beside it takes all
  EXPECT_EQ(chunk_cost(queue, 4, 2), queue.cost() / 12.0);
  MemberQueue quick;
  for (std::uint64_t member = 0; member < 60; ++member) quick.add(member, 1e8);
  quick.sort();
  EXPECT_EQ(chunk_cost(quick, 1, 2), 2e9);
}

TEST(DispatchGatherer, CandidatesAreToldInOrderOnceAllRepeatsEnded) {
  ResultGatherer gatherer(2);
  gatherer.add({5, 1, MemberStatus::done, {3.0, 1.0}});
  gatherer.add({0, 1, MemberStatus::done, {1.0, 1.0}});
  EXPECT_TRUE(gatherer.take_complete().empty());
  gatherer.add({4, 1, MemberStatus::stopped_early, {5.0, 2.0}});
  gatherer.add({1, 1, MemberStatus::diverged, {2.0, 1.0}});
  const auto results = gatherer.take_complete();
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].candidate, 0u);
  EXPECT_EQ(results[0].status, MemberStatus::diverged);
  EXPECT_TRUE(std::isnan(results[0].observables[0]));
  EXPECT_TRUE(std::isnan(results[0].observables[1]));
  EXPECT_EQ(results[1].candidate, 2u);
  EXPECT_EQ(results[1].status, MemberStatus::stopped_early);
  EXPECT_EQ(results[1].observables, (std::vector<double>{4.0, 1.5}));
  EXPECT_TRUE(results[1].derivatives.empty());
  EXPECT_TRUE(gatherer.take_complete().empty());
}

TEST(DispatchGatherer, APrunedMemberHasNoObservablesButAStatusForIt) {
  ResultGatherer gatherer(1);
  gatherer.add({3, 1, MemberStatus::pruned, {3.0}});
  gatherer.add({4, 1, MemberStatus::done, {3.0}});
  const auto results = gatherer.take_complete();
  EXPECT_EQ(results[0].status, MemberStatus::pruned);
  EXPECT_TRUE(std::isnan(results[0].observables[0]));
  EXPECT_EQ(results[1].status, MemberStatus::done);
}

TEST(DispatchGatherer, ABranchThatRanOutOfPointsTellsWhatItFoundToAPlanThatAsks) {
  ResultGatherer deaf(1);
  ResultGatherer asking(1, 1, true);
  for (ResultGatherer* const gatherer : {&deaf, &asking})
    gatherer->add({0, 1, MemberStatus::out_of_points, {3.0}});
  EXPECT_TRUE(std::isnan(deaf.take_complete()[0].observables[0]));
  const Result told = asking.take_complete()[0];
  EXPECT_EQ(told.status, MemberStatus::out_of_points);
  EXPECT_EQ(told.observables, std::vector{3.0});
}

TEST(DispatchGatherer, ScenariosAreToldApartInWhateverOrderTheirMembersEnd) {
  ResultGatherer gatherer(6, 3);
  for (const std::uint64_t k : {3, 0, 5, 1, 4, 2})
    gatherer.add({6 + k, 1, MemberStatus::done, {static_cast<double>(k * k)}});
  const Result result = gatherer.take_complete()[0];
  EXPECT_EQ(result.candidate, 1u);
  EXPECT_EQ(result.scenarios, (std::vector<std::vector<double>>{{0.5}, {6.5}, {20.5}}));
}

TEST(DispatchGatherer, TheMeanOverRepeatsDoesNotDependOnTheOrderInWhichTheyEnd) {
  const double values[] = {0.1, 1e16, 0.7, -1e16};
  ResultGatherer forwards(4);
  ResultGatherer backwards(4);
  for (std::uint64_t k = 0; k < 4; ++k) {
    forwards.add({k, 1, MemberStatus::done, {values[k]}, {static_cast<double>(k)}});
    backwards.add({3 - k, 1, MemberStatus::done, {values[3 - k]}, {static_cast<double>(3 - k)}});
  }
  const Result ours = forwards.take_complete()[0];
  const Result theirs = backwards.take_complete()[0];
  EXPECT_EQ(ours.observables, theirs.observables);
  EXPECT_EQ(ours.last_frame, std::vector<double>{0.0});
  EXPECT_EQ(theirs.last_frame, std::vector<double>{0.0});
}

TEST(DispatchSuspects, AMemberRunsAloneOnceMoreAndThenNoMore) {
  Suspects suspects;
  EXPECT_TRUE(suspects.add(7));
  EXPECT_TRUE(suspects.add(3));
  EXPECT_EQ(suspects.take(), 7u);
  EXPECT_FALSE(suspects.add(7));
  EXPECT_EQ(suspects.take(), 3u);
  EXPECT_TRUE(suspects.empty());
}

}  // namespace
}  // namespace rodeo
