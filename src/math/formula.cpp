#include "rodeo/math/formula.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace rodeo {

struct Formula::Node {
  FormulaOp op = FormulaOp::number;
  double number = 0.0;  ///< of a number
  int index = 0;        ///< of slots, arrays and live numbers
  std::vector<Formula> arguments = {};
  std::vector<double> points = {};  ///< of splines and tables, as programs have them
  bool time = false;                ///< true if it depends on time
  bool clock = false;               ///< true if it does so by t alone
  bool place = false;
};

namespace {

using Op = FormulaOp;

/// Second derivatives of the natural cubic spline through values at distance 1, by Gaussian elimination.
std::vector<double> spline_bends(const std::vector<double>& values) {
  const std::size_t n = values.size();
  std::vector<double> bends(n, 0.0);
  std::vector<double> above(n, 0.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double pivot = 4.0 - above[k - 1];
    above[k] = 1.0 / pivot;
    bends[k] = (6.0 * (values[k - 1] - 2.0 * values[k] + values[k + 1]) - bends[k - 1]) / pivot;
  }
  for (std::size_t k = n; k-- > 1;) bends[k - 1] -= above[k - 1] * bends[k];
  return bends;
}

}  // namespace

/// Makes a formula and finds its dependencies; a formula without any becomes a number.
Formula Formula::made(Node node) {
  for (const Formula& argument : node.arguments) {
    node.time = node.time || argument.depends_on_time();
    node.clock = node.clock || argument.depends_on_clock();
    node.place = node.place || argument.depends_on_place();
  }
  const Formula formula(std::make_shared<const Node>(std::move(node)));
  const bool varies = formula.depends_on_time() || formula.depends_on_place();
  return varies || formula.constant() ? formula : number(formula.value(0.0));
}

Formula Formula::number(double value) { return made({.number = value}); }
Formula Formula::time() { return made({.op = Op::time, .time = true, .clock = true}); }
Formula Formula::place() { return made({.op = Op::place, .place = true}); }
Formula Formula::slot(int k) { return made({.op = Op::slot, .index = k, .time = true, .clock = true}); }
Formula Formula::array(int k) { return made({.op = Op::array, .index = k, .place = true}); }

Formula Formula::live(int k, bool held) {
  return made({.op = Op::live, .index = k, .time = true, .clock = !held});
}

Formula Formula::apply(FormulaOp op, std::vector<Formula> arguments) {
  return made({.op = op, .arguments = std::move(arguments)});
}

Formula Formula::spline(Formula x, const std::vector<double>& values) {
  Node node{.op = Op::spline, .arguments = {std::move(x)}, .points = values};
  const std::vector<double> bends = spline_bends(values);
  node.points.insert(node.points.end(), bends.begin(), bends.end());
  return made(std::move(node));
}

Formula Formula::table(Formula argument, const std::vector<double>& x, const std::vector<double>& y) {
  Node node{.op = Op::table, .arguments = {std::move(argument)}, .points = x};
  node.points.insert(node.points.end(), y.begin(), y.end());
  return made(std::move(node));
}

bool Formula::depends_on_time() const { return node_->time; }
bool Formula::depends_on_clock() const { return node_->clock; }
bool Formula::has_live_numbers() const {
  return node_->op == Op::live || std::ranges::any_of(node_->arguments, &Formula::has_live_numbers);
}
bool Formula::depends_on_place() const { return node_->place; }

std::optional<double> Formula::constant() const {
  if (node_->op != Op::number) return std::nullopt;
  return node_->number;
}

bool Formula::is_slot(int k) const { return node_->op == Op::slot && node_->index == k; }

double Formula::value(double t, double s, std::span<const double> live) const {
  std::vector<double> tables(live.begin(), live.end());
  return compile(tables).value(t, s, tables.data());
}

Rated Formula::with_rate(double t, double s, std::span<const double> live) const {
  std::vector<double> tables(live.begin(), live.end());
  return compile(tables).with_rate(t, s, tables.data());
}

FormulaProgram Formula::compile(std::vector<double>& tables) const {
  return compile_all(std::span(this, 1), tables);
}

namespace {

/// Appends the steps of a tree; `depth` is the number of values on the stack.
void append(const Formula::Node& node, FormulaSteps& to, int& depth, std::vector<double>& tables) {
  for (const Formula& argument : node.arguments) append(argument.node(), to, depth, tables);
  depth += 1 - formula_arguments(node.op);
  to.deepest = std::max(to.deepest, depth);
  FormulaProgram::Step& step = to.steps.emplace_back();
  step = {node.number, node.index, 0, node.op};
  if (node.points.empty()) return;
  step.place = static_cast<std::int32_t>(tables.size());
  step.count = static_cast<std::int32_t>(node.points.size() / 2);
  tables.insert(tables.end(), node.points.begin(), node.points.end());
}

}  // namespace

