#include "rodeo/member/settling.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "member/last_period.hpp"
#include "member/measured.hpp"

namespace rodeo {
namespace {

/// After how many looks values(k), k = 1, 2, ..., have settled, where time.end is the `looks`-th; 0: never.
template <class Values>
int settled_after(const Values& values, int looks, double tolerance, double periods = 0.5) {
  Settling settling({tolerance, periods, 4, 0});
  for (int k = 1; k < looks; ++k) {
    if (settling.add(values(k), looks - k)) return k;
  }
  return 0;
}

TEST(Settling, ComparesTheValuesOfItsWindow) {
  EXPECT_EQ(settled_after([](int) { return 3.0; }, 20, 1e-3), 3);
  EXPECT_EQ(settled_after([](int) { return 3.0; }, 20, 1e-3, 0.25), 2);
  EXPECT_EQ(settled_after([](int) { return 3.0; }, 20, 1e-3, 2.0), 9);
  EXPECT_EQ(settled_after([](int k) { return k == 3 ? 3.1 : 3.0; }, 20, 1e-3), 6);
  EXPECT_EQ(settled_after([](int k) { return k % 2 == 0 ? 3.0 : 3.1; }, 20, 1e-3), 0);
  EXPECT_EQ(settled_after([](int k) { return k % 2 == 0 ? 3.0 : 3.001; }, 20, 1e-3), 3);
  EXPECT_EQ(settled_after([](int) { return std::nan(""); }, 20, 1e-3), 0);
  EXPECT_EQ(settled_after([](int k) { return k == 3 ? std::nan("") : 3.0; }, 20, 1e-3), 6);
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
  EXPECT_EQ(settled_after(drifting, 1000, 1e-3), 990);  // when the change of 10 looks is left
  EXPECT_EQ(settled_after(drifting, 10, 1e-3), 3);
  EXPECT_EQ(settled_after([](int k) { return 1.0 + 1e-3 * k; }, 100, 1e-3), 0);
}

TEST(Settling, SeesAnOscillationOfTheMeanThatIsTwiceItsWindowLong) {
  const auto oscillating = [](int looks, double fades) {
    return [=](int k) { return 1.0 + 0.3 * std::exp(-k / fades) * std::cos(2.0 * M_PI * k / looks); };
  };
  for (const int looks : {3, 4, 5, 6, 8, 12, 20}) {
    for (const double fades : {4.0, 12.0, 40.0}) {
      const auto values = oscillating(looks, fades);
      const int settled = settled_after(values, 400, 1e-3, 0.25 * std::max(2, (looks + 1) / 2));
      ASSERT_GT(settled, 0) << looks << " " << fades;
      EXPECT_LT(std::abs(values(settled) - 1.0), 1e-3) << looks << " " << fades;
    }
  }
  // A slower one is taken for settled at its crest.
  const auto slow = oscillating(20, 40.0);
  EXPECT_GT(std::abs(slow(settled_after(slow, 400, 1e-3)) - 1.0), 5e-3);
}

TEST(Settling, SeesAnInstabilityOnceItMatters) {
  const auto growing = [](double from) { return [=](int k) { return 1.0 + from * std::exp(k / 20.0); }; };
  EXPECT_EQ(settled_after(growing(1e-3), 400, 1e-3), 0);
  EXPECT_EQ(settled_after(growing(1e-6), 400, 1e-3), 3);  // which nobody can foresee by it
}

TEST(Settling, CanEndAMemberWhoseTimeIsLongerThanItsWindow) {
  MemberSpec member;
  member.settle = {1e-3, 0.5, 10, 0};
  for (const auto& [steps, can] : {std::pair{14, false}, {15, false}, {17, false}, {18, true}, {100, true}}) {
    member.time.steps = steps;
    EXPECT_EQ(can_settle(member), can) << steps;
  }
  member.settle.tolerance = 0.0;
  EXPECT_FALSE(can_settle(member));
}

TEST(LastPeriod, SlidesByQuartersOfWhichFourAreAPeriod) {
  MemberSpec member;
  for (const std::int64_t period : {4, 5, 6, 7, 10, 37, 1000}) {
    for (const std::int64_t end : {37, 40, 1003}) {
      member.settle = {1e-3, 0.5, period, 0};
      member.time.steps = end;
      const LastPeriod last(member);
      std::vector<std::int64_t> begins;
      for (std::int64_t step = last.first(); step <= end; step = last.next(step)) begins.push_back(step);
      EXPECT_EQ(begins.back(), end);
      std::size_t next = 0;
      for (std::int64_t step = 0; step <= end; ++step) {
        const bool here = step == begins[next];
        ASSERT_EQ(last.begins_at(step), here) << step << " of " << end << ", " << period;
        next += here ? 1 : 0;
      }
      for (std::size_t k = 0; k < begins.size(); ++k) {
        EXPECT_EQ(last.quarters_left(begins[k]), static_cast<std::int64_t>(begins.size() - 1 - k));
        if (k < 4) continue;
        EXPECT_EQ(begins[k] - begins[k - 4], period);
      }
    }
  }
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
  EXPECT_EQ(4.0 * periods, std::floor(4.0 * periods));
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

TEST(Settlement, JoinsWhatWasFoundInTheQuartersOfItsLastPeriod) {
  // A period of 1001 steps, of which all are looked at.
  const std::string deck = pulled(
      "define = mean [m/s] : mean(vx(middle) over period)\ndefine = rms [m/s] : rms(vx(middle) over period)\n"
      "define = sum [m] : integral(vx(middle) over period)\n"
      "define = least [m/s] : min(vx(middle) over period)\n"
      "define = fast [s] : first_time(sin(2 * pi * t / 0.1) > 0.9 over period)\n"
      "define = late [s] : first_time(t > 0.1 * 15 over period)\n"
      "define = never [s] : first_time(t < 0 over period)\n");
  const std::vector<std::string> steps = {"muscle.period=0.1001", "time.slice_steps=1",
                                          "measure.interval=1e-4"};
  std::vector<std::string> rule = steps;
  rule.insert(rule.end(), {"observe.settle=1e-2", "observe.settle_in=forward_speed"});
  const MemberOutcome settled = run_member(make_member_spec(Deck::parse(deck, "test.ini", rule)));
  ASSERT_EQ(settled.status, MemberStatus::settled);
  EXPECT_NE(settled.steps % 1001, 0U);
  std::vector<std::string> cut = steps;
  cut.push_back("time.end=" + std::to_string(1e-4 * static_cast<double>(settled.steps)));
  const Measured whole(deck, cut);
  EXPECT_EQ(whole.outcome.steps, settled.steps);
  for (const char* name :
       {"forward_speed", "lateral_speed", "gait_width", "widest", "least", "fast", "late"}) {
    EXPECT_EQ(settled.observables.at(whole.list.index(name)), whole[name]) << name;
  }
  for (const char* name : {"mean_speed", "mean", "rms", "sum"}) {
    EXPECT_NEAR(settled.observables.at(whole.list.index(name)), whole[name], 1e-12 * whole[name]) << name;
  }
  EXPECT_GT(whole["fast"], 1e-4 * static_cast<double>(settled.steps - 1001));
  EXPECT_TRUE(std::isnan(settled.observables.at(whole.list.index("never"))));
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
