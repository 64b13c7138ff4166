#pragma once

#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// Observables of a deck's members: those of any deck, and then the measures of this one (measure.define).
/// Throws DeckError on a measure whose name or unit is none, or stands there twice.
ObservableList observables_of(const Deck& deck);

/// The places in `observables` of those that a member's measures are made of.
std::vector<std::size_t> measured_observables(const MemberSpec& member);

}  // namespace rodeo
