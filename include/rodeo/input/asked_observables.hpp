#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The observables that a deck asks for by name or by its study, the objective first, each once: what is of
/// interest among all that members report. Measures and modes that the deck defines are among them.
std::vector<std::string> asked_observables(const Deck& deck);

}  // namespace rodeo
