#include "rodeo/plan/pareto_set.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// Whether `a` is nowhere worse than `b`, and better somewhere.
bool dominates(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, std::less_equal{}) && !std::ranges::equal(a, b);
}

/// Parses `NAME max` or `NAME min`.
Objective parsed_objective(const Deck& deck, const ObservableList& list, std::string_view text) {
  constexpr Key key = "study.pareto"_key;
  const std::size_t blank = text.find_last_of(" \t");
  const std::string_view sense = blank == std::string_view::npos ? "" : text.substr(blank + 1);
  if (sense != "max" && sense != "min") {
    throw deck.error(key, in_quotes(text) + " is not of the form NAME max or NAME min");
  }
  Objective objective{.name = std::string(trimmed(text.substr(0, blank))), .largest = sense == "max"};
  objective.place = named_observable(deck, key, objective.name);
  objective.unit = list[objective.place].unit;
  objective.constraints = constraints_of(deck);
  objective.worst_share = deck.number("study.worst_share"_key);
  return objective;
}

}  // namespace

std::optional<ParetoSet> ParetoSet::from_deck(const Deck& deck, std::uint64_t candidates) {
  constexpr Key key = "study.pareto"_key;
  if (!deck.has_value(key)) return {};
  if (deck.has_value("fidelity.level"_key)) {
    throw deck.error(key, "is for studies without fidelity.level, whose candidates are not all alike");
  }
  ParetoSet set;
  set.candidates_ = candidates;
  const ObservableList list = observables_of(deck);
  for (const std::string_view text : split(deck.texts(key).front(), ',')) {
    Objective objective = parsed_objective(deck, list, text);
    if (std::ranges::find(set.objectives_, objective.place, &Objective::place) != set.objectives_.end()) {
      throw deck.error(key, in_quotes(objective.name) + " stands there twice");
    }
    set.objectives_.push_back(std::move(objective));
  }
  if (set.objectives_.size() < 2) throw deck.error(key, "needs two objectives or more, with commas between");
  return set;
}

Table ParetoSet::table() const {
  Table table{.name = "pareto", .rows = candidates_};
  for (const Objective& objective : objectives_) {
    table.columns.push_back({.name = objective.name, .unit = objective.unit});
    table.columns.back().names = {objective.largest ? "max" : "min"};
  }
  table.columns.push_back({.name = "in_set", .unit = "1", .type = NumberType::byte});
  return table;
}

void ParetoSet::tell(std::span<const Result> results) {
  for (const Result& result : results) {
    std::vector<double> values;
    for (const Objective& objective : objectives_) {
      const double value = objective.value(result);
      values.push_back(objective.largest ? -value : value);
    }
    if (std::ranges::all_of(values, [](double value) { return std::isfinite(value); }) &&
        fulfils(objectives_.front().constraints, result)) {
      add(result.candidate, std::move(values));
    }
  }
}

void ParetoSet::add(std::uint64_t candidate, std::vector<double> values) {
  const auto note = [&](std::uint64_t number, std::span<const double> of, bool in_set) {
    TableRow& row = rows_[number] = {.row = number};
    for (std::size_t k = 0; k < objectives_.size(); ++k) {
      row.numbers.push_back(objectives_[k].largest ? -of[k] : of[k]);
    }
    row.numbers.push_back(in_set ? 1.0 : 0.0);
  };
  const bool in_set =
      std::ranges::none_of(set_, [&](const auto& other) { return dominates(other.second, values); });
  note(candidate, values, in_set);
  if (!in_set) return;
  for (auto other = set_.begin(); other != set_.end();) {
    if (dominates(values, other->second)) {
      note(other->first, other->second, false);
      other = set_.erase(other);
    } else {
      ++other;
    }
  }
  set_.emplace(candidate, std::move(values));
}

std::vector<TableRow> ParetoSet::take_rows() {
  std::vector<TableRow> rows;
  for (auto& [candidate, row] : std::exchange(rows_, {})) rows.push_back(std::move(row));
  return rows;
}

}  // namespace rodeo
