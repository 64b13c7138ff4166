#include "rodeo/math/formula.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

using Op = FormulaOp;

const Formula t = Formula::time();
const Formula s = Formula::place();

Formula number(double value) { return Formula::number(value); }
Formula f(Op op, std::vector<Formula> arguments) { return Formula::apply(op, std::move(arguments)); }

/// The derivative in time by differences.
double slope(const Formula& formula, double time, double place) {
  constexpr double h = 1e-5;
  return (formula.value(time + h, place) - formula.value(time - h, place)) / (2.0 * h);
}

TEST(Formula, KnowsWhatItDependsOn) {
  EXPECT_EQ(f(Op::add, {number(1.0), number(2.0)}).constant(), 3.0);
  EXPECT_TRUE(f(Op::sin, {t}).depends_on_time());
  EXPECT_FALSE(f(Op::sin, {t}).depends_on_place());
  EXPECT_TRUE(f(Op::multiply, {t, s}).depends_on_place());
  EXPECT_EQ(Formula::spline(number(0.5), {1.0, 2.0}).constant(), 1.5);
}

/// Every operation, of arguments in the range of all of them: f(t, s) at t = 0.4, s = 0.3.
TEST(Formula, HasTheDerivativeOfItsValue) {
  const Formula x = f(Op::add, {f(Op::multiply, {t, t}), s});
  const Formula y = f(Op::subtract, {number(1.5), t});
  for (const Op op : {Op::negate, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan, Op::sinh, Op::cosh,
                      Op::tanh, Op::sqrt, Op::exp, Op::ln, Op::log10, Op::abs, Op::sign}) {
    const Formula formula = f(op, {x});
    EXPECT_NEAR(formula.with_rate(0.4, 0.3).rate, slope(formula, 0.4, 0.3), 1e-9) << static_cast<int>(op);
    EXPECT_EQ(formula.with_rate(0.4, 0.3).value, formula.value(0.4, 0.3)) << static_cast<int>(op);
  }
  for (const Op op : {Op::add, Op::subtract, Op::multiply, Op::divide, Op::power, Op::less, Op::greater,
                      Op::not_greater, Op::not_less, Op::equal, Op::not_equal, Op::both, Op::either,
                      Op::atan2, Op::hypot, Op::min, Op::max}) {
    const Formula formula = f(op, {x, y});
    EXPECT_NEAR(formula.with_rate(0.4, 0.3).rate, slope(formula, 0.4, 0.3), 1e-9) << static_cast<int>(op);
    EXPECT_EQ(formula.with_rate(0.4, 0.3).value, formula.value(0.4, 0.3)) << static_cast<int>(op);
  }
  for (const Op op : {Op::choose, Op::ramp, Op::smooth}) {
    const Formula formula = f(op, {x, f(Op::multiply, {number(0.1), t}), y});
    EXPECT_NEAR(formula.with_rate(0.4, 0.3).rate, slope(formula, 0.4, 0.3), 1e-9) << static_cast<int>(op);
  }
  const Formula constant_base = f(Op::power, {number(2.0), t});
  EXPECT_NEAR(constant_base.with_rate(0.4).rate, std::log(2.0) * std::pow(2.0, 0.4), 1e-14);
  EXPECT_EQ(f(Op::power, {t, number(0.5)}).with_rate(4.0).rate, 0.25);
}

TEST(Formula, RisesFromZeroToOne) {
  for (const Op op : {Op::ramp, Op::smooth}) {
    const Formula formula = f(op, {t, number(1.0), number(3.0)});
    EXPECT_EQ(formula.value(0.5), 0.0);
    EXPECT_EQ(formula.value(1.0), 0.0);
    EXPECT_EQ(formula.value(2.0), 0.5);
    EXPECT_EQ(formula.value(3.0), 1.0);
    EXPECT_EQ(formula.value(9.0), 1.0);
    EXPECT_EQ(formula.with_rate(9.0).rate, 0.0);
  }
  // A step where both ends are one.
  EXPECT_EQ(f(Op::ramp, {t, number(1.0), number(1.0)}).value(1.0 + 1e-9), 1.0);
  const Formula smooth = f(Op::smooth, {t, number(0.0), number(1.0)});
  EXPECT_NEAR(smooth.with_rate(1e-4).rate, 30e-8, 1e-10);
  EXPECT_NEAR(smooth.with_rate(1.0 - 1e-4).rate, 30e-8, 1e-10);
}

