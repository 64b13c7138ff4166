#include <cmath>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::rod_deck;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(TimeKeys, CountsTheStepsThatReachTheEnd) {
  const auto steps = [](const std::string& step, const std::string& end) {
    return spec_of(complete_deck, {"time.step=" + step, "time.end=" + end}).time.steps;
  };
  EXPECT_EQ(steps("1e-3", "1"), 1000);
  EXPECT_EQ(steps("0.1", "0.3"), 3) << "0.3 / 0.1 is below 3 in doubles";
  EXPECT_EQ(steps("0.001", "16.1"), 16100) << "16.1 / 0.001 is above 16100 in doubles";
  EXPECT_EQ(steps("1e-5", "120"), 12'000'000);
  EXPECT_EQ(steps("0.3", "1"), 4) << "the last step ends after time.end";
  EXPECT_EQ(steps("0.3", "0.90001"), 4);
  EXPECT_EQ(steps("5", "1"), 1);
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.step=1e300", "time.end=1"}),
                   {"time.step", "more than a hundred times the whole time of the member"}));
  EXPECT_EQ(steps("1e-9", "10"), 10'000'000'000);
}

TEST(TimeKeys, TakesTimesInUnitsOfAStretchWavesCrossing) {
  // sqrt(rho/E) L = sqrt(1e-3) 2 s
  const TimeSpec time =
      spec_of(rod_deck({"step", "end"}, "[time]\nstep_per_crossing = 1e-3\nend_per_crossing = 5\n")).time;
  EXPECT_NEAR(time.step, 2e-3 * std::sqrt(1e-3), 1e-18);
  EXPECT_EQ(time.steps, 5000);
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.step_per_crossing=1"}),
                   {"time.step_per_crossing", "contradicts time.step (deck.ini:9)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.end_per_crossing=1"}),
                   {"time.end_per_crossing", "contradicts time.end (deck.ini:10)"}));
}

TEST(TimeKeys, EquilibriaAreNotSoughtWhereLoadsThatSwingAreZero) {
  const std::string swinging = rod_deck({"step", "end"},
                                        "[boundary]\nfirst = clamped\n[load]\nend_force = 0, 0, 1e-3\n"
                                        "frequency = 1\n[time]\nmethod = static\n");
  EXPECT_TRUE(says(spec_error(swinging, {}), {"load.frequency", "does not say at which time.end"}));
  EXPECT_TRUE(says(spec_error(swinging, {"time.end=1"}), {"load.frequency", "zero"}));
  EXPECT_TRUE(says(spec_error(swinging, {"time.end=1", "time.step=0.5"}), {"load.frequency", "zero"}));
  EXPECT_EQ(spec_of(swinging, {"time.end=1", "time.step=0.25"}).time.steps, 4);
  EXPECT_EQ(spec_of(swinging, {"time.end=0.25"}).time.steps, 1);
}

}  // namespace
}  // namespace rodeo
