#pragma once

#include <string>

#include <hdf5.h>

namespace rodeo {

/// Writes the committed rows of the ensemble file `from`, with their trajectories, into a new one of the same
/// members that is open in this process alone, and how often the campaign was resumed. Throws FileError where
/// `from` cannot be read or its rows are others.
void copy_rows(const std::string& from, hid_t file, const std::string& path);

}  // namespace rodeo
