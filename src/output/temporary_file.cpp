#include "temporary_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

constexpr std::string_view mark = ".creating-";

/// Name of the temporary file of any process of this host, without the process id at its end.
std::string stem_of(const std::string& target) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return target + std::string(mark) + host.data() + "-";
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target)
    : target_(target), path_(stem_of(target) + std::to_string(getpid())) {}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

void TemporaryFile::fail() const { throw FileError("cannot write " + target_ + ": " + std::strerror(errno)); }

void TemporaryFile::write(std::span<const std::byte> bytes) const {
  const Descriptor file(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) fail();
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void TemporaryFile::synchronize() const {
  const Descriptor file(open(path_.c_str(), O_RDWR | O_CLOEXEC));
  if (file.number() < 0 || fsync(file.number()) != 0) fail();
}

void TemporaryFile::publish() {
  synchronize();
  if (rename(path_.c_str(), target_.c_str()) != 0) fail();
  path_.clear();
}

bool TemporaryFile::publish_new() {
  synchronize();
  if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) return false;
    if (rename(path_.c_str(), target_.c_str()) != 0) fail();
  }
  path_.clear();
  return true;
}

void TemporaryFile::remove_leftovers(const std::string& target) {
  const std::filesystem::path stem = stem_of(target);
  const std::string name = stem.filename();
  const std::filesystem::path folder = stem.has_parent_path() ? stem.parent_path() : ".";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string found = entry.path().filename();
    if (!found.starts_with(name)) continue;
    pid_t process = 0;
    const char* const digits = found.data() + name.size();
    const char* const end = found.data() + found.size();
    if (std::from_chars(digits, end, process).ptr != end || process <= 0) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) std::filesystem::remove(entry.path(), error);
  }
}

std::optional<std::string> TemporaryFile::name_to_be(std::string_view name) {
  const std::size_t end = name.rfind(mark);
  return end == std::string_view::npos ? std::nullopt : std::optional<std::string>(name.substr(0, end));
}

}  // namespace rodeo
