#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rodeo {

/// Insertions, deletions, replacements and swaps of neighbours that turn `first` into `second` (optimal
/// string alignment). Takes time in proportion to the product of their lengths.
std::size_t edit_distance(std::string_view first, std::string_view second);

/// Longer names stand for none: a hostile deck must not buy time with them.
inline constexpr std::size_t longest_plausible_name = 64;

/// The name that a mistyped one may stand for: the nearest by edit_distance, the first of equals; empty if
/// none is within 2 or a quarter of the letters, or if it is longer than longest_plausible_name.
std::string_view nearest_name(std::string_view mistyped, std::span<const std::string_view> names);

/// "; did you mean NAME?" of the nearest one, after what stands before it; empty if there is none.
std::string did_you_mean(std::string_view mistyped, std::span<const std::string_view> names,
                         std::string_view before = "");

/// Names that one which is none may stand for, at most three: nearest_name, else those that have a word of it
/// ("pitch" of "helix_pitch"), those with most of its words first, then the nearest. Words end at "_"; what
/// stands before a dot is no word.
std::vector<std::string_view> near_names(std::string_view mistyped, std::span<const std::string_view> names);

/// "did you mean a, b or c?" of one name or more.
std::string question_of(std::span<const std::string_view> names);

}  // namespace rodeo
