#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// Throws FileError where something stands at the path that is not to be replaced: anything but an ensemble
/// file, complete or damaged, a link to one, or an empty file. Where nothing stands there, all is well.
void require_replaceable(const std::string& path);

/// The parallel HDF5 file of a campaign. All ranks of `communicator` create, open and close it together;
/// between those any rank writes rows on its own. A row counts once its commit word, written after its
/// payload, is on disk; a kill at any instant loses at most rows that were never acknowledged.
class EnsembleFile {
 public:
  /// Creates the file; collective. With `overwrite` an existing file is replaced (after the new one is
  /// complete, and only if no campaign is writing it). All its space on disk is reserved. It begins with the
  /// rows that it takes over, which is looked at on rank 0. Throws FileError on every rank alike;
  /// std::invalid_argument for a schema whose counts contradict each other.
  static EnsembleFile create(MPI_Comm communicator, const std::string& path, const EnsembleSchema& schema,
                             const Provenance& provenance, bool overwrite,
                             std::span<const Takeover> takeovers = {});

  /// Replaces a file by one of another deck or other tables that takes over its rows, once the new one is
  /// complete; collective. By default both have the same members; `takeover` is looked at on rank 0. Throws
  /// FileError on every rank alike.
  static EnsembleFile replace(MPI_Comm communicator, const std::string& path, const EnsembleSchema& schema,
                              const Provenance& provenance, const Takeover& takeover = {});

  /// Opens an existing file to go on with it; collective. Throws FileError on every rank alike: missing,
  /// truncated, not ours, another schema version, held by a running campaign (named).
  static EnsembleFile resume(MPI_Comm communicator, const std::string& path, const Provenance& provenance);

  EnsembleFile(EnsembleFile&&) noexcept;
  EnsembleFile& operator=(EnsembleFile&&) noexcept;
  ~EnsembleFile();

  const EnsembleSchema& schema() const;

  /// Gives rows the observables of these names from now on, in this order; independent. Rows that are read
  /// have NaN for an observable that has no column. Rows that are written fill the columns of their names: a
  /// column of another name gets NaN, and an observable without a column is dropped. Before, and where names
  /// and columns are the same, rows have what the columns have.
  void set_observables(const std::vector<std::string>& names);

  /// Writes rows (payload, then commit words); independent. Consecutive rows go to disk together, so pass
  /// them in order. Throws WriteError if the disk refuses, std::invalid_argument for a row that does not fit
  /// the schema.
  void write(std::span<const MemberRow> rows);

  /// One flag per member: true where a valid commit word stands. Called on one rank (resume), independent.
  std::vector<bool> committed() const;

  /// Reads rows back (without trajectories), for a plan that resumes; independent. A row that is not
  /// committed comes with its number and the status pending only.
  std::vector<MemberRow> read_rows(std::uint64_t first, std::uint64_t count) const;

  /// Calls `use` with each row, in order and without trajectories, as read_rows has them; only some thousand
  /// are in memory at a time. A row lives until `use` returns.
  void for_each_row(const std::function<void(const MemberRow&)>& use) const;

  /// Reads one row back with its trajectory, as read_rows does; independent.
  MemberRow read_member(std::uint64_t member) const;

  /// Brings all rows to disk, where every rank sees them; collective. Throws WriteError on every rank alike.
  void flush();

  /// Writes rows of a table of the schema, each over what there is in its place; independent, on one rank.
  /// Throws WriteError, std::invalid_argument for rows or a table that do not fit the file.
  void write(const Table& table, std::span<const TableRow> rows);

  /// Overwrites the note on running members; independent, on one rank. Throws WriteError.
  void write(const RunningNote& note);

  /// Gives back the room on disk of all rows behind the last one that is there, of a study that has ended
  /// with fewer members than it might have had; independent, on one rank.
  void release_unused_rows() const;

  /// Whether the process of another rank has ended, as far as the locks of the file system tell: false for a
  /// rank that was never seen alive from here. Independent.
  bool has_ended(int rank);

  /// Whether other programs that use HDF5, such as h5py, are kept from opening the file to write, which would
  /// destroy it. False where the file system refuses the lock that they ask. Independent.
  bool keeps_writers_out() const;

  /// Loss of the open file, in a sentence; empty while it stands whole at its path. Every write looks
  /// first, and is a WriteError with that sentence. Independent.
  std::string loss() const;

  /// Brings to disk what this rank wrote, for a process that ends without closing the file because other
  /// ranks are lost: closing is collective. Independent.
  void synchronize() const;

  /// Brings all to disk and closes; collective. Throws WriteError on every rank alike, also where the file
  /// does not stand at its path then, or cannot be read there; it is closed then too, as far as that is
  /// possible: where HDF5 could not bring all to disk, it breaks down at the end of the process, which has to
  /// leave by _exit(). The destructor does the same in silence, so it too must be reached by all ranks.
  void close();

 private:
  class Communicator;
  struct Implementation;
  static EnsembleFile publish(MPI_Comm communicator, const std::string& path, const EnsembleSchema& schema,
                              const Provenance& provenance, bool overwrite,
                              std::span<const Takeover> takeovers);
  explicit EnsembleFile(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rodeo
