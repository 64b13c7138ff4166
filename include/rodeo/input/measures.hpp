#pragma once

#include "rodeo/input/deck.hpp"
#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// What the members of a deck report.
ObservableList observables_of(const Deck& deck);

}  // namespace rodeo
