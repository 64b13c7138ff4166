#include "formula_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"
#include "rodeo/observe/signals.hpp"

#include "nearest_name.hpp"

namespace rodeo {

namespace {

using Op = FormulaOp;
using Names = FormulaScope::Names;

constexpr int two_or_more = FormulaFunction::two_or_more;

constexpr auto functions = std::to_array<FormulaFunction>({
    {"sin", Op::sin, 1},
    {"cos", Op::cos, 1},
    {"tan", Op::tan, 1},
    {"asin", Op::asin, 1},
    {"acos", Op::acos, 1},
    {"atan", Op::atan, 1},
    {"atan2", Op::atan2, 2},
    {"sinh", Op::sinh, 1},
    {"cosh", Op::cosh, 1},
    {"tanh", Op::tanh, 1},
    {"sqrt", Op::sqrt, 1},
    {"exp", Op::exp, 1},
    {"ln", Op::ln, 1},
    {"log10", Op::log10, 1},
    {"abs", Op::abs, 1},
    {"sign", Op::sign, 1},
    {"hypot", Op::hypot, 2},
    {"min", Op::min, two_or_more},
    {"max", Op::max, two_or_more},
    {"ramp", Op::ramp, 3},
    {"smooth", Op::smooth, 3},
    {"spline", Op::spline, two_or_more},
});

struct Operator {
  std::string_view text;
  Op op;
};

/// Operators of one level bind equally; later levels bind tighter. A sign binds tighter than a product, a
/// power tighter still. An operator that begins with the text of another stands before it.
constexpr std::array either = {Operator{"||", Op::either}};
constexpr std::array both = {Operator{"&&", Op::both}};
constexpr std::array comparisons = {Operator{"<=", Op::not_greater}, Operator{">=", Op::not_less},
                                    Operator{"==", Op::equal},       Operator{"!=", Op::not_equal},
                                    Operator{"<", Op::less},         Operator{">", Op::greater}};
constexpr std::array sums = {Operator{"+", Op::add}, Operator{"-", Op::subtract}};
constexpr std::array products = {Operator{"*", Op::multiply}, Operator{"/", Op::divide}};
constexpr auto levels = std::to_array<std::span<const Operator>>({either, both, comparisons, sums, products});

/// The name under which the control has a number of a free variable; nothing if the name is of none.
std::optional<std::string> free_number(std::string_view name, const Deck& deck) {
  if (name.starts_with(variable_section)) name.remove_prefix(variable_section.size());
  const std::string_view whole = name.substr(0, name.find('['));
  const auto variable = std::ranges::find(deck.variables(), whole, &Variable::name);
  if (variable == deck.variables().end() || !variable->free) return std::nullopt;
  return std::string(variable->numbers.size() == 1 && name == variable->name + "[0]" ? whole : name);
}

class FormulaParser {
 public:
  FormulaParser(LineReader& in, const FormulaScope& scope) : in_(in), scope_(scope) {}

  Formula whole() {
    const std::size_t begin = begin_here();
    const Formula formula = unchecked();
    check(begin, formula);
    return formula;
  }

  Formula unchecked() {
    const Formula formula = expression();
    const char c = in_.next();
    const bool ends = c == '\0' || c == ')' || c == ']' || c == ',' || c == ':' || is_letter(c);
    if (!ends && c == '=') in_.fail(in_.at(), "one = compares nothing; write ==");
    if (!ends) in_.fail(in_.at(), "an operator should stand here");
    return formula;
  }

  Formula single() {
    const std::size_t begin = begin_here();
    const Formula formula = signed_operand(false);
    check(begin, formula);
    return formula;
  }

 private:
  /// Fails if it has no finite value, or no program.
  void check(std::size_t begin, const Formula& formula) const {
    if (!std::isfinite(formula.constant().value_or(0.0))) in_.fail(begin, "this is no number");
    in_.read_at(begin, [&] {
      std::vector<double> tables;
      formula.compile(tables);
    });
  }