FormulaSteps FormulaSteps::of(std::span<const Formula> formulas, std::vector<double>& tables) {
  FormulaSteps found;
  int depth = 0;
  for (const Formula& formula : formulas) append(formula.node(), found, depth, tables);
  return found;
}

FormulaProgram compile_all(std::span<const Formula> formulas, std::vector<double>& tables) {
  const FormulaSteps found = FormulaSteps::of(formulas, tables);
  if (found.steps.size() > FormulaProgram::most_steps) {
    throw std::invalid_argument("more than " + std::to_string(FormulaProgram::most_steps) +
                                " numbers and operations");
  }
  if (found.deepest > FormulaProgram::deepest)
    throw std::invalid_argument("operations within each other too deeply");
  FormulaProgram program{};
  std::ranges::copy(found.steps, program.steps);
  program.count = static_cast<int>(found.steps.size());
  return program;
}

namespace {

/// A product of a function of time and one of place.
struct Product {
  Formula time;
  Formula place;
};
using Products = std::vector<Product>;

/// More are not worth it.
constexpr std::size_t most_products = 6;

Formula one() { return Formula::number(1.0); }

bool is_one(const Formula& formula) { return formula.constant() == 1.0; }

Formula times(const Formula& a, const Formula& b) {
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  return Formula::apply(Op::multiply, {a, b});
}

/// A function of time plus one of place.
struct Sum {
  Formula time = Formula::number(0.0);
  Formula place = Formula::number(0.0);
};

std::optional<Sum> as_sum(const Products& products) {
  Sum sum;
  for (const Product& product : products) {
    const Formula whole = times(product.time, product.place);
    if (whole.depends_on_time() && whole.depends_on_place()) return std::nullopt;
    Formula& part = whole.depends_on_time() ? sum.time : sum.place;
    part = Formula::apply(Op::add, {part, whole});
  }
  return sum;
}

std::optional<Products> products_of(const Formula& formula);

/// Products of the arguments of a sum, one after the other; those of the last with their sign.
std::optional<Products> added(const Formula& a, const Formula& b, bool negative) {
  std::optional<Products> sum = products_of(a);
  const std::optional<Products> more = products_of(b);
  if (!sum || !more) return std::nullopt;
  for (const Product& product : *more) {
    sum->push_back({negative ? Formula::apply(Op::negate, {product.time}) : product.time, product.place});
  }
  return sum;
}

std::optional<Products> multiplied(const Formula& a, const Formula& b) {
  const std::optional<Products> left = products_of(a);
  const std::optional<Products> right = products_of(b);
  if (!left || !right) return std::nullopt;
  Products products;
  for (const Product& x : *left) {
    for (const Product& y : *right) products.push_back({times(x.time, y.time), times(x.place, y.place)});
  }
  return products;
}

std::optional<Products> divided(const Formula& a, const Formula& b) {
  std::optional<Products> products = products_of(a);
  const std::optional<Products> by = products_of(b);
  if (!products || !by || by->size() != 1) return std::nullopt;
  const Product& divisor = by->front();
  for (Product& product : *products) {
    if (!is_one(divisor.time)) product.time = Formula::apply(Op::divide, {product.time, divisor.time});
    if (!is_one(divisor.place)) product.place = Formula::apply(Op::divide, {product.place, divisor.place});
  }
  return products;
}

/// True if the exponential of a function of place neither overflows nor underflows in products, at sample
/// places along the rod.
bool is_moderate_power(const Formula& place) {
  constexpr int places = 256;
  constexpr double most = 300.0;  // exp(300) squared is a number still
  std::vector<double> tables;
  const FormulaProgram program = place.compile(tables);
  for (int k = 0; k <= places; ++k) {
    if (!(std::abs(program.value(0.0, static_cast<double>(k) / places, tables.data())) <= most)) return false;
  }
  return true;
}

/// sin(a + b), cos(a + b) or exp(a + b), a of time and b of place.
std::optional<Products> of_sum(Op op, const Formula& argument) {
  const std::optional<Products> products = products_of(argument);
  if (!products) return std::nullopt;
  const std::optional<Sum> sum = as_sum(*products);
  if (!sum) return std::nullopt;
  const auto apply = [](Op f, const Formula& x) { return Formula::apply(f, {x}); };
  if (op == Op::exp) {
    if (!is_moderate_power(sum->place)) return std::nullopt;
    return Products{{apply(op, sum->time), apply(op, sum->place)}};
  }
  const Formula sine = apply(Op::sin, sum->time);
  const Formula cosine = apply(Op::cos, sum->time);
  if (op == Op::sin)
    return Products{{sine, apply(Op::cos, sum->place)}, {cosine, apply(Op::sin, sum->place)}};
  return Products{{cosine, apply(Op::cos, sum->place)},
                  {Formula::apply(Op::negate, {sine}), apply(Op::sin, sum->place)}};
}

/// c ? a : b with a condition of time alone or of place alone.
std::optional<Products> chosen_by(const Formula& condition, const Formula& a, const Formula& b) {
  if (condition.depends_on_time() && condition.depends_on_place()) return std::nullopt;
  std::optional<Products> products = products_of(a);
  const std::optional<Products> others = products_of(b);
  if (!products || !others) return std::nullopt;
  const Formula none = Formula::number(0.0);
  const auto factor = [&](Product& product) -> Formula& {
    return condition.depends_on_time() ? product.time : product.place;
  };
  for (Product& product : *products) {
    factor(product) = Formula::apply(Op::choose, {condition, factor(product), none});
  }
  for (Product product : *others) {
    factor(product) = Formula::apply(Op::choose, {condition, none, factor(product)});
    products->push_back(product);
  }
  return products;
}

/// A formula as a sum of products; nothing if it is none, or one of more than most_products.
std::optional<Products> products_of(const Formula& formula) {
  if (!formula.depends_on_place()) return Products{{formula, one()}};
  if (!formula.depends_on_time()) return Products{{one(), formula}};
  const std::vector<Formula>& x = formula.node().arguments;
  std::optional<Products> products;
  switch (formula.node().op) {
    case Op::add:
    case Op::subtract:
      products = added(x[0], x[1], formula.node().op == Op::subtract);
      break;
    case Op::negate:
      products = multiplied(Formula::number(-1.0), x[0]);
      break;
    case Op::multiply:
      products = multiplied(x[0], x[1]);
      break;
    case Op::divide:
      products = divided(x[0], x[1]);
      break;
    case Op::power:
      if (x[1].constant() == 2.0) products = multiplied(x[0], x[0]);
      break;
    case Op::sin:
    case Op::cos:
    case Op::exp:
      products = of_sum(formula.node().op, x[0]);
      break;
    case Op::choose:
      products = chosen_by(x[0], x[1], x[2]);
      break;
    default:
      break;
  }
  if (products && products->size() > most_products) return std::nullopt;
  return products;
}

/// Cuts the addends of a sum: those that are sums of products, and the rest.
void cut(const Formula& formula, bool negative, SeparatedFormula& to) {
  const Formula::Node& node = formula.node();
  if (std::optional<Products> products = products_of(formula);
      products && to.time.size() + products->size() <= most_products) {
    for (Product& product : *products) {
      to.time.push_back(negative ? Formula::apply(Op::negate, {product.time}) : product.time);
      to.place.push_back(product.place);
    }
  } else if (node.op == Op::add || node.op == Op::subtract) {
    cut(node.arguments[0], negative, to);
    cut(node.arguments[1], negative != (node.op == Op::subtract), to);
  } else if (node.op == Op::negate) {
    cut(node.arguments[0], !negative, to);
  } else {
    const Formula rest = negative ? Formula::apply(Op::negate, {formula}) : formula;
    to.rest = to.rest ? Formula::apply(Op::add, {*to.rest, rest}) : rest;
  }
}

/// A formula with slots and arrays in place of subformulas of time or place alone, which are added to `to`.
Formula with_slots(const Formula& formula, SeparatedFormula& to) {
  const Formula::Node& node = formula.node();
  if (formula.constant() || node.op == Op::time) return formula;
  if (!formula.depends_on_time()) {
    to.arrays.push_back(formula);
    return Formula::array(static_cast<int>(to.arrays.size()) - 1);
  }
  if (!formula.depends_on_place()) {
    if (to.time.size() + to.slots.size() == FormulaProgram::most_results) return formula;
    to.slots.push_back(formula);
    return Formula::slot(static_cast<int>(to.slots.size()) - 1);
  }
  Formula::Node copy = node;
  copy.arguments.clear();
  for (const Formula& argument : node.arguments) copy.arguments.push_back(with_slots(argument, to));
  return Formula::made(std::move(copy));
}

}  // namespace

SeparatedFormula SeparatedFormula::of(const Formula& formula) {
  SeparatedFormula separated;
  cut(formula, false, separated);
  if (separated.rest) separated.rest = with_slots(*separated.rest, separated);
  return separated;
}

SeparatedFormula SeparatedFormula::whole(const Formula& formula) {
  SeparatedFormula separated;
  separated.rest = with_slots(formula, separated);
  return separated;
}

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
