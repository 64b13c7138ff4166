#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace rodeo {

/// Marks a file as being written by the processes of one campaign. An advisory lock on the open file, so it
/// ends with the process however that ends, and never stops a reader: it lies on one byte beyond any data,
/// and the owners keep it shared (flock is a whole-file record lock on NFS, and h5py takes that one to read).
/// Every rank holds it: ranks outlive a killed launcher or first rank by seconds, and write until they end
/// too.
class FileLock {
 public:
  /// Takes the lock, waiting up to `patience`; nothing if another process still holds it then. Throws
  /// FileError if the file cannot be opened for writing. Where the file system knows no locks, the lock is
  /// taken for granted.
  static std::optional<FileLock> acquire(const std::string& path, std::chrono::milliseconds patience);

  /// Takes a share in the lock that another process of this campaign has acquired and holds until this
  /// returns. Throws FileError if the file cannot be opened.
  static FileLock share(const std::string& path);

  /// Whether a writer holds the file now; needs no right to write.
  static bool is_held(const std::string& path);

  /// Takes a byte of its own for a rank, so that others see whether that rank lives.
  void sign(int rank) const;

  /// Whether a process other than this one has signed for the rank and lives. False too where locks are not
  /// seen from here.
  bool is_signed(int rank) const;

  /// Brings the file's data to disk.
  void synchronize() const;

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
