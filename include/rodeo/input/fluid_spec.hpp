#pragma once

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Reads how the fluid acts; its viscosity is not among these.
void set_fluid_law(const Deck& deck, FluidSpec& fluid);

/// Throws DeckError if the model of a member has no such fluid, or not for so many nodes.
void check_fluid(const Deck& deck, const MemberSpec& spec);

}  // namespace rodeo
