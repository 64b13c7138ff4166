#pragma once

#include <algorithm>
#include <cstdint>

#include "rodeo/output/member_row.hpp"

namespace rodeo {

/// Calls `use` with each row of an EnsembleFile or EnsembleReader, in order and without trajectories; only
/// some thousand rows are in memory at a time. Throws FileError as their read_rows does.
template <class File, class Use>
void for_each_row(const File& file, const Use& use) {
  constexpr std::uint64_t rows_per_read = 4096;
  const std::uint64_t members = file.schema().members;
  for (std::uint64_t first = 0; first < members; first += rows_per_read) {
    for (const MemberRow& row : file.read_rows(first, std::min(rows_per_read, members - first))) use(row);
  }
}

}  // namespace rodeo
