#pragma once

#include <cstddef>

namespace rodeo {

/// A deck is written by people and scripts; a larger file is something else, given by mistake.
inline constexpr std::size_t largest_deck_bytes = std::size_t{1} << 20;

/// A stored deck holds the points of a sweep too: as many as there may be, each in 26 bytes at most.
inline constexpr std::size_t largest_stored_deck_bytes = std::size_t{1} << 28;

/// Bound on the values of all sweep axes together, so that a mistyped count cannot exhaust the memory.
inline constexpr std::size_t most_axis_values = 10'000'000;

}  // namespace rodeo
