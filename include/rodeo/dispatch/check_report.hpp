#pragma once

#include <string>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// What `rodeo check` prints: the resolved deck, members, steps, file size, memory, predicted time,
/// stability.
std::string check_report(const Deck& deck);

}  // namespace rodeo
