#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

namespace rodeo {
namespace {

/// A rod of four elements that a couple on its end is to turn by `turn` an element, about the rod or across
/// it.
MemberOutcome turned(double turn, bool twists, const std::vector<std::string>& overrides) {
  constexpr double bending = 4.0212e-4;  // E I, N m^2
  constexpr double twisting = 2.0 / 3.0 * bending;
  const double couple = turn / 0.05 * (twists ? twisting : bending);
  // What is not to turn is stiff.
  const std::string stiff = twists ? "bend_stiffness = 1\n" : "twist_stiffness = 1\n";
  const std::string deck =
      "[rod]\nelements = 4\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\ndamping = 0.01\n[boundary]\nfirst = clamped\n[load]\n"
      "ramp_time = 0.5\nend_couple = " +
      std::string(twists ? "" : "0, ") + std::to_string(couple) + (twists ? ", 0, 0" : ", 0") +
      "\n[time]\nstep = 1e-3\nend = 2\n" + (overrides.front() == "model.kind=der" ? "" : "[rod]\n" + stiff);
  return run_member(make_member_spec(Deck::parse(deck, "test.ini", overrides)));
}

const std::vector<std::vector<std::string>> methods = {
    {"time.method=implicit", "time.scheme=generalized_alpha"},
    {"time.method=implicit", "time.scheme=backward_euler"},
    {"time.method=implicit", "time.scheme=energy_momentum"},
    {"model.kind=der", "time.scheme=backward_euler"},
    {"model.kind=der", "time.scheme=sdirk2"},
    {"model.kind=der", "time.scheme=midpoint"},
    {"model.kind=der", "time.scheme=generalized_alpha"}};

TEST(RegionTurns, OfMoreThanHalfATurnByTwistEndAMemberHoweverLongSlicesAre) {
  for (const double turn : {4.0, 7.0}) {
    for (std::vector<std::string> method : methods) {
      method.emplace_back();
      std::vector<std::uint64_t> steps;
      for (const char* slices : {"time.slice_steps=1000", "time.slice_steps=1"}) {
        method.back() = slices;
        const MemberOutcome outcome = turned(turn, true, method);
        EXPECT_EQ(outcome.status, MemberStatus::diverged) << turn << " " << method[0] << " " << method[1];
        EXPECT_TRUE(std::isfinite(value(outcome, "end_twist")));  // by which the report tells why
        steps.push_back(outcome.steps);
      }
      EXPECT_EQ(steps[0], steps[1]);
    }
  }
}

TEST(RegionTurns, OfLessLetAMemberComeToRest) {
  for (const std::vector<std::string>& method : methods) {
    const MemberOutcome outcome = turned(2.0, true, method);
    EXPECT_EQ(outcome.status, MemberStatus::done) << method[0] << " " << method[1];
    EXPECT_NEAR(value(outcome, "end_twist"), 8.0, 0.1);
  }
}

TEST(RegionTurns, OfMoreThanHalfATurnByBendingEndAMember) {
  for (const std::vector<std::string>& method :
       {methods[0], methods[1], methods[2], std::vector<std::string>{"time.step=2e-5"}}) {
    EXPECT_EQ(turned(3.5, false, method).status, MemberStatus::diverged) << method.back();
  }
}

}  // namespace
}  // namespace rodeo
