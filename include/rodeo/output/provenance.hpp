#pragma once

#include <string>

namespace rodeo {

/// Who made a file, stored as root attributes.
struct Provenance {
  std::string command_line;
  std::string backend;     ///< Kokkos execution space and its concurrency
  std::string hosts;       ///< comma-separated, each once
  std::string start_time;  ///< ISO 8601, UTC
  int ranks = 0;
  /// The set that members are computed with; a creator who leaves it empty means that of this program.
  std::string kernels;

  // Filled in by the reader; what a creator gives here is not looked at.
  int resumes = 0;     ///< how often the campaign was resumed; ranks and hosts are those of the last time
  std::string writer;  ///< process, host and start time of who wrote last
  std::string program_version;
  std::string git_revision;
};

}  // namespace rodeo
