#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace rodeo {

/// Arithmetic of numbers and of variables v0, v1, ..., compiled once: + - * / ^, comparisons, && and ||, c ?
/// a : b, and the functions of arithmetic_functions(). A condition is 1 or 0.
class Expression {
 public:
  /// Throws std::invalid_argument on a text that is none.
  Expression(const std::string& text, std::size_t variables);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// The variables, to be set before value().
  std::span<double> variables();

  double value();

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

/// A function that expressions may call.
struct ArithmeticFunction {
  std::string_view name;
  int arguments;  ///< 0: two or more
};

std::span<const ArithmeticFunction> arithmetic_functions();

}  // namespace rodeo
