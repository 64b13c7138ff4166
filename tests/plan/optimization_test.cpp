#include "plan/optimization.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/search_distribution.hpp"

#include "plan/generation_table.hpp"

namespace rodeo {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr const char* sphere_text =
    "[study]\nkind = optimize\nobjective = function_value\nsense = min\n"
    "[model]\nkind = function\n[function]\nx = 0, 0, 0\n"
    "[optimize]\nparameter = function.x[0:3] : [-5, 5] start 1\n";

std::unique_ptr<Plan> plan_of(const std::vector<std::string>& overrides = {},
                              const std::string& text = sphere_text) {
  return make_plan(Deck::parse(text, "test.ini", overrides));
}

std::string error_of(const std::vector<std::string>& overrides) {
  try {
    plan_of(overrides);
  } catch (const DeckError& error) {
    return error.what();
  }
  return "(no error)";
}

double sphere(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double xi : x) sum += xi * xi;
  return sum;
}

/// What the members of a candidate came to whose function_value is this.
Result result_of(std::uint64_t candidate, double value) {
  Result result{.candidate = candidate, .observables = unknown_observables()};
  result.observables[observable_index(observe::function_value.name)] = value;
  return result;
}

std::vector<GenerationRow> take_generations(Plan& plan) {
  std::vector<GenerationRow> generations;
  const Table table = plan.tables().front();
  for (const TableRow& row : plan.take_rows()) generations.push_back(generation_of(table, row));
  return generations;
}

using Function = std::function<double(const std::vector<double>&)>;

/// Runs a plan to its end, the results of each block told in the order that `backwards` says and `at_once`
/// by one call or several.
std::vector<GenerationRow> run(Plan& plan, const Function& function, bool backwards = false) {
  std::vector<GenerationRow> rows;
  std::vector<Result> waiting;
  while (true) {
    for (const std::uint64_t candidate : plan.ask()) {
      waiting.push_back(result_of(candidate, function(plan.point(candidate))));
    }
    if (waiting.empty()) break;
    const Result next = backwards ? waiting.back() : waiting.front();
    waiting.erase(backwards ? waiting.end() - 1 : waiting.begin());
    plan.tell({&next, 1});
    for (GenerationRow& row : take_generations(plan)) rows.push_back(std::move(row));
  }
  EXPECT_TRUE(plan.done());
  return rows;
}

void expect_same_rows(const std::vector<GenerationRow>& a, const std::vector<GenerationRow>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].mean_vector, b[k].mean_vector);
    EXPECT_EQ(a[k].eigenvalues, b[k].eigenvalues);
    EXPECT_EQ(a[k].sigma, b[k].sigma);
    EXPECT_EQ(a[k].best, b[k].best);
    EXPECT_EQ(a[k].best_candidate, b[k].best_candidate);
  }
}

TEST(Optimization, FindsAMinimumAndSaysWhyItStops) {
  const auto plan = plan_of({"optimize.target=1e-9"});
  EXPECT_TRUE(plan->adaptive());
  EXPECT_EQ(plan->parameters()[2].name(), "function.x[2]");
  const auto rows = run(*plan, sphere);
  EXPECT_EQ(rows.back().stop, StopReason::target);
  EXPECT_TRUE(rows.back().last);
  EXPECT_LE(rows.back().best, 1e-9);
  EXPECT_EQ(rows.back().evaluations, 7 * rows.size());
  EXPECT_EQ(rows.back().generation + 1, rows.size());
  EXPECT_NE(plan->conclusion().find("stopped by target"), std::string::npos);
}

TEST(Optimization, SenseTurnsTheObjective) {
  const auto plan = plan_of({"study.sense=max", "optimize.target=-1e-9"});
  const auto rows = run(*plan, [](const std::vector<double>& x) { return -sphere(x); });
  EXPECT_EQ(rows.back().stop, StopReason::target);
  EXPECT_GE(rows.back().best, -1e-9);
  EXPECT_GE(rows.back().generation_best, rows.back().generation_mean);
}

TEST(Optimization, TheOrderInWhichMembersEndChangesNothing) {
  for (const char* mode : {"optimize.mode=generational", "optimize.mode=asynchronous"}) {
    const auto forwards = plan_of({mode, "optimize.target=1e-9"});
    const auto backwards = plan_of({mode, "optimize.target=1e-9"});
    expect_same_rows(run(*forwards, sphere), run(*backwards, sphere, true));
  }
}

TEST(Optimization, AsynchronousModeBeginsTheNextGenerationBeforeThisOneIsTold) {
  const auto plan = plan_of({"optimize.mode=asynchronous", "optimize.population=10", "optimize.ahead=4"});
  EXPECT_EQ(plan->ask().size(), 10u);
  const auto tell = [&](std::uint64_t candidate) {
    const Result result = result_of(candidate, sphere(plan->point(candidate)));
    plan->tell({&result, 1});
    return plan->ask();
  };
  // Whatever has ended of the last four, it is the first six that are waited for.
  for (const std::uint64_t k : {6u, 0u, 1u, 2u, 7u, 3u, 4u}) EXPECT_TRUE(tell(k).empty());
  EXPECT_EQ(tell(5), (std::vector<std::uint64_t>{10, 11, 12, 13}));
  EXPECT_TRUE(tell(10).empty());
  EXPECT_TRUE(tell(8).empty());
  EXPECT_EQ(tell(9), (std::vector<std::uint64_t>{14, 15, 16, 17, 18, 19}));

  const auto one_at_least = plan_of({"optimize.mode=asynchronous"});
  EXPECT_EQ(one_at_least->ask().size(), 7u);
  for (std::uint64_t k = 0; k < 6; ++k) {
    const Result result = result_of(k, sphere(one_at_least->point(k)));
    one_at_least->tell({&result, 1});
  }
  EXPECT_EQ(one_at_least->ask().size(), 1u);
}

