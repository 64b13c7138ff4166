#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The axis that `KEY : linspace(a,b,n) | logspace(a,b,n) | list(v, ...)` describes. Throws
/// std::invalid_argument, with the reason alone, on bad grammar, a key that cannot be varied, a value its key
/// does not allow, or more than `most_values` values.
SweepAxis parse_sweep_axis(std::string_view text, std::size_t most_values);

/// The axes of `AXIS with AXIS ...`, one or several that move together. Throws std::invalid_argument as
/// above, and where they have not as many values.
std::vector<SweepAxis> parse_sweep_line(std::string_view text, std::size_t most_values);

/// The values for each rod that `KEY : list(v, ...) | uniform(a, b) | normal(m, s)` describes, without place.
/// Throws std::invalid_argument as above.
EachRod parse_each_rod(std::string_view text);

}  // namespace rodeo
