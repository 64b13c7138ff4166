#pragma once

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo {

/// The row of the deck's kind and method, with their default scheme; of its kind if that has no such method.
const Model& model_in(const Deck& deck);

/// Throws DeckError if a member's deck, its numbers set, asks for what its model does not have.
void check_features(const Deck& deck, const Model& model);

}  // namespace rodeo
