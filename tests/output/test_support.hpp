#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo::testing {

/// A folder of its own for each test, empty at first and gone at the end. Shared by all ranks if
/// `communicator` is the world's, one for each rank if it is MPI_COMM_SELF.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(MPI_Comm communicator = MPI_COMM_SELF);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string path() const { return path_; }
  std::string file(const std::string& name = "campaign.h5") const { return path_ + "/" + name; }
  std::vector<std::string> entries() const;

 private:
  MPI_Comm communicator_;
  std::string path_;
};

Provenance example_provenance();

/// Members with three parameters, two observables, four frames of five nodes.
EnsembleSchema example_schema(std::uint64_t members = 6);

/// A row whose every number depends on the member.
MemberRow example_row(const EnsembleSchema& schema, std::uint64_t member);
std::vector<MemberRow> example_rows(const EnsembleSchema& schema, std::uint64_t first, std::uint64_t count);

/// A file with rows of all members, closed.
void write_example(const std::string& path, const EnsembleSchema& schema);

void expect_same_scalars(const MemberRow& actual, const MemberRow& expected);
/// Coordinates too, as they come back from a file of the schema's precision.
void expect_same(const EnsembleSchema& schema, const MemberRow& actual, const MemberRow& expected);

/// The message of the FileError that `action` throws, or a text that says it threw none.
template <class Action>
std::string file_error_of(const Action& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "(no FileError)";
}

/// Forbids this process to write beyond so many bytes of a file, as a quota would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    rlimit limit = old_limit_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  void (*old_handler_)(int);
  rlimit old_limit_{};
};

/// Where a dataset's bytes begin in the file.
std::uint64_t offset_of(const std::string& path, const char* dataset_path);

bool contains(const std::string& text, const std::string& part);

/// Whether Debian's Python is there and has h5py.
bool has_h5py();

/// Runs a script with it; returns its exit status.
int run_python(const std::string& script, const std::string& argument);

}  // namespace rodeo::testing
