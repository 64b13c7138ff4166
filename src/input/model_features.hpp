#pragma once

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Throws DeckError if a member's deck, its numbers set, asks for what its model.kind does not have.
void check_features(const Deck& deck);

}  // namespace rodeo
