#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"
#include "rodeo/plan/plan.hpp"

#include "input/messages.hpp"
#include "plan/random_variable.hpp"
#include "plan/samplers.hpp"
#include "plan/sensitivity_table.hpp"

namespace rodeo {
namespace {

using std::numbers::pi;
using test::message_of;
using test::says;

using Response = std::function<double(const std::vector<double>&)>;

/// A deck of parameters function.x[0], ... with these distributions.
Deck sensitivity_deck(const std::vector<std::string>& distributions,
                      const std::vector<std::string>& overrides = {}) {
  std::string x = "0";
  std::string lines;
  for (std::size_t k = 0; k < distributions.size(); ++k) {
    if (k > 0) x += ", 0";
    lines += "parameter = function.x[" + std::to_string(k) + "] : " + distributions[k] + "\n";
  }
  return Deck::parse("[study]\nkind = sensitivity\n[model]\nkind = function\n[function]\nx = " + x +
                         "\n[sensitivity]\nobservable = function_value\n" + lines,
                     "deck.ini", overrides);
}

Deck uniform_deck(std::size_t parameters, const std::vector<std::string>& overrides = {}) {
  return sensitivity_deck(std::vector<std::string>(parameters, "uniform(0, 1)"), overrides);
}

Result sensitivity_result(std::uint64_t candidate, double value) {
  Result result{.candidate = candidate, .observables = unknown_observables()};
  if (std::isnan(value)) {
    result.status = MemberStatus::diverged;
  } else {
    result.observables[observable_index(observe::function_value.name)] = value;
  }
  return result;
}

/// Runs a plan to its end; `at_once` results are told together, the last ones first if `backwards`.
std::vector<TableRow> run_study(Plan& plan, const Response& response, bool backwards = false,
                                std::size_t at_once = 1000) {
  std::vector<TableRow> rows;
  std::vector<Result> waiting;
  while (true) {
    for (const std::uint64_t candidate : plan.ask()) {
      waiting.push_back(sensitivity_result(candidate, response(plan.point(candidate))));
    }
    if (waiting.empty()) break;
    const std::size_t count = std::min(at_once, waiting.size());
    const auto first = backwards ? waiting.end() - static_cast<std::ptrdiff_t>(count) : waiting.begin();
    const std::vector<Result> told(first, first + static_cast<std::ptrdiff_t>(count));
    waiting.erase(first, first + static_cast<std::ptrdiff_t>(count));
    plan.tell(told);
    std::ranges::move(plan.take_rows(), std::back_inserter(rows));
  }
  EXPECT_TRUE(plan.done());
  return rows;
}

double number(const Plan& plan, const TableRow& row, const char* column, std::size_t place = 0) {
  const Table table = plan.tables().front();
  return numbers_in(table, row, column)[place];
}

struct Exact {
  std::vector<double> first;
  std::vector<double> total;
};

/// The largest error of an index.
double index_error(const Plan& plan, const TableRow& row, const Exact& exact) {
  double error = 0.0;
  for (std::size_t k = 0; k < exact.first.size(); ++k) {
    error = std::max(error, std::abs(number(plan, row, "first", k) - exact.first[k]));
    error = std::max(error, std::abs(number(plan, row, "total", k) - exact.total[k]));
  }
  return error;
}

/// How many of the indices lie in their bands.
std::size_t covered(const Plan& plan, const TableRow& row, const Exact& exact) {
  std::size_t count = 0;
  const auto within = [&](const char* index, const char* error, std::size_t k, double truth) {
    return std::abs(number(plan, row, index, k) - truth) <= number(plan, row, error, k) + 1e-9 ? 1U : 0U;
  };
  for (std::size_t k = 0; k < exact.first.size(); ++k) {
    count += within("first", "first_error", k, exact.first[k]);
    count += within("total", "total_error", k, exact.total[k]);
  }
  return count;
}

/// Ishigami and Homma (1990), of numbers in [0, 1].
double ishigami(const std::vector<double>& u) {
  const auto angle = [&](std::size_t k) { return (2.0 * u[k] - 1.0) * pi; };
  return std::sin(angle(0)) + 7.0 * std::pow(std::sin(angle(1)), 2) +
         0.1 * std::pow(angle(2), 4) * std::sin(angle(0));
}
const double ishigami_variance = 49.0 / 8 + 0.1 * std::pow(pi, 4) / 5 + 0.01 * std::pow(pi, 8) / 18 + 0.5;
const double ishigami_first = 0.5 * std::pow(1 + 0.1 * std::pow(pi, 4) / 5, 2) / ishigami_variance;
const double ishigami_second = 49.0 / 8 / ishigami_variance;
const double ishigami_both = 8 * 0.01 * std::pow(pi, 8) / 225 / ishigami_variance;
const Exact ishigami_indices{{ishigami_first, ishigami_second, 0.0},
                             {ishigami_first + ishigami_both, ishigami_second, ishigami_both}};

/// The g-function of Saltelli and Sobol (1995).
const std::array g_weights = {0.0, 1.0, 4.5, 9.0, 99.0, 99.0, 99.0, 99.0};
double g_function(const std::vector<double>& u) {
  double product = 1.0;
  for (std::size_t k = 0; k < g_weights.size(); ++k) {
    product *= (std::abs(4.0 * u[k] - 2.0) + g_weights[k]) / (1.0 + g_weights[k]);
  }
  return product;
}
Exact g_indices() {
  double all = 1.0;
  const auto own = [](double weight) { return 1.0 / (3.0 * (1.0 + weight) * (1.0 + weight)); };
  for (const double weight : g_weights) all *= 1.0 + own(weight);
  Exact exact;
  for (const double weight : g_weights) {
    exact.first.push_back(own(weight) / (all - 1.0));
    exact.total.push_back(own(weight) * all / (1.0 + own(weight)) / (all - 1.0));
  }
  return exact;
}

/// 1 where two of the numbers are more than 1 together, and a little of a third.
double step_function(const std::vector<double>& u) { return (u[0] + u[1] > 1.0 ? 1.0 : 0.0) + 0.3 * u[2]; }
Exact step_indices() {
  const double third = 0.09 / 12.0;
  const double all = 0.25 + third;
  const double pair = (0.25 - 1.0 / 12.0) / all;
  return {{1.0 / 12.0 / all, 1.0 / 12.0 / all, third / all}, {pair, pair, third / all}};
}

TEST(Sensitivity, OfIshigamisFunctionIsKnownFromFewEvaluations) {
  std::size_t in_bands = 0;
  std::size_t bands = 0;
  for (const char* seed : {"study.seed=1", "study.seed=2", "study.seed=3", "study.seed=4"}) {
    const auto plan = make_plan(uniform_deck(3, {seed}));
    EXPECT_TRUE(plan->adaptive());
    const auto rows = run_study(*plan, ishigami);
    EXPECT_LE(number(*plan, rows.back(), "evaluations"), 256.0);
    EXPECT_LT(index_error(*plan, rows.back(), ishigami_indices), 1e-4);
    EXPECT_EQ(number(*plan, rows.back(), "method"), 1.0);
    EXPECT_EQ(number(*plan, rows.back(), "steady"), 1.0);
    EXPECT_EQ(number(*plan, rows.back(), "last"), 1.0);
    EXPECT_EQ(number(*plan, rows.front(), "last"), 0.0);
    EXPECT_LT(index_error(*plan, rows.front(), ishigami_indices), 0.02) << "of 64 evaluations";
    // Bands that are honest, and not ten times too wide either.
    for (const TableRow& row : {rows[0], rows[1]}) {
      in_bands += covered(*plan, row, ishigami_indices);
      bands += 6;
      EXPECT_LT(number(*plan, row, "first_error"), 0.03);
    }
    EXPECT_NEAR(number(*plan, rows.back(), "mean"), 3.5, 1e-3);
    EXPECT_NEAR(number(*plan, rows.back(), "deviation"), std::sqrt(ishigami_variance), 1e-3);
    EXPECT_NE(plan->conclusion().find("by polynomial chaos"), std::string::npos) << plan->conclusion();
  }
  EXPECT_GE(static_cast<double>(in_bands), 0.95 * static_cast<double>(bands));
}

TEST(Sensitivity, OfTheGFunctionIsKnownWithinItsBands) {
  const Exact exact = g_indices();
  for (const char* seed : {"study.seed=1", "study.seed=2"}) {
    const auto plan = make_plan(uniform_deck(8, {seed}));
    const auto rows = run_study(*plan, g_function);
    EXPECT_LE(number(*plan, rows.back(), "evaluations"), 1024.0);
    EXPECT_LT(index_error(*plan, rows.back(), exact), 0.02);
    EXPECT_GE(covered(*plan, rows.back(), exact), 15U) << "of 16";
    EXPECT_LT(number(*plan, rows.back(), "total_error"), 0.05);
  }
}

TEST(Sensitivity, OfWhatChaosDoesNotFitIsJansensEstimate) {
  const Exact exact = step_indices();
  const auto plan = make_plan(uniform_deck(3, {"sensitivity.evaluations=2048"}));
  const Response steep = [](const std::vector<double>& u) {
    return step_function(u) + (u[2] > 0.5 && u[0] > 0.7 ? 1e-9 : 0.0);
  };
  const auto rows = run_study(*plan, steep);
  EXPECT_EQ(number(*plan, rows.back(), "method"), 2.0);
  EXPECT_GT(number(*plan, rows.back(), "prediction_error"), 0.05);
  EXPECT_LE(number(*plan, rows.back(), "evaluations"), 2048.0);
  EXPECT_LT(index_error(*plan, rows.back(), exact), 0.04);
  EXPECT_GE(covered(*plan, rows.back(), exact), 5U) << "of 6";
  EXPECT_NE(plan->conclusion().find("Jansen"), std::string::npos);
  EXPECT_NE(plan->conclusion().find("not steady"), std::string::npos);
}

TEST(Sensitivity, JansensEstimatorTakesTheIndicesOfAnApproximationAsKnown) {
  // f = g + r with g = u0 + 2 u1, whose indices are 0.2 and 0.8: exact where r = 0, better than without g
  // else.
  const auto points = scrambled_sobol(64, 4, 7);
  const auto estimate = [&](double rest, bool with) {
    Eigen::MatrixXd values(64, 4);
    Approximation g{with ? 5.0 / 12.0 : 0.0, {Eigen::Vector2d(0.2, 0.8), Eigen::Vector2d(0.2, 0.8)}, values};
    for (Eigen::Index i = 0; i < 64; ++i) {
      const double* const p = points.data() + 4 * i;
      const std::array<std::array<double, 2>, 4> at = {
          {{p[0], p[1]}, {p[2], p[3]}, {p[2], p[1]}, {p[0], p[3]}}};
      for (Eigen::Index k = 0; k < 4; ++k) {
        const auto [x, y] = at[static_cast<std::size_t>(k)];
        const double linear = x + 2.0 * y - 1.5;
        values(i, k) = linear + rest * (x > 0.5 ? 1.0 : 0.0) * y;
        g.pairs(i, k) = with ? linear : 0.0;
      }
    }
    return jansen_indices(values, g);
  };
  const EstimatedIndices exact = estimate(0.0, true);
  EXPECT_NEAR(exact.indices.first[0], 0.2, 1e-14);
  EXPECT_NEAR(exact.indices.total[1], 0.8, 1e-14);
  EXPECT_LT(exact.errors.largest(), 1e-14);
  const EstimatedIndices plain = estimate(0.2, false);
  const EstimatedIndices better = estimate(0.2, true);
  EXPECT_LT(better.errors.largest(), 0.5 * plain.errors.largest());
  EXPECT_LT(plain.indices.largest_difference(better.indices), plain.errors.largest());
}

TEST(Sensitivity, LeavesOutCandidatesThatFailed) {
  const Response failing = [](const std::vector<double>& u) {
    return u[0] + u[1] + u[2] < 0.5 ? std::nan("") : u[0] + 2.0 * u[1] + 0.5 * u[2] * u[0];
  };
  const auto plan = make_plan(uniform_deck(3));
  const auto rows = run_study(*plan, failing);
  EXPECT_GT(number(*plan, rows.back(), "failed"), 0.0);
  EXPECT_LT(number(*plan, rows.back(), "failed"), 10.0);
  // u0 (1 + u2/2) + 2 u1: the variance of u1 is 4/12.
  const double own = 1.5625 / 12 + 1.0 / 48 / 12 + 1.0 / 4 / 144;
  EXPECT_NEAR(number(*plan, rows.back(), "first", 1), (4.0 / 12) / (4.0 / 12 + own), 0.02);
  EXPECT_NE(plan->conclusion().find("have no result and are left out"), std::string::npos);

  const auto hopeless = make_plan(uniform_deck(3, {"sensitivity.evaluations=256"}));
  const auto none = run_study(*hopeless, [](const std::vector<double>&) { return std::nan(""); });
  EXPECT_EQ(number(*hopeless, none.back(), "method"), 0.0);
  EXPECT_TRUE(std::isnan(number(*hopeless, none.back(), "mean")));
  EXPECT_NE(hopeless->conclusion().find("too few"), std::string::npos);
}

TEST(Sensitivity, OfAConstantSaysSo) {
  const auto plan = make_plan(uniform_deck(2));
  const auto rows = run_study(*plan, [](const std::vector<double>&) { return 3.0; });
  EXPECT_LE(number(*plan, rows.back(), "evaluations"), 128.0);
  EXPECT_EQ(number(*plan, rows.back(), "mean"), 3.0);
  EXPECT_TRUE(std::isnan(number(*plan, rows.back(), "first")));
  EXPECT_NE(plan->conclusion().find("does not vary"), std::string::npos);
}

TEST(Sensitivity, TheOrderInWhichMembersEndChangesNothing) {
  for (const auto& [response, parameters] :
       {std::pair<Response, std::size_t>{ishigami, 3}, {step_function, 3}}) {
    const auto whole = make_plan(uniform_deck(parameters, {"sensitivity.evaluations=256"}));
    const auto rows = run_study(*whole, response);
    for (const std::size_t at_once : {1U, 7U, 50U}) {
      const auto plan = make_plan(uniform_deck(parameters, {"sensitivity.evaluations=256"}));
      const auto others = run_study(*plan, response, true, at_once);
      ASSERT_EQ(rows.size(), others.size());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k].row, others[k].row);
        for (std::size_t n = 0; n < rows[k].numbers.size(); ++n) {
          const double a = rows[k].numbers[n];
          EXPECT_TRUE(a == others[k].numbers[n] || (std::isnan(a) && std::isnan(others[k].numbers[n])));
        }
      }
    }
  }
}

