#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rodeo/math/checksum.hpp"

namespace rodeo {

/// Origin of a state: build, deck and member. A state of another origin is of no use, since its member would
/// not go on bit by bit.
struct StateOrigin {
  std::uint32_t build = 0;   ///< checksum of build_identity()
  std::uint32_t deck = 0;    ///< checksum of the resolved deck
  std::uint64_t member = 0;  ///< its number, or what else tells it from others of that deck

  StateOrigin(std::string_view build_identity, std::string_view resolved_deck, std::uint64_t number)
      : build(checksum_of(build_identity)), deck(checksum_of(resolved_deck)), member(number) {}
};

/// Seals a state in the frame in which files and callers store it: its origin, its length and a checksum of
/// all that stands before it.
std::vector<std::byte> sealed(std::span<const std::byte> state, const StateOrigin& origin);

/// The state in such a frame. Throws StateError, whose text goes on after "the state": that it is truncated,
/// damaged, or of another origin than this.
std::span<const std::byte> unsealed(std::span<const std::byte> frame, const StateOrigin& origin);

}  // namespace rodeo
