#pragma once

#include <string>
#include <vector>

#include "rodeo/output/file_records.hpp"

#include "study.hpp"

namespace rodeo {

/// Rows and kernels that the files of a campaign's parts (study.part) contribute to the whole.
struct PartRows {
  std::vector<Takeover> takeovers;  ///< all their rows
  std::string kernels;              ///< the sets that members were computed with, joined by commas
};

/// Finds the places of the rows of the parts, those of a whole_deck(), in its study. Throws FileError.
PartRows part_rows(const Study& whole, const std::vector<std::string>& paths);

}  // namespace rodeo
