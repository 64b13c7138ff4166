#include "rodeo/input/asked_observables.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "rodeo/input/constraint.hpp"
#include "rodeo/input/measures.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

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

}  // namespace rodeo
