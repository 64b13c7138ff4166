#pragma once

#include <optional>
#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/spec/words.hpp"

namespace rodeo {

/// The value that the deck's word of a choice key stands for. Throws DeckError if the key has words that the
/// enumeration lacks.
template <class Enum>
Enum chosen(const Deck& deck, Key key) {
  const std::string_view word = deck.choice(key);
  if (const std::optional<Enum> value = find_word<Enum>(word)) return *value;
  throw deck.error(key, "'" + std::string(word) + "' has no meaning here, though the key allows it");
}

}  // namespace rodeo
