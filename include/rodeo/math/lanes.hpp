#pragma once

#include <Kokkos_Core.hpp>

namespace rodeo {

#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
namespace detail {

/// A function of its own, with all it calls inside, for every loop. Otherwise whether a body is inlined,
/// without which its loop is not vectorised, depends on how much code stands around it.
template <class Body>
[[gnu::noinline, gnu::flatten]] void run_lanes(int count, const Body& captured) {
  const Body body = captured;  // a copy, which no store of the loop can change
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) body(i);
}

}  // namespace detail
#endif

/// Runs body(i) for i in [0, count) over a member's team. On a host core a team is one thread and the loop is
/// one for the vector units: bodies write only entry i of their outputs, which is what `ivdep` promises. On a
/// device the team's threads share the entries, and all have finished on return.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_lane([[maybe_unused]] const Team& team, int count,
                                               const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), body);
  team.team_barrier();
#else
  detail::run_lanes(count, body);
#endif
}

/// Runs body() once per team; on a device the other threads wait for it.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void once(const Team& team, const Body& body) {
  Kokkos::single(Kokkos::PerTeam(team), body);
  team.team_barrier();
}

}  // namespace rodeo
