#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace rodeo {

/// Text that is put together while the program is compiled; one that is too long does not compile.
class FixedText {
 public:
  constexpr explicit FixedText(std::string_view text = {}) { *this += text; }
  constexpr FixedText& operator+=(std::string_view text) {
    for (const char letter : text) letters_.at(size_++) = letter;
    return *this;
  }

  constexpr bool empty() const { return size_ == 0; }
  constexpr std::string_view view() const { return {letters_.data(), size_}; }

 private:
  std::array<char, 250> letters_{};
  std::size_t size_ = 0;
};

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

/// The word of a value that has one.
template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::string_view word_of(Enum value) {
  return std::ranges::find(words<Enum>, value, &Word<Enum>::value)->text;
}

/// The value that a word stands for; nothing if the enumeration has no such word.
template <class Enum>
constexpr std::optional<Enum> find_word(std::string_view text) {
  for (const Word<Enum>& word : words<Enum>) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

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
