#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "rodeo/input/constraint.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/plan/result.hpp"

namespace rodeo {

/// An observable that a study looks for.
struct Objective {
  std::string name;
  bool largest = true;  ///< is best; else the smallest
  /// In the study's list of observables; that list's size if it has no such observable.
  std::size_t place = 0;
  std::string unit = {};
  std::vector<Constraint> constraints = {};  ///< that the best fulfils

  /// Smaller is better; NaN for what failed, as what has come to no finite number has; infinite for what an
  /// earlier revision has pruned.
  double fitness(const Result& result) const {
    if (result.status == MemberStatus::pruned) return std::numeric_limits<double>::infinity();
    const double value = result.observables[place];
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    return largest ? -value : value;
  }
};

/// What study.objective names, the most important first; empty if it names nothing.
std::vector<Objective> objectives_of(const Deck& deck);

}  // namespace rodeo
