#include "plan/ladder.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/plan.hpp"

#include "plan/generation_table.hpp"
#include "plan/samplers.hpp"

namespace rodeo {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

constexpr const char* ladder_text =
    "[study]\nkind = optimize\nobjective = function_value\nsense = min\n"
    "[model]\nkind = function\n[function]\nx = 0, 0, 0\n[variable]\nlevel = 0\n"
    "[optimize]\nparameter = function.x[0:3] : [-5, 5] start 3\ntolerance = 1e-6\n"
    "[fidelity]\nlevel = variable.level = 1\nlevel = variable.level = 2\nlevel = variable.level = 3\n";

constexpr const char* screening_text =
    "[study]\nkind = sweep\nobjective = function_value\nsense = min\n"
    "[model]\nkind = function\n[function]\nx = 0\n[variable]\nlevel = 0\n"
    "[sweep]\naxis = function.x[0] : linspace(-5, 5, 101)\n"
    "[fidelity]\nlevel = variable.level = 1\nlevel = variable.level = 2\nlevel = variable.level = 3\n";

std::unique_ptr<Plan> ladder_plan(const std::vector<std::string>& overrides = {},
                                  const std::string& text = ladder_text) {
  return make_plan(Deck::parse(text, "test.ini", overrides));
}

std::string ladder_error(const std::vector<std::string>& overrides, const std::string& text = ladder_text) {
  try {
    ladder_plan(overrides, text);
  } catch (const DeckError& error) {
    return error.what();
  }
  return "(no error)";
}

/// A function of a point of the search and of its level, 1 to 3.
using LevelFunction = std::function<double(const std::vector<double>& x, int level)>;

/// The sphere around a centre that the cheaper levels have elsewhere.
LevelFunction biased_sphere(double bias) {
  return [bias](const std::vector<double>& x, int level) {
    double sum = 0.0;
    for (const double xi : x) sum += (xi - 1.0 - bias * (3 - level)) * (xi - 1.0 - bias * (3 - level));
    return sum;
  };
}

/// What a ladder has come to.
struct LadderRun {
  std::map<int, std::uint64_t> candidates;  ///< by level
  std::vector<std::vector<double>> points;  ///< by candidate
  std::vector<TableRow> generations;
  std::map<std::uint64_t, TableRow> levels;  ///< rows of /fidelity
  Table level_table;

