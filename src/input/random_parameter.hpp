#pragma once

#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The random numbers that `KEY : DISTRIBUTION(a,b) in [lower, upper]` describes: one, or for KEY[i:j] one
/// for each of the entries i to j-1, all alike. Throws std::invalid_argument, with the reason alone, on bad
/// grammar, whole numbers and words, and on a distribution that reaches what the key does not allow.
std::vector<RandomParameter> parse_random_parameters(std::string_view text);

}  // namespace rodeo
