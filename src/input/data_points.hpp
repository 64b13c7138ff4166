#pragma once

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Sets what a member's rods are compared with, the lines of measure.point, once its rods and its time are
/// known. Throws DeckError with the place of a line that is none, or whose point is not on them.
void set_data(const Deck& deck, MemberSpec& spec);

}  // namespace rodeo
