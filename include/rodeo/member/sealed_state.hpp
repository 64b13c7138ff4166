#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rodeo/math/checksum.hpp"

namespace rodeo {

/// What made a state, and whose it is: one of another build, deck or member is of no use, since a member
/// would not go on bit by bit.
struct StateOrigin {
  std::uint32_t build = 0;   ///< checksum of build_identity()
  std::uint32_t deck = 0;    ///< checksum of the resolved deck
  std::uint64_t member = 0;  ///< its number, or what else tells it from others of that deck

  StateOrigin(std::string_view build_identity, std::string_view resolved_deck, std::uint64_t number)
      : build(checksum_of(build_identity)), deck(checksum_of(resolved_deck)), member(number) {}
};

/// A state in the frame in which all of them are stored, in files and by callers: its origin, its length and
/// a checksum of all that stand before it.
std::vector<std::byte> sealed(std::span<const std::byte> state, const StateOrigin& origin);

/// The state in such a frame. Throws StateError, whose text goes on after "the state": that it is truncated,
/// damaged, or of another origin than this.
std::span<const std::byte> unsealed(std::span<const std::byte> frame, const StateOrigin& origin);

}  // namespace rodeo