TEST(Formula, OfNoNumberIsNone) {
  // What never happens, as first_time has it.
  const Formula never = f(Op::add, {t, number(NAN)});
  const auto expect_none = [](const Formula& formula) {
    EXPECT_TRUE(std::isnan(formula.value(0.3)));
    EXPECT_TRUE(std::isnan(formula.with_rate(0.3).value));
  };
  for (const Op op : {Op::negate, Op::sin, Op::tanh, Op::sqrt, Op::abs, Op::sign})
    expect_none(f(op, {never}));
  for (const Op op :
       {Op::add, Op::multiply, Op::power, Op::hypot, Op::atan2, Op::min, Op::max, Op::both, Op::either}) {
    expect_none(f(op, {never, t}));
    expect_none(f(op, {t, never}));
  }
  for (const Op op : {Op::ramp, Op::smooth}) {
    expect_none(f(op, {never, number(0.0), number(1.0)}));
    expect_none(f(op, {t, never, number(1.0)}));
    expect_none(f(op, {t, number(0.0), never}));
    expect_none(f(op, {t, number(1.0), never}));
  }
  expect_none(Formula::spline(never, {1.0, 2.0, 3.0}));
  expect_none(Formula::table(never, {0.0, 1.0}, {4.0, 5.0}));
  expect_none(f(Op::choose, {never, number(1.0), number(2.0)}));
  EXPECT_EQ(f(Op::less, {never, number(1.0)}).value(0.3), 0.0);
  EXPECT_EQ(f(Op::equal, {never, never}).value(0.3), 0.0);
}

TEST(Formula, HasARateWhereItBeginsAtZero) {
  const Formula twice = f(Op::multiply, {number(2.0), t});
  EXPECT_DOUBLE_EQ(f(Op::hypot, {t, twice}).with_rate(0.0).rate, std::sqrt(5.0));
  EXPECT_EQ(f(Op::power, {t, f(Op::add, {number(1.0), t})}).with_rate(0.0).rate, 1.0);
  EXPECT_EQ(f(Op::power, {t, number(0.0)}).with_rate(0.0).rate, 0.0);
  EXPECT_EQ(f(Op::power, {number(0.0), f(Op::add, {number(1.0), t})}).with_rate(0.5).rate, 0.0);
  EXPECT_EQ(f(Op::atan2, {t, twice}).with_rate(0.0).rate, 0.0);
  const Formula smooth_begin = f(Op::exp, {f(Op::divide, {number(-1.0), t})});
  EXPECT_EQ(smooth_begin.with_rate(0.0).value, 0.0);
  EXPECT_EQ(smooth_begin.with_rate(0.0).rate, 0.0);
}

TEST(Formula, IsACurveThroughEquallySpacedValues) {
  const std::vector<double> values = {1.0, 3.0, 2.0, -1.0, 0.5};
  const Formula spline = Formula::spline(t, values);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(spline.value(0.25 * k), values[static_cast<std::size_t>(k)], 1e-15);
  EXPECT_EQ(spline.value(-1.0), 1.0);
  EXPECT_EQ(spline.value(2.0), 0.5);
  // Twice continuously differentiable, without curvature at the ends.
  constexpr double h = 1e-6;
  for (const double x : {0.25, 0.5, 0.75}) {
    EXPECT_NEAR(spline.with_rate(x - h).rate, spline.with_rate(x + h).rate, 1e-3);
    const double before = spline.with_rate(x - h).rate - spline.with_rate(x - 2.0 * h).rate;
    const double after = spline.with_rate(x + 2.0 * h).rate - spline.with_rate(x + h).rate;
    EXPECT_NEAR(before / h, after / h, 1e-2);
  }
  EXPECT_NEAR((spline.with_rate(2.0 * h).rate - spline.with_rate(h).rate) / h, 0.0, 1e-2);
  EXPECT_NEAR(spline.with_rate(0.6).rate, slope(spline, 0.6, 0.0), 1e-7);
  // Straight lines, with two values and with more.
  EXPECT_EQ(Formula::spline(t, {1.0, 2.0}).value(0.25), 1.25);
  EXPECT_NEAR(Formula::spline(t, {1.0, 2.0, 3.0, 4.0}).value(0.4), 2.2, 1e-15);
  EXPECT_EQ(Formula::spline(t, {7.0}).value(0.4), 7.0);
}

