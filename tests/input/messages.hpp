#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/key_effects.hpp"

namespace rodeo::test {

/// The text of the Error that `action` throws; a test failure and an empty text if it throws none.
template <class Error = DeckError, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// The text of the DeckError of reading `text` as the file deck.ini.
inline std::string parse_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of([&] { Deck::parse(text, "deck.ini", overrides); });
}

/// The text of the DeckError of reading `text`, as the file deck.ini of a user, with something that has no
/// effect.
inline std::string effects_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of(
      [&] { check_effects(Deck::parse(text, "deck.ini", overrides), Deck::parse(text, "deck.ini")); });
}

/// Succeeds if all `parts` stand in `message`.
inline ::testing::AssertionResult says(const std::string& message,
                                       std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (message.find(part) == std::string::npos) {
      return ::testing::AssertionFailure() << "\"" << message << "\" does not say \"" << part << "\"";
    }
  }
  return ::testing::AssertionSuccess();
}

/// Everything a Cosserat rod needs, each key on a line of its own: rod.elements on line 2, time.end on
/// line 10.
inline const std::string complete_deck =
    "[rod]\n"
    "elements = 50\n"
    "length = 2\n"
    "radius = 0.1\n"
    "density = 1000\n"
    "young_modulus = 1e6\n"
    "poisson_ratio = 0.25\n"
    "[time]\n"
    "step = 1e-3\n"
    "end = 1\n";

/// complete_deck without the lines of the keys `without`, and with `lines` of section [rod] added.
inline std::string rod_deck(std::initializer_list<std::string_view> without, const std::string& lines = {}) {
  std::string text = complete_deck;
  for (const std::string_view key : without) {
    const std::size_t begin = text.find(std::string("\n").append(key).append(" =")) + 1;
    text.erase(begin, text.find('\n', begin) + 1 - begin);
  }
  return text + "[rod]\n" + lines;
}

/// complete_deck for a shape whose nodes give its length and elements.
inline const std::string file_deck =
    "[rod]\n"
    "radius = 0.1\n"
    "density = 1000\n"
    "young_modulus = 1e6\n"
    "poisson_ratio = 0.25\n"
    "shape = file\n"
    "[time]\n"
    "step = 1e-3\n"
    "end = 1\n";

inline MemberSpec spec_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return make_member_spec(Deck::parse(text, "deck.ini", overrides));
}

/// The text of the DeckError of making a specification from a deck that can be read.
inline std::string spec_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Deck deck = Deck::parse(text, "deck.ini", overrides);
  return message_of([&] { make_member_spec(deck); });
}

}  // namespace rodeo::test
