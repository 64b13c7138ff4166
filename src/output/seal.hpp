#pragma once

#include <cstdint>

#include <hdf5.h>

#include "rodeo/math/checksum.hpp"

namespace rodeo {

// A row's commit word: in its upper half the checksum of the row's scalars, in its lower half the checksum of
// all of the row, trajectory included. So a status query need not read trajectories to know a row is whole.
// The row number seeds both: a row in another's place is not valid. Zero means not committed, and is never a
// checksum.

inline std::uint64_t commit_word(std::uint32_t scalars, std::uint32_t whole) {
  const std::uint64_t word = (static_cast<std::uint64_t>(scalars) << 32) | whole;
  return word == 0 ? 1 : word;
}

/// Whether a row's scalars are as they were when it was committed.
inline bool scalars_committed(std::uint64_t word, std::uint32_t scalars) {
  return word != 0 && word >> 32 == scalars;
}

// A seal is the CRC-32 of a dataset's bytes, as zlib has it, in its attribute "crc32". The deck and
// the tables of nodes, written once as the file is made, are sealed. Attributes need none, since HDF5 keeps
// checksums of the headers in which they stand; rows of members and of tables have their commit words.

/// Seals the datasets that are complete now.
void seal(hid_t file);

/// Throws Hdf5Error if a sealed dataset has changed. Files of earlier revisions have no seals.
void require_unbroken_seals(hid_t file);

}  // namespace rodeo
