#include "open_serial.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "rodeo/input/number_text.hpp"

#include "layout.hpp"

namespace rodeo {

namespace {

constexpr int bad_input = 1;
constexpr std::size_t stack_bytes = 65536;

/// Message of the handler; composed beforehand, since a handler may do next to nothing.
std::array<char, 512> sentence{};

extern "C" void end_with_sentence(int) {
  const ssize_t ignored = write(STDERR_FILENO, sentence.data(), std::strlen(sentence.data()));
  static_cast<void>(ignored);
  _exit(bad_input);
}

}  // namespace

BreakdownGuard::BreakdownGuard(const std::string& path) : stack_(stack_bytes), sentence_before_(sentence) {
  std::snprintf(sentence.data(), sentence.size(),
                "rodeo: error: %.400s is damaged: the HDF5 library broke down when it read it\n",
                printable(path).c_str());
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &stack_before_);
  struct sigaction action {};
  action.sa_handler = end_with_sentence;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t k = 0; k < faults.size(); ++k) sigaction(faults[k], &action, &handlers_before_[k]);
}

BreakdownGuard::~BreakdownGuard() {
  for (std::size_t k = 0; k < faults.size(); ++k) sigaction(faults[k], &handlers_before_[k], nullptr);
  sigaltstack(&stack_before_, nullptr);
  sentence = sentence_before_;
}

namespace {

void check_signature(const std::string& path, int access) {
  const int descriptor = open(path.c_str(), access | O_CLOEXEC);
  if (descriptor < 0) throw FileError("cannot open " + path + ": " + std::strerror(errno));
  std::array<char, hdf5_signature.size()> start{};
  struct stat properties {};
  const bool regular = fstat(descriptor, &properties) == 0 && S_ISREG(properties.st_mode);
  const bool complete = regular && pread(descriptor, start.data(), start.size(), 0) == std::ssize(start);
  close(descriptor);
  if (!complete || std::string_view(start.data(), start.size()) != hdf5_signature)
    throw FileError(path + " is not an HDF5 file");
}

}  // namespace

Hdf5Handle unlocked_access() {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot make properties");
  hdf5_check(H5Pset_file_locking(access.get(), false, true), "cannot switch off file locks");
  // From HDF5 1.8 on headers carry a checksum: a wrong address of a table is found, not followed.
  hdf5_check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST), "cannot set versions");
  return access;
}

Hdf5Handle open_serial(const std::string& path, unsigned flags) {
  check_signature(path, (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY);
  try {
    const Hdf5Handle access = unlocked_access();
    // Without this buffer each read sees what a writer has put there since.
    hdf5_check(H5Pset_sieve_buf_size(access.get(), 0), "cannot switch off a buffer");
    return {H5Fopen(path.c_str(), flags, access.get()), H5Fclose, "cannot open it"};
  } catch (const Hdf5Error& error) {
    const bool truncated = std::strstr(error.what(), "truncated") != nullptr;
    throw FileError(path + (truncated ? " is truncated: " : " is damaged: ") + error.what());
  }
}

}  // namespace rodeo
