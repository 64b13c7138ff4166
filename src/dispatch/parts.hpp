#pragma once

#include <string>
#include <vector>

#include "rodeo/output/takeover.hpp"

#include "study.hpp"

namespace rodeo {

/// What the files of the parts of a campaign (study.part) give to that of the whole.
struct PartRows {
  std::vector<Takeover> takeovers;  ///< all their rows
  std::string kernels;              ///< the sets that members were computed with, joined by commas
};

/// Finds the places of the rows of the parts, those of a whole_deck(), in its study. Throws FileError.
PartRows part_rows(const Study& whole, const std::vector<std::string>& paths);

}  // namespace rodeo
