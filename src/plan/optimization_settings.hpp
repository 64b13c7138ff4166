#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/spec/search_spec.hpp"

#include "cma_es.hpp"
#include "generation_table.hpp"

namespace rodeo {

/// Decides when a search has nothing left to gain: the criteria of Hansen 2016, appendix B.3.
class StopCriteria {
 public:
  StopCriteria(const CmaEs& search, const StopTolerances& tolerances);

  /// Called after each update with the fitness of its candidates (NaN: failed), of which one at least is not
  /// NaN.
  StopReason after(const CmaEs& search, std::span<const double> fitness);

 private:
  bool within_tolerance(const CmaEs& search, std::span<const double> sorted, double tolerance) const;
  bool stagnates(const CmaEs& search) const;

  StopTolerances tolerances_;
  double first_sigma_;
  std::deque<double> best_;    ///< fitness of past generations, the newest last
  std::deque<double> median_;  ///< as best_
};

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
