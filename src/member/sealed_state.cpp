#include "rodeo/member/sealed_state.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "rodeo/member/state_archive.hpp"

namespace rodeo {

namespace {

constexpr std::array<char, 12> state_magic{'r', 'o', 'd', 'e', 'o', ' ', 's', 't', 'a', 't', 'e', ' '};
constexpr std::uint32_t state_format = 2;

struct StateHead {
  std::array<char, 12> name = state_magic;
  std::uint32_t version = state_format;
  std::uint32_t deck = 0;
  std::uint32_t build = 0;
  std::uint64_t member = 0;
  std::uint64_t bytes = 0;  ///< of the state
  std::uint32_t checksum = 0;
  std::uint32_t spare = 0;
};

/// The checksum of a head, but for its own, and a state.
std::uint32_t checksum_of(StateHead head, std::span<const std::byte> state) {
  head.checksum = 0;
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(&head, 1)));
  checksum.add(state);
  return checksum.value();
}

}  // namespace

std::vector<std::byte> sealed(std::span<const std::byte> state, const StateOrigin& origin) {
  StateHead head;
  head.deck = origin.deck;
  head.build = origin.build;
  head.member = origin.member;
  head.bytes = state.size();
  head.checksum = checksum_of(head, state);
  std::vector<std::byte> frame(sizeof head + state.size());
  std::memcpy(frame.data(), &head, sizeof head);
  std::ranges::copy(state, frame.begin() + sizeof head);
  return frame;
}

std::span<const std::byte> unsealed(std::span<const std::byte> frame, const StateOrigin& origin) {
  StateHead head;
  if (frame.size() < sizeof head) throw StateError("is truncated");
  std::memcpy(&head, frame.data(), sizeof head);
  if (head.name != state_magic || head.version != state_format)
    throw StateError("is not one of this version of rodeo");
  const std::span<const std::byte> state = frame.subspan(sizeof head);
  if (state.size() < head.bytes) throw StateError("is truncated");
  if (state.size() > head.bytes || checksum_of(head, state) != head.checksum) throw StateError("is damaged");
  if (head.deck != origin.deck) throw StateError("belongs to another deck or point");
  if (head.build != origin.build)
    throw StateError("was made by another build of rodeo, or with another set of kernels (RODEO_KERNELS)");
  if (head.member != origin.member) throw StateError("is that of another member or seed");
  return state;
}

}  // namespace rodeo
