#include "rodeo/plan/objective.hpp"

#include <algorithm>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/plan/scenarios.hpp"

namespace rodeo {

bool fulfils(std::span<const Constraint> constraints, const Result& result) {
  return std::ranges::all_of(constraints,
                             [&](const Constraint& constraint) { return excess(constraint, result) <= 0.0; });
}

std::string Objective::reduction() const {
  if (scenarios <= 1) return {};
  const std::string all = std::to_string(scenarios) + " scenarios";
  const std::size_t worst = scenarios_counted(scenarios, worst_share);
  if (worst == scenarios) return "mean over " + all;
  return worst == 1 ? "the worst of " + all : "mean over the worst " + std::to_string(worst) + " of " + all;
}

std::vector<Objective> objectives_of(const Deck& deck) {
  if (!deck.has_value("study.objective"_key)) return {};
  Objective objective;
  objective.name = deck.texts("study.objective"_key).front();
  objective.largest = deck.choice("study.sense"_key) == "max";
  const ObservableList list = observables_of(deck);
  objective.place = list.index(objective.name);
  if (objective.place < list.size()) objective.unit = unit_in(deck, list[objective.place].unit);
  objective.constraints = constraints_of(deck);
  objective.scenarios = Scenarios(deck).count();
  objective.members = objective.scenarios * static_cast<std::uint32_t>(deck.integer("study.repeats"_key));
  objective.worst_share = deck.number("study.worst_share"_key);
  return {objective};
}

}  // namespace rodeo