TEST(Optimization, WhatIsSampledAheadFollowsTheGenerationSoFar) {
  // From the search before it, half a generation ahead takes a fifth more evaluations of Rosenbrock's
  // function.
  const Function rosenbrock = [](const std::vector<double>& x) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      sum += 100.0 * std::pow(x[i] * x[i] - x[i + 1], 2) + std::pow(1.0 - x[i], 2);
    }
    return sum;
  };
  const auto evaluations = [&](const std::vector<std::string>& overrides) {
    std::uint64_t sum = 0;
    for (int seed = 1; seed <= 20; ++seed) {
      std::vector<std::string> all = {"optimize.population=30", "optimize.target=1e-8",
                                      "study.seed=" + std::to_string(seed)};
      all.insert(all.end(), overrides.begin(), overrides.end());
      sum += run(*plan_of(all), rosenbrock).back().evaluations;
    }
    return static_cast<double>(sum);
  };
  const double generational = evaluations({});
  EXPECT_LT(evaluations({"optimize.mode=asynchronous", "optimize.ahead=15"}), 1.1 * generational);
}

TEST(Optimization, NoCandidateIsOutOfBoundsAndAnOptimumOnABoundIsFound) {
  // A slope whose best point is the corner (5, -5, 5).
  const Function slope = [](const std::vector<double>& x) {
    for (const double xi : x) EXPECT_LE(std::abs(xi), 5.0);
    return -x[0] + x[1] - 10.0 * x[2];
  };
  const auto plan = plan_of();
  const auto rows = run(*plan, slope);
  EXPECT_NEAR(rows.back().best, -60.0, 1e-8);
  EXPECT_NEAR(rows.back().mean_vector[1], -5.0, 1e-5);
}

TEST(Optimization, AStartOnABoundIsWhereItSays) {
  const auto plan = plan_of({"optimize.parameter=function.x[0:3] : [1, 5] start 1", "optimize.sigma=1e-9"});
  plan->ask();
  for (const double x : plan->point(0)) EXPECT_NEAR(x, 1.0, 1e-9);
}

TEST(Optimization, ScaleAndSigmaSetTheFirstSteps) {
  const auto plan = plan_of({"optimize.parameter=function.x[0] : [-inf, inf] start 3 scale 1000",
                             "optimize.sigma=0.5", "optimize.population=2000"});
  const auto candidates = plan->ask();
  double sum = 0.0;
  double squares = 0.0;
  for (const std::uint64_t candidate : candidates) {
    const double step = plan->point(candidate)[0] - 3.0;
    sum += step;
    squares += step * step;
  }
  EXPECT_NEAR(sum / 2000.0, 0.0, 4.0 * 500.0 / std::sqrt(2000.0));
  EXPECT_NEAR(std::sqrt(squares / 2000.0), 500.0, 4.0 * 500.0 / std::sqrt(4000.0));
}

TEST(Optimization, FailuresAreWorstAndAGenerationOfThemEndsTheSearch) {
  // Half of the plane fails, and the best of the other half is at its edge.
  const auto plan = plan_of({"optimize.target=1e-6"});
  const auto rows = run(*plan, [](const std::vector<double>& x) { return x[0] < 0.0 ? nan : sphere(x); });
  EXPECT_EQ(rows.back().stop, StopReason::target);
  EXPECT_GT(std::ranges::count_if(rows, [](const GenerationRow& row) { return row.failed > 0; }), 5);
  const auto hopeless = plan_of();
  const auto failed = run(*hopeless, [](const std::vector<double>&) { return nan; });
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].stop, StopReason::all_failed);
  EXPECT_TRUE(std::isnan(failed[0].best));
}

/// Real and whole numbers, words and chosen numbers, each of which has one best value.
const std::vector<std::string> mixed = {
    "optimize.parameter=function.x[0:2] : [-5, 5] start 2",
    "optimize.parameter=rod.elements : [5, 40] start 30",
    "optimize.parameter=time.slice_steps : [1, 100000] start 300 log",
    "optimize.parameter=contact.kind : list(penalty, imc, ipc) start ipc",
    "optimize.parameter=rod.radius : list(1e-3, 2e-3, 4e-3, 7e-3) start 7e-3"};

double mixed_sphere(const std::vector<double>& x) {
  const auto words = split(key_info("contact.kind"_key).choices, '|');
  const bool is_best = words[static_cast<std::size_t>(x[4])] == "penalty";
  return x[0] * x[0] + x[1] * x[1] + std::pow((x[2] - 11.0) / 10.0, 2) +
         std::pow(std::log10(x[3] / 20.0), 2) + (is_best ? 0.0 : 1.0) + std::pow((x[5] - 2e-3) / 1e-3, 2);
}

