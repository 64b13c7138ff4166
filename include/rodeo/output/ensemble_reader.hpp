#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/member/status.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// Reads a campaign's file from one process, also while it is being written. Needs no MPI.
class EnsembleReader {
 public:
  /// Throws FileError with one sentence when the file is missing, truncated, not ours or of another schema.
  explicit EnsembleReader(const std::string& path);
  ~EnsembleReader();

  /// True if a campaign was writing the file just before it was opened; if not, rows that are missing stay
  /// so.
  bool was_being_written() const;

  const EnsembleSchema& schema() const;

  /// Sets the observables of rows, as EnsembleFile::set_observables() does.
  void set_observables(const std::vector<std::string>& names);

  const Provenance& provenance() const;
  std::vector<MemberStatus> statuses() const;  ///< M; pending if not committed
  std::vector<bool> committed() const;         ///< M; as EnsembleFile's, which looks at every byte
  std::vector<MemberRow> read_rows(std::uint64_t first, std::uint64_t count) const;  ///< as EnsembleFile's
  void for_each_row(const std::function<void(const MemberRow&)>& use) const;         ///< likewise
  MemberRow read_member(std::uint64_t member) const;  ///< with its trajectory; pending if not committed

  /// The rows of a table of the schema that are there, in order.
  std::vector<TableRow> read_table(const Table& table) const;

  /// The last row of a table.
  std::optional<TableRow> newest_row(const Table& table) const;

  /// State of the study according to its tables.
  StudyState study_state() const;

  /// Progress of running members a little while ago; meaningful only while the campaign runs.
  std::optional<RunningNote> running() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rodeo