  std::size_t begin_here() {
    in_.skip_blanks();
    return in_.at();
  }

  Formula expression() {
    const Formula condition = level(0);
    const std::size_t place = begin_here();
    if (!in_.take('?')) return condition;
    const Formula first = expression();
    if (!in_.take(':')) in_.fail(place, "a ? needs a :, as in CONDITION ? A : B");
    const Formula second = expression();
    return Formula::apply(Op::choose, {condition, first, second});
  }

  Formula level(std::size_t k) {
    if (k == levels.size()) return signed_operand(false);
    Formula left = level(k + 1);
    for (;;) {
      const auto found =
          std::ranges::find_if(levels[k], [this](const Operator& o) { return in_.take(o.text); });
      if (found == levels[k].end()) return left;
      left = Formula::apply(found->op, {left, level(k + 1)});
    }
  }

  Formula signed_operand(bool of_power) {
    const char sign = in_.next();
    if (sign != '+' && sign != '-') return power();
    if (of_power) in_.fail(in_.at(), "an exponent with a sign needs parentheses");
    in_.take(sign);
    const Formula operand = signed_operand(false);
    return sign == '-' ? Formula::apply(Op::negate, {operand}) : operand;
  }

  Formula power() {
    const Formula base = operand();
    if (!in_.take('^')) return base;
    return Formula::apply(Op::power, {base, signed_operand(true)});
  }

  Formula operand() {
    const char c = in_.next();
    const std::size_t place = in_.at();
    if (in_.take('(')) {
      const Formula inner = expression();
      in_.expect(')', "the parenthesis of character " + std::to_string(place + 1) + " is not closed here");
      return inner;
    }
    if (is_digit(c) || c == '.') return Formula::number(in_.number());
    if (is_letter(c)) return named();
    in_.fail(place, "a number, a name or a parenthesis should stand here");
  }

  Formula named() {
    const std::size_t place = in_.at();
    const std::string_view written = in_.name();
    const std::size_t bracket = written.find('[');
    const bool computed =
        bracket != written.npos && written.find_first_not_of("0123456789 ]", bracket + 1) != written.npos;
    const std::string name = computed ? std::string(written.substr(0, bracket + 1)) +
                                            std::to_string(index_in(in_, place, written, scope_)) + "]"
                                      : std::string(written);
    return named(place, name);
  }

  Formula named(std::size_t place, const std::string& name) {
    const bool is_call = in_.next() == '(';
    if (scope_.names == Names::none && name != "pi" && !is_call)
      in_.fail(place, in_quotes(name) + " is no number: numbers, pi and functions alone stand here");
    if (scope_.names == Names::of_deck && (name == "t_end" || name == "period")) {
      in_.fail(place, name + " is known of members alone; write " +
                          (name == "period" ? "muscle.period" : "time.end"));
    }
    if (const auto free = free_number(name, scope_.deck); free && scope_.terms != nullptr) {
      if (std::optional<Formula> term = scope_.terms->named(place, *free)) return *term;
    }
    if (name.find('.') != name.npos) return Formula::number(deck_number(in_, place, name, scope_));
    if (is_call) return call(place, name);
    if (scope_.terms != nullptr) {
      if (std::optional<Formula> term = scope_.terms->named(place, name)) return *term;
    }
    if (name == "pi") return Formula::number(std::numbers::pi);
    if (name == "t_end") return Formula::number(end_of(scope_.member));
    if (name == "t" && scope_.time) return Formula::time();
    if (name == "s" && scope_.place) return Formula::place();
    if (name == "k" && scope_.index) return Formula::number(*scope_.index);
    if (scope_.time && scope_.terms == nullptr && !free_number(name, scope_.deck)) {
      if (std::optional<Formula> live = live_number(place, name)) return *live;
    }
    if (name == "period") {
      if (scope_.member.muscle.period == 0.0)
        in_.fail(place, "period is muscle.period, which the deck does not give");
      return Formula::number(scope_.member.muscle.period);
    }
    if (const std::optional<double> number = variable_number(in_, place, name, scope_))
      return Formula::number(*number);
    if (const std::size_t count = array_size(name); count > 0) {
      in_.fail(place, in_quotes(name) + " is an array of " + std::to_string(count) +
                          " numbers; name one of them, as in " + name + "[0]");
    }
    if (scope_.terms != nullptr) scope_.terms->unknown(place, name);
    std::string problem = in_quotes(name);
    problem +=
        scope_.time || scope_.place ? " is none of what stands here: " : " is no number: such stand here, ";
    if (scope_.time) problem += "t, ";
    if (scope_.place) problem += "s, ";
    in_.fail(place, problem + "keys and variables of the deck" +
                        (scope_.names == Names::all ? ", pi, t_end or period" : " or pi"));
  }

