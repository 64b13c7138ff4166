#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

#include "study.hpp"

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

/// Rows of a campaign that stand when it is extended.
struct StandingRows {
  Takeover takeover;
  std::string note;  ///< for people: lines of how many there are, and what the others do
};

/// Finds the rows of the file `path` by their points among the members of the extended study. Rows of members
/// that came to an earlier end of time do not stand: these members run on, and the file stays as it is under
/// another name. With `failed_again` neither do those of members that ended badly. Throws FileError where a
/// row that is there has no place.
StandingRows standing_rows(Study& study, const std::string& path, bool failed_again);

/// Rows and kernels that the files of a campaign's parts (study.part) contribute to the whole.
struct PartRows {
  std::vector<Takeover> takeovers;  ///< all their rows
  std::string kernels;              ///< the sets that members were computed with, joined by commas
};

/// Finds the places of the rows of the parts, those of a whole_deck(), in its study. Throws FileError.
PartRows part_rows(const Study& whole, const std::vector<std::string>& paths);

}  // namespace rodeo
