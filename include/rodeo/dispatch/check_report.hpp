#pragma once

#include <string>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// What `rodeo check` prints: what varies, members, steps, stability, warnings, predicted time, memory, file
/// size. With `whole_deck` these lines are comments of the resolved deck, which follows.
std::string check_report(const Deck& deck, bool whole_deck = false);

/// The numbers that check_report() tells and the resolved deck, as one line of JSON.
std::string check_report_as_json(const Deck& deck);

}  // namespace rodeo