TEST(Optimization, FindsWholeNumbersAndWordsAsWell) {
  for (const char* const seed : {"study.seed=1", "study.seed=2", "study.seed=3", "study.seed=4"}) {
    std::vector<std::string> overrides = mixed;
    overrides.insert(overrides.end(), {seed, "optimize.target=1e-8", "optimize.generations=600"});
    const auto plan = plan_of(overrides);
    std::set<double> elements;
    run(*plan, [&](const std::vector<double>& x) {
      EXPECT_EQ(x[2], std::round(x[2]));
      EXPECT_EQ(x[3], std::round(x[3]));
      EXPECT_GE(x[3], 1.0);
      EXPECT_TRUE(x[5] == 1e-3 || x[5] == 2e-3 || x[5] == 4e-3 || x[5] == 7e-3) << x[5];
      elements.insert(x[2]);
      return mixed_sphere(x);
    });
    EXPECT_GT(elements.size(), 5U);
    EXPECT_GE(*elements.begin(), 5.0);
    EXPECT_LE(*elements.rbegin(), 40.0);
    const std::string conclusion = plan->conclusion();
    for (const char* const line : {"rod.elements = 11\n", "time.slice_steps = 20\n",
                                   "contact.kind = penalty\n", "rod.radius = 0.002\n"})
      EXPECT_NE(conclusion.find(line), conclusion.npos) << seed << conclusion;
  }
  const auto plan = plan_of(mixed);
  EXPECT_EQ(plan->variation()[1], "rod.elements 5 to 40, whole numbers");
  EXPECT_EQ(plan->variation()[3], "contact.kind penalty|imc|ipc");
  EXPECT_EQ(plan->probes().size(), 1U + 4U + 2U + 2U + 3U + 4U);
}

TEST(Optimization, SearchesOfWholeNumbersDoNotDependOnWhoEndsWhen) {
  for (const char* mode : {"optimize.mode=generational", "optimize.mode=asynchronous"}) {
    std::vector<std::string> overrides = mixed;
    overrides.insert(overrides.end(), {mode, "optimize.generations=80"});
    const auto forwards = plan_of(overrides);
    const auto backwards = plan_of(overrides);
    expect_same_rows(run(*forwards, mixed_sphere), run(*backwards, mixed_sphere, true));
  }
}

TEST(Optimization, WhatIsInfiniteIsNoResult) {
  for (const double infinite : {INFINITY, -INFINITY}) {
    for (const char* const sense : {"study.sense=min", "study.sense=max"}) {
      const auto plan = plan_of({sense, "optimize.generations=5"});
      const auto rows =
          run(*plan, [&](const std::vector<double>& x) { return x[0] > 1.0 ? infinite : x[0]; });
      EXPECT_TRUE(std::isfinite(rows.back().best)) << infinite << sense;
      EXPECT_GT(std::ranges::count_if(rows, [](const GenerationRow& row) { return row.failed > 0; }), 0);
      EXPECT_FALSE(plan->found_nothing());
    }
  }
  const auto hopeless = plan_of();
  run(*hopeless, [](const std::vector<double>&) { return INFINITY; });
  EXPECT_TRUE(hopeless->found_nothing());
}

TEST(Optimization, EachStopIsReportedByItsName) {
  const Function flat = [](const std::vector<double>&) { return 1.0; };
  const auto reason = [](const std::vector<std::string>& overrides, const Function& function) {
    const auto plan = plan_of(overrides);
    return run(*plan, function).back().stop;
  };
  EXPECT_EQ(reason({}, flat), StopReason::tolfun);
  EXPECT_EQ(reason({"optimize.generations=3"}, sphere), StopReason::generations);
  EXPECT_EQ(reason({"optimize.evaluations=40"}, sphere), StopReason::generations);  // 5 whole ones
  EXPECT_EQ(reason({"optimize.tolerance=0", "optimize.tolerance_x=1e-3"}, sphere), StopReason::tolx);
  // A slope without end: sigma grows for ever.
  const std::string unbounded = "optimize.parameter=function.x[0:3] : [-inf, inf] start 1 scale 1";
  EXPECT_EQ(reason({unbounded}, [](const std::vector<double>& x) { return -x[0]; }), StopReason::tolxup);
  // Noise without a tolerance: neither best nor median become better.
  std::uint32_t state = 1;
  EXPECT_EQ(reason({"optimize.tolerance=0", "optimize.tolerance_x=0"},
                   [&](const std::vector<double>&) {
                     state = state * 1664525u + 1013904223u;
                     return state * 0x1.0p-32;
                   }),
            StopReason::stagnation);
  // Optima so far out that steps are lost in rounding: of all parameters, then of one alone.
  const auto far_by = [](double offset0, double offset) {
    return [=](const std::vector<double>& x) {
      double sum = (x[0] - offset0) * (x[0] - offset0);
      for (std::size_t i = 1; i < x.size(); ++i) sum += (x[i] - offset) * (x[i] - offset);
      return sum;
    };
  };
  EXPECT_EQ(reason({"optimize.parameter=function.x[0:3] : [-inf, inf] start 1000001 scale 1",
                    "optimize.tolerance=0", "optimize.tolerance_x=0"},
                   far_by(1e6, 1e6)),
            StopReason::noeffectaxis);
  EXPECT_EQ(reason({"optimize.parameter=function.x[0] : [-inf, inf] start 1000001 scale 1",
                    "optimize.parameter=function.x[1:3] : [-inf, inf] start 1 scale 1",
                    "optimize.tolerance=0", "optimize.tolerance_x=0"},
                   far_by(1e6, 0.0)),
            StopReason::noeffectcoord);
}

