#include "optimization_settings.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// More candidates than this is taken for a mistake in the deck.
constexpr double most_evaluations = 1e9;

/// Population that the deck gives; else the default, rounded up to a multiple of optimize.workers if given.
int population_of(const Deck& deck, int dimension) {
  const bool given = deck.has_value("optimize.population"_key);
  if (!deck.has_value("optimize.workers"_key)) {
    return given ? static_cast<int>(deck.integer("optimize.population"_key)) : default_population(dimension);
  }
  if (given) throw deck.error("optimize.workers"_key, "has no effect: optimize.population is given");
  const auto workers = static_cast<int>(deck.integer("optimize.workers"_key));
  return (default_population(dimension) + workers - 1) / workers * workers;
}

}  // namespace

OptimizationSettings OptimizationSettings::from_deck(const Deck& deck, std::size_t dimension,
                                                     std::uint64_t spare) {
  OptimizationSettings settings;
  if (!deck.has_value("study.objective"_key)) {
    throw deck.missing_error("study.objective"_key, "study.kind = optimize needs it");
  }
  settings.objective = objectives_of(deck).front();
  named_observable(deck, "study.objective"_key, settings.objective.name);  // throws if it is none
  if (!settings.objective.constraints.empty() && deck.has_value("fidelity.level"_key)) {
    throw deck.error(
        "optimize.constraint"_key,
        "is for searches without fidelity.level: what a level's search has learnt of constraints "
        "does not hold on the next one");
  }
  settings.seed = deck.seed();
  settings.population = population_of(deck, static_cast<int>(dimension));
  deck.fill<SearchSpec>(settings);
  deck.fill(settings.tolerances);

  const double generations = deck.number("optimize.generations"_key);
  const bool given = deck.has_value("optimize.evaluations"_key);
  // Smallest and largest population over all levels of a ladder.
  int smallest = settings.population;
  int largest = settings.population;
  if (deck.has_value("fidelity.population"_key)) {
    const auto later = static_cast<int>(deck.integer("fidelity.population"_key));
    smallest = std::min(smallest, later);
    largest = std::max(largest, later);
  }
  const double evaluations =
      given ? deck.number("optimize.evaluations"_key) - static_cast<double>(spare) : generations * largest;
  const Key limit = given ? "optimize.evaluations"_key : "optimize.generations"_key;
  if (evaluations > most_evaluations) {
    throw deck.error(limit, "makes " + format_real(evaluations) + " candidates of " +
                                std::to_string(settings.population) +
                                " a generation; at most 1e9 are allowed");
  }
  if (evaluations < settings.population) {
    throw deck.error(limit,
                     "is less than one generation of " + std::to_string(settings.population) + " candidates" +
                         (spare > 0 ? " and the " + std::to_string(spare) + " that go up the levels" : ""));
  }
  settings.evaluations = static_cast<std::uint64_t>(evaluations);
  settings.generations =
      static_cast<std::uint64_t>(std::min(generations, std::floor(evaluations / smallest)));

  settings.asynchronous = deck.choice("optimize.mode"_key) == "asynchronous";
  if (settings.asynchronous && deck.has_value("optimize.ahead"_key)) {
    settings.ahead = static_cast<int>(deck.integer("optimize.ahead"_key));
    if (*settings.ahead > settings.population) {
      throw deck.error("optimize.ahead"_key,
                       "is more than the population of " + std::to_string(settings.population));
    }
  }
  if (deck.has_value("optimize.target"_key)) {
    const double target = deck.number("optimize.target"_key);
    settings.target = settings.objective.largest ? -target : target;
  }
  return settings;
}

}  // namespace rodeo
