#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/plan/result.hpp"

namespace rodeo {

/// An observable that a study makes as large or as small as it can.
struct Objective {
  std::string name;
  bool largest = true;  ///< is best; else the smallest
  /// Place in the study's list of observables; that list's size if it has no such observable.
  std::size_t place = 0;
  std::string unit = {};
  std::vector<Constraint> constraints = {};  ///< that the best fulfils
  double worst_share = 1.0;                  ///< of a candidate's scenarios (study.worst_share)
  std::uint32_t scenarios = 1;               ///< of a candidate
  std::uint32_t members = 1;                 ///< of a candidate, in all of them

  /// Value of the objective for a candidate.
  double value(const Result& result) const { return result.over_worst(place, worst_share, !largest); }

  /// Scenarios that value() averages: "mean over 8 scenarios", "mean over the worst 2 of 8 scenarios", "the
  /// worst of 8 scenarios"; empty without scenarios.
  std::string reduction() const;

  /// Smaller is better; NaN for failed candidates and those without a finite value; infinite for candidates
  /// that an earlier revision has pruned.
  double fitness(const Result& result) const {
    if (result.status == MemberStatus::pruned) return std::numeric_limits<double>::infinity();
    const double value = this->value(result);
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    return largest ? -value : value;
  }
};

/// Violation of a constraint by a candidate.
inline double excess(const Constraint& constraint, const Result& result) {
  return constraint.excess(result.over_worst(constraint.place, constraint.worst_share, constraint.at_most));
}

/// Whether a candidate fulfils all constraints.
bool fulfils(std::span<const Constraint> constraints, const Result& result);

/// The objective that study.objective names; empty if it names none.
std::vector<Objective> objectives_of(const Deck& deck);

}  // namespace rodeo