TEST(Optimization, RestartsDoubleThePopulationOrTakeTurns) {
  const Function flat = [](const std::vector<double>&) { return 1.0; };
  const auto ipop = plan_of({"optimize.restarts=ipop", "optimize.evaluations=3000"});
  auto rows = run(*ipop, flat);
  EXPECT_EQ(rows.front().population, 7);
  std::vector<std::int64_t> populations;
  for (const GenerationRow& row : rows) {
    if (populations.size() <= static_cast<std::size_t>(row.restart)) populations.push_back(row.population);
  }
  ASSERT_GE(populations.size(), 4u);
  EXPECT_EQ(populations[1], 14);
  EXPECT_EQ(populations[2], 28);
  EXPECT_EQ(populations[3], 56);
  EXPECT_LE(rows.back().evaluations, 3000u);
  EXPECT_TRUE(rows.back().last);

  const auto bipop =
      plan_of({"optimize.restarts=bipop", "optimize.evaluations=20000", "optimize.generations=100000"});
  rows = run(*bipop, flat);
  std::set<std::int64_t> small;
  std::int64_t largest = 0;
  for (const GenerationRow& row : rows) {
    if (row.population != largest && row.population < largest) small.insert(row.restart);
    largest = std::max(largest, row.population);
  }
  EXPECT_GE(largest, 28);
  EXPECT_GE(small.size(), 2u);
}

TEST(Optimization, RestartsFindTheBestOfManyMinima) {
  const Function rastrigin = [](const std::vector<double>& x) {
    double sum = 0.0;
    for (const double xi : x) sum += 10.0 + xi * xi - 10.0 * std::cos(2.0 * M_PI * xi);
    return sum;
  };
  const auto plan = plan_of({"optimize.restarts=ipop", "optimize.evaluations=50000",
                             "optimize.generations=10000", "optimize.target=1e-8", "study.seed=3"});
  const auto rows = run(*plan, rastrigin);
  EXPECT_EQ(rows.back().stop, StopReason::target);
  EXPECT_GT(rows.back().restart, 0);
}

TEST(Optimization, WhatAnEarlierRevisionPrunedRanksLastAndIsNoFailure) {
  const auto plan = plan_of({});
  std::vector<Result> results;
  for (const std::uint64_t candidate : plan->ask()) {
    results.push_back(result_of(candidate, static_cast<double>(candidate)));
  }
  results.front().status = MemberStatus::pruned;
  plan->tell(results);
  const GenerationRow row = take_generations(*plan).front();
  EXPECT_EQ(row.failed, 0);
  EXPECT_EQ(row.best_candidate, 1);
}

void expect_to_go_on_as_before(const std::vector<std::string>& overrides) {
  // What resume does: the results of the file, in the order of candidates, then those of members that run
  // now.
  const auto whole = plan_of(overrides);
  const auto rows = run(*whole, sphere);
  const auto resumed = plan_of(overrides);
  std::vector<GenerationRow> again;
  std::set<std::uint64_t> missing = {103, 104, 110};
  std::vector<Result> late;
  std::uint64_t stored = 0;
  for (std::vector<std::uint64_t> asked = resumed->ask(); stored < 112; asked = resumed->ask()) {
    for (const std::uint64_t candidate : asked) {
      const std::vector<double> point = resumed->point(candidate);
      EXPECT_TRUE(resumed->agrees(candidate, point));
      EXPECT_FALSE(resumed->agrees(candidate, std::vector<double>{point[0] + 1.0, point[1], point[2]}));
      const Result result = result_of(candidate, sphere(point));
      if (missing.contains(candidate)) {
        late.push_back(result);
      } else {
        resumed->tell({&result, 1});
      }
      stored = candidate;
    }
    if (asked.empty()) break;
  }
  resumed->tell(late);
  again = take_generations(*resumed);
  for (GenerationRow& row : run(*resumed, sphere)) again.push_back(std::move(row));
  expect_same_rows(rows, again);
}

TEST(Optimization, ARunThatIsToldItsOwnResultsAgainGoesOnAsBefore) {
  for (const char* learning : {"optimize.learning=fixed", "optimize.learning=adapted"}) {
    expect_to_go_on_as_before({learning, "optimize.mode=asynchronous", "optimize.target=1e-9"});
  }
}

