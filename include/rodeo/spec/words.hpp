#pragma once

#include <array>
#include <string_view>

#include "rodeo/spec/fixed_text.hpp"

namespace rodeo {

/// A value of an enumeration by the word that decks have for it.
template <class Enum>
struct Word {
  std::string_view text;
  Enum value;
};

/// The words of an enumeration, in the order in which messages list them: specialised beside each enumeration
/// that decks name. A value without a word follows from something else.
template <class Enum>
inline constexpr std::array<Word<Enum>, 0> words = {};

namespace detail {

template <class Enum>
inline constexpr FixedText joined_words = [] {
  static_assert(!words<Enum>.empty(), "an enumeration without words");
  FixedText text;
  for (const Word<Enum>& word : words<Enum>) {
    if (!text.empty()) text += "|";
    text += word.text;
  }
  return text;
}();

}  // namespace detail

/// The words of an enumeration as the choices of a key: "free|clamped|pinned".
template <class Enum>
inline constexpr std::string_view choices = detail::joined_words<Enum>.view();

}  // namespace rodeo
