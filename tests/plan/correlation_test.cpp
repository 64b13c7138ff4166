#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/plan/plan.hpp"

#include "input/messages.hpp"
#include "plan/samplers.hpp"

namespace rodeo {
namespace {

using test::message_of;
using test::says;

Deck correlated_sweep(const std::vector<std::string>& overrides) {
  return Deck::parse(
      "[study]\nkind = sweep\n[model]\nkind = function\n[function]\nx = 0, 0, 0, 0\n[sweep]\nsampler = "
      "sobol\n"
      "samples = 4096\naxis = function.x[0] : linspace(0, 1, 2)\naxis = function.x[1] : linspace(1, 100, 2) "
      "with "
      "function.x[2] : linspace(0, 1, 2)\naxis = function.x[3] : linspace(-1, 1, 2)\n",
      "deck.ini", overrides);
}

/// Of two columns of the points of a study.
double rank_coefficient(const Plan& plan, std::size_t a, std::size_t b) {
  double sums[5] = {};
  for (std::uint64_t k = 0; k < plan.candidates(); ++k) {
    const std::vector<double> point = plan.point(k);
    const double x = point[a];
    const double y = point[b];
    for (int i = 0; const double term : {x, y, x * x, y * y, x * y}) sums[i++] += term / 4096.0;
  }
  return (sums[4] - sums[0] * sums[1]) /
         std::sqrt((sums[2] - sums[0] * sums[0]) * (sums[3] - sums[1] * sums[1]));
}

TEST(Correlation, PointsOfASweepDependOnEachOtherAsAskedAndKeepTheirDistributions) {
  const auto plan = make_plan(correlated_sweep({"study.correlation=function.x[0], function.x[2] : 0.8"}));
  // Of uniform numbers, the coefficient of ranks.
  EXPECT_NEAR(rank_coefficient(*plan, 0, 1), 6.0 / M_PI * std::asin(0.4), 3e-3);
  EXPECT_NEAR(rank_coefficient(*plan, 1, 2), 1.0, 1e-9) << "axes that move together";
  EXPECT_NEAR(rank_coefficient(*plan, 0, 3), 0.0, 3e-3);
  double mean = 0.0;
  for (std::uint64_t k = 0; k < 4096; ++k) mean += plan->point(k)[2] / 4096.0;
  EXPECT_NEAR(mean, 0.5, 1e-3);
}

TEST(Correlation, RefusesWhatNoNumbersCanHave) {
  const auto error = [](const std::vector<std::string>& lines) {
    std::vector<std::string> overrides;
    for (const std::string& line : lines) overrides.push_back("study.correlation=" + line);
    return message_of([&] { make_plan(correlated_sweep(overrides)); });
  };
  EXPECT_TRUE(
      says(error({"function.x[0], function.x[1] : 1.5"}), {"'1.5' is no coefficient of correlation"}));
  EXPECT_TRUE(says(error({"function.x[0] : 0.5"}), {"is not of the form KEY, KEY : r"}));
  EXPECT_TRUE(
      says(error({"function.x[0], rod.length : 0.5"}),
           {"rod.length is none of what the study draws: function.x[0], function.x[1], function.x[3]"}));
  EXPECT_TRUE(says(error({"function.x[1], function.x[2] : 0.5"}), {"move together already"}));
  EXPECT_TRUE(says(error({"function.x[0], function.x[0] : 0.5"}), {"are the same number"}));
  EXPECT_TRUE(says(error({"function.x[0], function.x[1] : 0.5", "function.x[1], function.x[0] : 0.4"}),
                   {"have a coefficient already"}));
  EXPECT_TRUE(says(error({"function.x[0], function.x[1] : 0.9", "function.x[0], function.x[3] : 0.9",
                          "function.x[1], function.x[3] : -0.9"}),
                   {"no numbers have such coefficients"}));
}

TEST(Correlation, PointsThatShareANumberAreAsLikelyAsOthers) {
  const Deck deck = correlated_sweep({"study.correlation=function.x[0], function.x[1] : 0.6",
                                      "study.correlation=function.x[1], function.x[3] : -0.5"});
  const auto at = [](int k) {
    return std::vector{parse_parameter_address("function.x[" + std::to_string(k) + "]")};
  };
  const Correlation correlation(deck, {at(0), at(1), at(3)});
  const std::size_t count = 4096;
  const std::vector<double> both = scrambled_sobol(count, 6, 1);
  for (const bool alone : {true, false}) {
    double means[3] = {};
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> point(both.begin() + 6 * static_cast<std::ptrdiff_t>(i),
                                both.begin() + 6 * static_cast<std::ptrdiff_t>(i) + 3);
      std::vector<double> other(both.begin() + 6 * static_cast<std::ptrdiff_t>(i) + 3,
                                both.begin() + 6 * static_cast<std::ptrdiff_t>(i) + 6);
      correlation.share(other, point, 1, alone);
      for (std::size_t k = 0; k < 3; ++k) means[k] += other[k] / static_cast<double>(count);
      correlation.apply(point);
      correlation.apply(other);
      for (std::size_t k = 0; k < 3; ++k) {
        if ((k == 1) != alone) continue;
        ASSERT_NEAR(other[k], point[k], 1e-9) << i;
      }
    }
    for (const double mean : means) EXPECT_NEAR(mean, 0.5, 2e-3) << alone;
  }
}

}  // namespace
}  // namespace rodeo
