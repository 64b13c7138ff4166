#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(SettlingKeys, SetTheRule) {
  const SettleSpec settle = spec_of(complete_deck, {"observe.settle=1e-3", "observe.settle_in=total_energy",
                                                    "observe.settle_interval=0.1", "time.step=1e-3",
                                                    "time.end=1", "observe.settle_periods=1.75"})
                                .settle;
  EXPECT_TRUE(settle.acts());
  EXPECT_EQ(settle.tolerance, 1e-3);
  EXPECT_EQ(settle.quarters(), 7);
  EXPECT_EQ(settle.period_steps, 100);
  EXPECT_FALSE(spec_of(complete_deck).settle.acts());
  EXPECT_FALSE(spec_of(complete_deck, {"observe.settle=0"}).settle.acts());
}

TEST(SettlingKeys, RefuseWhatCannotSettle) {
  const auto error = [](std::vector<std::string> more) {
    more.insert(more.end(), {"observe.settle=1e-3", "time.step=1e-3", "time.end=1"});
    return spec_error(complete_deck, more);
  };
  EXPECT_TRUE(says(error({}), {"study.objective", "observe.settle without observe.settle_in"}));
  EXPECT_TRUE(says(error({"observe.settle_in=total_energie"}),
                   {"observe.settle_in", "'total_energie' is no observable", "did you mean total_energy?"}));
  EXPECT_TRUE(says(error({"observe.settle_in=total_energy"}),
                   {"observe.settle_interval", "needed for observe.settle without muscle.period"}));
  EXPECT_TRUE(says(error({"observe.settle_in=total_energy", "observe.settle_interval=1e-4"}),
                   {"observe.settle_interval", "has 0 steps of time.step", "at least 4"}));
  EXPECT_TRUE(says(error({"observe.settle_in=total_energy", "muscle.period=3e-3", "muscle.amplitudes=1, 1"}),
                   {"muscle.period", "has 3 steps of time.step", "at least 4"}));
  EXPECT_TRUE(says(error({"observe.settle_in=total_energy", "observe.settle_interval=0.7"}),
                   {"observe.settle", "can end no member", "values over 0.5 periods", "time.end has 1.25"}));
  EXPECT_TRUE(says(
      error({"observe.settle_in=total_energy", "observe.settle_interval=0.1", "observe.settle_periods=9"}),
      {"can end no member", "values over 9 periods", "time.end has 10"}));
  EXPECT_TRUE(says(
      error({"observe.settle_in=total_energy", "observe.settle_interval=0.1", "observe.settle_periods=0.6"}),
      {"observe.settle_periods", "must be a multiple of 0.25"}));
  EXPECT_TRUE(says(error({"observe.settle_in=total_energy", "observe.settle_interval=0.1",
                          "muscle.period=0.1", "muscle.amplitudes=1, 1"}),
                   {"observe.settle_interval", "has no effect", "muscle.period"}));
}

TEST(SettlingKeys, RefuseMeasuresThatTakeTheEndForTheirOwn) {
  const std::vector<std::string> settles = {"observe.settle=1e-3", "observe.settle_in=total_energy",
                                            "observe.settle_interval=0.1", "time.step=1e-3", "time.end=1"};
  const auto with = [](const std::string& line) {
    return complete_deck + "[measure]\ndefine = " + line + "\n";
  };
  for (const std::string line : {"q [1] : integral(1 + 0*t)/t_end", "q [1] : integral(1 + 0*t)/time.end",
                                 "q [J] : mean(total_energy over 0 to t_end/2)"}) {
    EXPECT_TRUE(says(spec_error(with(line), settles), {"measure.define", "observe.settle"})) << line;
    EXPECT_NO_THROW(spec_of(with(line), {"time.step=1e-3", "time.end=1"})) << line;
  }
  EXPECT_NO_THROW(spec_of(with("q [s] : last(t)"), settles));
}

}  // namespace
}  // namespace rodeo
