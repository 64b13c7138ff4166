#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace rodeo {

/// Running checksum over 32-bit words. Each step is a bijection of the state for a given word and of the word
/// for a given state, so one changed word always changes the result.
class Checksum {
 public:
  explicit Checksum(std::uint64_t seed = 0) : state_(seed ^ 0x9e3779b97f4a7c15ULL) {}

  /// Adds bytes; zeros fill the last word of a number that is no multiple of four.
  void add(std::span<const std::byte> bytes) {
    for (; bytes.size() >= 4; bytes = bytes.subspan(4)) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data(), 4);
      add(word);
    }
    if (bytes.empty()) return;
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    add(word);
  }

  void add(std::uint32_t word) {
    state_ = (state_ ^ word) * 0xff51afd7ed558ccdULL;
    state_ ^= state_ >> 32;
  }

  /// The state, well mixed, in 32 bits.
  std::uint32_t value() const {
    const std::uint64_t mixed = (state_ ^ (state_ >> 29)) * 0xc4ceb9fe1a85ec53ULL;
    return static_cast<std::uint32_t>(mixed >> 32);
  }

 private:
  std::uint64_t state_;
};

inline std::uint32_t checksum_of(std::string_view text) {
  Checksum checksum(text.size());
  checksum.add(std::as_bytes(std::span(text)));
  return checksum.value();
}

}  // namespace rodeo