TEST(Formula, IsLinearBetweenTheRowsOfATable) {
  const Formula table = Formula::table(t, {0.0, 1.0, 4.0, 5.0}, {1.0, 3.0, 0.0, 0.0});
  EXPECT_EQ(table.value(-1.0), 1.0);
  EXPECT_EQ(table.value(0.5), 2.0);
  EXPECT_EQ(table.value(1.0), 3.0);
  EXPECT_EQ(table.value(2.0), 2.0);
  EXPECT_EQ(table.value(6.0), 0.0);
  EXPECT_EQ(table.with_rate(2.0).rate, -1.0);
  EXPECT_EQ(table.with_rate(6.0).rate, 0.0);
}

/// The sum that stands for a formula, as kernels evaluate it.
double separated_value(const SeparatedFormula& parts, double time, double place) {
  double sum = 0.0;
  for (std::size_t k = 0; k < parts.time.size(); ++k) {
    EXPECT_FALSE(parts.time[k].depends_on_place());
    EXPECT_FALSE(parts.place[k].depends_on_time());
    sum += parts.time[k].value(time) * parts.place[k].value(0.0, place);
  }
  if (!parts.rest) return sum;
  std::vector<double> slots;
  std::vector<double> arrays;
  for (const Formula& slot : parts.slots) slots.push_back(slot.value(time));
  for (const Formula& array : parts.arrays) arrays.push_back(array.value(0.0, place));
  std::vector<double> tables;
  const FormulaProgram program = parts.rest->compile(tables);
  double rest = 0.0;
  program.run({.t = time,
               .s = NAN,
               .tables = tables.data(),
               .slots = slots.data(),
               .arrays = arrays.data(),
               .pitch = 1},
              &rest);
  return sum + rest;
}

TEST(Formula, SeparatesWhatDependsOnTimeAndPlaceAlone) {
  const Formula phase =
      f(Op::subtract, {f(Op::multiply, {number(6.0), t}), f(Op::multiply, {number(5.0), s})});
  const Formula wave = f(Op::sin, {phase});
  const Formula growing = f(Op::multiply, {f(Op::ramp, {t, number(0.0), number(0.2)}), wave});
  const Formula profile = Formula::spline(s, {0.0, 1.0, 0.5});
  const std::vector<std::pair<Formula, std::size_t>> formulas = {
      {number(3.0), 1u},
      {f(Op::exp, {t}), 1u},
      {profile, 1u},
      {wave, 2u},
      {f(Op::cos, {phase}), 2u},
      {f(Op::exp, {phase}), 1u},
      {f(Op::multiply, {growing, profile}), 2u},
      {f(Op::power, {wave, number(2.0)}), 4u},
      {f(Op::divide, {wave, f(Op::add, {number(2.0), s})}), 2u},
      {f(Op::negate, {f(Op::subtract, {wave, t})}), 3u},
      {f(Op::choose, {f(Op::less, {s, number(0.5)}), wave, t}), 3u},
      {f(Op::choose, {f(Op::less, {t, number(0.5)}), wave, s}), 3u}};
  for (const auto& [formula, count] : formulas) {
    const SeparatedFormula parts = SeparatedFormula::of(formula);
    EXPECT_EQ(parts.time.size(), count);
    EXPECT_FALSE(parts.rest);
    for (const double time : {0.1, 0.7}) {
      for (const double place : {0.2, 0.9}) {
        EXPECT_NEAR(separated_value(parts, time, place), formula.value(time, place), 1e-14);
      }
    }
  }
}

