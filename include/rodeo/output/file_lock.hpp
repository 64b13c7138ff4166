#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace rodeo {

/// Marks a file as being written by this process. An advisory lock on the open file, so it ends with the
/// process however that ends, and never stops a reader: it lies on one byte beyond any data, and the owner
/// keeps it shared (flock is a whole-file record lock on NFS, and h5py takes that one to read).
class FileLock {
 public:
  /// Takes the lock, waiting up to `patience`; nothing if another process still holds it then. Throws
  /// FileError if the file cannot be opened for writing. Where the file system knows no locks, the lock is
  /// taken for granted.
  static std::optional<FileLock> acquire(const std::string& path, std::chrono::milliseconds patience);

  /// Whether a writer holds the file now; needs no right to write.
  static bool is_held(const std::string& path);

  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace rodeo
