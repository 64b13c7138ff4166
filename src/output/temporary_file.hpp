#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>

namespace rodeo {

/// A file by its number, closed at the end of the scope; a negative number is no file.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// A file that is made beside its place, under a name of this process, and gets its own name in one step when
/// it is whole and on disk; removed unless that comes. All files that rodeo makes are made so.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return path_; }

  /// Writes its bytes. Throws FileError.
  void write(std::span<const std::byte> bytes) const;
  void write(std::string_view text) const { write(std::as_bytes(std::span(text))); }

  /// Brings the file to disk. Throws FileError.
  void synchronize() const;

  /// Brings the file to disk and gives it its name, in place of any other file. Throws FileError.
  void publish();

  /// As publish(), where nothing has the name, as far as the file system can promise that; false, and the
  /// file stays here, where something has.
  bool publish_new();

  /// Removes files that killed processes of this host left behind while they made the same file.
  static void remove_leftovers(const std::string& target);

  /// The name that a file in the same folder was to get; nothing for a name that is not of such a file.
  static std::optional<std::string> name_to_be(std::string_view name);

 private:
  [[noreturn]] void fail() const;

  std::string target_;
  std::string path_;
};

}  // namespace rodeo
