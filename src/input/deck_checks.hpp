#pragma once

#include "rodeo/input/deck.hpp"

namespace rodeo {

// Checks of a deck for the parts of a member's specification. All throw DeckError.

/// Throws if the key has no value; `reason` says what needs it.
void require(const Deck& deck, Key key, const std::string& reason = {});

/// Throws if the deck gives both keys.
void refuse_both(const Deck& deck, Key first, Key second);

/// True if the deck gives `first`, false if it gives `second`; it must give exactly one of them.
bool gives_first(const Deck& deck, Key first, Key second);

/// A quantity derived from other keys, in the place of `key`: these may be extreme enough to overflow it.
double derived(const Deck& deck, Key key, double value);

/// The direction of a vector of a list key, in any magnitude.
Vec3 direction(const Deck& deck, Key key, const Vec3& vector);

/// The direction that a key of three numbers gives.
Vec3 unit_vector(const Deck& deck, Key key);

}  // namespace rodeo
