#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// What a line of optimize.constraint asks of an observable.
struct Constraint {
  std::string name = {};  ///< of the observable
  std::size_t place = 0;  ///< of it in the study's list
  std::string unit = {};
  bool at_most = true;  ///< NAME <= bound; else NAME >= bound
  double bound = 0.0;

  /// By how much it is violated; at most 0 where it is fulfilled, NaN where the observable is.
  double excess(std::span<const double> observables) const {
    return at_most ? observables[place] - bound : bound - observables[place];
  }
};

/// Whether a candidate with these observables fulfils all of them.
inline bool fulfils(std::span<const Constraint> constraints, std::span<const double> observables) {
  return std::ranges::all_of(
      constraints, [&](const Constraint& constraint) { return constraint.excess(observables) <= 0.0; });
}

/// Those of optimize.constraint. Throws DeckError on bad grammar and names that no observable has.
std::vector<Constraint> constraints_of(const Deck& deck);

}  // namespace rodeo
