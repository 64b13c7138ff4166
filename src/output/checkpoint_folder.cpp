#include "rodeo/output/checkpoint_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "rodeo/output/errors.hpp"

#include "commit_word.hpp"
#include "descriptor.hpp"

namespace rodeo {

namespace {

constexpr std::array<char, 16> magic{'r', 'o', 'd', 'e', 'o', ' ', 'c', 'h',
                                     'e', 'c', 'k', 'p', 'o', 'i', 'n', 't'};
constexpr std::string_view prefix = "member_";
constexpr std::string_view unfinished = ".writing";
constexpr std::uint32_t format = 1;

/// The first bytes of a checkpoint.
struct Header {
  std::array<char, 16> name = magic;
  std::uint32_t version = format;
  std::uint32_t deck = 0;
  std::uint32_t build = 0;
  std::uint32_t checksum = 0;  ///< of the state
  std::uint64_t member = 0;
  std::uint64_t bytes = 0;  ///< of the state
};

std::uint32_t checksum_of(std::span<const std::byte> bytes, std::uint64_t seed) {
  Checksum checksum(seed);
  const std::size_t whole = bytes.size() / 4 * 4;
  checksum.add(bytes.first(whole));
  std::array<std::byte, 4> rest{};
  std::ranges::copy(bytes.subspan(whole), rest.begin());
  checksum.add(rest);
  return checksum.value();
}

std::uint32_t checksum_of(const std::string& text) {
  return checksum_of(std::as_bytes(std::span(text)), text.size());
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// False at the end of the file too.
bool read_all(int descriptor, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

/// Whose checkpoint has this name; nothing for a file that is none.
std::optional<std::uint64_t> member_of(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint64_t member = 0;
  const auto [stop, failure] = std::from_chars(name.data(), name.data() + name.size(), member);
  if (failure != std::errc() || stop != name.data() + name.size()) return std::nullopt;
  return member;
}

bool store(const std::string& path, const Header& header, std::span<const std::byte> state) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  return file.number() >= 0 && write_all(file.number(), std::as_bytes(std::span(&header, 1))) &&
         write_all(file.number(), state) && fsync(file.number()) == 0;
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
      deck_(checksum_of(origin.deck)),
      build_(checksum_of(origin.build)) {}

std::string CheckpointFolder::path_of(std::uint64_t member) const {
  return folder_ + "/" + std::string(prefix) + std::to_string(member);
}

bool CheckpointFolder::exists() const { return access(folder_.c_str(), F_OK) == 0; }

bool CheckpointFolder::has(std::uint64_t member) const { return access(path_of(member).c_str(), F_OK) == 0; }

void CheckpointFolder::write(std::uint64_t member, std::span<const std::byte> state) const {
  Header header;
  header.deck = deck_;
  header.build = build_;
  header.member = member;
  header.bytes = state.size();
  header.checksum = checksum_of(state, member);
  const std::string path = path_of(member);
  const std::string temporary = path + std::string(unfinished);
  const bool folder = mkdir(folder_.c_str(), 0777) == 0 || errno == EEXIST;
  if (folder && store(temporary, header, state) && rename(temporary.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  unlink(temporary.c_str());
  throw WriteError("cannot write the checkpoint " + path + ": " + reason);
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
  Header header;
  if (!read_all(file.number(), std::as_writable_bytes(std::span(&header, 1)))) throw unusable("is truncated");
  if (header.name != magic || header.version != format) throw unusable("is not one of this version of rodeo");
  if (header.deck != deck_) throw unusable("belongs to another deck");
  if (header.build != build_)
    throw unusable("was made by another build of rodeo, or with another set of kernels (RODEO_KERNELS)");
  if (header.member != member) throw unusable("is that of another member");
  if (header.bytes != static_cast<std::uint64_t>(properties.st_size) - sizeof header)
    throw unusable("is truncated");
  std::vector<std::byte> state(header.bytes);
  if (!read_all(file.number(), state)) throw unusable("is truncated");
  if (checksum_of(state, member) != header.checksum) throw unusable("is damaged");
  return state;
}

void CheckpointFolder::remove(std::uint64_t member) const { unlink(path_of(member).c_str()); }

void CheckpointFolder::remove_all() const {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(unfinished)) name.resize(name.size() - unfinished.size());
    if (member_of(name)) std::filesystem::remove(entry.path(), error);
  }
  rmdir(folder_.c_str());
}

}  // namespace rodeo
