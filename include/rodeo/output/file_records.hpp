#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rodeo/member/status.hpp"

namespace rodeo {

/// An ensemble file that cannot be used: exists already, is truncated, of another schema, locked, unwritable.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A write that failed while a campaign ran (disk full, quota): the rows acknowledged so far are safe.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Text of an error, in words also where the library has none.
inline std::string words_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  const std::string text = error.what();
  return memory || text.starts_with("Kokkos failed to allocate memory") ? "there is not enough memory" : text;
}

/// One member's result. Observables, time and fields may be left empty where a member never came so far:
/// they are stored as NaN.
struct MemberRow {
  std::uint64_t member = 0;     ///< row, 0 … M-1
  std::uint64_t candidate = 0;  ///< point of the study
  std::uint32_t repeat = 0;
  std::uint64_t seed = 0;  ///< the member's own random stream
  MemberStatus status = MemberStatus::pending;
  bool damaged = false;     ///< of one that is read: it was committed, and is not as it was then
  std::uint64_t steps = 0;  ///< time steps taken
  double wall_seconds = 0.0;
  std::int32_t rank = 0;
  std::vector<double> parameters;   ///< P
  std::vector<double> observables;  ///< O, NaN where one does not apply
  std::vector<double> time;         ///< F, s; NaN for frames never reached
  /// For each field of the schema F x nodes x C, or F of an observable; NaN for frames never reached.
  std::vector<std::vector<double>> fields;
};

/// Place of a member's row in a file that takes it over.
struct RowPlace {
  std::uint64_t member = 0;
  std::uint64_t candidate = 0;
  std::uint32_t repeat = 0;
};

/// Rows that a new file takes over from another one.
struct Takeover {
  std::string from = {};  ///< the other file; empty: the one that is replaced
  /// For each row of the old file its place in the new one, or nothing for one that is to run again; empty:
  /// all rows keep their places.
  std::vector<std::optional<RowPlace>> rows = {};
  std::string kept_as = {};  ///< another name under which the replaced file stays; empty: it goes
};

/// Progress of the running members of a campaign, whose rows say nothing before they end.
struct RunningNote {
  double written = 0.0;           ///< s since 1970
  double members = 0.0;           ///< that run
  double steps = 0.0;             ///< that these took since the program started
  double steps_per_second = 0.0;  ///< of all members since then
  double share_done = 0.0;        ///< of the campaign's predicted work, 0 to 1
  double seconds_left = 0.0;      ///< predicted, to the end of the campaign; 0: not known
};

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
