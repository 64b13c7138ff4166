#pragma once

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Number of a rank's `threads` that have work in the study of a deck on one of so many ranks: as many as
/// there are members, or all where members share their loops among threads. A thread without work makes
/// others wait for it wherever they meet, for as long as it takes to get a core.
int useful_threads(const Deck& deck, int ranks, int threads);

}  // namespace rodeo
