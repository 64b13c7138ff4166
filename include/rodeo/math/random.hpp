#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <Kokkos_Core.hpp>

namespace rodeo {

/// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): four words of random
/// bits from a counter and a key, with no state. A number depends on what it is for and on nothing else, so
/// results are the same for any number of ranks and threads, any batch and any order.
struct RandomBits {
  std::uint32_t word[4];
};

KOKKOS_INLINE_FUNCTION RandomBits philox(RandomBits counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0,
                static_cast<std::uint32_t>(product1),
                static_cast<std::uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1,
                static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// Streams with different uses of one member must not overlap; each use has its number.
enum class RandomUse : std::uint32_t {
  perturbation = 1,
  sampler = 2,
  search = 3,
  restart = 4,
  function = 5,
  control = 6
};

/// The random stream of one use of one member.
struct RandomStream {
  std::uint64_t seed = 0;  ///< the member's seed
  RandomUse use = RandomUse::perturbation;

  /// The `index`-th quadruple of doubles, each uniform in [0, 1) with 32 random bits.
  KOKKOS_INLINE_FUNCTION void uniform(std::uint64_t index, double (&values)[4]) const {
    const RandomBits counter = {{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                                 static_cast<std::uint32_t>(use), 0u}};
    const RandomBits bits =
        philox(counter, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
    for (int i = 0; i < 4; ++i) values[i] = bits.word[i] * 0x1.0p-32;
  }
};

/// Two standard normal numbers from two that are uniform in [0, 1) (Box and Muller 1958).
inline std::array<double, 2> normal_pair(double u, double v) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - u));
  const double angle = 2.0 * std::numbers::pi * v;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// A member's own seed from (study seed, candidate, repeat): 64 bits of Philox.
KOKKOS_INLINE_FUNCTION std::uint64_t member_seed(std::uint64_t study_seed, std::uint64_t candidate,
                                                 std::uint32_t repeat) {
  const RandomBits counter = {
      {static_cast<std::uint32_t>(candidate), static_cast<std::uint32_t>(candidate >> 32), repeat, 0u}};
  const RandomBits bits =
      philox(counter, static_cast<std::uint32_t>(study_seed), static_cast<std::uint32_t>(study_seed >> 32));
  return (std::uint64_t{bits.word[1]} << 32) | bits.word[0];
}

}  // namespace rodeo
