#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

namespace rodeo {

/// Expects numbers that are the same: zeros of the same sign, and NaN where the other is.
inline void expect_same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i])) << i << ": " << a[i];
}

inline void expect_same_outcome(const MemberOutcome& a, const MemberOutcome& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.steps, b.steps);
  expect_same_numbers(a.observables, b.observables);
  expect_same_numbers(a.time, b.time);
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t k = 0; k < a.fields.size(); ++k) expect_same_numbers(a.fields[k], b.fields[k]);
  expect_same_numbers(a.mode_shapes, b.mode_shapes);
}

/// Runs members in batches of several sizes, and expects of each what it does alone.
inline std::vector<MemberOutcome> expect_the_same_in_any_batch(const std::vector<MemberSpec>& specs) {
  std::vector<MemberJob> jobs;
  std::vector<MemberOutcome> alone;
  for (const MemberSpec& spec : specs) {
    jobs.push_back({spec, jobs.size()});
    alone.push_back(run_members({jobs.back()}).front());
  }
  for (const std::size_t size : {std::size_t{3}, std::size_t{8}, std::size_t{11}, jobs.size()}) {
    for (std::size_t first = 0; first < jobs.size(); first += size) {
      const std::size_t last = std::min(first + size, jobs.size());
      const auto at = [&](std::size_t k) { return jobs.begin() + static_cast<std::ptrdiff_t>(k); };
      const std::vector<MemberOutcome> together = run_members({at(first), at(last)});
      for (std::size_t k = first; k < last; ++k) {
        SCOPED_TRACE("member " + std::to_string(k) + " in batches of " + std::to_string(size));
        expect_same_outcome(alone[k], together[k - first]);
      }
    }
  }
  return alone;
}

/// So many decks, with keys whose numbers rise from one to the next.
inline std::vector<std::vector<std::string>> rising(int count, const std::vector<std::string>& common,
                                                    const std::string& key, double first, double last,
                                                    const std::string& after = "") {
  std::vector<std::vector<std::string>> decks(static_cast<std::size_t>(count), common);
  for (int k = 0; k < count; ++k) {
    decks[static_cast<std::size_t>(k)].push_back(
        key + std::to_string(first + (last - first) * k / (count - 1)) + after);
  }
  return decks;
}

inline int count_of(const std::vector<MemberOutcome>& outcomes, MemberStatus status) {
  return static_cast<int>(std::ranges::count(outcomes, status, &MemberOutcome::status));
}

}  // namespace rodeo
