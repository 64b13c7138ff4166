#include "file_lock.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

constexpr std::chrono::milliseconds poll_interval{50};

/// Lock byte of no campaign and no rank.
constexpr int spare_byte = -1;

/// Request to lock a byte: 0 is that of the campaign, 1 + r that of its rank r.
struct flock lock_request(short type, int byte = 0) {
  struct flock request {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  request.l_start = (off_t{1} << 62) + byte;  // beyond every byte MPI-IO may lock for its own ends
  request.l_len = 1;
  return request;
}

bool set_lock(int descriptor, short type, int byte = 0) {
  struct flock request = lock_request(type, byte);
  return fcntl(descriptor, F_OFD_SETLK, &request) == 0;
}

/// The file that stands for the lock of one called `name`.
std::string marker_of(const std::string& name) { return name + ".writer"; }

std::string this_host() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return host.data();
}

/// Whether a marker names a process of this host that has ended.
bool has_ended(const std::string& marker) {
  std::ifstream file(marker);
  pid_t process = 0;
  std::string host;
  return file >> process >> host && host == this_host() && kill(process, 0) != 0 && errno == ESRCH;
}

/// Makes the file that stands for a lock, with the process in it; returns its path. Throws FileError if
/// another writer has made it.
std::string make_marker(const std::string& name) {
  const std::string marker = marker_of(name);
  if (has_ended(marker)) unlink(marker.c_str());
  const int descriptor = open(marker.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == EEXIST) {
    throw FileError(name + " is being written by another process, as " + marker +
                    " says, which stands for a lock on this file system without locks; remove that if no "
                    "campaign is running");
  }
  if (descriptor < 0) throw FileError("cannot create " + marker + ": " + std::strerror(errno));
  const std::string text = std::to_string(getpid()) + " " + this_host() + "\n";
  const bool written = write(descriptor, text.data(), text.size()) == std::ssize(text);
  close(descriptor);
  if (!written) throw FileError("cannot write " + marker + ": " + std::strerror(errno));
  return marker;
}

/// Whether another open file has a lock on the byte.
bool is_locked(int descriptor, int byte) {
  struct flock request = lock_request(F_WRLCK, byte);
  return fcntl(descriptor, F_OFD_GETLK, &request) == 0 && request.l_type != F_UNLCK;
}

}  // namespace

std::optional<FileLock> FileLock::acquire(const std::string& path, std::chrono::milliseconds patience) {
  FileLock lock = open_for_writing(path);
  if (!lock.take(path, patience, path, nullptr)) return std::nullopt;
  return lock;
}

std::optional<FileLock> FileLock::acquire_new(const std::string& path, const std::string& name,
                                              std::chrono::milliseconds patience,
                                              std::optional<FileLock>& replaced) {
  FileLock lock = open_for_writing(path);
  if (!lock.take(path, patience, name, replaced ? &*replaced : nullptr)) return std::nullopt;
  return lock;
}

FileLock FileLock::open_for_writing(const std::string& path) {
  FileLock lock(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (lock.descriptor_ < 0) {
    throw FileError("cannot open " + path + " for writing: " + std::strerror(errno));
  }
  return lock;
}

bool FileLock::take(const std::string& path, std::chrono::milliseconds patience, const std::string& name,
                    FileLock* replaced) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (!set_lock(descriptor_, F_WRLCK)) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
      const bool goes_on = replaced != nullptr && !replaced->marker_.empty();
      marker_ = goes_on ? std::exchange(replaced->marker_, {}) : make_marker(name);
      await_writers(path, give_up);
      return true;
    }
    if (std::chrono::steady_clock::now() >= give_up) return false;
    std::this_thread::sleep_for(poll_interval);
  }
  set_lock(descriptor_, F_RDLCK);
  await_writers(path, give_up);
  return true;
}

void FileLock::await_writers(const std::string& path, std::chrono::steady_clock::time_point give_up) {
  while (!keep_writers_out(path)) {
    if (std::chrono::steady_clock::now() >= give_up)
      throw FileError(path + " is open for writing in another program, such as h5py: close it there first");
    std::this_thread::sleep_for(poll_interval);
  }
}

bool FileLock::keep_writers_out(const std::string& path) {
  const FileLock probe(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (flock(probe.descriptor_, LOCK_SH | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  // Where a flock is a lock of all records (NFS), ours keeps them out already, and a flock of this descriptor
  // would be that of each rank too.
  const bool of_records = is_locked(descriptor_, spare_byte);
  keeps_writers_out_ = of_records || flock(descriptor_, LOCK_SH | LOCK_NB) == 0;
  return true;
}

FileLock FileLock::share(const std::string& path) {
  FileLock lock(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (lock.descriptor_ < 0) throw FileError("cannot open " + path + ": " + std::strerror(errno));
  set_lock(lock.descriptor_, F_RDLCK);
  lock.keep_writers_out(path);
  return lock;
}

bool FileLock::is_held(const std::string& path) {
  const FileLock probe(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return access(marker_of(path).c_str(), F_OK) == 0 ||
         (probe.descriptor_ >= 0 && is_locked(probe.descriptor_, 0));
}

void FileLock::sign(int rank) const { set_lock(descriptor_, F_RDLCK, 1 + rank); }

bool FileLock::is_signed(int rank) const { return is_locked(descriptor_, 1 + rank); }

void FileLock::synchronize() const { fsync(descriptor_); }

void FileLock::release(std::uint64_t begin, std::uint64_t bytes) const {
  fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
            static_cast<off_t>(bytes));
}

std::uint64_t FileLock::bytes() const {
  struct stat open_file {};
  return fstat(descriptor_, &open_file) == 0 ? static_cast<std::uint64_t>(open_file.st_size) : 0;
}

std::string FileLock::loss(const std::string& path, std::uint64_t least_bytes) const {
  constexpr const char* meanwhile = " while this campaign wrote it: ";
  struct stat open_file {};
  struct stat named {};
  if (fstat(descriptor_, &open_file) != 0) return {};
  const bool removed = open_file.st_nlink == 0;
  if (stat(path.c_str(), &named) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return {};
    return path + (removed ? " was removed" : " was moved away") + meanwhile +
           (removed ? "what it held is lost" : "rodeo resume goes on with it where it is now");
  }
  if (named.st_dev != open_file.st_dev || named.st_ino != open_file.st_ino) {
    return path + " was replaced by another file" + meanwhile +
           (removed ? "what it held is lost" : "rodeo resume goes on with it where it was moved");
  }
  if (static_cast<std::uint64_t>(open_file.st_size) < least_bytes) {
    return path + " was cut from " + std::to_string(least_bytes) + " bytes to " +
           std::to_string(open_file.st_size) + meanwhile + "what it held is lost";
  }
  return {};
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!marker_.empty()) unlink(marker_.c_str());
}

}  // namespace rodeo
