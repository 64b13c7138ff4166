#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The deck of the campaign whose parts (study.part) these files hold. Throws FileError unless they are all
/// parts of one campaign, each once, and all members in them have ended.
Deck whole_deck(const std::vector<std::string>& paths);

}  // namespace rodeo
