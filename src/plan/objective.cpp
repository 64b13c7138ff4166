#include "rodeo/plan/objective.hpp"

#include "rodeo/input/measures.hpp"
#include "rodeo/input/observable_place.hpp"

namespace rodeo {

std::vector<Objective> objectives_of(const Deck& deck) {
  if (!deck.has_value("study.objective"_key)) return {};
  Objective objective;
  objective.name = deck.texts("study.objective"_key).front();
  objective.largest = deck.choice("study.sense"_key) == "max";
  const ObservableList list = observables_of(deck);
  objective.place = list.index(objective.name);
  if (objective.place < list.size()) objective.unit = unit_in(deck, list[objective.place].unit);
  objective.constraints = constraints_of(deck);
  return {objective};
}

}  // namespace rodeo
