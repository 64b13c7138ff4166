#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"

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

/// Why `value` is not allowed for a key ("out of range", "not a whole number"); empty if it is. The number of
/// a word is its place among the choices of its key.
std::string_view number_problem(const KeyInfo& info, double value);

/// Throws std::invalid_argument, which shows `text`, unless a key may have a value.
void check_value(const KeyInfo& info, double value, std::string_view text);
void check_value(const KeyInfo& info, double value);

/// What stands between commas outside brackets, trimmed; nothing in a blank text.
std::vector<std::string_view> arguments_of(std::string_view text);

/// The numbers that `text`, which may hold expressions, gives to a real, integer or real_list key. Throws
/// std::invalid_argument, with the reason alone, if it gives none that are allowed.
std::vector<double> parse_numbers(const KeyInfo& info, std::string_view text);

/// True if `text` is one of the words of a choice key.
bool is_choice(const KeyInfo& info, std::string_view text);

/// The number by which a study and its file hold a word: its place, from 0, among the choices of its key.
/// Throws std::invalid_argument if it is none of them.
double choice_number(const KeyInfo& info, std::string_view word);

/// The word of a number that number_problem() has no objection to.
std::string_view choice_word(const KeyInfo& info, double number);

/// "rod.length = '-1' is not allowed (real > 0, m): out of range"
std::string value_message(const KeyInfo& info, std::string_view value, std::string_view reason);

/// "real > 0, m": allowed_values() with the unit, where there is one.
std::string allowed_with_unit(const KeyInfo& info);

}  // namespace rodeo