  /// An input or an output of the member's control.
  std::optional<Formula> live_number(std::size_t place, std::string_view name) const {
    const ControlSpec& control = scope_.member.control;
    const std::optional<std::size_t> number = control.find(name);
    if (!number) return std::nullopt;
    const bool is_input = *number < control.first_signal();
    if (!is_input && (*number < control.first_output() || *number == control.work_place())) {
      in_.fail(place, in_quotes(name) +
                          " is a number of the control that drives nothing by itself; formulas "
                          "here take its inputs and outputs: control.output = NAME : " +
                          std::string(name));
    }
    const std::size_t live = is_input ? *number - ControlSpec::first_input()
                                      : control.inputs.size() + *number - control.first_output();
    return Formula::live(static_cast<int>(live), control.held);
  }

  /// Size of an array of the control, or of a list of the deck; 0 if the name is of neither.
  std::size_t array_size(std::string_view name) const {
    const auto list = std::ranges::find(scope_.deck.variables(), name, &Variable::name);
    if (list != scope_.deck.variables().end()) return list->numbers.size() > 1 ? list->numbers.size() : 0;
    std::size_t count = 0;
    while (scope_.member.control.find(entry(name, count))) ++count;
    return count;
  }

  static std::string entry(std::string_view array, std::size_t k) {
    return std::string(array) + "[" + std::to_string(k) + "]";
  }

  /// An argument of a function of any number of them: the name of an array stands for all its numbers.
  void add_arguments(std::vector<Formula>& arguments) {
    const std::size_t begin = begin_here();
    if (is_letter(in_.next())) {
      const std::string name(in_.name());
      const char after = in_.next();
      const std::size_t count = after == ',' || after == ')' ? array_size(name) : 0;
      for (std::size_t k = 0; k < count; ++k) arguments.push_back(named(begin, entry(name, k)));
      if (count > 0) return;
      in_.go_to(begin);
    }
    arguments.push_back(expression());
  }

  Formula call(std::size_t place, std::string_view name) {
    in_.take('(');
    if (scope_.terms != nullptr) {
      if (const std::optional<Formula> term = scope_.terms->called(place, name)) {
        close(name);
        return *term;
      }
    }
    if (name == "table" && scope_.names != Names::all)
      in_.fail(place, "tables have no part in this line: list the numbers");
    if (name == "table") return table();
    const auto function = std::ranges::find(functions, name, &FormulaFunction::name);
    if (function == functions.end()) unknown(place, name);
    std::vector<Formula> arguments;
    do {
      const std::size_t at = begin_here();
      add_arguments(arguments);
      if (function->op == Op::spline && arguments.size() > 1 && arguments.back().depends_on_place())
        in_.fail(at, "the values of a spline do not depend on s");
    } while (in_.take(','));
    close(name);
    const auto count = static_cast<int>(arguments.size());
    if (function->arguments == two_or_more ? count < 2 : count != function->arguments) {
      in_.fail(place, std::string(name) + " has " + std::to_string(count) +
                          (count == 1 ? " argument" : " arguments") + "; it takes " +
                          (function->arguments == two_or_more ? "two or more"
                                                              : std::to_string(function->arguments)));
    }
    if (function->op == Op::spline) return spline(arguments);
    if (function->op == Op::ramp || function->op == Op::smooth) check_rise(place, name, arguments);
    if (function->arguments != two_or_more) return Formula::apply(function->op, std::move(arguments));
    Formula folded = arguments.front();
    for (std::size_t k = 1; k < arguments.size(); ++k)
      folded = Formula::apply(function->op, {folded, arguments[k]});
    return folded;
  }

