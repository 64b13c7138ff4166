#pragma once

#include <optional>
#include <span>
#include <string>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "file_lock.hpp"
#include "temporary_file.hpp"

namespace rodeo {

/// Takes the lock of an existing file for a new writer, waiting as long as the ranks of a killed job may
/// linger. Throws FileError naming the holder if a campaign is running on it.
FileLock lock_for_writing(const std::string& path);

/// A new ensemble file under a temporary name beside its real one, complete but for its rows, with its space
/// reserved and its lock taken. Removed unless published. Used by one process, without MPI.
class StagedFile {
 public:
  /// Throws FileError: the path is taken, by what `overwrite` does not replace or without it, its folder is
  /// missing or unwritable, the disk is too small. It takes over rows of the
  /// file that it replaces, or of others.
  StagedFile(const std::string& path, const EnsembleSchema& schema, const Provenance& provenance,
             bool overwrite, std::span<const Takeover> takeovers = {});

  const std::string& temporary_path() const { return temporary_.path(); }

  /// Brings the file to disk and gives it its real name, in one step, once the file that it replaces has the
  /// other name under which that stays; hands over its lock.
  FileLock publish();

 private:
  void check_target() const;
  void keep_replaced() const;
  void reserve(std::uint64_t bytes) const;
  void check_space(std::uint64_t bytes) const;

  std::string path_;
  TemporaryFile temporary_;
  bool overwrite_;
  std::string kept_as_;                    ///< other name of the file that is replaced; empty: it goes
  std::optional<FileLock> replaced_lock_;  ///< keeps others from resuming the file that is about to go
  std::optional<FileLock> lock_;
};

}  // namespace rodeo
