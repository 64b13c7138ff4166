#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// Observables of a deck's members: those of any deck, and then the measures of this one (measure.define).
/// Throws DeckError on a measure whose name or unit is none, or stands there twice.
ObservableList observables_of(const Deck& deck);

/// The places in `observables` of those that a member's measures are made of.
std::vector<std::size_t> measured_observables(const MemberSpec& member);

/// The place of the observable of that name. Throws std::invalid_argument, with the nearest name, if there is
/// none.
std::size_t observable_place(const ObservableList& list, std::string_view name);

/// The unit of observables that are values of the deck's branch.key, where `unit` stands for it ("as
/// branch.key"); else `unit`.
std::string_view unit_in(const Deck& deck, std::string_view unit);

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

/// Observables that a deck asks for by name or by its study, the objective first, each once. Measures and
/// modes that the deck defines are among them.
std::vector<std::string> asked_observables(const Deck& deck);

}  // namespace rodeo
