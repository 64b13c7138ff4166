#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rodeo {

/// Running checksum over 32-bit words. Each step is a bijection of the state for a given word and of the word
/// for a given state, so one changed word always changes the result.
class Checksum {
 public:
  explicit Checksum(std::uint64_t seed = 0) : state_(seed ^ 0x9e3779b97f4a7c15ULL) {}

  /// Adds bytes, whose number is a multiple of four (all columns but the status are such).
  void add(std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + i, 4);
      add(word);
    }
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

// A row's commit word: in its upper half the checksum of the row's scalars, in its lower half the checksum of
// all of the row, trajectory included. So a status query need not read trajectories to know a row is whole.
// The row number seeds both: a row in another's place is not valid. Zero means not committed, and is never a
// checksum.

inline std::uint64_t commit_word(std::uint32_t scalars, std::uint32_t whole) {
  const std::uint64_t word = (static_cast<std::uint64_t>(scalars) << 32) | whole;
  return word == 0 ? 1 : word;
}

/// Whether a row's scalars are as they were when it was committed.
inline bool scalars_committed(std::uint64_t word, std::uint32_t scalars) {
  return word != 0 && word >> 32 == scalars;
}

}  // namespace rodeo
