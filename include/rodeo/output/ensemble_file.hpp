#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

#include "rodeo/member/status.hpp"
#include "rodeo/plan/convergence_table.hpp"
#include "rodeo/plan/generation_row.hpp"

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

/// Who made a file, stored as root attributes.
struct Provenance {
  std::string command_line;
  std::string backend;     ///< Kokkos execution space and its concurrency
  std::string hosts;       ///< comma-separated, each once
  std::string start_time;  ///< ISO 8601, UTC
  int ranks = 0;

  // Filled in by the reader; what a creator gives here is not looked at.
  int resumes = 0;     ///< how often the campaign was resumed; ranks and hosts are those of the last time
  std::string writer;  ///< process, host and start time of who wrote last
  std::string program_version;
  std::string git_revision;
};

/// What frames hold.
struct FieldFormat {
  std::string name;
  std::string unit;
  int components = 0;    ///< C
  bool of_nodes = true;  ///< of every node; else an observable of the member, double and without components

  bool operator==(const FieldFormat&) const = default;
};

/// What an ensemble file holds, known before its first member runs.
struct EnsembleSchema {
  std::string deck;                           ///< resolved deck
  std::vector<std::string> parameter_names;   ///< P; the deck keys that vary
  std::vector<std::string> parameter_words;   ///< P; "a|b|c" if 0, 1, 2 stand for words; or empty
  std::vector<std::string> observable_names;  ///< O
  std::vector<std::string> observable_units;  ///< O
  std::uint64_t members = 0;                  ///< M
  int frames = 0;                             ///< F; 0: no trajectories
  std::vector<FieldFormat> fields = {{"position", "m", 3}};  ///< the position first
  std::vector<std::int32_t> nodes;  ///< M entries, or one if all members have as many; empty if F = 0
  /// M x R, nodes of each of a member's rods, which share its nodes out in order, and 0 beyond its last rod;
  /// empty if every member is one rod, or if F = 0.
  std::vector<std::int32_t> rod_nodes;
  bool single_precision = false;  ///< trajectories as float
  ConvergenceTable convergence;   ///< of a convergence study; without rows in others
  std::uint64_t generations = 0;  ///< room in /optimize; 0: no optimisation

  std::int32_t nodes_of(std::uint64_t member) const {
    if (nodes.empty()) return 0;
    return nodes.size() == 1 ? nodes[0] : nodes[member];
  }
  bool ragged() const { return nodes.size() > 1; }
  /// R, the most rods a member has.
  std::uint64_t rods() const { return rod_nodes.empty() ? 1 : rod_nodes.size() / members; }
  /// Nodes of each rod of a member.
  std::vector<std::int32_t> rod_nodes_of(std::uint64_t member) const;
};

/// One member's result. Observables, time and fields may be left empty where a member never came so far:
/// they are stored as NaN.
struct MemberRow {
  std::uint64_t member = 0;     ///< row, 0 … M-1
  std::uint64_t candidate = 0;  ///< point of the study
  std::uint32_t repeat = 0;
  std::uint64_t seed = 0;  ///< the member's own random stream
  MemberStatus status = MemberStatus::pending;
  std::uint64_t steps = 0;  ///< time steps taken
  double wall_seconds = 0.0;
  std::int32_t rank = 0;
  std::vector<double> parameters;   ///< P
  std::vector<double> observables;  ///< O, NaN where one does not apply
  std::vector<double> time;         ///< F, s; NaN for frames never reached
  /// For each field of the schema F x nodes x C, or F of an observable; NaN for frames never reached.
  std::vector<std::vector<double>> fields;
};

/// What the members of a campaign that run have come to. Their rows say nothing before they end.
struct RunningNote {
  double written = 0.0;           ///< s since 1970
  double members = 0.0;           ///< that run
  double steps = 0.0;             ///< that these took since the program started
  double steps_per_second = 0.0;  ///< of all members since then
  double share_done = 0.0;        ///< of the campaign's predicted work, 0 to 1
  double seconds_left = 0.0;      ///< predicted, to the end of the campaign; 0: not known
};

/// The parallel HDF5 file of a campaign. All ranks of `communicator` create, open and close it together;
/// between those any rank writes rows on its own. A row counts once its commit word, written after its
/// payload, is on disk; a kill at any instant loses at most rows that were never acknowledged.
class EnsembleFile {
 public:
  /// Creates the file; collective. With `overwrite` an existing file is replaced (after the new one is
  /// complete, and only if no campaign is writing it). All its space on disk is reserved. Throws FileError on
  /// every rank alike; std::invalid_argument for a schema whose counts contradict each other.
  static EnsembleFile create(MPI_Comm communicator, const std::string& path, const EnsembleSchema& schema,
                             const Provenance& provenance, bool overwrite);