  void check_rise(std::size_t place, std::string_view name, const std::vector<Formula>& arguments) const {
    if (arguments.size() != 3 || !arguments[1].constant() || !arguments[2].constant()) return;
    if (*arguments[2].constant() >= *arguments[1].constant()) return;
    const std::string function(name);
    in_.fail(place, function + "(x, a, b) rises from a on up to b, and b is below a here; 1 - " + function +
                        "(x, b, a) falls from b on down to a");
  }

  void close(std::string_view name) {
    in_.expect(')', "the parenthesis of " + std::string(name) + " is not closed here");
  }

  /// Where values change, a sum of splines through a single one and zeros else: they are linear in their
  /// values.
  static Formula spline(const std::vector<Formula>& arguments) {
    std::vector<double> values;
    std::vector<std::size_t> changing;
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      values.push_back(arguments[k].constant().value_or(0.0));
      if (!arguments[k].constant()) changing.push_back(k);
    }
    if (changing.empty()) return Formula::spline(arguments.front(), values);
    std::optional<Formula> sum;
    const auto add = [&](const Formula& part) { sum = sum ? Formula::apply(Op::add, {*sum, part}) : part; };
    if (std::ranges::any_of(values, [](double value) { return value != 0.0; }))
      add(Formula::spline(arguments.front(), values));
    for (const std::size_t k : changing) {
      std::vector<double> one(values.size(), 0.0);
      one[k - 1] = 1.0;
      add(Formula::apply(Op::multiply, {arguments[k], Formula::spline(arguments.front(), one)}));
    }
    return *sum;
  }

  /// table(FILE, X, COLUMN)
  Formula table() {
    const std::string why = "a table is written as table(FILE, X, COLUMN)";
    const std::size_t place = begin_here();
    const std::string_view file = in_.text_before(',', why);
    in_.take(',');
    const Formula x = expression();
    in_.expect(',', why);
    const std::string_view column = in_.text_before(')', why);
    close("table");
    return in_.read_at(place, [&] {
      const auto [first, values] = scope_.deck.table(file, column);
      const auto stays = std::ranges::adjacent_find(first, std::ranges::greater_equal());
      if (stays != first.end()) {
        throw std::invalid_argument(
            "the first column of a table in which X is looked up rises, and that of " + std::string(file) +
            " goes from " + format_real(stays[0]) + " to " + format_real(stays[1]));
      }
      return Formula::table(x, first, values);
    });
  }

  [[noreturn]] void unknown(std::size_t place, std::string_view name) const {
    if (scope_.terms != nullptr) scope_.terms->unknown(place, name);
    if (std::ranges::find(signals(), name, &Signal::name) != signals().end())
      in_.fail(place, "a signal is no number, as should stand here");
    std::vector<std::string_view> names = {"table"};
    for (const FormulaFunction& function : functions) names.push_back(function.name);
    in_.fail(place, in_quotes(name) + " is no function" + did_you_mean(name, names));
  }

  LineReader& in_;
  const FormulaScope& scope_;
};

double number_of(const Formula& formula) { return formula.constant().value(); }

FormulaScope without_variables(const FormulaScope& scope) {
  return {scope.deck, scope.member, false, false, scope.one_rod, nullptr, scope.index, scope.names};
}

}  // namespace

