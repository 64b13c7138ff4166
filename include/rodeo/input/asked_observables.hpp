#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Observables that a deck asks for by name or by its study, the objective first, each once. Measures and
/// modes that the deck defines are among them.
std::vector<std::string> asked_observables(const Deck& deck);

}  // namespace rodeo
