#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace rodeo {

/// Marks a file as being written by the processes of one campaign. An advisory lock on the open file, so it
/// ends with the process however that ends, and never stops a reader: it lies on one byte beyond any data,
/// and the owners keep it shared (flock is a whole-file record lock on NFS, and h5py takes that one to read).
/// Every rank holds it: ranks outlive a killed launcher or first rank by seconds, and write until they end
/// too.
///
/// HDF5, and so h5py, asks another kind of lock, flock, before it opens a file. The owners hold that shared
/// too: others may open the file to read, and nobody to write, which would destroy it.
class FileLock {
 public:
  /// Takes the lock of the file at `path`, waiting up to `patience`; nothing if another process still holds
  /// it then. Throws FileError if the file cannot be opened for writing, or if a program that is none of
  /// rodeo has it open to write. Where the file system knows no locks, a file PATH.writer stands for the lock
  /// until this one ends; one that a killed process of this host has left is taken over, and any other is a
  /// FileError.
  static std::optional<FileLock> acquire(const std::string& path, std::chrono::milliseconds patience);

  /// The lock of a file that is to be called `name`, in the place of one whose lock is `replaced`, if any.
  static std::optional<FileLock> acquire_new(const std::string& path, const std::string& name,
                                             std::chrono::milliseconds patience,
                                             std::optional<FileLock>& replaced);

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

  /// Whether programs that go by flock are kept from opening the file to write. False where the file system
  /// refuses that lock.
  bool keeps_writers_out() const { return keeps_writers_out_; }

  /// Brings the file's data to disk.
  void synchronize() const;

  /// Gives back the room on disk of bytes that read as zero from then on, where the file system can.
  void release(std::uint64_t begin, std::uint64_t bytes) const;

  /// Bytes of the file that is open.
  std::uint64_t bytes() const;

  /// Loss of the open file, in a sentence; empty if it stands at `path` and has at least so many bytes, or if
  /// it cannot be looked at.
  std::string loss(const std::string& path, std::uint64_t least_bytes) const;

  FileLock(FileLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        marker_(std::exchange(other.marker_, {})),
        keeps_writers_out_(other.keeps_writers_out_) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(marker_, other.marker_);
    std::swap(keeps_writers_out_, other.keeps_writers_out_);
    return *this;
  }
  ~FileLock();

 private:
  static FileLock open_for_writing(const std::string& path);
  /// False if another process still holds it.
  bool take(const std::string& path, std::chrono::milliseconds patience, const std::string& name,
            FileLock* replaced);
  void await_writers(const std::string& path, std::chrono::steady_clock::time_point give_up);
  /// False if another program has the file open to write.
  bool keep_writers_out(const std::string& path);

  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
  std::string marker_;  ///< the file that stands for the lock where there are none, to be removed
  bool keeps_writers_out_ = false;
};

}  // namespace rodeo
