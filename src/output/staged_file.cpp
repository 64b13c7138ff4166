#include "staged_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "rodeo/input/number_text.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "copy_rows.hpp"
#include "datasets.hpp"
#include "open_serial.hpp"
#include "stored_ensemble.hpp"
#include "temporary_file.hpp"

namespace rodeo {

namespace {

/// After kill -9 of mpirun its ranks were seen to live on for 2.6 s.
constexpr std::chrono::milliseconds lock_patience{5000};

constexpr const char* exists_already = " exists already; --resume goes on with it, --overwrite replaces it";

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool exists(const std::string& path) {
  struct stat properties {};
  return lstat(path.c_str(), &properties) == 0;
}

bool is_same_file(const std::string& path, const std::string& other) {
  std::error_code error;  // a name that is not there is no other name of a file
  return std::filesystem::equivalent(path, other, error);
}

/// A file open for reading and writing, which is made if it is not there.
int opened(const std::string& path) {
  const int number = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (number < 0) throw FileError("cannot create " + path + ": " + std::strerror(errno));
  return number;
}

std::string holder(const std::string& path) {
  try {
    const Hdf5Handle file = open_serial(path, H5F_ACC_RDONLY);
    return read_provenance(file.get()).writer;
  } catch (const std::runtime_error&) {
    return "a process that did not leave its name";
  }
}

}  // namespace

FileLock lock_for_writing(const std::string& path) {
  std::optional<FileLock> lock = FileLock::acquire(path, lock_patience);
  if (!lock) throw FileError(path + " is being written by a running campaign (" + holder(path) + ")");
  if (!lock->loss(path, 0).empty()) {
    throw FileError(path +
                    " was replaced or removed while its lock was waited for: another campaign is there");
  }
  return std::move(*lock);
}

StagedFile::StagedFile(const std::string& path, const EnsembleSchema& schema, const Provenance& provenance,
                       bool overwrite, std::span<const Takeover> takeovers)
    : path_(path),
      temporary_(path),
      overwrite_(overwrite),
      kept_as_(takeovers.empty() ? "" : takeovers.front().kept_as) {
  check_target();
  TemporaryFile::remove_leftovers(path_);
  if (overwrite_ && exists(path_)) replaced_lock_ = lock_for_writing(path_);
  const std::uint64_t bytes = ensemble_file_bytes(schema);
  check_space(bytes);
  try {
    // Once before, so that HDF5 never meets a full disk, and once after, since HDF5 starts from an empty
    // file.
    reserve(bytes);
    {
      const Hdf5Handle access = unlocked_access();
      Hdf5Handle file = create_file(temporary_.path(), access.get());
      write_new_ensemble(file.get(), schema, provenance);
      for (const Takeover& takeover : takeovers)
        copy_rows(takeover.from.empty() ? path_ : takeover.from, file.get(), temporary_.path(), takeover);
      file.close("cannot close it");
    }
    reserve(std::filesystem::file_size(temporary_.path()));
    lock_ = FileLock::acquire_new(temporary_.path(), path_, lock_patience, replaced_lock_);
  } catch (const Hdf5Error& error) {
    throw FileError("cannot create " + path_ + ": " + error.what());
  }
}

void StagedFile::check_target() const {
  struct stat properties {};
  const std::string folder = folder_of(path_);
  if (stat(folder.c_str(), &properties) != 0 || access(folder.c_str(), W_OK | X_OK) != 0) {
    throw FileError("cannot create " + path_ + ": folder " + folder + ": " + std::strerror(errno));
  }
  require_replaceable(path_);
  if (exists(path_) && !overwrite_) throw FileError(path_ + exists_already);
  if (!kept_as_.empty() && exists(kept_as_) && !is_same_file(path_, kept_as_)) {
    throw FileError(kept_as_ + ", where " + path_ + " is to stay as it is, exists already: move it away");
  }
}

/// Gives the file that is replaced its other name. That of a run which was killed before the replacement is
/// the same file still.
void StagedFile::keep_replaced() const {
  if (kept_as_.empty() || is_same_file(path_, kept_as_)) return;
  if (link(path_.c_str(), kept_as_.c_str()) == 0) return;
  if (errno == EEXIST) throw FileError(kept_as_ + " exists already: move it away");
  // A file system without links: a copy gets the name when it is whole.
  TemporaryFile copy(kept_as_);
  std::error_code error;
  std::filesystem::copy_file(path_, copy.path(), std::filesystem::copy_options::overwrite_existing, error);
  if (error) throw FileError("cannot keep " + path_ + " as " + kept_as_ + ": " + error.message());
  copy.publish();
}

void StagedFile::check_space(std::uint64_t bytes) const {
  struct statvfs properties {};
  if (statvfs(folder_of(path_).c_str(), &properties) != 0) return;  // not known: the reservation will tell
  const std::uint64_t available = properties.f_bavail * properties.f_frsize;
  if (bytes > available) {
    throw FileError("cannot create " + path_ + ": it needs " + format_bytes(static_cast<double>(bytes)) +
                    ", its file system has " + format_bytes(static_cast<double>(available)) + " free");
  }
}

/// Reserves the first bytes of the temporary file on disk, so that a campaign that starts can also end. Where
/// the file system cannot reserve, the check of its free space is all there is.
void StagedFile::reserve(std::uint64_t bytes) const {
  const Descriptor file(opened(temporary_.path()));
  if (fallocate(file.number(), 0, 0, static_cast<off_t>(bytes)) == 0) return;
  if (errno == EOPNOTSUPP || errno == ENOSYS) return;
  throw FileError("cannot reserve " + format_bytes(static_cast<double>(bytes)) + " for " + path_ + ": " +
                  std::strerror(errno));
}

FileLock StagedFile::publish() {
  temporary_.synchronize();
  keep_replaced();
  // Without overwrite, a file that came to be meanwhile must survive.
  if (overwrite_) {
    temporary_.publish();
  } else if (!temporary_.publish_new()) {
    throw FileError(path_ + exists_already);
  }
  return std::move(*lock_);
}

}  // namespace rodeo