TEST(Optimization, AdaptedLearningEvaluatesCandidatesTwiceNowAndThen) {
  const auto repeats = [](const std::vector<std::string>& overrides) {
    const auto plan = plan_of(overrides);
    std::vector<std::uint64_t> twins;  // the later ones
    std::map<std::vector<double>, std::uint64_t> first;
    std::vector<Result> waiting;
    while (true) {
      for (const std::uint64_t candidate : plan->ask()) {
        const auto [found, is_new] = first.try_emplace(plan->point(candidate), candidate);
        if (!is_new) {
          EXPECT_EQ(candidate - found->second, 8u);  // the last two of ten repeat the first two
          twins.push_back(candidate);
        }
        waiting.push_back(result_of(candidate, sphere(plan->point(candidate))));
      }
      if (waiting.empty()) return twins;
      plan->tell({&waiting.front(), 1});
      waiting.erase(waiting.begin());
    }
  };
  const std::string adapted = "optimize.learning=adapted";
  const std::string ten = "optimize.population=10";
  const std::string few = "optimize.generations=8";
  const std::vector<std::uint64_t> expected = {8, 9, 18, 19, 68, 69};
  EXPECT_EQ(repeats({adapted, ten, few}), expected);
  for (const char* ahead : {"optimize.ahead=1", "optimize.ahead=9"}) {
    EXPECT_EQ(repeats({adapted, ten, few, "optimize.mode=asynchronous", ahead}), expected) << ahead;
  }
  EXPECT_TRUE(repeats({ten, few}).empty());
}

TEST(Optimization, AdaptedLearningCostsLittleWhereThereIsNoNoise) {
  const auto evaluations = [](const std::string& learning) {
    std::uint64_t sum = 0;
    for (int seed = 1; seed <= 20; ++seed) {
      sum += run(*plan_of({learning, "optimize.target=1e-9", "study.seed=" + std::to_string(seed)}), sphere)
                 .back()
                 .evaluations;
    }
    return static_cast<double>(sum);
  };
  EXPECT_LT(evaluations("optimize.learning=adapted"), 1.15 * evaluations("optimize.learning=fixed"));
}

