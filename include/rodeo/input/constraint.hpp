#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Bound on an observable by a line of optimize.constraint.
struct Constraint {
  std::string name = {};  ///< of the observable
  std::size_t place = 0;  ///< of it in the study's list
  std::string unit = {};
  bool at_most = true;  ///< NAME <= bound; else NAME >= bound
  double bound = 0.0;
  double worst_share = 1.0;  ///< of a candidate's scenarios (study.worst_share)

  /// Violation by a value of the observable; at most 0 where it is fulfilled, NaN where the value is.
  double excess(double value) const { return at_most ? value - bound : bound - value; }
};

/// Constraints of optimize.constraint. Throws DeckError on bad grammar and names that no observable has.
std::vector<Constraint> constraints_of(const Deck& deck);

}  // namespace rodeo
