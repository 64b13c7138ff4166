#pragma once

#include <string>

#include <hdf5.h>

#include "rodeo/output/file_records.hpp"

namespace rodeo {

/// Writes the committed rows of the ensemble file `from` that are taken over, with their trajectories, into a
/// new one that is open in this process alone, and adds how often their campaign was resumed. A row changes
/// in its numbers of member, candidate and repeat alone, and gains frames that were never reached where the
/// new file has more. Throws FileError where `from` cannot be read or its rows are others.
void copy_rows(const std::string& from, hid_t file, const std::string& path, const Takeover& takeover);

}  // namespace rodeo
