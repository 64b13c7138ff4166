#pragma once

#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

namespace rodeo {

#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
namespace detail {

/// Each loop is a function of its own, into which all its calls are inlined. Otherwise the amount of code
/// around a loop decides whether its body is inlined, and so whether the loop is vectorised.
template <class Body>
[[gnu::noinline, gnu::flatten]] void run_lanes(int count, const Body& captured) {
  const Body body = captured;  // a copy, which no store of the loop can change
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) body(i);
}

}  // namespace detail
#endif

/// The team of members that host code advances without a launch.
struct OneThread {};

/// Runs body(i) for i in [0, count) over a member's team. On a host core a team is one thread and the loop is
/// one for the vector units: bodies write only entry i of their outputs, which is what `ivdep` promises. On a
/// device the team's threads share the entries, and all have finished on return.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_lane([[maybe_unused]] const Team& team, int count,
                                               const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (!std::is_same_v<Team, OneThread>) {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), body);
    team.team_barrier();
  }
#else
  detail::run_lanes(count, body);
#endif
}

/// How many of i in [0, count) fulfil predicate(i), over a member's team; every thread gets the number.
template <class Team, class Predicate>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t count_lanes([[maybe_unused]] const Team& team, int count,
                                                     const Predicate& predicate) {
  std::int64_t total = 0;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (!std::is_same_v<Team, OneThread>) {
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, count), [&](int i, std::int64_t& sum) { sum += predicate(i) ? 1 : 0; },
        total);
    team.team_barrier();
  }
#else
  for (int i = 0; i < count; ++i) total += predicate(i) ? 1 : 0;
#endif
  return total;
}

/// Entries of a block: one vector of doubles on a host core.
inline constexpr int block_size = 8;

/// Runs body(lane) for the entries of one block, one vector instruction each on a host core and one after the
/// other on a device, whose threads take whole blocks. Bodies write only their own entries. The index is as
/// wide as a double, so that comparing it does not narrow the vectors.
template <class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_in_block(const Body& body) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#pragma GCC ivdep
#pragma GCC unroll 1
#endif
  for (std::int64_t lane = 0; lane < block_size; ++lane) body(lane);
}

/// Reduces body(i, sum) for i in [0, count) over a member's team; every thread gets the sum.
template <class Team, class Body, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void reduce_lanes(const Team& team, int count, const Body& body, Sum& sum) {
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, count), body, sum);
}

/// Runs body() once per team; on a device the other threads wait for it.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void once(const Team& team, const Body& body) {
  Kokkos::single(Kokkos::PerTeam(team), body);
  team.team_barrier();
}

template <class Body, class Sum>
KOKKOS_INLINE_FUNCTION void reduce_lanes(const OneThread&, int count, const Body& body, Sum& sum) {
  sum = Sum{};
  for (int i = 0; i < count; ++i) body(i, sum);
}

template <class Body>
KOKKOS_INLINE_FUNCTION void once(const OneThread&, const Body& body) {
  body();
}

}  // namespace rodeo
