#pragma once

#include <string>

#include <hdf5.h>

#include "rodeo/output/errors.hpp"
#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

/// Returns the result of `read`. Throws FileError, with the file's name, for a failure of HDF5.
template <class Read>
auto read_from(const std::string& path, const Read& read) {
  try {
    return read();
  } catch (const Hdf5Error& error) {
    throw FileError("cannot read " + path + ": " + error.what());
  }
}

/// Opens a file without MPI, for reading or writing. Takes no HDF5 file lock, so neither disturbs the other.
/// Throws FileError with one sentence: missing, unreadable, not HDF5, truncated.
Hdf5Handle open_serial(const std::string& path, unsigned flags);

/// A file access property list without HDF5's own file locks, which would let a reader stop a writer.
Hdf5Handle unlocked_access();

}  // namespace rodeo
