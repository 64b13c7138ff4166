#include "file_lock.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include "rodeo/output/errors.hpp"

namespace rodeo {

namespace {

constexpr std::chrono::milliseconds poll_interval{50};

/// Byte 0 is that of the campaign, byte 1 + r that of its rank r.
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

/// Whether another open file has a lock on the byte.
bool is_locked(int descriptor, int byte) {
  struct flock request = lock_request(F_WRLCK, byte);
  return fcntl(descriptor, F_OFD_GETLK, &request) == 0 && request.l_type != F_UNLCK;
}

}  // namespace

std::optional<FileLock> FileLock::acquire(const std::string& path, std::chrono::milliseconds patience) {
  FileLock lock(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (lock.descriptor_ < 0) {
    throw FileError("cannot open " + path + " for writing: " + std::strerror(errno));
  }
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (!set_lock(lock.descriptor_, F_WRLCK)) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) return lock;  // no locks on this file system
    if (std::chrono::steady_clock::now() >= give_up) return std::nullopt;
    std::this_thread::sleep_for(poll_interval);
  }
  set_lock(lock.descriptor_, F_RDLCK);
  return lock;
}

FileLock FileLock::share(const std::string& path) {
  FileLock lock(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (lock.descriptor_ < 0) throw FileError("cannot open " + path + ": " + std::strerror(errno));
  set_lock(lock.descriptor_, F_RDLCK);
  return lock;
}

bool FileLock::is_held(const std::string& path) {
  const FileLock probe(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return probe.descriptor_ >= 0 && is_locked(probe.descriptor_, 0);
}

void FileLock::sign(int rank) const { set_lock(descriptor_, F_RDLCK, 1 + rank); }

bool FileLock::is_signed(int rank) const { return is_locked(descriptor_, 1 + rank); }

void FileLock::synchronize() const { fsync(descriptor_); }

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace rodeo
