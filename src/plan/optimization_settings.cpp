#include "optimization_settings.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/input/chosen.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// More candidates than this is taken for a mistake in the deck.
constexpr double most_evaluations = 1e9;

/// optimize.in_flight where the deck does not give it.
constexpr std::size_t default_in_flight = 8;

}  // namespace

OptimizationSettings OptimizationSettings::from_deck(const Deck& deck, std::size_t dimension) {
  OptimizationSettings settings;
  if (!deck.has_value(Key::study_objective)) {
    throw deck.missing_error(Key::study_objective, "study.kind = optimize needs it");
  }
  settings.objective = deck.texts(Key::study_objective).front();
  settings.maximize = deck.choice(Key::study_sense) == "max";
  settings.seed = deck.seed();
  settings.population = deck.has_value(Key::optimize_population)
                            ? static_cast<int>(deck.integer(Key::optimize_population))
                            : default_population(static_cast<int>(dimension));
  settings.sigma = deck.number(Key::optimize_sigma);
  settings.shape = chosen<CovarianceShape>(deck, Key::optimize_covariance);
  settings.restarts = chosen<Restarts>(deck, Key::optimize_restarts);

  const double generations = deck.number(Key::optimize_generations);
  const bool given = deck.has_value(Key::optimize_evaluations);
  const double evaluations =
      given ? deck.number(Key::optimize_evaluations) : generations * settings.population;
  const Key limit = given ? Key::optimize_evaluations : Key::optimize_generations;
  if (evaluations > most_evaluations) {
    throw deck.error(limit, "makes " + format_real(evaluations) + " candidates of " +
                                std::to_string(settings.population) +
                                " a generation; at most 1e9 are allowed");
  }
  if (evaluations < settings.population) {
    throw deck.error(limit,
                     "is less than one generation of " + std::to_string(settings.population) + " candidates");
  }
  settings.evaluations = static_cast<std::uint64_t>(evaluations);
  settings.generations =
      static_cast<std::uint64_t>(std::min(generations, std::floor(evaluations / settings.population)));

  settings.asynchronous = deck.choice(Key::optimize_mode) == "asynchronous";
  if (settings.asynchronous && deck.has_value(Key::optimize_ahead)) {
    settings.ahead = static_cast<int>(deck.integer(Key::optimize_ahead));
    if (*settings.ahead > settings.population) {
      throw deck.error(Key::optimize_ahead,
                       "is more than the population of " + std::to_string(settings.population));
    }
  }
  if (deck.has_value(Key::optimize_largest_gain)) {
    if (settings.asynchronous) {
      throw deck.error(Key::optimize_largest_gain, "is for optimize.mode = generational only");
    }
    if (deck.integer(Key::study_repeats) > 1) {
      throw deck.error(Key::optimize_largest_gain, "is for study.repeats = 1 only");
    }
    settings.in_flight = default_in_flight;
    if (deck.has_value(Key::optimize_in_flight)) {
      settings.in_flight = static_cast<std::size_t>(deck.integer(Key::optimize_in_flight));
    }
  }
  if (deck.has_value(Key::optimize_target)) {
    const double target = deck.number(Key::optimize_target);
    settings.target = settings.maximize ? -target : target;
  }
  settings.tolerances = {deck.number(Key::optimize_tolerance), deck.number(Key::optimize_tolerance_x)};
  return settings;
}

}  // namespace rodeo
