#pragma once

#include <cstddef>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// A deck holds the points of a sweep and the nodes of a rod too: as many as there may be, each in some 80
/// bytes at most. A larger file is something else, given by mistake.
inline constexpr std::size_t largest_deck_bytes = std::size_t{1} << 28;

/// Bound on the values of all sweep axes together, so that a mistyped count cannot exhaust the memory.
inline constexpr std::size_t most_axis_values = 10'000'000;

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
