#include "rodeo/output/checkpoint_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/output/file_records.hpp"

#include "temporary_file.hpp"

namespace rodeo {

namespace {

constexpr std::string_view prefix = "member_";

/// Reads all bytes; false if that fails, and at the end of the file.
bool read_all(int descriptor, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

/// Member whose checkpoint has this name; nothing for a file that is none.
std::optional<std::uint64_t> member_of(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint64_t member = 0;
  const auto [stop, failure] = std::from_chars(name.data(), name.data() + name.size(), member);
  if (failure != std::errc() || stop != name.data() + name.size()) return std::nullopt;
  return member;
}

}  // namespace

std::string checkpoint_folder(const std::string& campaign_file, StatesOf kind) {
  return campaign_file + (kind == StatesOf::running ? ".checkpoints" : ".states");
}

std::vector<std::uint64_t> checkpointed_members(const std::string& campaign_file) {
  std::vector<std::uint64_t> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(checkpoint_folder(campaign_file), error)) {
    if (const auto member = member_of(entry.path().filename().string())) found.push_back(*member);
  }
  std::ranges::sort(found);
  return found;
}

CheckpointFolder::CheckpointFolder(const std::string& campaign_file, const CheckpointOrigin& origin,
                                   StatesOf kind)
    : campaign_file_(campaign_file),
      folder_(checkpoint_folder(campaign_file, kind)),
      origin_(origin.build, origin.deck, 0) {}

std::string CheckpointFolder::path_of(std::uint64_t member) const {
  return folder_ + "/" + std::string(prefix) + std::to_string(member);
}

StateOrigin CheckpointFolder::origin_of(std::uint64_t member) const {
  StateOrigin origin = origin_;
  origin.member = member;
  return origin;
}

bool CheckpointFolder::exists() const { return access(folder_.c_str(), F_OK) == 0; }

bool CheckpointFolder::has(std::uint64_t member) const { return access(path_of(member).c_str(), F_OK) == 0; }

void CheckpointFolder::write(std::uint64_t member, std::span<const std::byte> state) const {
  mkdir(folder_.c_str(), 0777);  // one that cannot be made is told where the file is
  try {
    TemporaryFile file(path_of(member));
    file.write(sealed(state, origin_of(member)));
    file.publish();
  } catch (const FileError& error) {
    throw WriteError(error.what());
  }
}

std::optional<std::vector<std::byte>> CheckpointFolder::read(std::uint64_t member) const {
  const std::string path = path_of(member);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0 && errno == ENOENT) return std::nullopt;
  const auto unusable = [&](const std::string& reason) {
    return FileError("the checkpoint " + path + " " + reason);
  };
  struct stat properties {};
  if (file.number() < 0 || fstat(file.number(), &properties) != 0) {
    throw unusable(std::string("cannot be read: ") + std::strerror(errno));
  }
  std::vector<std::byte> frame(static_cast<std::size_t>(properties.st_size));
  if (!read_all(file.number(), frame)) throw unusable("is truncated");
  try {
    const std::span<const std::byte> state = unsealed(frame, origin_of(member));
    frame.erase(frame.begin(), frame.end() - std::ssize(state));
  } catch (const StateError& error) {
    throw unusable(error.what());
  }
  return frame;
}

void CheckpointFolder::remove(std::uint64_t member) const { unlink(path_of(member).c_str()); }

void CheckpointFolder::remove_all() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (member_of(TemporaryFile::name_to_be(name).value_or(name)))
      std::filesystem::remove(entry.path(), error);
  }
  rmdir(folder_.c_str());
}

}  // namespace rodeo
