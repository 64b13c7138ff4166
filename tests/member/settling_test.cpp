#include "rodeo/member/settling.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// After how many of `periods` values(k), k = 1, 2, ..., have settled; 0: never.
template <class Values>
int settled_after(const Values& values, int periods, double tolerance, int in_row = 2) {
  Settling settling;
  for (int k = 1; k < periods; ++k) {
    if (settling.add(values(k), {tolerance, in_row, 1, 0}, periods - k)) return k;
  }
  return 0;
}

TEST(Settling, NeedsCalmPeriodsInARow) {
  EXPECT_EQ(settled_after([](int) { return 3.0; }, 20, 1e-3), 3);
  EXPECT_EQ(settled_after([](int) { return 3.0; }, 20, 1e-3, 5), 6);
  EXPECT_EQ(settled_after([](int k) { return k == 3 ? 3.1 : 3.0; }, 20, 1e-3), 6);
  EXPECT_EQ(settled_after([](int k) { return k % 2 == 0 ? 3.0 : 3.1; }, 20, 1e-3), 0);
  EXPECT_EQ(settled_after([](int k) { return k % 2 == 0 ? 3.0 : 3.001; }, 20, 1e-3), 4);
  EXPECT_EQ(settled_after([](int) { return std::nan(""); }, 20, 1e-3), 0);
}

TEST(Settling, WaitsForSlowTransients) {
  // 1 - exp(-k/T): what is left, not the last change, comes below the tolerance.
  for (const double slow : {1.0, 5.0, 20.0}) {
    const auto rising = [&](int k) { return 1.0 - std::exp(-k / slow); };
    const int settled = settled_after(rising, 400, 1e-3);
    ASSERT_GT(settled, 0) << slow;
    EXPECT_LT(1.0 - rising(settled), 1e-3) << slow;
    EXPECT_LT(settled, std::ceil(slow * std::log(1e3)) + 3) << slow;
  }
}

TEST(Settling, CountsADriftAsFarAsTheEnd) {
  const auto drifting = [](int k) { return 1.0 + 1e-4 * k; };
  EXPECT_EQ(settled_after(drifting, 1000, 1e-3), 991);  // when 10 and then 9 such changes are left
  EXPECT_EQ(settled_after(drifting, 10, 1e-3), 3);
}

/// A rod that a sine pulls to and fro and a fluid holds back, with a wind that grows in the time `rise`.
std::string pulled(const std::string& more) {
  return "[rod]\nelements = 4\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
         "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\ndamping = 1\n"
         "[muscle]\nperiod = 0.1\namplitudes = 1e-5, 1e-5\n"
         "[variable]\nrise = 0.2\n"
         "[actuation]\nforce = x : (1 - exp(-t / rise)) * 0.1 + 0.05 * sin(2 * pi * t / 0.1)\n"
         "[time]\nstep = 1e-4\nend = 4\nslice_steps = 10\n"
         "[measure]\ninterval = 1e-3\ndefine = mean_speed [m/s] : mean(vx(middle) over period)\n"
         "define = widest [m/s] : max(vx(middle) over period)\n" +
         more;
}

TEST(Settlement, IsTheEndThatTheMemberWouldHaveHadThere) {
  const std::string rule =
      "[observe]\nsettle = 1e-3\n[output]\nframes = 2\n[study]\nkind = single\nobjective = forward_speed\n";
  const auto member = [](const std::string& deck, const std::vector<std::string>& overrides) {
    return run_member(make_member_spec(Deck::parse(deck, "test.ini", overrides)));
  };
  const MemberOutcome settled = member(pulled(rule), {});
  EXPECT_EQ(settled.status, MemberStatus::settled);
  const double periods = value(settled, "periods_run");
  EXPECT_EQ(static_cast<double>(settled.steps), 1000.0 * periods);
  EXPECT_GT(periods, 10.0);
  EXPECT_LT(periods, 30.0);
  // The same, bit by bit, with that time.end and without the rule, where slices end at the same steps.
  const MemberOutcome cut = member(pulled("[study]\nkind = single\n"),
                                   {"time.end=" + std::to_string(0.1 * periods), "measure.interval=1e-3"});
  for (const char* name : {"forward_speed", "lateral_speed", "total_energy"})
    EXPECT_EQ(value(settled, name), value(cut, name)) << name;
  for (const std::size_t measure : {0U, 1U}) {
    EXPECT_NEAR(settled.observables.at(observables.size() + measure),
                cut.observables.at(observables.size() + measure), 1e-15);
  }
  const MemberOutcome whole = member(pulled("[study]\nkind = single\n"), {});
  EXPECT_NEAR(value(settled, "forward_speed"), value(whole, "forward_speed"),
              1e-3 * value(whole, "forward_speed"));
}

TEST(Settlement, OfAMeasureAndOfASteadyState) {
  const MemberOutcome by_measure = run_member(make_member_spec(
      Deck::parse(pulled("[observe]\nsettle = 1e-3\nsettle_in = widest\n"), "test.ini", {})));
  EXPECT_EQ(by_measure.status, MemberStatus::settled);
  const Deck deck = Deck::parse(
      "[rod]\nelements = 4\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\ndamping_ratio = 1\n"
      "[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, -1, 0\n[time]\nstep = 2e-4\nend = 60\n"
      "[observe]\nsettle = 1e-6\nsettle_in = bending_energy\nsettle_interval = 0.5\n",
      "test.ini", {});
  const MemberOutcome sagging = run_member(make_member_spec(deck));
  EXPECT_EQ(sagging.status, MemberStatus::settled);
  EXPECT_LT(value(sagging, "periods_run"), 60.0);
  EXPECT_LT(value(sagging, "translational_energy"), 1e-9 * value(sagging, "bending_energy"));
}

}  // namespace
}  // namespace rodeo
