#pragma once

#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The parameters that `KEY : [lower, upper] start s scale d log` or `KEY : list(v, ...) start v scale d`
/// describes: one, or for KEY[i:j] the entries i to j-1 of a list key, all alike. Throws
/// std::invalid_argument, with the reason alone, on bad grammar, a key that cannot be varied so, bounds or
/// values that the key does not allow, or that have no logarithm, a start outside them, or no scale where a
/// bound is missing.
std::vector<SearchParameter> parse_search_parameters(std::string_view text);

}  // namespace rodeo
