#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string>
#include <vector>

#include <hdf5.h>

#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

/// While it lives, a fault (SIGSEGV, SIGBUS, SIGFPE, SIGABRT) ends the program with one sentence about a file
/// and exit code 1, as for any other damaged file: the HDF5 library trusts what a file says of itself and may
/// break down on one that lies. One thread; guards may be nested.
class BreakdownGuard {
 public:
  explicit BreakdownGuard(const std::string& path);
  BreakdownGuard(const BreakdownGuard&) = delete;
  BreakdownGuard& operator=(const BreakdownGuard&) = delete;
  ~BreakdownGuard();

 private:
  static constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGABRT};

  std::vector<std::byte> stack_;  ///< for the handler: a fault may be that of a full stack
  stack_t stack_before_{};
  std::array<struct sigaction, faults.size()> handlers_before_{};
  std::array<char, 512> sentence_before_{};
};

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
