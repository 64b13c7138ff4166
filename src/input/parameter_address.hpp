#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Where the address ends in `ADDRESS : ...`: at the colon that is not the one of KEY[i:j]; npos if there is
/// none.
std::size_t end_of_address(std::string_view line);

/// The addresses that KEY, KEY[i] or KEY[i:j] names; the last are the entries i to j-1 of a list, as slices
/// in Python. Throws std::invalid_argument as parse_parameter_address does, and where there are no entries.
std::vector<ParameterAddress> parse_parameter_addresses(std::string_view text);

}  // namespace rodeo