TEST(Optimization, WrongDecksAreToldWhatIsWrong) {
  const auto expect_error = [](const std::vector<std::string>& overrides, const std::string& part) {
    const std::string text = error_of(overrides);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect_error({"optimize.parameter=function.y[0] : [0, 1] start 0"}, "did you mean function.x");
  expect_error({"optimize.parameter=function.x[0] : [0, 1] start 2"}, "start 2 is outside the bounds [0, 1]");
  expect_error({"optimize.parameter=function.x[0] : [2, 1] start 2"}, "lower must be below upper");
  expect_error({"optimize.parameter=function.x[0] : [0, inf] start 2"}, "needs a scale");
  expect_error({"optimize.parameter=function.x[0] : [0, 1] start 0 scale 0"}, "above 0");
  expect_error({"optimize.parameter=function.x[2:1] : [0, 1] start 0"}, "has no entries");
  expect_error({"optimize.parameter=function.x[0:x] : [0, 1] start 0"}, "no entry of a list");
  expect_error({"optimize.parameter=function.x[0 : [0, 1] start 0"}, "is not of the form");
  expect_error({"optimize.parameter=rod.elements : [1, 10] start 2.5"}, "not a whole number");
  expect_error({"optimize.parameter=rod.elements : [0.5, 10] start 2"}, "not a whole number");
  expect_error({"optimize.parameter=contact.kind : [0, 1] start 0"},
               "contact.kind : list(word,...) start word");
  expect_error({"optimize.parameter=contact.kind : list(imc, ipx) start imc"}, "ipx");
  expect_error({"optimize.parameter=contact.kind : list(imc, ipc) start none"}, "does not stand in the list");
  expect_error({"optimize.parameter=contact.kind : list(imc, imc) start imc"}, "stands in the list twice");
  expect_error({"optimize.parameter=contact.kind : list(imc) start imc"}, "nothing varies");
  expect_error({"optimize.parameter=contact.kind : list(imc, ipc)"}, "has no start");
  expect_error({"optimize.parameter=rod.length : list(1, 0) start 1"}, "rod.length = '0' is not allowed");
  expect_error({"optimize.parameter=rod.length : [0, 10] start 2"}, "rod.length = '0' is not allowed");
  expect_error({"optimize.parameter=function.x[2:5] : [0, 1] start 0"},
               "function.x[2:5] is the entries 2 to 4 of a list, and the deck lists 3 numbers");
  expect_error({"optimize.parameter=muscle.amplitudes[0] : [0, 1] start 0"}, "has no value in this deck");
  expect_error({"optimize.parameter=study.seed : [0, 10] start 2"}, "holds for the study as a whole");
  expect_error({"optimize.parameter=function.x[0:2] : [0, 1] start 0",
                "optimize.parameter=function.x[1] : [0, 1] start 0"},
               "is a parameter already");
  expect_error({"optimize.population=1"}, "integer in [2, 1000000]");
  expect_error({"optimize.evaluations=6"}, "less than one generation");
  expect_error({"optimize.mode=asynchronous", "optimize.ahead=8"}, "more than the population");
  expect_error({"optimize.generations=100000000", "optimize.population=1000"}, "at most 1e9");
  EXPECT_THROW(make_plan(Deck::parse("[study]\nkind = optimize\nobjective = function_value\n", "test.ini")),
               DeckError);
}

TEST(SearchInterval, MapsTheLineOntoTheIntervalWithoutAJump) {
  const SearchInterval interval({.address = {}, .lower = -2.0, .upper = 8.0, .scale = 10.0});
  EXPECT_EQ(interval.value(0.5), 0.5);
  EXPECT_EQ(interval.value(-2.5), -2.0);
  EXPECT_EQ(interval.value(8.5), 8.0);
  double before = interval.value(-40.0);
  for (double u = -40.0; u < 40.0; u += 1e-3) {
    const double x = interval.value(u);
    EXPECT_GE(x, -2.0);
    EXPECT_LE(x, 8.0);
    EXPECT_LE(std::abs(x - before), 1.001e-3);
    before = x;
  }
  for (const double x : {-2.0, -1.9, -1.5, 3.0, 7.6, 8.0})
    EXPECT_NEAR(interval.value(interval.point(x)), x, 1e-14);
  const double infinity = std::numeric_limits<double>::infinity();
  const SearchInterval half({.address = {}, .lower = 0.0, .upper = infinity, .scale = 2.0});
  EXPECT_EQ(half.value(5.0), 5.0);
  EXPECT_EQ(half.value(-0.1), 0.0);
  EXPECT_GT(half.value(-3.0), 0.0);
  EXPECT_NEAR(half.value(half.point(0.03)), 0.03, 1e-15);
  const SearchInterval line({.address = {}, .lower = -infinity, .upper = infinity, .scale = 1.0});
  EXPECT_EQ(line.value(-1e10), -1e10);
}

TEST(SearchInterval, OfALogarithmicParameterIsThatOfItsLogarithm) {
  const SearchInterval decades(
      {.address = {}, .lower = 1e-3, .upper = 1e5, .scale = 8.0, .logarithmic = true});
  const SearchInterval exponents({.address = {}, .lower = -3.0, .upper = 5.0, .scale = 8.0});
  for (double u = -12.0; u < 12.0; u += 0.37) {
    EXPECT_NEAR(std::log10(decades.value(u)), exponents.value(u), 1e-13);
    EXPECT_GE(decades.value(u), 1e-3);
    EXPECT_LE(decades.value(u), 1e5);
  }
  EXPECT_EQ(decades.value(-3.4), 1e-3);  // the vertices
  EXPECT_EQ(decades.value(5.4), 1e5);
  for (const double x : {1e-3, 2e-3, 1.0, 3e4, 1e5})
    EXPECT_NEAR(decades.value(decades.point(x)) / x, 1.0, 1e-13);
  EXPECT_NEAR(decades.deviation(50.0, 1e-6), decades.value(std::log10(50.0) + 1e-6) - 50.0, 1e-9);
  EXPECT_NEAR(decades.random_value(0.5, 0.3), 10.0, 1e-13);
  const double infinity = std::numeric_limits<double>::infinity();
  const SearchInterval half(
      {.address = {}, .lower = 1.0, .upper = infinity, .start = 100.0, .scale = 2.0, .logarithmic = true});
  EXPECT_NEAR(half.random_value(1.0, 0.5), 1000.0, 1e-10);
  EXPECT_EQ(half.random_value(0.0, 5.0), 1.0);
}

/// A search in the logarithm is that of a deck which gives the exponents, with powers of ten for its values.
TEST(Optimization, OfALogarithmicParameterIsTheSearchOfItsExponent) {
  const auto text = [](const std::string& range) {
    return "[study]\nkind = optimize\nobjective = function_value\nsense = min\n"
           "[model]\nkind = function\n[function]\nx = 0, 0\n[optimize]\nrestarts = ipop\ntarget = 1e-9\n"
           "parameter = function.x[0:2] : " +
           range + "\n";
  };
  const auto misfit = [](double exponent) { return (exponent - 4.2) * (exponent - 4.2); };
  const auto decades = plan_of({}, text("[1e-2, 1e6] start 10 log"));
  const auto exponents = plan_of({}, text("[-2, 6] start 1"));
  const auto rows = run(*decades, [&](const std::vector<double>& x) {
    EXPECT_GE(x[0], 1e-2);
    EXPECT_LE(x[1], 1e6);
    return misfit(std::log10(x[0])) + misfit(std::log10(x[1]));
  });
  const auto expected =
      run(*exponents, [&](const std::vector<double>& x) { return misfit(x[0]) + misfit(x[1]); });
  EXPECT_EQ(rows.back().stop, StopReason::target);
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_NEAR(rows[k].sigma / expected[k].sigma, 1.0, 1e-6);
    for (const std::size_t i : {0u, 1u}) {
      const double mean = rows[k].mean_vector[i];
      EXPECT_NEAR(std::log10(mean), expected[k].mean_vector[i], 1e-6);
      EXPECT_NEAR(rows[k].deviation[i] / (std::log(10.0) * mean * expected[k].deviation[i]), 1.0, 1e-6);
    }
  }
  EXPECT_NEAR(rows.back().mean_vector[0], std::pow(10.0, 4.2), 30.0);
  EXPECT_EQ(decades->variation().front(), "function.x[0:2] 0.01 to 1e+06, logarithmic");
}