TEST(Sensitivity, ALongerStudyGoesOnWithThePointsOfAShorterOne) {
  const auto shorter = make_plan(uniform_deck(3, {"sensitivity.evaluations=128"}));
  const auto longer = make_plan(uniform_deck(3, {"sensitivity.evaluations=2000"}));
  for (std::uint64_t k = 0; k < 128; ++k) EXPECT_EQ(shorter->point(k), longer->point(k));
  EXPECT_LE(shorter->candidates(), 128U);
  EXPECT_LE(longer->candidates(), 2000U);
  EXPECT_GT(longer->candidates(), 1500U);
  const auto other = make_plan(uniform_deck(3, {"study.seed=2"}));
  EXPECT_NE(other->point(5), longer->point(5));
}

TEST(Sensitivity, KnowsItsCandidatesAgain) {
  const auto plan = make_plan(uniform_deck(3, {"sensitivity.evaluations=128"}));
  EXPECT_FALSE(plan->agrees(0, plan->point(0))) << "not asked for yet";
  EXPECT_EQ(plan->ask().size(), 64U);
  EXPECT_TRUE(plan->ask().empty());
  EXPECT_TRUE(plan->agrees(3, plan->point(3)));
  EXPECT_FALSE(plan->agrees(3, plan->point(4)));
  const Result result = sensitivity_result(3, 1.0);
  plan->tell({&result, 1});
  EXPECT_FALSE(plan->agrees(3, plan->point(3))) << "told";
}

