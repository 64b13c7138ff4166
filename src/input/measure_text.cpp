#include "measure_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <vector>

#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/math/expression.hpp"
#include "rodeo/member/early_stopping.hpp"
#include "rodeo/observe/modes.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"

#include "edit_distance.hpp"
#include "place_text.hpp"

namespace rodeo {

namespace {

constexpr std::size_t longest_name = 64;
constexpr std::size_t longest_unit = 32;

/// In the order of ReductionKind.
constexpr auto over_time = std::to_array<MeasureWord>({
    {"last", "last(X): at the end of the member; a signal outside of all reductions means the same"},
    {"at", "at(T, X): at the step nearest to T seconds"},
    {"max", "max(X)"},
    {"min", "min(X)"},
    {"mean", "mean(X)"},
    {"rms", "rms(X): root of the mean square"},
    {"integral", "integral(X): over time"},
    {"first_time", "first_time(CONDITION): of the first sample at which it holds, s; NaN if there is none"},
});

/// In the order of AlongKind.
constexpr auto along_rods = std::to_array<MeasureWord>({
    {"max_along", "max_along(X): largest of all places, of signals without a place; max_along(X, rod K)"},
    {"min_along", "min_along(X): smallest"},
    {"mean_along", "mean_along(X): mean over rest length"},
    {"integral_along", "integral_along(X): over rest length"},
});

/// What may stand in a part of an expression.
enum class Level {
  outer,    ///< reductions over time
  sampled,  ///< signals: in a reduction over time
  along     ///< signals without a place: in a reduction along rods
};

template <class List>
std::size_t place_in(const List& list, std::string_view name) {
  std::size_t k = 0;
  while (k < list.size() && list[k].name != name) ++k;
  return k;
}

/// Text of an expression in the making.
struct Draft {
  std::string text;
  std::vector<OperandSpec> operands;
  std::optional<SignalSite> site;  ///< of signals without a place
};

class Parser {
 public:
  Parser(std::string_view line, const Deck& deck, const MemberSpec& member,
         const std::vector<std::string>& names)
      : in_(line), scope_{deck, member}, member_(member), names_(names) {}

  MeasureSpec parse(std::size_t begin) {
    in_.go_to(begin);
    Draft whole;
    expression(Level::outer, whole);
    expect_end(in_);
    measure_.expression = whole.text;
    return measure_;
  }

 private:
  void expression(Level level, Draft& out) {
    std::vector<std::size_t> questions;
    bool after_power = false;
    for (;;) {
      operand(level, out, after_power);
      const char c = in_.next();
      const std::size_t place = in_.at();
      after_power = false;
      if (c == '\0' || c == ')' || c == ',' || is_letter(c)) break;
      if (c == '?') questions.push_back(place);
      if (c == ':') {
        if (questions.empty()) in_.fail(place, "a : needs a ? before it, as in CONDITION ? A : B");
        questions.pop_back();
      }
      out.text += operation();
      after_power = c == '^';
    }
    if (!questions.empty()) in_.fail(questions.back(), "a ? needs a :, as in CONDITION ? A : B");
  }

