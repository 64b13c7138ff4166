#pragma once

#include <span>
#include <vector>

#include "rodeo/math/formula.hpp"

namespace rodeo {

/// A formula of variables, its slots, of any length, evaluated on the host.
class Expression {
 public:
  Expression(const Formula& formula, std::size_t variables);

  /// Variables, to be set before value().
  std::span<double> variables() { return variables_; }

  double value();

 private:
  std::vector<double> tables_;
  FormulaSteps compiled_;
  std::vector<double> variables_;
  std::vector<double> stack_;
};

}  // namespace rodeo
