#pragma once

#include <cstddef>

#include <Kokkos_Core.hpp>

namespace rodeo {

/// Threads of the team that advances a member: on a host core one, whose vector units take the elements; on a
/// device a block.
template <class Space = Kokkos::DefaultExecutionSpace>
constexpr int team_size() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible ? 1 : 64;
}

/// Arrays in a team's scratch memory start at a cache line, as in a batch's storage.
inline constexpr std::size_t scratch_alignment = 64;

/// Bytes of a team's scratch memory in which a member's arrays, at most so many bytes, take their steps; 0:
/// they take them where they stand. On a device they fit into the memory of a block or stay where they are; a
/// host's caches do that by themselves.
std::size_t scratch_for(std::size_t array_bytes);

/// Members whose steps this process takes at once, at most: one a thread of the host, one a block of a
/// device.
int members_at_once();

}  // namespace rodeo
