#pragma once

#include <cstddef>

namespace rodeo {

/// A deck holds the points of a sweep and the nodes of a rod too: as many as there may be, each in some 80
/// bytes at most. A larger file is something else, given by mistake.
inline constexpr std::size_t largest_deck_bytes = std::size_t{1} << 28;

/// Bound on the values of all sweep axes together, so that a mistyped count cannot exhaust the memory.
inline constexpr std::size_t most_axis_values = 10'000'000;

}  // namespace rodeo
