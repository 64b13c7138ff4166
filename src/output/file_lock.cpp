#include "rodeo/output/file_lock.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include "rodeo/output/ensemble_file.hpp"

namespace rodeo {

namespace {

constexpr std::chrono::milliseconds poll_interval{50};

struct flock lock_request(short type) {
  struct flock request {};
  request.l_type = type;
  request.l_whence = SEEK_SET;
  request.l_start = off_t{1} << 62;  // beyond every byte MPI-IO may lock for its own ends
  request.l_len = 1;
  return request;
}

bool set_lock(int descriptor, short type) {
  struct flock request = lock_request(type);
  return fcntl(descriptor, F_OFD_SETLK, &request) == 0;
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
  struct flock request = lock_request(F_WRLCK);
  return probe.descriptor_ >= 0 && fcntl(probe.descriptor_, F_OFD_GETLK, &request) == 0 &&
         request.l_type != F_UNLCK;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace rodeo
