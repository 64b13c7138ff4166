#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "rodeo/input/deck.hpp"

namespace rodeo {

// What the parts of a member's specification ask of a deck. All throw DeckError.

/// Throws if the deck gives both keys.
void refuse_both(const Deck& deck, Key first, Key second);

/// True if the deck gives `first`, false if it gives `second`; it must give exactly one of them.
bool gives_first(const Deck& deck, Key first, Key second);

/// A quantity derived from other keys, in the place of `key`: these may be extreme enough to overflow it.
double derived(const Deck& deck, Key key, double value);

/// What the deck's word of a choice key stands for. Throws if `values` lacks a word that the key table has.
template <class Value>
Value chosen(const Deck& deck, Key key, std::initializer_list<std::pair<std::string_view, Value>> values) {
  const std::string_view word = deck.choice(key);
  const auto found = std::ranges::find(values, word, &std::pair<std::string_view, Value>::first);
  if (found != values.end()) return found->second;
  throw deck.error(key, "'" + std::string(word) + "' has no meaning here, though the key allows it");
}

/// The direction of a vector of a list key, in any magnitude.
Vec3 direction(const Deck& deck, Key key, const Vec3& vector);

/// The direction that a key of three numbers gives.
Vec3 unit_vector(const Deck& deck, Key key);

}  // namespace rodeo
