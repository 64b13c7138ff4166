#include "measure_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/member/period_steps.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"

#include "formula_text.hpp"
#include "nearest_name.hpp"
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

/// Level of a part of an expression, by the terms that it may hold.
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

/// Operands of an expression, as far as it has been read.
struct Draft {
  std::vector<OperandSpec> operands;
  std::optional<SignalSite> site;  ///< of signals without a place
};

class Parser final : public FormulaTerms {
 public:
  Parser(const LineReader& in, const Deck& deck, const MemberSpec& member,
         const std::vector<std::string>& names, std::optional<int> index = {})
      : in_(in),
        scope_{.deck = deck, .member = member, .terms = this, .index = index},
        member_(member),
        has_rods_(model_of(member).has_rods),
        names_(names) {}

  MeasureSpec parse(std::size_t begin) {
    in_.go_to(begin);
    Draft whole;
    measure_.formula = expression(Level::outer, whole);
    expect_end(in_);
    return measure_;
  }

  /// A formula of signals at an instant, which ends where the reader then is.
  SampledText parse_sampled() {
    Draft sampled;
    const Formula formula = expression(Level::sampled, sampled);
    return {formula, std::move(sampled.operands), in_.at()};
  }

  std::optional<Formula> named(std::size_t place, std::string_view name) override {
    if (const std::optional<std::size_t> number = member_.control.find(name))
      return put({.kind = OperandSpec::Kind::control, .place = *number});
    if (scope_.index && name == "k") return std::nullopt;
    if (!has_rods_) {
      if (name == observe::function_value.name)
        return put({.kind = OperandSpec::Kind::observable, .place = observable_index(name)});
      return measure_before(place, name);
    }
    if (name == "t") return put({.kind = OperandSpec::Kind::time});
    const std::size_t signal = known_signal(place, name);
    if (level_ == Level::along && signal < signals().size()) return put(every(place, signal));
    if (const std::optional<std::size_t> observable = known_observable(place, name))
      return put({.kind = OperandSpec::Kind::observable, .place = *observable});
    if (signal == signals().size()) return measure_before(place, name);
    if (signals()[signal].site != SignalSite::share) {
      in_.fail(place, in_quotes(name) + " needs a place: " + places_of(signals()[signal]));
    }
    return put({.kind = OperandSpec::Kind::signal, .place = signal});
  }

  std::optional<Formula> called(std::size_t place, std::string_view name) override {
    if (!has_rods_) return std::nullopt;
    const std::size_t reduction = place_in(over_time, name);
    const bool arithmetic = (name == "max" || name == "min") && in_.has_several_arguments();
    if (reduction < over_time.size() && !arithmetic) {
      if (level_ != Level::outer) in_.fail(place, "a reduction over time cannot stand inside another");
      return reduce(static_cast<ReductionKind>(reduction));
    }
    if (const std::size_t along = place_in(along_rods, name); along < along_rods.size()) {
      if (level_ == Level::along) in_.fail(place, "a reduction along rods cannot stand here");
      return reduce_along(place, static_cast<AlongKind>(along));
    }
    const std::size_t signal = known_signal(place, name);
    if (signal == signals().size()) return std::nullopt;
    return put(placed(place, signal));
  }

  [[noreturn]] void unknown(std::size_t place, std::string_view name) const override {
    std::vector<std::string_view> names = {"pi", "t", "t_end", "period", "table"};
    for (const MeasureWord& word : over_time) names.push_back(word.name);
    for (const MeasureWord& word : along_rods) names.push_back(word.name);
    for (const FormulaFunction& function : formula_functions()) names.push_back(function.name);
    for (const Signal& signal : signals()) names.push_back(signal.name);
    for (const Observable& observable : observables) names.push_back(observable.name);
    names.insert(names.end(), names_.begin(), names_.end());
    const std::string_view nearest = nearest_name(name, names);
    in_.fail(place,
             in_quotes(name) + " is no signal, observable, reduction or function" +
                 (nearest.empty() ? " (rodeo signals)" : "; did you mean " + std::string(nearest) + "?"));
  }

 private:
  Formula expression(Level level, Draft& draft) {
    const Level level_outside = std::exchange(level_, level);
    Draft* const draft_outside = std::exchange(draft_, &draft);
    const Formula formula = parse_host_formula(in_, scope_);
    level_ = level_outside;
    draft_ = draft_outside;
    return formula;
  }

  static Formula slot(std::size_t k) { return Formula::slot(static_cast<int>(k)); }

  Formula put(OperandSpec operand) {
    if (level_ == Level::outer)
      return put(ReductionSpec{.operands = {std::move(operand)}, .last_step = member_.time.steps});
    draft_->operands.push_back(std::move(operand));
    return slot(draft_->operands.size() - 1);
  }