TEST(Sensitivity, MomentsAndQuantilesAreThoseOfTheDistribution) {
  // A sum of normal numbers is normal, a product of lognormal ones lognormal.
  const auto sum = make_plan(sensitivity_deck({"normal(1, 3)", "normal(2, 4)"}));
  const auto rows = run_study(*sum, [](const std::vector<double>& x) { return x[0] + x[1]; });
  EXPECT_NEAR(number(*sum, rows.back(), "mean"), 3.0, 1e-10);
  EXPECT_NEAR(number(*sum, rows.back(), "deviation"), 5.0, 1e-10);
  EXPECT_NEAR(number(*sum, rows.back(), "first", 0), 0.36, 1e-10);
  const std::array normal = {-1.644853627, -0.6744897502, 0.0, 0.6744897502, 1.644853627};
  for (std::size_t k = 0; k < normal.size(); ++k) {
    EXPECT_NEAR(number(*sum, rows.back(), "quantiles", k), 3.0 + 5.0 * normal[k], 0.02);
  }
  const auto product = make_plan(sensitivity_deck({"lognormal(2, 0.3)", "lognormal(5, 0.4)"}));
  const auto more = run_study(*product, [](const std::vector<double>& x) { return x[0] * x[1]; });
  for (std::size_t k = 0; k < normal.size(); ++k) {
    const double exact = 10.0 * std::exp(0.5 * normal[k]);
    EXPECT_NEAR(number(*product, more.back(), "quantiles", k), exact, 0.01 * exact);
  }
  EXPECT_NEAR(number(*product, more.back(), "mean"), 10.0 * std::exp(0.125), 0.01);
  const double first = std::expm1(0.09) / std::expm1(0.25);
  EXPECT_NEAR(number(*product, more.back(), "first", 0), first, 2e-3);
}

