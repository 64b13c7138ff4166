#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/spec/search_spec.hpp"

#include "cma_es.hpp"
#include "stop_criteria.hpp"

namespace rodeo {

/// Settings of [optimize], without the parameters.
struct OptimizationSettings : SearchSpec {
  Objective objective;
  std::uint64_t seed = 0;
  int population = 0;  ///< of the first search
  std::uint64_t generations = 0;
  std::uint64_t evaluations = 0;
  std::optional<double> target;  ///< fitness: smaller is better
  bool asynchronous = false;
  std::optional<int> ahead;  ///< if given
  StopTolerances tolerances;

  /// Settings of a search over `dimension` parameters that leaves `spare` candidates of optimize.evaluations
  /// to others. Throws DeckError on what is missing or does not fit together.
  static OptimizationSettings from_deck(const Deck& deck, std::size_t dimension, std::uint64_t spare = 0);
};

}  // namespace rodeo
