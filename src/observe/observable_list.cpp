#include "rodeo/observe/observable_list.hpp"

#include <algorithm>

#include "rodeo/observe/observables.hpp"

namespace rodeo {

std::size_t ObservableList::size() const { return observables.size() + defined_.size(); }

ObservableList::Entry ObservableList::operator[](std::size_t place) const {
  if (place < observables.size()) {
    const Observable& observable = observables[place];
    return {observable.name, observable.unit, observable.text, observable.known};
  }
  const DefinedObservable& own = defined_[place - observables.size()];
  return {own.name, own.unit, own.definition};
}

std::size_t ObservableList::index(std::string_view name) const {
  const std::size_t place = observable_index(name);
  if (place < observables.size()) return place;
  const auto found = std::ranges::find(defined_, name, &DefinedObservable::name);
  return place + static_cast<std::size_t>(found - defined_.begin());
}

std::vector<std::string> ObservableList::names() const {
  std::vector<std::string> result;
  for (std::size_t place = 0; place < size(); ++place) result.emplace_back((*this)[place].name);
  return result;
}

double value_of(std::size_t place, const Observation& observation) {
  if (place < observables.size()) return observables[place].value(observation);
  place -= observables.size();
  const std::size_t modes = observation.modes.size();
  return place < modes ? observation.modes[place] : observation.measures[place - modes];
}

std::vector<double> values_of(const Observation& observation) {
  std::vector<double> values;
  values.reserve(observables.size() + observation.modes.size() + observation.measures.size());
  for (const Observable& observable : observables) values.push_back(observable.value(observation));
  values.insert(values.end(), observation.modes.begin(), observation.modes.end());
  values.insert(values.end(), observation.measures.begin(), observation.measures.end());
  return values;
}

}  // namespace rodeo