  std::string operation() {
    for (const std::string_view text :
         {"<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "^", "<", ">", "?", ":"}) {
      if (in_.take(text)) return std::string(" ").append(text).append(" ");
    }
    if (in_.next() == '=') in_.fail(in_.at(), "one = compares nothing; write ==");
    in_.fail(in_.at(), "an operator should stand here");
  }

  void operand(Level level, Draft& out, bool after_power) {
    const char sign = in_.next();
    if (sign == '+' || sign == '-') {
      if (after_power) in_.fail(in_.at(), "an exponent with a sign needs parentheses");
      in_.take(sign);
      if (sign == '-') out.text += '-';
    }
    const char c = in_.next();
    const std::size_t place = in_.at();
    if (in_.take('(')) {
      out.text += '(';
      expression(level, out);
      in_.expect(')', "the parenthesis of character " + std::to_string(place + 1) + " is not closed here");
      out.text += ')';
    } else if (is_digit(c) || c == '.') {
      out.text += format_real(in_.number());
    } else if (is_letter(c)) {
      named(level, out);
    } else {
      in_.fail(place, "a number, a name or a parenthesis should stand here");
    }
  }

  void put_number(double value, Draft& out) { out.text.append("(").append(format_real(value)).append(")"); }

  void put_variable(std::size_t number, Draft& out) { out.text.append("v").append(std::to_string(number)); }

  void put(Level level, OperandSpec operand, Draft& out) {
    if (level != Level::outer) {
      put_variable(out.operands.size(), out);
      out.operands.push_back(std::move(operand));
      return;
    }
    put({ReductionKind::last, "v0", {std::move(operand)}, 0, member_.time.steps}, out);
  }

  void put(ReductionSpec reduction, Draft& out) {
    put_variable(names_.size() + measure_.reductions.size(), out);
    measure_.reductions.push_back(std::move(reduction));
  }

  void named(Level level, Draft& out) {
    const std::size_t place = in_.at();
    const std::string_view name = in_.name();
    if (name.find('.') != name.npos) return put_number(deck_number(in_, place, name, scope_), out);
    if (in_.next() == '(') return call(level, place, name, out);
    if (name == "pi") return put_number(std::numbers::pi, out);
    if (name == "t_end") return put_number(end_of(member_), out);
    if (name == "period") {
      if (member_.muscle.period == 0.0)
        in_.fail(place, "period is muscle.period, which the deck does not give");
      return put_number(member_.muscle.period, out);
    }
    if (name == "t") return put(level, {.kind = OperandSpec::Kind::time}, out);
    const std::size_t signal = known_signal(place, name);
    if (level == Level::along && signal < signals().size()) {
      return put(level, every(place, signal, out), out);
    }
    const std::size_t observable = observable_index(name);
    if (observable < observables.size()) {
      if (level == Level::along)
        in_.fail(place, in_quotes(name) + " is of the member as a whole: it stands outside");
      if (observables[observable].name == observe::function_value.name) unknown(place, name);
      return put(level, {.kind = OperandSpec::Kind::observable, .place = observable}, out);
    }
    const std::vector<DefinedObservable> modes = mode_observables(member_.modes);
    if (const auto mode = std::ranges::find(modes, name, &DefinedObservable::name); mode != modes.end()) {
      if (level == Level::along)
        in_.fail(place, in_quotes(name) + " is of the member as a whole: it stands outside");
      const auto asked = static_cast<std::size_t>(mode - modes.begin());
      return put(level, {.kind = OperandSpec::Kind::observable, .place = observables.size() + asked}, out);
    }
    if (const std::optional<double> number = variable_number(in_, place, name, scope_))
      return put_number(*number, out);
    const auto measure = std::ranges::find(names_, name);
    if (signal == signals().size() && measure != names_.end()) {
      if (level != Level::outer)
        in_.fail(place, in_quotes(name) + " is a measure, a number of the whole time: it stands outside");
      return put_variable(static_cast<std::size_t>(measure - names_.begin()), out);
    }
    if (signal == signals().size()) unknown(place, name);
    if (signals()[signal].site != SignalSite::share) {
      in_.fail(place, in_quotes(name) + " needs a place: " + places_of(signals()[signal]));
    }
    put(level, {.kind = OperandSpec::Kind::signal, .place = signal}, out);
  }

  void call(Level level, std::size_t place, std::string_view name, Draft& out) {
    in_.take('(');
    const std::size_t reduction = place_in(over_time, name);
    const bool arithmetic = (name == "max" || name == "min") && in_.has_several_arguments();
    if (reduction < over_time.size() && !arithmetic) {
      if (level != Level::outer) in_.fail(place, "a reduction over time cannot stand inside another");
      reduce(static_cast<ReductionKind>(reduction), out);
    } else if (const std::size_t along = place_in(along_rods, name); along < along_rods.size()) {
      if (level == Level::along) in_.fail(place, "a reduction along rods cannot stand here");
      reduce_along(level, place, static_cast<AlongKind>(along), out);
    } else if (const std::size_t signal = known_signal(place, name); signal < signals().size()) {
      put(level, placed(place, signal), out);
    } else {
      const std::size_t function = place_in(arithmetic_functions(), name);
      if (function == arithmetic_functions().size()) unknown(place, name);
      arguments(level, place, arithmetic_functions()[function], out);
    }
    in_.expect(')', "the parenthesis of " + std::string(name) + " is not closed here");
  }

  void arguments(Level level, std::size_t place, const ArithmeticFunction& function, Draft& out) {
    out.text.append(function.name).append("(");
    int count = 0;
    do {
      if (count++ > 0) out.text += ", ";
      expression(level, out);
    } while (in_.take(','));
    out.text += ')';
    if (count == function.arguments || (function.arguments == 0 && count > 1)) return;
    in_.fail(place, std::string(function.name) + " has " + std::to_string(count) +
                        (count == 1 ? " argument" : " arguments") + "; it takes " +
                        (function.arguments == 0 ? "two or more" : std::to_string(function.arguments)));
  }

  std::int64_t step_at(std::size_t place, double time) const {
    const double step = std::round(time / member_.time.step);
    if (!(step >= 0.0 && step <= static_cast<double>(member_.time.steps))) {
      in_.fail(place, format_real(time) + " s is not in the time of the member, [0, " +
                          format_real(end_of(member_)) + "] s");
    }
    return static_cast<std::int64_t>(step);
  }

  void reduce(ReductionKind kind, Draft& out) {
    ReductionSpec spec;
    spec.kind = kind;
    spec.last_step = member_.time.steps;
    if (kind == ReductionKind::at) {
      const std::size_t place = in_.at();
      spec.first_step = spec.last_step = step_at(place, parse_constant(in_, scope_));
      in_.expect(',', "at takes a time and what is taken then: at(T, X)");
    }
    Draft formula;
    expression(Level::sampled, formula);
    if (in_.next() == ',') in_.fail(in_.at(), "this reduction takes one argument");
    const std::size_t place = in_.at();
    if (in_.take_word("over")) {
      if (kind == ReductionKind::last || kind == ReductionKind::at)
        in_.fail(place, "last and at have no window");
      window(place, spec);
    }
    spec.expression = formula.text;
    spec.operands = std::move(formula.operands);
    put(std::move(spec), out);
  }

  /// `period`, or `A to B`.
  void window(std::size_t place, ReductionSpec& spec) {
    const std::size_t begin = in_.at();
    if (in_.take_word("period") && in_.next() == ')') {
      const std::int64_t period = period_steps(member_);
      if (period == 0) in_.fail(place, "needs a whole muscle.period before the end of the member");
      spec.first_step = member_.time.steps - period;
      spec.over_period = true;
      return;
    }
    in_.go_to(begin);
    in_.skip_blanks();
    const std::size_t first = in_.at();
    spec.first_step = step_at(first, parse_constant(in_, scope_));
    if (!in_.take_word("to"))
      in_.fail(in_.at(), "a window is written as: over A to B, in s, or: over period");
    in_.skip_blanks();
    const std::size_t last = in_.at();
    spec.last_step = step_at(last, parse_constant(in_, scope_));
    if (spec.last_step <= spec.first_step)
      in_.fail(last, "the window ends a step after it begins at the earliest");
  }

  void reduce_along(Level level, std::size_t place, AlongKind kind, Draft& out) {
    OperandSpec spec{.kind = OperandSpec::Kind::along, .along = kind};
    Draft formula;
    expression(Level::along, formula);
    if (!formula.site) in_.fail(place, "nothing in it goes along the rods: a signal without a place does");
    if (in_.take(',')) {
      const std::size_t begin = in_.at();
      if (!in_.take_word("rod")) in_.fail(begin, "rod K may follow, for one of the rods");
      spec.at.rod = parse_rod(in_, scope_);
    }
    spec.expression = formula.text;
    spec.operands = std::move(formula.operands);
    put(level, std::move(spec), out);
  }

  /// A signal at one place after the other. Elements and their shares go together.
  OperandSpec every(std::size_t place, std::size_t signal, Draft& out) const {
    const auto of_elements = [](SignalSite site) {
      return site == SignalSite::share ? SignalSite::element : site;
    };
    const SignalSite site = of_elements(signals()[signal].site);
    if (out.site.value_or(site) != site) {
      in_.fail(place, in_quotes(signals()[signal].name) + " is of " + sites_of(site) +
                          " and what stands before it of " + sites_of(*out.site) +
                          ": they do not go along a rod together");
    }
    out.site = site;
    OperandSpec operand{.kind = OperandSpec::Kind::signal, .place = signal};
    operand.at.kind = Place::Kind::every;
    return operand;
  }

  static std::string sites_of(SignalSite site) {
    return site == SignalSite::node     ? "nodes"
           : site == SignalSite::region ? "the pieces around nodes"
                                        : "elements";
  }

  static PlaceRules rules_of(const Signal& signal) {
    const bool of_node = signal.site == SignalSite::node || signal.site == SignalSite::region;
    return {.of = std::string(signal.name), .nodes = of_node, .elements = !of_node};
  }

  static std::string places_of(const Signal& signal) {
    return rules_of(signal).choices() + (signal.site == SignalSite::share ? ", or rod K" : "");
  }

  /// A signal with its place in parentheses.
  OperandSpec placed(std::size_t begin, std::size_t number) {
    const Signal& signal = signals()[number];
    OperandSpec operand{.kind = OperandSpec::Kind::signal, .place = number};
    const PlaceText text = parse_place(in_, scope_, rules_of(signal));
    const bool whole = text.place.kind == Place::Kind::whole;
    if (whole && signal.site != SignalSite::share)
      in_.fail(begin, std::string(signal.name) + " needs a place: " + places_of(signal));
    operand.at = whole ? text.place : place_on(in_, text, member_, text.place.rod);
    return operand;
  }

  /// The place of a signal, which has values in this member; the size of their list if it is none.
  std::size_t known_signal(std::size_t place, std::string_view name) const {
    const std::size_t signal = place_in(signals(), name);
    if (signal == signals().size() || signals()[signal].need.empty()) return signal;
    const std::vector<Clause> need = parse_need(signals()[signal].need);
    const Clause* const unmet = PossibleValues::of_member(scope_.deck).unmet(need);
    if (unmet != nullptr) in_.fail(place, in_quotes(name) + " needs " + std::string(unmet->text));
    return signal;
  }

  [[noreturn]] void unknown(std::size_t place, std::string_view name) const {
    std::vector<std::string_view> names = {"pi", "t", "t_end", "period"};
    for (const MeasureWord& word : over_time) names.push_back(word.name);
    for (const MeasureWord& word : along_rods) names.push_back(word.name);
    for (const ArithmeticFunction& function : arithmetic_functions()) names.push_back(function.name);
    for (const Signal& signal : signals()) names.push_back(signal.name);
    for (const Observable& observable : observables) names.push_back(observable.name);
    names.insert(names.end(), names_.begin(), names_.end());
    const std::string_view nearest = nearest_name(name, names);
    in_.fail(place,
             in_quotes(name) + " is no signal, observable, reduction or function" +
                 (nearest.empty() ? " (rodeo signals)" : "; did you mean " + std::string(nearest) + "?"));
  }

  LineReader in_;
  FormulaScope scope_;
  const MemberSpec& member_;
  const std::vector<std::string>& names_;  ///< of the measures before this one
  MeasureSpec measure_;
};

}  // namespace

MeasureText cut_measure(std::string_view line) {
  LineReader in(line);
  MeasureText measure;
  measure.name = in.word();
  if (measure.name.empty()) in.fail(0, "a name should stand here: NAME [UNIT] : EXPRESSION");
  if (measure.name.size() > longest_name) in.fail(0, "the name is too long");
  if (observable_index(measure.name) < observables.size()) {
    in.fail(0, "every study has an observable " + measure.name + ": give another name");
  }
  in.expect('[', "a unit in brackets should stand here, such as [m], or [1] for a pure number");
  const std::size_t begin = in.at();
  const std::size_t close = line.find(']', begin);
  if (close == line.npos) in.fail(begin - 1, "this bracket is not closed");
  measure.unit = trimmed(line.substr(begin, close - begin));
  const auto fits = [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view(" /^*.-%()").find(c) != std::string_view::npos;
  };
  if (measure.unit.empty()) in.fail(begin, "a unit should stand here, [1] for a pure number");
  if (measure.unit.size() > longest_unit) in.fail(begin, "the unit is too long");
  const auto wrong = std::ranges::find_if_not(measure.unit, fits);
  if (wrong != measure.unit.end()) in.fail(line.find(*wrong, begin), "a unit has no such character");
  in.go_to(close + 1);
  in.expect(':', "a : should stand here, between the unit and the expression");
  if (in.at_end()) in.fail(in.at(), "an expression should stand here");
  measure.expression = in.at();
  return measure;
}

MeasureSpec parse_measure(std::string_view line, const Deck& deck, const MemberSpec& member,
                          const std::vector<std::string>& names) {
  return Parser(line, deck, member, names).parse(cut_measure(line).expression);
}

std::span<const MeasureWord> time_reductions() { return over_time; }
std::span<const MeasureWord> along_reductions() { return along_rods; }

}  // namespace rodeo