/// ln y = a . z of correlated standard normal numbers z (study.correlation).
TEST(Sensitivity, OfCorrelatedParametersHasTheIndicesOfKucherenko) {
  const auto plan =
      make_plan(sensitivity_deck({"lognormal(2, 0.04)", "lognormal(5, 0.06)", "lognormal(1, 0.04)"},
                                 {"study.correlation=function.x[0], function.x[2] : -0.7"}));
  const auto rows = run_study(*plan, [](const std::vector<double>& x) { return x[0] / x[1] / x[2]; });
  const double variance = std::expm1(0.00904);
  const std::array known = {0.068 * 0.068, 0.06 * 0.06, 0.068 * 0.068};
  const std::array left = {0.0016 * 0.51, 0.06 * 0.06, 0.0016 * 0.51};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(number(*plan, rows.back(), "first", k), std::expm1(known[k]) / variance, 2e-3) << k;
    EXPECT_NEAR(number(*plan, rows.back(), "total", k),
                std::exp(0.00904 - left[k]) * std::expm1(left[k]) / variance, 2e-3)
        << k;
  }
  EXPECT_NEAR(number(*plan, rows.back(), "deviation"), 0.4 * std::exp(0.00452) * std::sqrt(variance), 2e-4);
}

TEST(Sensitivity, LooksAtSeveralObservables) {
  const auto deck = Deck::parse(
      "[study]\nkind = sensitivity\n[sensitivity]\nparameter = rod.length : uniform(1, 2)\n"
      "parameter = rod.radius : loguniform(0.1, 0.2)\nobservable = end_x\nobservable = total_energy\n",
      "deck.ini");
  const auto plan = make_plan(deck);
  while (!plan->done()) {
    std::vector<Result> results;
    for (const std::uint64_t candidate : plan->ask()) {
      const auto x = plan->point(candidate);
      Result result{.candidate = candidate, .observables = unknown_observables()};
      result.observables[observable_index(observe::end_x.name)] = x[0] + 10.0 * x[1];
      result.observables[observable_index(observe::total_energy.name)] = std::log(x[1]);
      results.push_back(result);
    }
    plan->tell(results);
  }
  const auto rows = plan->take_rows();
  ASSERT_GE(rows.size(), 2U);
  const TableRow& energy = rows.back();
  const TableRow& end = rows[rows.size() - 2];
  EXPECT_EQ(number(*plan, end, "observable"), 0.0);
  EXPECT_EQ(number(*plan, energy, "observable"), 1.0);
  EXPECT_NEAR(number(*plan, energy, "first", 1), 1.0, 1e-6);
  EXPECT_NEAR(number(*plan, energy, "deviation"), std::log(2.0) / std::sqrt(12.0), 1e-9);
  EXPECT_NEAR(number(*plan, end, "first", 0) + number(*plan, end, "first", 1), 1.0, 1e-6);
  const auto columns = plan->tables().front().columns;
  const auto mean = std::ranges::find(columns, "mean", &TableColumn::name);
  EXPECT_EQ(mean->unit, "") << "of different units";
  EXPECT_EQ(plan->tables().front().rows % 2, 0U);
  EXPECT_EQ(plan->variation(),
            (std::vector<std::string>{"rod.length uniform(1, 2)", "rod.radius loguniform(0.1, 0.2)"}));
}