bool names_number(std::string_view line, Key key) {
  return names_word(line, key_info(key).name) || (key == "time.end"_key && names_word(line, "t_end")) ||
         (key == "muscle.period"_key && names_word(line, "period"));
}

double end_of(const MemberSpec& member) { return static_cast<double>(member.time.steps) * member.time.step; }

std::span<const FormulaFunction> formula_functions() { return functions; }

Formula parse_formula(LineReader& in, const FormulaScope& scope) { return FormulaParser(in, scope).whole(); }

Formula parse_host_formula(LineReader& in, const FormulaScope& scope) {
  return FormulaParser(in, scope).unchecked();
}

double parse_constant(LineReader& in, const FormulaScope& scope) {
  const FormulaScope constants = without_variables(scope);
  return number_of(FormulaParser(in, constants).whole());
}

int parse_whole_number(LineReader& in, const FormulaScope& scope) {
  in.skip_blanks();
  const std::size_t begin = in.at();
  const double value = parse_constant(in, scope);
  if (value != std::floor(value) || std::abs(value) > 1e9) in.fail(begin, "a whole number should stand here");
  return static_cast<int>(value);
}

double parse_single_number(LineReader& in, const FormulaScope& scope) {
  const FormulaScope constants = without_variables(scope);
  return number_of(FormulaParser(in, constants).single());
}

double parse_expression(std::string_view text, const Deck* deck, bool one_rod) {
  if (const std::optional<double> number = parse_real(text)) return *number;
  static const Deck no_deck;
  static const MemberSpec no_member;
  LineReader in(text);
  const double number = parse_constant(in, {.deck = deck != nullptr ? *deck : no_deck,
                                            .member = no_member,
                                            .one_rod = one_rod,
                                            .names = deck != nullptr ? Names::of_deck : Names::none});
  expect_end(in);
  return number;
}

double deck_number(const LineReader& in, std::size_t place, std::string_view name,
                   const FormulaScope& scope) {
  const ParameterAddress address = in.read_at(place, [&] { return parse_parameter_address(name); });
  const KeyInfo& info = key_info(address.key);
  if (info.type == ValueType::choice || info.type == ValueType::text) {
    in.fail(place, std::string(info.name) + " is no number");
  }
  if (!scope.one_rod && is_placed(scope.deck, address.key)) {
    in.fail(place, std::string(info.name) + " differs from rod to rod (" +
                       scope.deck.place("rod.placement"_key) + ")");
  }
  for (const EachRod& each : scope.deck.each_rods()) {
    if (scope.one_rod) break;
    if (each.address.key == address.key && each.address.variable == address.variable) {
      in.fail(place, address.name() + " differs from rod to rod (" + each.place + ")");
    }
  }
  return in.read_at(place, [&] { return scope.deck.number(address); });
}

int index_in(const LineReader& in, std::size_t place, std::string_view name, const FormulaScope& scope) {
  const std::size_t begin = name.find('[') + 1;
  const std::string_view up_to_here(name.data() - place, place + name.find(']', begin));
  if (name.back() != ']') in.fail(place + begin - 1, "this bracket is not closed");
  LineReader inside(up_to_here);
  inside.go_to(place + begin);
  const int index = parse_whole_number(inside, scope);
  expect_end(inside);
  return index;
}

std::optional<double> variable_number(const LineReader& in, std::size_t place, std::string_view name,
                                      const FormulaScope& scope) {
  const std::string_view variable = trimmed(name.substr(0, name.find('[')));
  if (std::ranges::find(scope.deck.variables(), variable, &Variable::name) == scope.deck.variables().end())
    return std::nullopt;
  return deck_number(in, place, std::string(variable_section).append(name), scope);
}

void expect_end(LineReader& in) {
  if (in.at_end()) return;
  if (in.next() == ':') in.fail(in.at(), "a : needs a ? before it, as in CONDITION ? A : B");
  in.fail(in.at(), in.next() == ')' ? "this parenthesis closes none" : "an operator should stand here");
}

}  // namespace rodeo