  /// Opens an existing file to go on with it; collective. Throws FileError on every rank alike: missing,
  /// truncated, not ours, another schema version, held by a running campaign (named).
  static EnsembleFile resume(MPI_Comm communicator, const std::string& path, const Provenance& provenance);

  EnsembleFile(EnsembleFile&&) noexcept;
  EnsembleFile& operator=(EnsembleFile&&) noexcept;
  ~EnsembleFile();

  const EnsembleSchema& schema() const;

  /// Writes rows (payload, then commit words); independent. Consecutive rows go to disk together, so pass
  /// them in order. Throws WriteError if the disk refuses, std::invalid_argument for a row that does not fit
  /// the schema.
  void write(std::span<const MemberRow> rows);

  /// One flag per member: true where a valid commit word stands. Called on one rank (resume), independent.
  std::vector<bool> committed() const;

  /// Reads rows back (without trajectories), for a plan that resumes; independent. A row that is not
  /// committed comes with its number and the status pending only.
  std::vector<MemberRow> read_rows(std::uint64_t first, std::uint64_t count) const;

  /// Reads one row back with its trajectory, as read_rows does; independent.
  MemberRow read_member(std::uint64_t member) const;

  /// Brings all rows to disk, where every rank sees them; collective. Throws WriteError on every rank alike.
  void flush();

  /// Writes the errors and orders of the levels over those in the file; independent, on one rank. Throws
  /// WriteError, std::invalid_argument for a table that has not the levels of the schema.
  void write(const ConvergenceTable& table);

  /// Writes generations that follow one another, each over its row if there is one; independent, on one rank.
  /// Throws WriteError, std::invalid_argument for rows that do not fit the schema.
  void write(std::span<const GenerationRow> generations);

  /// Writes over what members that run have come to; independent, on one rank. Throws WriteError.
  void write(const RunningNote& note);

  /// Whether the process of another rank has ended, as far as the locks of the file system tell: false for a
  /// rank that was never seen alive from here. Independent.
  bool has_ended(int rank);

  /// Brings to disk what this rank wrote, for a process that ends without closing the file because other
  /// ranks are lost: closing is collective. Independent.
  void synchronize() const;

  /// Brings all to disk and closes; collective. Throws WriteError on every rank alike; the file is closed
  /// then too. The destructor does the same in silence, so it too must be reached by all ranks.
  void close();

 private:
  struct Implementation;
  explicit EnsembleFile(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// Reads a campaign's file from one process, also while it is being written. Needs no MPI.
class EnsembleReader {
 public:
  /// Throws FileError with one sentence when the file is missing, truncated, not ours or of another schema.
  explicit EnsembleReader(const std::string& path);
  ~EnsembleReader();

  const EnsembleSchema& schema() const;
  const Provenance& provenance() const;
  std::vector<MemberStatus> statuses() const;  ///< M; pending if not committed
  std::vector<MemberRow> read_rows(std::uint64_t first, std::uint64_t count) const;  ///< as EnsembleFile's
  MemberRow read_member(std::uint64_t member) const;  ///< with its trajectory; pending if not committed

  /// The newest generation of an optimisation; nothing before the first one.
  std::optional<GenerationRow> latest_generation() const;

  /// What members that run had come to a little while ago; means something only while the campaign runs.
  std::optional<RunningNote> running() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Bytes a file of this schema takes, at most some KiB more than it really does.
std::uint64_t ensemble_file_bytes(const EnsembleSchema& schema);

/// Writes FILE_member_K.xdmf (polylines that refer to the HDF5 file) or .csv beside the campaign's file;
/// returns the path. `format` is "xdmf" or "csv". Frames the member never reached are left out. Throws
/// FileError where there is nothing to export or the file cannot be written.
std::string export_member(const EnsembleReader& reader, const std::string& path, std::uint64_t member,
                          const std::string& format);

/// The observable that a study looks for.
struct Objective {
  std::string name;
  bool largest = true;  ///< is best; else the smallest
  /// Most by which a member's observable objective_gain may be above 0 (optimize.largest_gain).
  double largest_gain = std::numeric_limits<double>::infinity();
};

/// The text of `rodeo status`: counts per status, observables, the best member where there is an objective,
/// throughput, time left.
std::string status_report(const EnsembleReader& reader, const std::string& path,
                          const std::optional<Objective>& objective);

/// "KEY = value, KEY = word" of a member's parameters.
std::string point_text(const EnsembleSchema& schema, std::span<const double> parameters);

/// The finished member with the best objective; nothing if none has a number for it.
std::optional<std::uint64_t> best_member(const EnsembleReader& reader, const Objective& objective);

/// Whether a campaign is writing the file now.
bool is_running(const std::string& path);

}  // namespace rodeo
