#pragma once

#include <string>

namespace rodeo {

/// Maker of a file, stored as root attributes.
struct Provenance {
  std::string command_line;
  std::string backend;     ///< Kokkos execution space and its concurrency
  std::string hosts;       ///< comma-separated, each once
  std::string start_time;  ///< ISO 8601, UTC
  int ranks = 0;
  /// The set of kernels for members; a creator who leaves it empty means that of this program.
  std::string kernels;

  // Filled in by the reader; values from a creator are ignored.
  int resumes = 0;     ///< how often the campaign was resumed; ranks and hosts are those of the last time
  std::string writer;  ///< process, host and start time of who wrote last
  std::string program_version;
  std::string git_revision;
};

}  // namespace rodeo
