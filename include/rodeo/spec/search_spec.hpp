#pragma once

#include <array>

#include "rodeo/spec/words.hpp"

namespace rodeo {

/// Entries of the covariance matrix that a search adapts (deck key optimize.covariance).
enum class CovarianceShape {
  full,
  diagonal  ///< separable CMA-ES (Ros and Hansen 2008): linear in the number of parameters
};
template <>
inline constexpr auto words<CovarianceShape> = [] {
  using enum CovarianceShape;
  return std::to_array<Word<CovarianceShape>>({{"full", full}, {"diagonal", diagonal}});
}();

/// Share of each update that a search makes (deck key optimize.learning).
enum class Learning {
  fixed,   ///< all of it
  adapted  ///< as much as stands out where there is noise
};
template <>
inline constexpr auto words<Learning> = [] {
  using enum Learning;
  return std::to_array<Word<Learning>>({{"fixed", fixed}, {"adapted", adapted}});
}();

/// Restarts of a search that has stopped (deck key optimize.restarts).
enum class Restarts {
  none,  ///< not at all
  ipop,  ///< with twice the population
  bipop  ///< by turns with large and small ones
};
template <>
inline constexpr auto words<Restarts> = [] {
  using enum Restarts;
  return std::to_array<Word<Restarts>>({{"none", none}, {"ipop", ipop}, {"bipop", bipop}});
}();

/// Tolerances of a search; zero switches one off.
struct StopTolerances {
  double fitness = 1e-11;
  double x = 1e-11;  ///< over the first sigma
};

/// Settings of a search's sampling and restarts.
struct SearchSpec {
  double sigma = 0.0;  ///< of the first generation, in units of each parameter's scale
  CovarianceShape shape = CovarianceShape::full;
  Learning learning = Learning::fixed;
  Restarts restarts = Restarts::none;
};

}  // namespace rodeo
