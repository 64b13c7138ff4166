#include "rodeo/math/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <muParser.h>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rodeo {

namespace {

constexpr std::array functions = {
    ArithmeticFunction{"sin", 1},   ArithmeticFunction{"cos", 1},   ArithmeticFunction{"tan", 1},
    ArithmeticFunction{"asin", 1},  ArithmeticFunction{"acos", 1},  ArithmeticFunction{"atan", 1},
    ArithmeticFunction{"atan2", 2}, ArithmeticFunction{"sinh", 1},  ArithmeticFunction{"cosh", 1},
    ArithmeticFunction{"tanh", 1},  ArithmeticFunction{"sqrt", 1},  ArithmeticFunction{"exp", 1},
    ArithmeticFunction{"ln", 1},    ArithmeticFunction{"log10", 1}, ArithmeticFunction{"abs", 1},
    ArithmeticFunction{"sign", 1},  ArithmeticFunction{"hypot", 2}, ArithmeticFunction{"min", 0},
    ArithmeticFunction{"max", 0},
};

double hypotenuse(double a, double b) { return std::hypot(a, b); }

}  // namespace

std::span<const ArithmeticFunction> arithmetic_functions() { return functions; }

/// The parser keeps the addresses of the variables.
struct Expression::Compiled {
  mu::Parser parser;
  std::vector<double> variables;
};

Expression::Expression(const std::string& text, std::size_t variables)
    : compiled_(std::make_unique<Compiled>()) {
  compiled_->variables.resize(variables);
  try {
    compiled_->parser.DefineFun("hypot", hypotenuse);
    for (std::size_t k = 0; k < variables; ++k) {
      compiled_->parser.DefineVar(std::string("v").append(std::to_string(k)), &compiled_->variables[k]);
    }
    compiled_->parser.SetExpr(text);
    compiled_->parser.Eval();  // compiles it
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(error.GetMsg());
  }
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

std::span<double> Expression::variables() { return compiled_->variables; }

double Expression::value() { return compiled_->parser.Eval(); }

}  // namespace rodeo
