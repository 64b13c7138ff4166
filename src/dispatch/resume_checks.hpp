#pragma once

#include <string>

#include "rodeo/input/deck.hpp"
#include "rodeo/output/ensemble_file.hpp"

namespace rodeo {

// Checks of the file of a campaign that goes on, `path`. They throw FileError.

Deck stored_deck(const EnsembleFile& file, const std::string& path);

/// Whether `deck` asks for more members, or fewer, of the grid that the file's campaign is about: one is a
/// sweep and the other a boundary, or both are boundaries that are looked for otherwise.
bool is_other_study_of_grid(const Deck& deck, const EnsembleFile& file, const std::string& path);

/// The stored deck must ask for the same members as `deck`; everything else of a study follows from it.
void require_same_deck(const Deck& deck, const EnsembleFile& file, const std::string& path);

/// The file must hold no observable that this program has never had, and all those that its deck defines. It
/// must have a row for each member of its deck's study, which that of kept frames and a damaged one have not,
/// and the tables of its plan.
void require_its_study(const Deck& deck, const EnsembleFile& file, const std::string& path);

}  // namespace rodeo
