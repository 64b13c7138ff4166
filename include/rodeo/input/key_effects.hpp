#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Condition for keys to have effect.
struct KeyNeed {
  std::string_view keys;       ///< a key, or "section." for all keys of a section
  std::string_view need;       ///< as parse_need() reads it
  std::string_view text = {};  ///< the need in messages, where its own text is none to read
};

/// The table of needs. A key may have several, which must all hold; one that is not there always has effect.
std::span<const KeyNeed> key_needs();

/// The needs of a key itself, without those of its section: "contact.kind = penalty"; empty if it has none.
std::string own_need(Key key);

/// Throws DeckError for the first key that `deck` gives another value than its default without any effect, in
/// no candidate of its study and for no rod; and for the first line of the study or of rod.each that does. A
/// key of the file may have its effect in `file` alone, the deck without the overrides of the command line,
/// so that these can switch off what it belongs to.
void check_effects(const Deck& deck, const Deck& file);

/// Throws DeckError as check_effects() does, but only for keys of the command line.
void check_effects_of_overrides(const Deck& deck);

}  // namespace rodeo
