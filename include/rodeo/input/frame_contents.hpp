#pragma once

#include <cstdint>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Members whose frames a campaign keeps (output.keep).
struct KeptFrames {
  enum class Kind { all, best, none };
  Kind kind = Kind::all;
  std::uint64_t count = 0;  ///< of the best; 0 for the others
};

/// Throws DeckError for a text that says neither, for the best of a study that has no objective or stores no
/// frames, and for anything but all in a convergence study, whose errors are measured on frames.
KeptFrames kept_frames(const Deck& deck);

}  // namespace rodeo