TEST(Sensitivity, StatusTellsHowFarItHasCome) {
  const auto plan = make_plan(uniform_deck(3));
  const Table table = plan->tables().front();
  const std::array tables = {table};
  const AllRows all = [](const Table&) { return std::vector<TableRow>{}; };
  EXPECT_EQ(study_state(
                tables, [](const Table&) { return std::nullopt; }, all)
                .line,
            "round 0");
  const auto rows = run_study(*plan, ishigami);
  const StudyState state = study_state(
      tables, [&](const Table&) { return std::optional(rows.back()); }, all);
  EXPECT_TRUE(state.ended);
  EXPECT_TRUE(state.adaptive);
  EXPECT_FALSE(state.compares);
  EXPECT_NE(state.line.find("evaluations, 0 failed"), std::string::npos) << state.line;
  EXPECT_FALSE(study_state(
                   tables, [&](const Table&) { return std::optional(rows.front()); }, all)
                   .ended);
}

TEST(Sensitivity, HasExpressionsInItsLines) {
  const RandomParameter normal =
      sensitivity_deck({"uniform(0, 1)", "normal(pi, 2*0.1) in [-inf, 2 * pi]"}).random_parameters().back();
  EXPECT_EQ(normal.first, std::numbers::pi);
  EXPECT_EQ(normal.second, 0.2);
  EXPECT_EQ(normal.lower, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal.upper, 2 * std::numbers::pi);
}

