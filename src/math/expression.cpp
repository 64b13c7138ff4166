#include "rodeo/math/expression.hpp"

namespace rodeo {

Expression::Expression(const Formula& formula, std::size_t variables)
    : compiled_(FormulaSteps::of(std::span(&formula, 1), tables_)),
      variables_(variables),
      stack_(static_cast<std::size_t>(compiled_.deepest)) {}

double Expression::value() {
  const FormulaInputs inputs = {.tables = tables_.data(), .slots = variables_.data()};
  int top = -1;
  for (const FormulaProgram::Step& step : compiled_.steps)
    detail::run_step<detail::PlainNumber>(step, inputs, stack_.data(), top);
  return stack_.front();
}

}  // namespace rodeo
