#pragma once

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "rodeo/math/host_team.hpp"

namespace rodeo {

/// Whether members take their steps on the cores of the host.
template <class Space = Kokkos::DefaultExecutionSpace>
constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

/// Threads of the team that advances a member, at least: on a host core one, whose vector units take the
/// elements; on a device a block.
template <class Space = Kokkos::DefaultExecutionSpace>
constexpr int team_size() {
  return on_host<Space> ? 1 : 64;
}

/// Threads of each team that advances one of so many members, of which the largest has so many elements,
/// where there are so many `threads`. On a host members stand one on a thread while there are as many; fewer
/// large ones share the threads.
int threads_of_member(int threads, int members, int elements);

/// The team of a kernel's `handle`: on a host its threads, which meet in meetings[league_rank].
template <class Handle>
KOKKOS_FORCEINLINE_FUNCTION auto team_of(const Handle& handle, [[maybe_unused]] Meeting* meetings) {
  if constexpr (on_host<typename Handle::execution_space>) {
    if (handle.team_size() == 1) return HostTeam{};
    return HostTeam{handle.team_rank(), handle.team_size(), meetings + handle.league_rank()};
  } else {
    return handle;
  }
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