TEST(Sensitivity, RefusesWhatMakesNoStudy) {
  const auto error = [](const std::vector<std::string>& distributions,
                        const std::vector<std::string>& overrides = {}) {
    return message_of([&] { make_plan(sensitivity_deck(distributions, overrides)); });
  };
  const std::string ok = "uniform(0, 1)";
  EXPECT_TRUE(says(error({ok}), {"deck.ini:9: sensitivity.parameter", "is the only parameter"}));
  EXPECT_TRUE(says(error({ok, "gamma(0, 1)"}),
                   {"deck.ini:10", "'gamma' is none of uniform(lower,upper) | loguniform"}));
  EXPECT_TRUE(says(error({ok, "unifrom(0, 1)"}), {"did you mean uniform?"}));
  EXPECT_TRUE(says(error({ok, "uniform(1, 0)"}), {"an upper number above the lower one, not 0"}));
  EXPECT_TRUE(says(error({ok, "uniform(1)"}), {"takes two numbers, not 1"}));
  EXPECT_TRUE(says(error({ok, "uniform 0 1"}), {"'uniform 0 1' is not of the form uniform(lower,upper) | "}));
  EXPECT_TRUE(says(error({ok, "normal(1, 0)"}), {"a deviation above 0"}));
  EXPECT_TRUE(says(error({ok, "loguniform(0, 1)"}), {"takes numbers above 0"}));
  EXPECT_TRUE(
      says(error({ok, "uniform(0, 1) in [0, 1]"}), {"'in [0, 1]' is left over behind uniform(lower,upper)"}));
  EXPECT_TRUE(says(error({ok, "normal(0, 1) in [2, 1]"}), {"lower must be below upper"}));
  EXPECT_TRUE(says(error({ok, "normal(0, 1) in [20, 30]"}), {"holds hardly any of the distribution"}));
  EXPECT_TRUE(
      says(error({ok, ok}, {"sensitivity.parameter=function.x[1] : uniform(0, 2)"}), {"only parameter"}));
  EXPECT_TRUE(says(error({ok, ok}, {"sensitivity.evaluations=100"}), {"integer in [128, 100000]"}));
  EXPECT_TRUE(says(error(std::vector<std::string>(9, ok), {"sensitivity.evaluations=128"}),
                   {"is too few for 9 parameters: at least 320"}));
  EXPECT_TRUE(
      says(error({ok, ok}, {"sensitivity.observable=function_vaule"}), {"did you mean function_value?"}));
  const auto keyed = [](const std::string& line) {
    return message_of([&] {
      make_plan(
          Deck::parse("[study]\nkind = sensitivity\n[sensitivity]\nobservable = end_x\n"
                      "parameter = rod.length : uniform(1, 2)\nparameter = " +
                          line + "\n",
                      "deck.ini"));
    });
  };
  EXPECT_TRUE(says(keyed("rod.elements : uniform(5, 9)"), {"deck.ini:6", "is a whole number"}));
  EXPECT_TRUE(says(keyed("contact.kind : uniform(0, 1)"), {"takes words"}));
  EXPECT_TRUE(says(keyed("rod.lenght : uniform(0, 1)"), {"did you mean rod.length?"}));
  EXPECT_TRUE(says(keyed("rod.length : uniform(1, 3)"), {"is a parameter already"}));
  EXPECT_TRUE(says(keyed("rod.radius : uniform(-1, 1)"), {"out of range"}));
  EXPECT_TRUE(says(keyed("rod.radius : normal(1, 0.1)"),
                   {"normal reaches numbers that rod.radius cannot take (real > 0, m): cut it off, as in "
                    "normal(mean,deviation) in [lower, upper]"}));
  EXPECT_TRUE(says(keyed("rod.radius : normal(1, 0.1) in [-inf, 2]"), {"cut it off"}));
  EXPECT_TRUE(says(keyed("sensitivity.tolerance : uniform(0, 1)"), {"cannot be varied"}));
  EXPECT_TRUE(says(message_of([&] { make_plan(Deck::parse("[study]\nkind = sensitivity\n", "deck.ini")); }),
                   {"sensitivity.parameter is missing", "needs two at least"}));
}