TEST(Optimization, ExplainsWhatHasNoLogarithm) {
  const auto error = [](const std::string& range) {
    return error_of({"optimize.parameter=function.x[0] : " + range});
  };
  const std::string refused = "with log both bounds must be above 0";
  EXPECT_NE(error("[0, 5] start 1 log").find(refused), std::string::npos);
  EXPECT_NE(error("[-inf, 5] start 1 scale 1 log").find(refused), std::string::npos);
  EXPECT_NE(error("[1, inf] start 1 log").find("needs a scale"), std::string::npos);
  EXPECT_NE(error("[1, 5] start 1 log 2").find("'2' is left over behind [lower,upper]"), std::string::npos);
  EXPECT_NE(error("[1, 5] start 1 lgo").find("which start s scale d log may follow; did you mean log?"),
            std::string::npos);
  EXPECT_NE(error("[1, 5] log").find("start s"), std::string::npos);
  EXPECT_EQ(error("[1, inf] start 10 scale 1 log"), "(no error)");
  EXPECT_NE(error("[1, 5] log start").find("'start' has no value: write start s"), std::string::npos);
  EXPECT_NE(error("[1, 5] start 2 start 3").find("'start' stands twice"), std::string::npos);
}

TEST(Optimization, HasExpressionsInItsLines) {
  const auto parameter = [](const std::string& range) {
    return Deck::parse(sphere_text, "test.ini",
                       {"variable.reach=2", "optimize.parameter=function.x[0] : " + range})
        .search_parameters()
        .front();
  };
  const SearchParameter range = parameter("[-pi, variable.reach * 3] start reach / 4 scale max(1, reach) ");
  EXPECT_EQ(range.lower, -std::numbers::pi);
  EXPECT_EQ(range.upper, 6.0);
  EXPECT_EQ(range.start, 0.5);
  EXPECT_EQ(range.scale, 2.0);
  EXPECT_EQ(parameter("[0.1, 2*0.1] log start 0.1 + 0.05").start, 0.1 + 0.05);
  const SearchParameter list = parameter("list(0.1, 2*0.1, reach) scale 3 start 2 * 0.1");
  EXPECT_EQ(list.values, (std::vector<double>{0.1, 0.2, 2.0}));
  EXPECT_EQ(list.start, 0.2);
  EXPECT_EQ(list.scale, 3.0);
  EXPECT_NE(error_of({"optimize.parameter=function.x[0] : [0, raech] start 0"}).find("'raech' is no number"),
            std::string::npos);
}

/// What a campaign stored is recognised when it goes on, though its values span decades.
TEST(Optimization, OfALogarithmicParameterKnowsItsPointsAgain) {
  const auto plan = plan_of({"optimize.parameter=function.x[0:3] : [1e-8, 1e8] start 1e-3 log"});
  for (const std::uint64_t candidate : plan->ask()) {
    std::vector<double> point = plan->point(candidate);
    EXPECT_TRUE(plan->agrees(candidate, point));
    point[1] *= 1.0 + 1e-12;
    EXPECT_TRUE(plan->agrees(candidate, point)) << "another machine rounds otherwise";
    point[1] *= 2.0;
    EXPECT_FALSE(plan->agrees(candidate, point));
  }
}

TEST(SearchInterval, HasPlateausOfWholeNumbersAndLists) {
  const SearchInterval whole({.address = {}, .lower = 5.0, .upper = 40.0, .scale = 35.0, .whole = true});
  EXPECT_EQ(whole.value(-100.0), 5.0);
  EXPECT_EQ(whole.value(11.4), 11.0);
  EXPECT_EQ(whole.value(1e9), 40.0);
  EXPECT_EQ(whole.plateau(11.4).below, 10.5);
  EXPECT_EQ(whole.plateau(11.4).above, 11.5);
  EXPECT_EQ(whole.plateau(-3.0).below, -INFINITY);
  EXPECT_EQ(whole.plateau(-3.0).above, 5.5);
  EXPECT_EQ(whole.plateau(50.0).above, INFINITY);
  EXPECT_EQ(whole.value(whole.point(17.0)), 17.0);
  const SearchInterval logarithmic(
      {.address = {}, .lower = 1.0, .upper = 1000.0, .scale = 3.0, .logarithmic = true, .whole = true});
  for (const double value : {1.0, 2.0, 37.0, 1000.0}) {
    EXPECT_EQ(logarithmic.value(logarithmic.point(value)), value);
    const Plateau plateau = logarithmic.plateau(logarithmic.point(value));
    EXPECT_DOUBLE_EQ(plateau.above, value < 1000.0 ? std::log10(value + 0.5) : INFINITY);
    EXPECT_DOUBLE_EQ(plateau.below, value > 1.0 ? std::log10(value - 0.5) : -INFINITY);
  }
  const SearchInterval list(
      {.address = {}, .lower = 1.0, .upper = 9.0, .start = 4.0, .scale = 2.0, .values = {9.0, 4.0, 1.0}});
  EXPECT_EQ(list.point(4.0), 1.0);
  EXPECT_EQ(list.value(0.4), 9.0);
  EXPECT_EQ(list.value(7.0), 1.0);
  EXPECT_EQ(list.plateau(1.2).below, 0.5);
  EXPECT_EQ(list.plateau(1.7).above, INFINITY);
  std::set<double> drawn;
  for (double share = 0.0; share < 1.0; share += 0.1) drawn.insert(list.random_value(share, 0.3));
  EXPECT_EQ(drawn.size(), 3U);
}