  double of_level(int level, std::string_view column) const {
    return numbers_in(level_table, levels.at(static_cast<std::uint64_t>(level - 1)), column).front();
  }
};

Result level_result(std::uint64_t candidate, double value) {
  Result result{.candidate = candidate, .observables = unknown_observables()};
  result.observables[observable_index(observe::function_value.name)] = value;
  if (std::isnan(value)) result.status = MemberStatus::diverged;
  return result;
}

/// Runs a plan to its end. With `most` = 1 results are told one by one, the oldest or, `backwards`, the
/// newest first; else so many at once.
LadderRun climb(Plan& plan, const LevelFunction& function, std::size_t most = 1, bool backwards = false) {
  LadderRun run;
  const std::vector<Table> tables = plan.tables();
  run.level_table = tables.back();
  std::vector<Result> waiting;
  while (true) {
    for (const std::uint64_t candidate : plan.ask()) {
      std::vector<double> point = plan.point(candidate);
      EXPECT_TRUE(plan.agrees(candidate, point));
      const int level = static_cast<int>(point.back());
      ++run.candidates[level];
      run.points.resize(std::max<std::size_t>(run.points.size(), candidate + 1));
      EXPECT_TRUE(run.points[candidate].empty()) << "asked for twice";
      run.points[candidate] = point;
      EXPECT_LT(candidate, plan.candidates());
      point.pop_back();
      waiting.push_back(level_result(candidate, function(point, level)));
    }
    if (waiting.empty()) break;
    const std::size_t count = std::min(most, waiting.size());
    const auto first = backwards ? waiting.end() - static_cast<std::ptrdiff_t>(count) : waiting.begin();
    std::vector<Result> told(first, first + static_cast<std::ptrdiff_t>(count));
    waiting.erase(first, first + static_cast<std::ptrdiff_t>(count));
    std::ranges::sort(told, {}, &Result::candidate);
    plan.tell(told);
    for (TableRow& row : plan.take_rows()) {
      if (row.table + 1 == tables.size()) {
        run.levels[row.row] = std::move(row);
      } else {
        run.generations.push_back(std::move(row));
      }
    }
  }
  EXPECT_TRUE(plan.done());
  return run;
}

/// The numbers of a row, of which some may be NaN.
std::string bits(const TableRow& row) {
  return {reinterpret_cast<const char*>(row.numbers.data()), sizeof(double) * row.numbers.size()};
}

GenerationRow last_generation(const Plan& plan, const LadderRun& run) {
  return generation_of(plan.tables().front(), run.generations.back());
}

TEST(RankCorrelation, IsThatOfRanks) {
  using Values = std::vector<double>;
  EXPECT_EQ(mean_ranks(Values{3, 1, 3, 2}), (Values{3.5, 1, 3.5, 2}));
  EXPECT_DOUBLE_EQ(rank_correlation(Values{1, 2, 3, 4}, Values{1, 10, 100, 1000}), 1.0);
  EXPECT_DOUBLE_EQ(rank_correlation(Values{1, 2, 3, 4}, Values{4, 3, 2, 1}), -1.0);
  EXPECT_DOUBLE_EQ(rank_correlation(Values{1, 2, 3, 4, 5}, Values{2, 1, 4, 3, 5}), 0.8);  // 1 - 6 * 4/120
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(rank_correlation(Values{1, 2, infinity}, Values{5, 6, infinity}), 1.0);
  EXPECT_TRUE(std::isnan(rank_correlation(Values{1, 2}, Values{3, 3})));
  EXPECT_TRUE(std::isnan(rank_correlation(Values{1}, Values{3})));
}

TEST(LadderSearch, ClimbsAndFindsTheOptimumOfTheLevelsThatAreSearched) {
  const auto plan = ladder_plan({"fidelity.population=5"});
  EXPECT_EQ(plan->parameters().size(), 4u);
  EXPECT_EQ(plan->parameters().back().name(), "variable.level");
  // Levels 2 and 3 agree.
  const auto function = [](const std::vector<double>& x, int level) {
    return biased_sphere(0.2)(x, level == 1 ? 2 : 3);
  };
  const LadderRun run = climb(*plan, function);
  EXPECT_EQ(run.candidates.at(3), 7u + 5u) << "compared, and the best with its runners-up: the ranks hold";
  EXPECT_GT(run.candidates.at(1), 100u);
  EXPECT_GT(run.candidates.at(2), 50u);
  const GenerationRow last = last_generation(*plan, run);
  EXPECT_TRUE(last.last);
  EXPECT_LT(last.best, 1e-5);
  EXPECT_EQ(last.population, 5);
  EXPECT_EQ(run.points[static_cast<std::size_t>(last.best_candidate)].back(), 3.0);
  EXPECT_EQ(run.of_level(3, "best"), last.best);
  EXPECT_EQ(run.of_level(3, "best_candidate"), static_cast<double>(last.best_candidate));
  EXPECT_GT(run.of_level(1, "correlation"), 0.8);
  EXPECT_EQ(run.of_level(1, "compared"), 12.0);
  EXPECT_EQ(run.of_level(2, "candidates"), static_cast<double>(run.candidates.at(2)));
  for (const int level : {1, 2, 3}) EXPECT_EQ(run.of_level(level, "state"), 2.0);
  EXPECT_NE(plan->conclusion().find("best function_value on level 3"), std::string::npos);
}

TEST(LadderSearch, GoesOnAtTheLastLevelWhereRanksChange) {
  const auto plan = ladder_plan();
  // The optimum of the last level is two raised standard deviations from that of the others.
  const auto function = [](const std::vector<double>& x, int level) {
    return biased_sphere(0.6)(x, level == 3 ? 3 : 2);
  };
  const LadderRun run = climb(*plan, function);
  EXPECT_GT(run.candidates.at(3), 50u);
  EXPECT_LT(last_generation(*plan, run).best, 1e-5);
}

TEST(LadderSearch, ReachesATargetOnTheLastLevelOnly) {
  // Cheap levels promise more than the last one holds.
  const auto function = [](const std::vector<double>& x, int level) {
    return biased_sphere(0.01)(x, level) - (level < 3 ? 0.5 : 0.0);
  };
  const auto plan = ladder_plan({"optimize.target=1e-4"});
  const LadderRun run = climb(*plan, function);
  const GenerationRow last = last_generation(*plan, run);
  EXPECT_EQ(last.stop, StopReason::target);
  EXPECT_LE(last.best, 1e-4);
  EXPECT_EQ(run.points[static_cast<std::size_t>(last.best_candidate)].back(), 3.0);
}

TEST(LadderSearch, LeavesALevelThatDoesNotCorrelateBeforeItCostsMuch) {
  const auto plan = ladder_plan();
  const auto function = [](const std::vector<double>& x, int level) {
    return level == 1 ? -biased_sphere(0.0)(x, 3) : biased_sphere(0.0)(x, level);
  };
  const LadderRun run = climb(*plan, function);
  EXPECT_EQ(run.candidates.at(1), 7u) << "the first generation";
  EXPECT_EQ(run.of_level(1, "state"), 3.0);
  EXPECT_EQ(run.of_level(1, "correlation"), -1.0);
  EXPECT_LT(last_generation(*plan, run).best, 1e-5);
  EXPECT_NE(plan->conclusion().find("level 1 was left: its ranks correlate by -1 with those of the next"),
            std::string::npos)
      << plan->conclusion();
  // One in the middle is passed over.
  const auto other = ladder_plan();
  const LadderRun passed = climb(*other, [](const std::vector<double>& x, int level) {
    return level == 2 ? -biased_sphere(0.0)(x, 3) : biased_sphere(0.0)(x, level);
  });
  EXPECT_EQ(passed.candidates.at(2), 7u) << "compared alone, as many as there are";
  EXPECT_EQ(passed.of_level(2, "state"), 3.0);
  EXPECT_LT(last_generation(*other, passed).best, 1e-5);
}

TEST(LadderSearch, BeginsAnewWhereTheBestOfALevelAreNotThoseOfTheNext) {
  const auto plan = ladder_plan({"fidelity.compared=0"});
  const LadderRun run = climb(*plan, [](const std::vector<double>& x, int level) {
    return level == 1 ? -biased_sphere(0.0)(x, 3) : biased_sphere(0.0)(x, level);
  });
  EXPECT_EQ(run.of_level(1, "state"), 3.0);
  EXPECT_EQ(run.of_level(1, "compared"), 5.0) << "those that went up";
  EXPECT_LT(run.of_level(1, "correlation"), 0.0);
  EXPECT_GT(run.of_level(1, "generations"), 10.0);
  EXPECT_LT(last_generation(*plan, run).best, 1e-5);
  // From the deck's start, with its sigma.
  const Table table = plan->tables().front();
  const auto first = std::ranges::find_if(
      run.generations, [&](const TableRow& row) { return numbers_in(table, row, "level").front() == 2.0; });
  ASSERT_NE(first, run.generations.end());
  EXPECT_GT(generation_of(table, *first).sigma, 0.2);
}

TEST(LadderSearch, OfALevelWithoutAnObjectiveGoesUp) {
  const auto plan = ladder_plan();
  const LadderRun run = climb(*plan, [](const std::vector<double>& x, int level) {
    return level == 1 ? no_number : biased_sphere(0.0)(x, 3);
  });
  EXPECT_EQ(run.of_level(1, "state"), 3.0);
  EXPECT_LT(last_generation(*plan, run).best, 1e-5);
  const auto hopeless = ladder_plan();
  const LadderRun failed = climb(*hopeless, [](const std::vector<double>&, int) { return no_number; });
  EXPECT_EQ(failed.of_level(3, "best_candidate"), -1.0);
  EXPECT_NE(hopeless->conclusion().find("no candidate has a finite function_value"), std::string::npos);
}

TEST(LadderSearch, ReportsNothingThatTheLastLevelHasNotSeenWhereGenerationsEnd) {
  const auto plan = ladder_plan({"optimize.generations=4", "fidelity.compared=0"});
  const LadderRun run = climb(*plan, biased_sphere(0.1));
  EXPECT_EQ(run.candidates.at(3), 5u);
  EXPECT_FALSE(run.candidates.contains(2));
  const GenerationRow last = last_generation(*plan, run);
  EXPECT_EQ(last.stop, StopReason::generations);
  EXPECT_EQ(last.evaluations, 4u * 7u + 5u);
  EXPECT_TRUE(std::isfinite(last.best));
}

TEST(LadderSearch, IsTheSameInAnyOrderAndBatching) {
  for (const std::vector<std::string>& overrides : {std::vector<std::string>{},
                                                    {"optimize.mode=asynchronous", "optimize.ahead=3"},
                                                    {"optimize.mode=asynchronous", "optimize.ahead=7"}}) {
    for (const double bias : {0.05, 0.6}) {
      const auto plan = ladder_plan(overrides);
      const LadderRun one = climb(*plan, biased_sphere(bias));
      for (const std::size_t most : {1u, 3u, 1000u}) {
        const auto again = ladder_plan(overrides);
        const LadderRun other = climb(*again, biased_sphere(bias), most, most < 10);
        EXPECT_EQ(one.points, other.points);
        ASSERT_EQ(one.generations.size(), other.generations.size());
        for (std::size_t k = 0; k < one.generations.size(); ++k) {
          EXPECT_EQ(bits(one.generations[k]), bits(other.generations[k]));
        }
        for (const auto& [level, row] : one.levels) EXPECT_EQ(bits(row), bits(other.levels.at(level)));
      }
    }
  }
}

TEST(LadderSearch, KnowsItsPointsAgain) {
  const auto plan = ladder_plan();
  for (const std::uint64_t candidate : plan->ask()) {
    std::vector<double> point = plan->point(candidate);
    EXPECT_TRUE(plan->agrees(candidate, point));
    EXPECT_FALSE(plan->counts(point));
    point.back() = 2.0;
    EXPECT_FALSE(plan->agrees(candidate, point)) << "on another level";
    point.back() = 3.0;
    EXPECT_TRUE(plan->counts(point));
  }
}

TEST(LadderSearch, ProbesHaveEachLevelAndStandForWhatIsExpected) {
  const auto plan = ladder_plan({"fidelity.population=5"});
  const auto probes = plan->probes();
  ASSERT_EQ(probes.size(), 3u * 7u);
  EXPECT_EQ(probes[0], (std::vector<double>{3, 3, 3, 1}));
  EXPECT_EQ(probes[14], (std::vector<double>{3, 3, 3, 3}));
  const std::vector<double> counts = plan->probe_candidates();
  ASSERT_EQ(counts.size(), probes.size());
  EXPECT_EQ(counts[14], 13.0);
  EXPECT_EQ(counts[7], 13.0 + 28.0 * 5.0);
  EXPECT_EQ(counts[0], (1000.0 - 28.0) * 7.0);
  EXPECT_EQ(plan->plain_probe_candidates()[14], 7000.0);
}

TEST(Screening, SendsTheBestShareUp) {
  const auto plan = ladder_plan({}, screening_text);
  const LadderRun run = climb(*plan, biased_sphere(0.2));
  EXPECT_EQ(run.candidates.at(1), 101u);
  // Eleven that go up, eight that are compared, of which some are the same.
  EXPECT_LE(run.candidates.at(2), 19u);
  EXPECT_LE(run.candidates.at(3), 13u);
  EXPECT_GE(run.candidates.at(3), 8u);
  const auto best = static_cast<std::size_t>(run.of_level(3, "best_candidate"));
  EXPECT_NEAR(run.points[best][0], 1.0, 0.05);
  EXPECT_EQ(run.points[best][1], 3.0);
  for (const int level : {1, 2, 3}) EXPECT_EQ(run.of_level(level, "state"), 2.0);
  for (const std::size_t most : {5u, 1000u}) {
    const auto again = ladder_plan({}, screening_text);
    EXPECT_EQ(climb(*again, biased_sphere(0.2), most, most < 10).points, run.points);
  }
}

TEST(Screening, RunsAllOnTheNextLevelWhereOneDoesNotCorrelate) {
  const auto plan = ladder_plan({}, screening_text);
  const LadderRun run = climb(*plan, [](const std::vector<double>& x, int level) {
    return level == 1 ? std::cos(40.0 * x[0]) : biased_sphere(0.1)(x, level);
  });
  EXPECT_EQ(run.of_level(1, "state"), 3.0);
  EXPECT_EQ(run.candidates.at(2), 101u);
  EXPECT_LT(run.candidates.at(3), 20u);
  const auto best = static_cast<std::size_t>(run.of_level(3, "best_candidate"));
  EXPECT_NEAR(run.points[best][0], 1.0, 0.05);
}

TEST(Screening, StandsForWhatIsExpected) {
  const auto plan = ladder_plan({}, screening_text);
  ASSERT_EQ(plan->probes().size(), 303u);
  const std::vector<double> counts = plan->probe_candidates();
  EXPECT_NEAR(101.0 * counts[0], 101.0, 1e-9);
  EXPECT_NEAR(101.0 * counts[101], 11.0 + 8.0, 1e-9);
  EXPECT_NEAR(101.0 * counts[202], 5.0 + 8.0, 1e-9);
  EXPECT_EQ(plan->candidates(), 303u);
}

TEST(Ladder, WrongDecksAreToldWhatIsWrong) {
  const auto expect_error = [](const std::vector<std::string>& overrides, const std::string& part) {
    const std::string text = ladder_error(overrides);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const std::string first = "fidelity.level=variable.level = 1";
  expect_error({"fidelity.level=variable.level = 0"}, "stands alone, and is what the deck itself says");
  expect_error({"fidelity.level=rod.length = 2"},
               "stands alone, and the deck, which is the level above, does not give rod.length");
  expect_error({first, "fidelity.level=rod.elemnts = 3"}, "did you mean rod.elements");
  expect_error({first, "fidelity.level=rod.elements = 0"}, "rod.elements = '0' is not allowed");
  expect_error({first, "fidelity.level=rod.elements = 2.5"}, "not a whole number");
  expect_error({first, "fidelity.level=rod.elements"}, "is not of the form KEY = VALUE");
  expect_error({first, "fidelity.level=contact.kind = penality"}, "no such choice");
  expect_error({first, "fidelity.level=study.seed = 2"}, "study.seed holds for the study as a whole");
  expect_error({first, "fidelity.level=optimize.sigma = 2"}, "optimize.sigma holds for the study as a whole");
  expect_error({first, "fidelity.level=fidelity.sigma = 2"}, "fidelity.sigma holds for the study as a whole");
  expect_error({first, "fidelity.level=study.objective = 2"}, "cannot be varied");
  expect_error({first, "fidelity.level=function.x[1] = 2"}, "is varied by the study itself");
  expect_error({first, "fidelity.level=variable.level = 2, variable.level = 3"}, "stands twice");
  expect_error({first, first}, "is the level before once more");
  expect_error({first, "fidelity.level=rod.length = 2"},
               "has no rod.length, which another level has and the deck itself does not give");
  expect_error({first, "fidelity.level=variable.lvel = 2"}, "variable");
  expect_error({"optimize.restarts=ipop"}, "must be none with fidelity.level");
  expect_error({"fidelity.compared=3"}, "must be 0 or at least 4");
  expect_error({"fidelity.sigma=0"}, "real in (0, 1]");
  expect_error({"optimize.evaluations=30"}, "less than one generation of 7 candidates and the 26 that go up");
  expect_error({"measure.define=cost [1] : 2 * level", "study.objective=cost"},
               "the objective is made of level (measure cost), and would mean another thing on each level");
  expect_error({"measure.define=half [1] : variable.level / 2", "measure.define=cost [1] : 3 + half",
                "study.objective=cost"},
               "the objective is made of level (measure half)");
  expect_error({"fidelity.level=time.end = 2", "time.end=3", "measure.define=cost [1] : 3 / t_end",
                "study.objective=cost"},
               "the objective is made of time.end (measure cost)");
  EXPECT_NE(ladder_error({"study.objective="}, screening_text).find("study.objective"), std::string::npos);
}

}  // namespace
}  // namespace rodeo
