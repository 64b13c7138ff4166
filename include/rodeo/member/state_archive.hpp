#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace rodeo {

/// Thrown for bytes that are not the state of the member that is to take them.
class StateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// State of a running member on its way into bytes or back. One visit of the member serves both directions,
/// so that nothing is saved that is not restored, or the reverse.
class StateArchive {
 public:
  /// Saves.
  StateArchive() = default;

  /// Restores from bytes that were saved, which have to stay.
  explicit StateArchive(std::span<const std::byte> saved) : saved_(saved), restores_(true) {}

  /// Whether visited values change.
  bool restores() const { return restores_; }

  /// Throws StateError if fewer bytes are left.
  template <class Value>
  void visit(std::span<Value> values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const std::size_t size = values.size_bytes();
    if (size == 0) return;
    if (!restores_) {
      const auto bytes = std::as_bytes(values);
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
      return;
    }
    if (size > saved_.size()) throw StateError("a saved state ends too early");
    std::memcpy(values.data(), saved_.data(), size);
    saved_ = saved_.subspan(size);
  }

  template <class Value>
  void visit(Value& value) {
    visit(std::span<Value>(&value, 1));
  }

  /// A list of any length.
  template <class Value>
  void visit_list(std::vector<Value>& values) {
    std::size_t count = values.size();
    visit(count);
    if (restores_ && count > saved_.size() / sizeof(Value)) throw StateError("a saved state ends too early");
    values.resize(count);
    visit(std::span<Value>(values));
  }

  /// Takes what was saved.
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

  /// Throws StateError if bytes are left that nothing was restored from.
  void require_end() const {
    if (!saved_.empty()) throw StateError("a saved state holds more than the member has");
  }

 private:
  std::vector<std::byte> bytes_;
  std::span<const std::byte> saved_;
  bool restores_ = false;
};

}  // namespace rodeo
