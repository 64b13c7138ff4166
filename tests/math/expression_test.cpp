#include "rodeo/math/expression.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

double value(const std::string& text, const std::vector<double>& numbers = {}) {
  Expression expression(text, numbers.size());
  std::ranges::copy(numbers, expression.variables().begin());
  return expression.value();
}

TEST(Expression, ComputesAsOneWrites) {
  EXPECT_EQ(value("1 + 2 * 3 ^ 2"), 19.0);
  EXPECT_EQ(value("2*-3"), -6.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("(-1.5) - (-0.5)"), -1.0);
  EXPECT_EQ(value("v0 - v1", {1.0, 0.25}), 0.75);
  EXPECT_EQ(value("v0 > 1 && v0 <= 2 ? v1 : -v1", {2.0, 5.0}), 5.0);
  EXPECT_EQ(value("v0 == 1 || v0 != v0", {3.0}), 0.0);
  EXPECT_EQ(value("max(v0, 2, 3) - min(1, v0)", {7.0}), 6.0);
  EXPECT_EQ(value("hypot(3, 4) + abs(-1) + sign(-2)"), 5.0);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1) + exp(ln(2)) + log10(1e-3)"), std::atan2(1.0, -1.0) - 1.0);
  EXPECT_TRUE(std::isnan(value("sqrt(v0)", {-1.0})));
}

TEST(Expression, KnowsEveryFunctionOfItsList) {
  for (const ArithmeticFunction& function : arithmetic_functions()) {
    std::string text = std::string(function.name) + "(0.5";
    for (int k = 1; k < std::max(2 - (function.arguments == 1), function.arguments); ++k) text += ", 0.25";
    EXPECT_TRUE(std::isfinite(value(text + ")"))) << text;
  }
}

TEST(Expression, KeepsItsVariablesWhereItGoes) {
  Expression first("v0 * v0", 1);
  Expression second = std::move(first);
  second.variables()[0] = 3.0;
  EXPECT_EQ(second.value(), 9.0);
}

TEST(Expression, RefusesWhatIsNone) {
  for (const char* text : {"1 +", "v1", "(1", "sin()", ""}) {
    EXPECT_THROW(Expression(text, 1), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace rodeo
