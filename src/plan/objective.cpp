#include "rodeo/plan/objective.hpp"

#include "rodeo/observe/observables.hpp"

namespace rodeo {

std::vector<Objective> objectives_of(const Deck& deck) {
  if (!deck.has_value("study.objective"_key)) return {};
  Objective objective;
  objective.name = deck.texts("study.objective"_key).front();
  objective.largest = deck.choice("study.sense"_key) == "max";
  if (deck.has_value("optimize.largest_gain"_key)) {
    objective.largest_gain = deck.number("optimize.largest_gain"_key);
  }
  objective.place = observable_index(objective.name);
  return {objective};
}

}  // namespace rodeo
