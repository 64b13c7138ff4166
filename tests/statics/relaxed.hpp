#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

namespace rodeo::statics {

/// Whether a member's equilibrium is where it comes to rest in damped explicit steps, with what these need.
inline void expect_as_relaxed(const std::string& text, const std::vector<std::string>& overrides,
                              const std::vector<std::string>& relaxing, double tolerance) {
  const auto spec_of = [&](const std::vector<std::string>& of) {
    return make_member_spec(Deck::parse(text, "test", of));
  };
  std::vector<std::string> still = overrides;
  still.emplace_back("time.method=static");
  const MemberOutcome at_rest = run_member(spec_of(still));
  ASSERT_EQ(at_rest.status, MemberStatus::done);
  std::vector<std::string> dynamic = overrides;
  dynamic.insert(dynamic.end(), relaxing.begin(), relaxing.end());
  const MemberOutcome relaxed = run_member(spec_of(dynamic));
  ASSERT_EQ(relaxed.status, MemberStatus::done);
  for (const char* const name : {"end_x", "end_y", "end_z"})
    EXPECT_NEAR(value(at_rest, name), value(relaxed, name), tolerance) << name;
  EXPECT_NEAR(value(at_rest, "bending_energy") / value(relaxed, "bending_energy"), 1.0, 10.0 * tolerance);
}

}  // namespace rodeo::statics