  Formula put(ReductionSpec reduction) {
    measure_.reductions.push_back(std::move(reduction));
    return slot(names_.size() + measure_.reductions.size() - 1);
  }

  /// Nothing if the member has none of this name.
  std::optional<std::size_t> known_observable(std::size_t place, std::string_view name) const {
    std::size_t found = observable_index(name);
    if (found < observables.size()) {
      if (observables[found].name == observe::function_value.name) unknown(place, name);
    } else {
      const std::vector<DefinedObservable> modes = mode_observables(member_.modes);
      const auto mode = std::ranges::find(modes, name, &DefinedObservable::name);
      if (mode == modes.end()) return std::nullopt;
      found += static_cast<std::size_t>(mode - modes.begin());
    }
    if (level_ == Level::along)
      in_.fail(place, in_quotes(name) + " is of the member as a whole: it stands outside");
    return found;
  }

  std::optional<Formula> measure_before(std::size_t place, std::string_view name) const {
    const auto measure = std::ranges::find(names_, name);
    if (measure == names_.end() || variable_number(in_, place, name, scope_)) return std::nullopt;
    if (level_ != Level::outer)
      in_.fail(place, in_quotes(name) + " is a measure, a number of the whole time: it stands outside");
    return slot(static_cast<std::size_t>(measure - names_.begin()));
  }

  std::int64_t step_at(std::size_t place, double time) const {
    const double step = std::round(time / member_.time.step);
    if (!(step >= 0.0 && step <= static_cast<double>(member_.time.steps))) {
      in_.fail(place, format_real(time) + " s is not in the time of the member, [0, " +
                          format_real(end_of(member_)) + "] s");
    }
    return static_cast<std::int64_t>(step);
  }

  Formula reduce(ReductionKind kind) {
    ReductionSpec spec;
    spec.kind = kind;
    spec.last_step = member_.time.steps;
    if (kind == ReductionKind::at) {
      const std::size_t place = in_.at();
      spec.first_step = spec.last_step = step_at(place, parse_constant(in_, scope_));
      in_.expect(',', "at takes a time and what is taken then: at(T, X)");
    }
    Draft sampled;
    spec.formula = expression(Level::sampled, sampled);
    if (in_.next() == ',') in_.fail(in_.at(), "this reduction takes one argument");
    const std::size_t place = in_.at();
    if (in_.take_word("over")) {
      if (kind == ReductionKind::last || kind == ReductionKind::at)
        in_.fail(place, "last and at have no window");
      window(place, spec);
    }
    spec.operands = std::move(sampled.operands);
    return put(std::move(spec));
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

  Formula reduce_along(std::size_t place, AlongKind kind) {
    OperandSpec spec{.kind = OperandSpec::Kind::along, .along = kind};
    Draft along;
    spec.formula = expression(Level::along, along);
    if (!along.site) in_.fail(place, "nothing in it goes along the rods: a signal without a place does");
    if (in_.take(',')) {
      const std::size_t begin = in_.at();
      if (!in_.take_word("rod")) in_.fail(begin, "rod K may follow, for one of the rods");
      spec.at.rod = parse_rod(in_, scope_);
    }
    spec.operands = std::move(along.operands);
    return put(std::move(spec));
  }

  /// A signal at one place after the other. Elements and their shares go together.
  OperandSpec every(std::size_t place, std::size_t signal) const {
    const auto of_elements = [](SignalSite site) {
      return site == SignalSite::share ? SignalSite::element : site;
    };
    const SignalSite site = of_elements(signals()[signal].site);
    if (draft_->site.value_or(site) != site) {
      in_.fail(place, in_quotes(signals()[signal].name) + " is of " + sites_of(site) +
                          " and what stands before it of " + sites_of(*draft_->site) +
                          ": they do not go along a rod together");
    }
    draft_->site = site;
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

  LineReader in_;
  FormulaScope scope_;
  const MemberSpec& member_;
  bool has_rods_;                          ///< else there are neither signals nor time
  const std::vector<std::string>& names_;  ///< of the measures before this one
  MeasureSpec measure_;
  Level level_ = Level::outer;  ///< of the expression that is read
  Draft* draft_ = nullptr;
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
  return Parser(LineReader(line), deck, member, names).parse(cut_measure(line).expression);
}

SampledText parse_sampled(const LineReader& in, const Deck& deck, const MemberSpec& member,
                          std::optional<int> index) {
  return Parser(in, deck, member, {}, index).parse_sampled();
}

std::span<const MeasureWord> time_reductions() { return over_time; }
std::span<const MeasureWord> along_reductions() { return along_rods; }

}  // namespace rodeo
