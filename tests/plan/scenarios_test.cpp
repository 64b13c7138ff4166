#include "rodeo/plan/scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/result.hpp"

namespace rodeo {
namespace {

constexpr double unset_number = std::numeric_limits<double>::quiet_NaN();

constexpr const char* text =
    "[study]\nkind = optimize\nobjective = function_value\nsense = min\n"
    "[model]\nkind = function\n[function]\nx = 0, 0, 0, 0\n"
    "[optimize]\nparameter = function.x[0] : [-5, 5] start 4\n";

Deck deck_of(const std::vector<std::string>& overrides) { return Deck::parse(text, "test.ini", overrides); }

std::string scenarios_error(const std::vector<std::string>& overrides) {
  try {
    const Scenarios scenarios(deck_of(overrides));
  } catch (const DeckError& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(Scenarios, OfADeckWithoutAnyAreOneThatSetsNothing) {
  const Scenarios scenarios(deck_of({"study.repeats=3"}));
  EXPECT_FALSE(scenarios.any());
  EXPECT_EQ(scenarios.count(), 1u);
  EXPECT_TRUE(scenarios.values(0).empty());
  EXPECT_EQ(members_of_candidate(deck_of({"study.repeats=3"})), 3u);
}

TEST(Scenarios, CombineListsAndDrawForEach) {
  const Deck deck =
      deck_of({"study.scenarios=function.x[1] : list(1, 2)", "study.scenarios=function.x[2:4] : normal(0, 1)",
               "study.draws=3", "study.repeats=2"});
  const Scenarios scenarios(deck);
  ASSERT_EQ(scenarios.count(), 6u);
  EXPECT_EQ(members_of_candidate(deck), 12u);
  ASSERT_EQ(scenarios.addresses().size(), 3u);
  EXPECT_EQ(scenarios.addresses()[2].name(), "function.x[3]");
  EXPECT_EQ(scenarios.variation(),
            (std::vector<std::string>{"function.x[1] 1 to 2: 2 points", "function.x[2:4] normal(0, 1)"}));
  std::vector<double> drawn;
  for (std::uint32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(scenarios.values(k)[0], k < 3 ? 1.0 : 2.0);
    drawn.push_back(scenarios.values(k)[1]);
    EXPECT_EQ(scenarios.values(k)[1], Scenarios(deck).values(k)[1]);
  }
  // One in each sixth of the distribution.
  std::ranges::sort(drawn);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_EQ(std::floor(6.0 * 0.5 * std::erfc(-drawn[k] / std::sqrt(2.0))), static_cast<double>(k));
  const Scenarios others(
      deck_of({"study.scenarios=function.x[2:4] : normal(0, 1)", "study.draws=6", "study.seed=2"}));
  EXPECT_NE(others.values(0)[0], scenarios.values(0)[1]);
}

TEST(Scenarios, ExplainWhatIsWrongWithThem) {
  const auto error = [](const std::string& line) { return scenarios_error({"study.scenarios=" + line}); };
  const auto expect = [](const std::string& error, const std::string& part) {
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect(error("function.x[0] : list(1, 2)"),
         "study.scenarios: function.x[0] is moved by optimize.parameter");
  expect(error("function.x[1] : nromal(0, 1)"), "did you mean normal?");
  expect(error("function.x[2:9] : normal(0, 1)"),
         "function.x[2:9] is the entries 2 to 8 of a list, and the deck lists 4 numbers: all of them are "
         "function.x[0:4]");
  expect(error("function.x[1] : list(1, 2) with function.x[2] : list(1)"), "function.x[2] has 1 values");
  expect(error("function.x[1:3] : list(1, 2)"), "names several entries of a list");
  expect(error("function.y : list(1, 2)"), "function.");
  expect(error("targets.csv"), "is read with the file of a deck");
  expect(error("study.seed : list(1, 2)"), "holds for the study as a whole");
  expect(scenarios_error({"study.scenarios=function.x[1] : list(1, 2)", "study.draws=2"}),
         "study.draws: has nothing to draw");
  expect(scenarios_error(
             {"study.scenarios=function.x[1] : list(1, 2)", "study.scenarios=function.x[1] : normal(0, 1)"}),
         "stands in the scenarios already");
  expect(
      scenarios_error({"study.scenarios=function.x[1] : normal(0, 1)", "study.draws=1e6", "study.repeats=2"}),
      "more than 1000000 members of each candidate");
}

/// Two observables in four scenarios, of two repeats each.
Result four_scenarios() {
  ResultSum sum(8, 4);
  for (const double value : {3.0, 5.0, 1.0, 1.0, 9.0, 7.0, 2.0, 2.0})
    sum.add(MemberStatus::done, std::vector{value, -value});
  return sum.result(7);
}

TEST(ResultSum, HasMeansOverRepeatsInEachScenario) {
  const Result result = four_scenarios();
  EXPECT_EQ(result.candidate, 7u);
  EXPECT_EQ(result.observables, (std::vector{3.75, -3.75}));
  ASSERT_EQ(result.scenarios.size(), 4u);
  EXPECT_EQ(result.scenarios[2], (std::vector{8.0, -8.0}));
}

TEST(ResultSum, IsReducedOverTheWorstScenarios) {
  const Result result = four_scenarios();  // 4, 1, 8, 2
  EXPECT_EQ(result.over_worst(0, 1.0, true), 3.75);
  EXPECT_EQ(result.over_worst(0, 0.0, true), 8.0);
  EXPECT_EQ(result.over_worst(0, 0.0, false), 1.0);
  EXPECT_EQ(result.over_worst(0, 0.5, true), 6.0);
  EXPECT_EQ(result.over_worst(0, 0.26, true), 6.0) << "rounded up to whole scenarios";
  EXPECT_EQ(result.over_worst(0, 0.25, true), 8.0);
  EXPECT_EQ(result.over_worst(1, 0.5, false), -6.0);
  EXPECT_EQ(scenarios_counted(10, 0.3), 3u) << "0.3 times 10 is above 3 by rounding";
}

TEST(ResultSum, OfACandidateThatFailsInOneScenarioHasFailed) {
  ResultSum sum(2, 2);
  sum.add(MemberStatus::done, std::vector{1.0});
  sum.add(MemberStatus::diverged, std::vector{2.0});
  const Result result = sum.result(0);
  EXPECT_EQ(result.status, MemberStatus::diverged);
  for (const double share : {0.0, 0.5, 1.0}) {
    const Objective objective{.name = "value", .worst_share = share};
    EXPECT_TRUE(std::isnan(objective.fitness(result))) << share;
  }
}

TEST(Objective, SaysWhatItIsReducedOver) {
  EXPECT_EQ(Objective{}.reduction(), "");
  EXPECT_EQ((Objective{.name = "miss", .scenarios = 8}.reduction()), "mean over 8 scenarios");
  EXPECT_EQ((Objective{.name = "miss", .worst_share = 0.25, .scenarios = 8}.reduction()),
            "mean over the worst 2 of 8 scenarios");
  EXPECT_EQ((Objective{.name = "miss", .worst_share = 0.0, .scenarios = 8}.reduction()),
            "the worst of 8 scenarios");
}

TEST(Objective, IsWorstWhereItIsSmallestIfTheLargestIsBest) {
  const Result result = four_scenarios();
  EXPECT_EQ((Objective{.name = "miss", .largest = true, .worst_share = 0.0}.value(result)), 1.0);
  EXPECT_EQ((Objective{.name = "miss", .largest = false, .worst_share = 0.0}.value(result)), 8.0);
  const Constraint at_most{.at_most = true, .bound = 6.0, .worst_share = 0.0};
  const Constraint at_least{.at_most = false, .bound = 0.5, .worst_share = 0.0};
  EXPECT_EQ(excess(at_most, result), 2.0);
  EXPECT_EQ(excess(at_least, result), -0.5);
  EXPECT_FALSE(fulfils(std::vector{at_most, at_least}, result));
}

/// The mean of the generation that is told last, where members come to (x - goal)^2 in each scenario.
double found_with(const std::vector<std::string>& overrides) {
  std::vector<std::string> changes = {"study.scenarios=function.x[1] : list(-1, 0.5, 2, 2.5)",
                                      "optimize.generations=60"};
  changes.insert(changes.end(), overrides.begin(), overrides.end());
  const Deck deck = deck_of(changes);
  const Scenarios scenarios(deck);
  const std::unique_ptr<Plan> plan = make_plan(deck);
  double x = unset_number;
  while (!plan->done()) {
    std::vector<Result> results;
    for (const std::uint64_t candidate : plan->ask()) {
      x = plan->point(candidate)[0];
      ResultSum sum(scenarios.count(), scenarios.count());
      for (std::uint32_t k = 0; k < scenarios.count(); ++k) {
        std::vector<double> observables = unknown_observables();
        const double miss = x - scenarios.values(k)[0];
        observables[observable_index(observe::function_value.name)] = miss * miss;
        sum.add(MemberStatus::done, observables);
      }
      results.push_back(sum.result(candidate));
    }
    plan->tell(results);
  }
  return x;
}

/// The mean of squares is least at the mean of the goals, the largest of them in the middle between the
/// outermost ones, and that of the worst half where the mean square of the two farthest is least.
TEST(Scenarios, LeadASearchToTheMeanOfGoalsAndToTheMiddleBetweenThem) {
  EXPECT_NEAR(found_with({}), 1.0, 1e-5);
  EXPECT_NEAR(found_with({"study.worst_share=0"}), 0.75, 1e-5);
}

TEST(NameRuns, AreOfEntriesThatFollowOneAnother) {
  const std::vector<std::string> names = {"a[0]", "a[1]", "a[2]", "b", "a[3]", "c[4]", "c[6]", "c[7]"};
  std::vector<std::string> runs;
  for (const NameRun& run : runs_of(names)) runs.push_back(run.name);
  EXPECT_EQ(runs, (std::vector<std::string>{"a[0:3]", "b", "a[3]", "c[4]", "c[6:8]"}));
  EXPECT_TRUE(runs_of({}).empty());
}

}  // namespace
}  // namespace rodeo