/// Mean and variance of a variable over the unit interval, and the products of its polynomials.
TEST(RandomVariables, HaveTheMomentsOfTheirDistributions) {
  const auto variables = [](const std::string& distribution) {
    const Deck deck = Deck::parse(
        "[study]\nkind = sensitivity\n[sensitivity]\nparameter = rod.length : uniform(1, 2)\n"
        "parameter = variable.a : " +
            distribution + "\n[variable]\na = 1\n",
        "deck.ini");
    return RandomVariable(deck.random_parameters().back());
  };
  struct Case {
    std::string distribution;
    double mean;
    double variance;
  };
  const double half = std::exp(-0.5) / std::sqrt(2.0 * pi);  // density of 1
  const double inside = std::erf(1.0 / std::numbers::sqrt2);
  for (const Case& c : {Case{"uniform(-1, 3)", 1.0, 16.0 / 12.0},
                        {"loguniform(1, 10)", 9.0 / std::log(10.0),
                         99.0 / (2.0 * std::log(10.0)) - std::pow(9.0 / std::log(10.0), 2)},
                        {"normal(-2, 0.5)", -2.0, 0.25},
                        {"lognormal(3, 0.2)", 3.0 * std::exp(0.02), 9.0 * std::exp(0.04) * std::expm1(0.04)},
                        {"normal(0, 1) in [-1, 1]", 0.0, 1.0 - 2.0 * half / inside},
                        {"normal(0, 1) in [0, inf]", std::sqrt(2.0 / pi), 1.0 - 2.0 / pi}}) {
    const RandomVariable variable = variables(c.distribution);
    constexpr int points = 20000;
    constexpr std::size_t degrees = 6;
    double mean = 0.0;
    double squares = 0.0;
    std::array<std::array<double, degrees>, degrees> products{};
    for (int i = 0; i < points; ++i) {
      const double t = (i + 0.5) / points;
      const double u = t * t * (3.0 - 2.0 * t);  // which looks at the tails too
      const double weight = 6.0 * t * (1.0 - t) / points;
      const double value = variable.value(u);
      mean += weight * value;
      squares += weight * value * value;
      std::array<double, degrees> p{};
      variable.polynomials().values(variable.germ(u), p);
      for (std::size_t m = 0; m < degrees; ++m) {
        for (std::size_t n = 0; n < degrees; ++n) products[m][n] += weight * p[m] * p[n];
      }
    }
    EXPECT_NEAR(mean, c.mean, 1e-6 * (1.0 + std::abs(c.mean))) << c.distribution;
    EXPECT_NEAR(squares - mean * mean, c.variance, 1e-5 * c.variance) << c.distribution;
    for (std::size_t m = 0; m < degrees; ++m) {
      for (std::size_t n = 0; n < degrees; ++n) {
        EXPECT_NEAR(products[m][n], m == n ? 1.0 : 0.0, 1e-2) << c.distribution << " " << m << " " << n;
      }
    }
  }
  const RandomVariable tail = variables("normal(0, 1) in [6, inf]");
  EXPECT_GT(tail.value(1e-9), 6.0);
  EXPECT_NEAR(tail.value(0.5), 6.11, 0.01) << "which has the last digits of no probability near 1";
  EXPECT_LT(tail.value(1.0 - 1e-9), 9.0);
  EXPECT_EQ(tail.text(), "variable.a normal(0, 1) in [6, inf]");
}

TEST(Samplers, ScrambledSobolIsANetWhateverTheSeed) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto points = scrambled_sobol(64, 2, seed);
    std::set<std::pair<int, int>> boxes;
    std::set<int> intervals;
    for (std::size_t i = 0; i < 64; ++i) {
      boxes.insert({static_cast<int>(points[2 * i] * 8), static_cast<int>(points[2 * i + 1] * 8)});
      intervals.insert(static_cast<int>(points[2 * i] * 64));
      EXPECT_GT(points[2 * i], 0.0);
      EXPECT_LT(points[2 * i + 1], 1.0);
    }
    EXPECT_EQ(boxes.size(), 64U);
    EXPECT_EQ(intervals.size(), 64U);
  }
  EXPECT_NE(scrambled_sobol(8, 2, 1), scrambled_sobol(8, 2, 2));
}

}  // namespace
}  // namespace rodeo
