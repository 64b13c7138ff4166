#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rodeo/math/formula_program.hpp"

namespace rodeo {

/// An expression of time t and place s on the host: an immutable tree that is cheap to copy. Its constant
/// parts are numbers from the start.
class Formula {
 public:
  static Formula number(double value);
  static Formula time();
  static Formula place();
  /// The k-th number, or array of numbers over places, given when the program runs (FormulaInputs).
  static Formula slot(int k);
  static Formula array(int k);
  /// The k-th live number; one that is held stays from each time it is set to the next.
  static Formula live(int k, bool held);
  /// An operation with as many arguments as it takes.
  static Formula apply(FormulaOp op, std::vector<Formula> arguments);
  /// The smooth curve (natural cubic spline) over x in [0, 1] through equally spaced values, constant
  /// outside.
  static Formula spline(Formula x, const std::vector<double>& values);
  /// Linear between the points (x[k], y[k]), x rising, and constant outside.
  static Formula table(Formula argument, const std::vector<double>& x, const std::vector<double>& y);

  /// True if the formula changes while in use: by t, or because live numbers are set.
  bool depends_on_time() const;
  /// True if the formula changes by t alone.
  bool depends_on_clock() const;
  bool depends_on_place() const;
  bool has_live_numbers() const;
  /// Its value if it is a number.
  std::optional<double> constant() const;
  /// True if the formula is slot(k) and nothing else.
  bool is_slot(int k) const;

  /// `live`: the live numbers, LiveNumber::size entries each, if it has any.
  double value(double t, double s = 0.0, std::span<const double> live = {}) const;
  /// Value with its derivative in t.
  Rated with_rate(double t, double s = 0.0, std::span<const double> live = {}) const;

  /// Compiles the program for kernels. Its tables are added to `tables`, which begin with the live numbers if
  /// there are any. Throws std::invalid_argument if it has too many operations.
  FormulaProgram compile(std::vector<double>& tables) const;

  /// An operation with its arguments.
  struct Node;
  const Node& node() const { return *node_; }
  static Formula made(Node node);

 private:
  explicit Formula(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  std::shared_ptr<const Node> node_;
};

/// The steps that leave the values of formulas one after the other on a stack.
struct FormulaSteps {
  std::vector<FormulaProgram::Step> steps;
  int deepest = 0;  ///< numbers that stand on the stack at once, at most

  /// The tables in them are added to `tables`.
  static FormulaSteps of(std::span<const Formula> formulas, std::vector<double>& tables);
};

/// A program that leaves the values of several formulas, FormulaProgram::most_results at most. Throws
/// std::invalid_argument if they have too many operations.
FormulaProgram compile_all(std::span<const Formula> formulas, std::vector<double>& tables);

/// A formula cut so that little is left to be done at each place and instant: the sum over k of time[k](t)
/// place[k](s), and a rest in which time and place mix otherwise. A travelling wave is two such products, as
/// sin(a - b) = sin(a) cos(b) - cos(a) sin(b). In the rest stand slot(k) for slots[k](t), and array(k) for
/// arrays[k](s).
struct SeparatedFormula {
  std::vector<Formula> time;
  std::vector<Formula> place;  ///< as many
  std::optional<Formula> rest;
  std::vector<Formula> slots;
  std::vector<Formula> arrays;

  /// All that depends on time alone (time and slots) is no more than one program leaves.
  static SeparatedFormula of(const Formula& formula);

  /// A formula that is not cut, all of it the rest: for places where a factor is no finite number, though the
  /// whole is one, as 1/s of `t < 2 ? 5 : 1/s` at s = 0.
  static SeparatedFormula whole(const Formula& formula);
};

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