TEST(Formula, KeepsTogetherWhatMixesTimeAndPlace) {
  const Formula front =
      f(Op::smooth, {f(Op::subtract, {f(Op::exp, {t}), f(Op::sqrt, {s})}), number(0.0), f(Op::sin, {t})});
  const Formula formula = f(Op::subtract, {f(Op::multiply, {t, s}), f(Op::multiply, {number(2.0), front})});
  const SeparatedFormula parts = SeparatedFormula::of(formula);
  EXPECT_EQ(parts.time.size(), 1u);
  ASSERT_TRUE(parts.rest);
  EXPECT_EQ(parts.slots.size(), 2u);
  EXPECT_EQ(parts.arrays.size(), 1u);
  for (const double time : {0.1, 0.7}) {
    EXPECT_NEAR(separated_value(parts, time, 0.6), formula.value(time, 0.6), 1e-14);
  }
}

TEST(Formula, IsNotCutIntoFactorsThatAreNoNumbers) {
  // 5 exp(1000 (s - 1 - t)) and 5 exp(1000 (t - s - 1)): the factor of place, or of time, exceeds all
  // numbers.
  for (const Op op : {Op::subtract, Op::add}) {
    const Formula distance = op == Op::subtract ? f(Op::subtract, {s, t}) : f(Op::subtract, {t, s});
    const Formula formula =
        f(Op::multiply,
          {number(5.0),
           f(Op::exp, {f(Op::multiply, {number(1000.0), f(Op::subtract, {distance, number(1.0)})})})});
    const SeparatedFormula parts = SeparatedFormula::of(formula);
    for (const double time : {0.0, 0.5, 1.9}) {
      for (const double place : {0.0, 0.4, 1.0})
        EXPECT_EQ(separated_value(parts, time, place), formula.value(time, place));
    }
  }
  // 5 up to t = 2, then 1/s, whose place is chosen by nodes.
  const Formula formula =
      f(Op::choose, {f(Op::less, {t, number(2.0)}), number(5.0), f(Op::divide, {number(1.0), s})});
  const SeparatedFormula whole = SeparatedFormula::whole(formula);
  EXPECT_EQ(separated_value(whole, 1.0, 0.0), 5.0);
  EXPECT_EQ(separated_value(whole, 3.0, 0.5), 2.0);
}

TEST(Formula, HasProgramsOfAFixedSize) {
  Formula sum = t;
  for (int k = 0; k < FormulaProgram::most_steps / 2 - 1; ++k) sum = f(Op::add, {sum, t});
  EXPECT_EQ(sum.value(1.0), FormulaProgram::most_steps / 2);
  EXPECT_THROW(f(Op::add, {sum, f(Op::add, {t, t})}).value(1.0), std::invalid_argument);
  Formula deep = t;
  for (int k = 0; k < FormulaProgram::deepest; ++k) deep = f(Op::add, {t, deep});
  EXPECT_THROW(deep.value(1.0), std::invalid_argument);
}

TEST(Formula, LeavesSeveralResults) {
  std::vector<double> tables = {1.0, 2.0};  // of another one
  const std::vector<Formula> formulas = {t, Formula::table(t, {0.0, 1.0}, {0.0, 4.0}), number(7.0)};
  const FormulaProgram program = compile_all(formulas, tables);
  Rated results[FormulaProgram::most_results];
  program.run({.t = 0.25, .tables = tables.data()}, results);
  EXPECT_EQ(results[0].rate, 1.0);
  EXPECT_EQ(results[1].value, 1.0);
  EXPECT_EQ(results[1].rate, 4.0);
  EXPECT_EQ(results[2].value, 7.0);
}

}  // namespace
}  // namespace rodeo
