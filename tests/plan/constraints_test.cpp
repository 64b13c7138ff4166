#include "plan/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/plan.hpp"

#include "plan/generation_table.hpp"

namespace rodeo {
namespace {

using Point = std::vector<double>;
using OfPoint = std::function<double(const Point&)>;

/// A problem whose objective is reported as function_value, and what it is constrained by as forward_speed
/// and lateral_speed.
struct Problem {
  OfPoint objective;
  OfPoint first;
  OfPoint second = [](const Point&) { return 0.0; };
};

constexpr const char* constrained_text =
    "[study]\nkind = optimize\nobjective = function_value\nsense = min\n"
    "[model]\nkind = function\n[function]\nx = 0, 0, 0, 0, 0\n"
    "[optimize]\nparameter = function.x[0:5] : [-inf, inf] start 3 scale 1\nsigma = 1\ngenerations = 600\n"
    "constraint = forward_speed <= 0\n";

std::unique_ptr<Plan> constrained_plan(const std::vector<std::string>& overrides = {}) {
  return make_plan(Deck::parse(constrained_text, "test.ini", overrides));
}

std::string constrained_error(const std::vector<std::string>& overrides) {
  try {
    constrained_plan(overrides);
  } catch (const DeckError& error) {
    return error.what();
  }
  return "(no error)";
}

Result constrained_result(std::uint64_t candidate, const Problem& problem, const Point& x) {
  Result result{.candidate = candidate, .observables = unknown_observables()};
  result.observables[observable_index(observe::function_value.name)] = problem.objective(x);
  result.observables[observable_index(observe::forward_speed.name)] = problem.first(x);
  result.observables[observable_index(observe::lateral_speed.name)] = problem.second(x);
  return result;
}

/// How a search ended: its best generation row and the evaluations until its best candidate was within
/// `precision` of the least value that the constraints allow.
struct Outcome {
  GenerationRow last;
  double reached = std::numeric_limits<double>::infinity();
  Point best;
  std::vector<double> multipliers;
};

Outcome solve(Plan& plan, const Problem& problem, double least, double precision, bool backwards = false) {
  Outcome outcome;
  std::vector<Result> waiting;
  std::map<std::uint64_t, Point> points;
  while (true) {
    for (const std::uint64_t candidate : plan.ask()) {
      points[candidate] = plan.point(candidate);
      waiting.push_back(constrained_result(candidate, problem, points[candidate]));
    }
    if (waiting.empty()) break;
    const Result next = backwards ? waiting.back() : waiting.front();
    waiting.erase(backwards ? waiting.end() - 1 : waiting.begin());
    plan.tell(std::span(&next, 1));
    const std::vector<Table> tables = plan.tables();
    for (const TableRow& row : plan.take_rows()) {
      if (row.table == 1) {
        const auto numbers = numbers_in(tables[1], row, "multiplier");
        outcome.multipliers.assign(numbers.begin(), numbers.end());
        continue;
      }
      outcome.last = generation_of(tables[0], row);
      if (std::isinf(outcome.reached) && outcome.last.best <= least + precision) {
        outcome.reached = static_cast<double>(outcome.last.evaluations);
      }
    }
  }
  if (outcome.last.best_candidate >= 0)
    outcome.best = points.at(static_cast<std::uint64_t>(outcome.last.best_candidate));
  return outcome;
}

double sum_of_squares(const Point& x) {
  double sum = 0.0;
  for (const double xi : x) sum += xi * xi;
  return sum;
}

const Problem sphere_beside_plane = {sum_of_squares, [](const Point& x) { return 1.0 - x[0]; }};

TEST(Constraints, LeadTheSearchToTheirBorder) {
  const auto plan = constrained_plan({"optimize.target=1.00000001"});
  const Outcome outcome = solve(*plan, sphere_beside_plane, 1.0, 1e-6);
  EXPECT_EQ(outcome.last.stop, StopReason::target);
  EXPECT_LT(outcome.reached, 2500.0);
  ASSERT_EQ(outcome.best.size(), 5U);
  EXPECT_GE(outcome.best[0], 1.0);  // fulfilled to the last bit
  // At the optimum the multiplier is the gradient of the objective over that of the constraint.
  EXPECT_NEAR(outcome.multipliers.front(), 2.0, 0.1);
  EXPECT_NE(plan->conclusion().find("forward_speed = -"), std::string::npos) << plan->conclusion();
}

TEST(Constraints, OfSeveralTheActiveOnesCount) {
  const Problem problem = {[](const Point& x) { return sum_of_squares(x) + 9.0 * x[1] * x[1]; },
                           [](const Point& x) { return 1.0 - x[0] - x[1]; },
                           [](const Point& x) { return x[2] + 40.0; }};
  // Of x0 + x1 >= 1 and x2 >= -40; the least of x0^2 + 10 x1^2 is at x0 = 10/11.
  const auto plan =
      constrained_plan({"optimize.constraint=forward_speed <= 0", "optimize.constraint=lateral_speed >= 0"});
  const Outcome outcome = solve(*plan, problem, 10.0 / 11.0, 1e-6);
  EXPECT_LT(outcome.reached, 3000.0);
  EXPECT_NEAR(outcome.best[0], 10.0 / 11.0, 1e-2);
  EXPECT_NEAR(outcome.multipliers[0], 20.0 / 11.0, 0.1);
  EXPECT_NEAR(outcome.multipliers[1], 0.0, 1e-9);
}

TEST(Constraints, WithoutEffectLeaveTheSearchAsItIs) {
  const Problem far = {sum_of_squares, [](const Point&) { return -1.0; }};
  const auto with = constrained_plan();
  const auto without = make_plan(
      Deck::parse(std::string(constrained_text, std::string_view(constrained_text).find("constraint =")),
                  "test.ini", {}));
  const Outcome constrained = solve(*with, far, 0.0, 1e-8);
  const Outcome free = solve(*without, far, 0.0, 1e-8);
  EXPECT_EQ(constrained.last.evaluations, free.last.evaluations);
  EXPECT_EQ(constrained.best, free.best);
}

TEST(Constraints, FollowFromResultsInAnyOrder) {
  const std::vector<std::string> overrides = {"optimize.mode=asynchronous", "optimize.generations=60"};
  const auto forwards = constrained_plan(overrides);
  const auto backwards = constrained_plan(overrides);
  const Outcome one = solve(*forwards, sphere_beside_plane, 1.0, 1e-3);
  const Outcome other = solve(*backwards, sphere_beside_plane, 1.0, 1e-3, true);
  EXPECT_EQ(one.best, other.best);
  EXPECT_EQ(one.last.evaluations, other.last.evaluations);
  EXPECT_EQ(one.multipliers, other.multipliers);
}

TEST(Constraints, ThatNothingFulfilsLeaveNoBest) {
  const Problem never = {sum_of_squares, [](const Point& x) { return 1.0 + sum_of_squares(x); }};
  const auto plan = constrained_plan({"optimize.generations=30"});
  const Outcome outcome = solve(*plan, never, 0.0, 1.0);
  EXPECT_EQ(outcome.last.best_candidate, -1);
  EXPECT_TRUE(std::isnan(outcome.last.best));
  EXPECT_NE(plan->conclusion().find("fulfils all constraints"), std::string::npos);
}

TEST(Constraints, AreAskedForInOneSentence) {
  const auto error = [](const std::string& line) {
    return constrained_error({"optimize.constraint=" + line});
  };
  EXPECT_NE(error("forward_speed < 0").find("NAME <= VALUE or NAME >= VALUE"), std::string::npos);
  EXPECT_NE(error("forward_speed <= fast").find("'fast' is no number"), std::string::npos);
  EXPECT_NE(error("forwardspeed <= 1").find("did you mean forward_speed?"), std::string::npos);
  EXPECT_NE(constrained_error({"optimize.population=8", "optimize.workers=3"}).find("has no effect"),
            std::string::npos);
}

TEST(Constraints, AWorkforceRoundsThePopulationUp) {
  EXPECT_EQ(constrained_plan({"optimize.workers=5"})->ask().size(), 10U);  // 8 for five parameters
  EXPECT_EQ(constrained_plan({"optimize.workers=4"})->ask().size(), 8U);
}

/// All candidates of a search whose constraint is said in another unit.
std::vector<Point> candidates_in_unit(double unit) {
  const Problem problem = {sum_of_squares, [&](const Point& x) { return unit * (1.0 - x[0]); }};
  const auto plan = constrained_plan({"optimize.generations=80"});
  std::vector<Point> points;
  for (std::vector<std::uint64_t> asked = plan->ask(); !asked.empty(); asked = plan->ask()) {
    std::vector<Result> results;
    for (const std::uint64_t candidate : asked) {
      points.push_back(plan->point(candidate));
      results.push_back(constrained_result(candidate, problem, points.back()));
    }
    plan->tell(results);
  }
  return points;
}

TEST(Constraints, OfAnyUnitHaveTheSameCandidates) {
  const std::vector<Point> points = candidates_in_unit(1.0);
  for (const double unit : {0x1p-20, 0x1p-3, 0x1p20, 1e-6, 1e-3, 1e3, 1e6}) {
    EXPECT_EQ(candidates_in_unit(unit), points) << unit;
  }
}

// The lightest beam whose tip sags by at most 10 mm (inputs/studies/lightest_beam.ini): 1.188 kg by its
// closed form.
TEST(Constraints, LeadEachSeedToTheLightestBeam) {
  const Problem beam = {[](const Point& r) {
                          return std::numbers::pi / 3.0 * 1000.0 * (r[0] * r[0] + r[0] * r[1] + r[1] * r[1]);
                        },
                        [](const Point& r) {
                          return 4.0 * 0.05 / (3.0 * std::numbers::pi * 1e7 * r[0] * r[0] * r[0] * r[1]) -
                                 0.01;
                        }};
  const double least = 1.18798;
  std::vector<double> evaluations;
  for (int seed = 1; seed <= 16; ++seed) {
    const auto plan = make_plan(Deck::parse(
        "[study]\nkind = optimize\nobjective = function_value\nsense = min\nseed = " + std::to_string(seed) +
            "\n[model]\nkind = function\n[function]\nx = 0.02, 0.02\n[optimize]\n"
            "parameter = function.x[0] : [0.012, 0.05] start 0.02 log\n"
            "parameter = function.x[1] : [0.005, 0.05] start 0.02 log\n"
            "tolerance = 1e-5\ngenerations = 100\nconstraint = forward_speed <= 0\n",
        "test.ini", {}));
    const Outcome outcome = solve(*plan, beam, least, 0.01 * least);
    EXPECT_GE(outcome.last.best, least * (1.0 - 1e-4)) << seed;
    EXPECT_LE(outcome.last.best, least * 1.01) << seed;
    evaluations.push_back(outcome.reached);
  }
  std::ranges::sort(evaluations);
  EXPECT_LE(0.5 * (evaluations[7] + evaluations[8]), 110.0);
}

TEST(Constraints, SayWhereASearchDidNotComeToRest) {
  for (int generations = 5; generations <= 60; ++generations) {
    const auto plan = constrained_plan({"optimize.generations=" + std::to_string(generations)});
    const GenerationRow last = solve(*plan, sphere_beside_plane, 1.0, 1e-6).last;
    const bool near = std::abs(last.generation_best - last.best) <= 0.01 * std::abs(last.best);
    const bool said = plan->conclusion().find("did not come to rest") != std::string::npos;
    EXPECT_EQ(said, last.best_candidate >= 0 && !near) << generations;
  }
}

TEST(AugmentedLagrangian, AddsNothingUntilAConstraintMatters) {
  AugmentedLagrangian lagrangian(3, 1);
  const std::vector<double> f = {4.0, 2.0, 3.0, 1.0};
  const std::vector<std::vector<double>> fulfilled = {{-1.0}, {-2.0}, {-3.0}, {-4.0}};
  lagrangian.update(f, fulfilled);
  EXPECT_EQ(lagrangian.penalty(std::vector{5.0}), 0.0);
  const std::vector<std::vector<double>> mixed = {{-1.0}, {1.0}, {-0.5}, {2.0}};
  lagrangian.update(f, mixed);
  EXPECT_GT(lagrangian.factors().front(), 0.0);
  EXPECT_GT(lagrangian.penalty(std::vector{1.0}), 0.0);
  // Far inside it no longer falls.
  EXPECT_EQ(lagrangian.penalty(std::vector{-1e3}), lagrangian.penalty(std::vector{-1e6}));
}

}  // namespace
}  // namespace rodeo
