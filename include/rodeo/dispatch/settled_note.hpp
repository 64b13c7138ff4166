#pragma once

#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"

namespace rodeo {

/// A line on the members that settled (observe.settle) and the steps that this spared, for people; empty if
/// none did. Throws FileError.
std::string settled_note(const EnsembleReader& reader, const std::string& path);
std::string settled_note(const EnsembleFile& file, const Deck& deck);

}  // namespace rodeo
