#pragma once

#include <hdf5.h>

namespace rodeo {

// A seal is the CRC-32 of a dataset's bytes, as zlib has it, in its attribute "crc32". The deck and
// the tables of nodes, written once as the file is made, are sealed. Attributes need none, since HDF5 keeps
// checksums of the headers in which they stand; rows of members and of tables have their commit words.

/// Seals the datasets that are complete now.
void seal(hid_t file);

/// Throws Hdf5Error if a sealed dataset has changed. Files of earlier revisions have no seals.
void require_unbroken_seals(hid_t file);

}  // namespace rodeo
