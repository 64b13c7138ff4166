#include "rodeo/input/deck_observables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/member/seen_steps.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/equilibrium.hpp"

#include "formula_text.hpp"
#include "line_reader.hpp"
#include "measure_text.hpp"
#include "nearest_name.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

constexpr std::size_t most_measures = 50;
// Evaluated here, since clang 14 does not do it in a template.
constexpr Key lines_key = "measure.define"_key;

/// Calls use(line) for each line of measure.define, and says where a std::invalid_argument comes from.
template <class Use>
void for_each_measure(const Deck& deck, const Use& use) {
  std::size_t count = 0;
  deck.for_each_line(lines_key, [&](const std::string& line, const std::string&) {
    if (count++ == most_measures) throw std::invalid_argument("more than 50 measures");
    use(line);
  });
}

std::int64_t interval_steps(const Deck& deck, const MemberSpec& spec) {
  const TimeSpec& time = spec.time;
  if (!deck.has_value("measure.interval"_key)) return are_steps_seen(spec) ? 1 : time.slice_steps;
  constexpr double rounding = 1e-9;
  const double steps = deck.number("measure.interval"_key) / time.step;
  if (steps < 1.0 - rounding) {
    throw deck.error("measure.interval"_key, "is less than a time step of " + format_real(time.step) + " s");
  }
  return static_cast<std::int64_t>(std::round(std::min(steps, static_cast<double>(time.steps))));
}

void add_observables(const std::vector<OperandSpec>& operands, std::vector<std::size_t>& places) {
  for (const OperandSpec& operand : operands) {
    if (operand.kind == OperandSpec::Kind::observable) places.push_back(operand.place);
    add_observables(operand.operands, places);
  }
}

/// Throws if a measure of a member that may end earlier takes time.end for its end.
void check_end_is_unnamed(const std::string& line) {
  for (const std::string_view name : {"t_end", "time.end"}) {
    if (!names_word(line, name) && (name == "t_end" || line.find(name) == line.npos)) continue;
    throw std::invalid_argument(std::string(name) +
                                " is not where a member ends that settles (observe.settle); a measure has "
                                "last(t) for that, and mean(...) needs no duration");
  }
}

}  // namespace

ObservableList observables_of(const Deck& deck) {
  std::vector<DefinedObservable> defined =
      mode_observables(static_cast<int>(deck.integer("modes.count"_key)));
  for_each_measure(deck, [&](const std::string& line) {
    MeasureText text = cut_measure(line);
    if (std::ranges::find(defined, text.name, &DefinedObservable::name) != defined.end()) {
      throw std::invalid_argument("character 1, " + in_quotes(line) + ": " + text.name + " is defined twice");
    }
    defined.push_back({std::move(text.name), std::move(text.unit), line.substr(text.expression)});
  });
  return ObservableList(std::move(defined));
}

void set_measures(const Deck& deck, MemberSpec& spec) {
  if (!deck.has_value(lines_key)) return;
  if (model_of(spec).has_rods) spec.measure_steps = interval_steps(deck, spec);
  std::vector<std::string> names;
  const bool settles = deck.number("observe.settle"_key) > 0.0;
  for_each_measure(deck, [&](const std::string& line) {
    if (settles) check_end_is_unnamed(line);
    spec.measures.push_back(parse_measure(line, deck, spec, names));
    names.push_back(cut_measure(line).name);
  });
}

std::vector<std::size_t> measured_observables(const MemberSpec& member) {
  std::vector<std::size_t> places;
  for (const MeasureSpec& measure : member.measures) {
    for (const ReductionSpec& reduction : measure.reductions) add_observables(reduction.operands, places);
  }
  return places;
}

namespace {

/// Name, direction and bound of `NAME <= VALUE` or `NAME >= VALUE`. Throws std::invalid_argument.
Constraint parsed_constraint(std::string_view text, const Deck& deck) {
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos || !text.substr(sign + 1).starts_with('=')) {
    throw std::invalid_argument(in_quotes(text) + " is not of the form NAME <= VALUE or NAME >= VALUE");
  }
  return {.name = std::string(trimmed(text.substr(0, sign))),
          .at_most = text[sign] == '<',
          .bound = parse_expression(trimmed(text.substr(sign + 2)), &deck)};
}

}  // namespace

std::vector<Constraint> constraints_of(const Deck& deck) {
  constexpr Key key = "optimize.constraint"_key;
  std::vector<Constraint> constraints;
  if (!deck.has_value(key)) return constraints;
  const ObservableList list = observables_of(deck);
  deck.for_each_line(key, [&](const std::string& line, const std::string&) {
    Constraint& constraint = constraints.emplace_back(parsed_constraint(line, deck));
    constraint.place = named_observable(deck, key, constraint.name);
    constraint.worst_share = deck.number("study.worst_share"_key);
    constraint.unit = list[constraint.place].unit;
  });
  return constraints;
}

namespace {

/// Keys whose values are names of observables, with commas between them.
constexpr std::array naming_keys = {"study.objective"_key,        "refine.observable"_key,
                                    "sensitivity.observable"_key, "convergence.observables"_key,
                                    "observe.settle_in"_key,      "output.observables"_key};

/// Observables by which a branch of equilibria is judged.
constexpr std::array<std::string_view, 4> of_branches = {"branch_value", "bifurcations", "folds",
                                                         "critical_value"};

}  // namespace

std::vector<std::string> asked_observables(const Deck& deck) {
  const ObservableList list = observables_of(deck);
  std::vector<std::string> names;
  const auto add = [&](std::string_view name) {
    if (list.index(name) < list.size() && std::ranges::find(names, name) == names.end())
      names.emplace_back(name);
  };
  for (const Key key : naming_keys) {
    if (!deck.is_given(key)) continue;
    for (const std::string& line : deck.texts(key)) {
      for (const std::string_view name : split(line, ',')) add(name);
    }
  }
  for (const Constraint& constraint : constraints_of(deck)) add(constraint.name);
  if (deck.choice("study.kind"_key) == "branch") {
    for (const std::string_view name : of_branches) add(name);
  }
  const bool watches_buckling = deck.number("observe.buckling_energy"_key) > 0.0 ||
                                deck.number("observe.buckling_translational_energy"_key) > 0.0;
  if (watches_buckling) {
    add("buckled");
    add("buckling_time");
  }
  if (deck.is_given("measure.point"_key) || deck.is_given("measure.data"_key)) add("misfit");
  for (const DefinedObservable& defined : list.defined()) add(defined.name);
  return names;
}

std::size_t observable_place(const ObservableList& list, std::string_view name) {
  const std::size_t place = list.index(name);
  if (place < list.size()) return place;
  std::vector<std::string_view> known;
  for (std::size_t k = 0; k < list.size(); ++k) known.push_back(list[k].name);
  const std::vector<std::string_view> near = near_names(name, known);
  throw std::invalid_argument(in_quotes(name) + " is no observable; " +
                              (near.empty() ? "" : question_of(near) + " ") +
                              "`rodeo observables` lists them all");
}

std::string_view unit_in(const Deck& deck, std::string_view unit) {
  if (unit != observe::branch_value.unit || !deck.has_value("branch.key"_key)) return unit;
  return key_info(parse_parameter_address(deck.texts("branch.key"_key).front()).key).unit;
}

std::size_t named_observable(const Deck& deck, Key key, std::string_view name) {
  return deck.reading(key, [&] { return observable_place(observables_of(deck), name); });
}

}  // namespace rodeo
