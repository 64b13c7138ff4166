#pragma once

#include <span>
#include <string>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// A value as a deck would give it: a number, or a word of its key.
std::string value_text(const ParameterAddress& address, double value);

/// Lines "  KEY = value" for people; entries of a list that follow one another share one, "  KEY[i:j] =
/// value, value, ...", which goes on in further ones where it is long. Words as a deck would give them.
std::string point_lines(std::span<const ParameterAddress> addresses, std::span<const double> point);

}  // namespace rodeo