/// A search that goes on from the end of another, by a deck that names the parameters in `order`.
std::unique_ptr<Plan> plan_after(const Plan& earlier, const std::vector<std::string>& overrides,
                                 const std::string& text = sphere_text) {
  Deck deck = Deck::parse(text, "test.ini", overrides);
  take_distribution(earlier.distribution_at_end().value(), "earlier.h5", deck);
  return make_plan(Deck::parse_stored(deck.resolved(), "later.h5:/deck"));  // as a campaign that goes on
}

double bent_bowl(const std::vector<double>& x) {
  return x[0] * x[0] + 1e4 * std::pow(x[1] + 0.5 * x[0], 2) + 1e2 * x[2] * x[2];
}

TEST(Optimization, GoesOnWithTheDistributionOfAnotherSearchToTheBit) {
  for (const std::string shape : {"optimize.covariance=full", "optimize.covariance=diagonal"}) {
    const auto earlier = plan_of({shape, "optimize.generations=30"});
    EXPECT_FALSE(earlier->distribution_at_end());
    run(*earlier, bent_bowl);
    const SearchDistribution end = earlier->distribution_at_end().value();
    EXPECT_EQ(end.covariance.size(), shape.ends_with("full") ? 6u : 3u);
    const auto later = plan_after(*earlier, {shape, "study.seed=5"});
    const auto& search = dynamic_cast<const Optimization&>(*later);
    EXPECT_EQ(search.distribution_now().sigma, end.sigma);
    EXPECT_EQ(search.distribution_now().mean, end.mean);
    EXPECT_EQ(search.distribution_now().covariance, end.covariance);
    if (!shape.ends_with("full")) continue;
    // What has been learnt of the shape is worth something.
    const auto best_after = [](Plan& plan) { return run(plan, bent_bowl).back().best; };
    const auto anew = plan_of({shape, "study.seed=5", "optimize.generations=20"});
    EXPECT_LT(best_after(*plan_after(*earlier, {shape, "study.seed=5", "optimize.generations=20"})),
              best_after(*anew));
  }
}

TEST(Optimization, GoesOnOverTheSameParametersInAnotherOrderScaleAndBounds) {
  const std::string head = sphere_text;
  const std::string stem = head.substr(0, head.find("parameter = "));
  const auto earlier = plan_of({"optimize.generations=20"});
  run(*earlier, bent_bowl);
  const SearchDistribution end = earlier->distribution_at_end().value();
  const auto later = plan_after(*earlier, {},
                                stem +
                                    "parameter = function.x[2] : [-5, 5] start 1\n"
                                    "parameter = function.x[0] : [-5, 5] start 1 scale 2.5\n"
                                    "parameter = function.x[1] : [-6, 6] start 1 scale 10\n");
  const SearchDistribution found = dynamic_cast<const Optimization&>(*later).distribution_now();
  EXPECT_EQ(found.mean[0], end.mean[2]);
  EXPECT_DOUBLE_EQ(found.mean[1], 4.0 * end.mean[0]);
  EXPECT_DOUBLE_EQ(found.mean[2], end.mean[1]);
  const auto entry = [](const SearchDistribution& d, std::size_t row, std::size_t column) {
    return d.covariance[row * (row + 1) / 2 + column];
  };
  EXPECT_EQ(entry(found, 0, 0), entry(end, 2, 2));
  EXPECT_DOUBLE_EQ(entry(found, 1, 0), 4.0 * entry(end, 2, 0));
  EXPECT_DOUBLE_EQ(entry(found, 1, 1), 16.0 * entry(end, 0, 0));
  EXPECT_DOUBLE_EQ(entry(found, 2, 1), 4.0 * entry(end, 1, 0));
}

TEST(Optimization, ADistributionOfOtherParametersOrNoneAtAllIsRefused) {
  const auto earlier = plan_of({"optimize.generations=3"});
  run(*earlier, sphere);
  const auto error = [&](const std::string& parameter) {
    try {
      plan_after(*earlier, {"optimize.parameter=" + parameter});
    } catch (const DeckError& reason) {
      return std::string(reason.what());
    }
    return std::string("(no error)");
  };
  EXPECT_NE(error("function.x[0:2] : [-5, 5] start 1").find("is a search over function.x[2] too"),
            std::string::npos);
  EXPECT_NE(error("function.x[0:3] : [1e-3, 5] start 1 log").find("has function.x[0] in another way"),
            std::string::npos);
  EXPECT_NE(error("function.x[0:3] : [40, 50] start 45").find("is not within 40 to 50"), std::string::npos);
  const auto four = plan_of({"function.x=0,0,0,0", "optimize.parameter=function.x[1:4] : [-5, 5] start 1",
                             "optimize.generations=3"});
  run(*four, sphere);
  Deck three = Deck::parse(sphere_text, "test.ini");
  EXPECT_THROW(take_distribution(four->distribution_at_end().value(), "four.h5", three), DeckError);
  EXPECT_NE(error_of({"optimize.distribution=0.3, 0, 0, 0"}).find("3 for the mean and 6 for the covariance"),
            std::string::npos);
  EXPECT_NE(error_of({"optimize.distribution=0, 0, 0, 0, 1, 1, 1"}).find("begins with sigma"),
            std::string::npos);
  EXPECT_NE(error_of({"optimize.distribution=1, 0, 0, 0, 1, 2, 1, 0, 0, 1"}).find("is positive definite"),
            std::string::npos);
}

}  // namespace
}  // namespace rodeo
