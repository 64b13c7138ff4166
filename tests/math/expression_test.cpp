#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/math/formula.hpp"

namespace rodeo {
namespace {

Formula sum(const Formula& a, const Formula& b) { return Formula::apply(FormulaOp::add, {a, b}); }

TEST(Expression, ComputesWithItsVariables) {
  const Formula product = Formula::apply(FormulaOp::multiply, {Formula::slot(0), Formula::slot(1)});
  Expression expression(Formula::apply(FormulaOp::subtract, {product, Formula::number(1.0)}), 2);
  expression.variables()[0] = 3.0;
  expression.variables()[1] = 0.5;
  EXPECT_EQ(expression.value(), 0.5);
}

TEST(Expression, HasCurvesOfNumbers) {
  Expression expression(Formula::table(Formula::slot(0), {0.0, 1.0, 3.0}, {2.0, 4.0, 0.0}), 1);
  expression.variables()[0] = 2.0;
  EXPECT_EQ(expression.value(), 2.0);
}

TEST(Expression, IsOfAnyLengthAndDepth) {
  Formula flat = Formula::slot(0);
  Formula deep = Formula::slot(0);
  for (int k = 0; k < 500; ++k) {
    flat = sum(flat, Formula::slot(0));
    deep = sum(Formula::slot(0), deep);
  }
  for (const Formula& formula : {flat, deep}) {
    Expression expression(formula, 1);
    expression.variables()[0] = 2.0;
    EXPECT_EQ(expression.value(), 1002.0);
  }
}

TEST(Expression, KeepsItsVariablesWhereItGoes) {
  Expression first(Formula::apply(FormulaOp::multiply, {Formula::slot(0), Formula::slot(0)}), 1);
  Expression second = std::move(first);
  second.variables()[0] = 3.0;
  EXPECT_EQ(second.value(), 9.0);
}

}  // namespace
}  // namespace rodeo
