#pragma once

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo {

/// Throws DeckError if a member's deck, its numbers set, asks for what its model does not have.
void check_features(const Deck& deck, const Model& model);

}  // namespace rodeo
