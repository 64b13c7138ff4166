#pragma once

#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rodeo/math/host_team.hpp"

namespace rodeo {

/// The threads of a device's block that advance one member, in kernels that are compiled without Kokkos'
/// own back end: `threads` of them, one warp, or the whole block. They share the entries of every loop
/// (lanes.hpp).
template <int threads>
struct DeviceTeam {
  int rank = 0;

  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return rank; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int team_size() { return threads; }

  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const {
#if defined(__CUDA_ARCH__)
    if constexpr (threads == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
#endif
  }

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_lane(int count, const Body& body) const {
    for (int i = rank; i < count; i += threads) body(i);
  }
};

template <class Team>
inline constexpr bool is_device_team = false;
template <int threads>
inline constexpr bool is_device_team<DeviceTeam<threads>> = true;

/// Entries of a block: one vector of doubles on a host core with AVX-512, several on others.
inline constexpr int block_size = 8;

namespace detail {

#if defined(__AVX512F__)
inline constexpr int doubles_of_vector = 8;
#elif defined(__AVX__)
inline constexpr int doubles_of_vector = 4;
#else
inline constexpr int doubles_of_vector = 2;
#endif

}  // namespace detail

/// Runs body(lane) for the entries of one block, vector by vector on a host core and one after the other on a
/// device, whose threads take whole blocks. Bodies write only their own entries. The index is as wide as a
/// double, so that comparing it does not narrow the vectors.
template <class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_in_block(const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  for (std::int64_t lane = 0; lane < block_size; ++lane) body(lane);
#else
  if constexpr (detail::doubles_of_vector == block_size) {
#pragma GCC ivdep
#pragma GCC unroll 1
    for (std::int64_t lane = 0; lane < block_size; ++lane) body(lane);
  } else {
    // Compilers that know how many vectors there are write the body once for each, and choose for each anew
    // which products and sums are fused: then the place of an entry in its block decides how it is rounded.
    std::int64_t end = block_size;
    asm("" : "+r"(end));
    for (std::int64_t first = 0; first < end; first += detail::doubles_of_vector) {
#pragma GCC ivdep
      for (std::int64_t lane = first; lane < first + detail::doubles_of_vector; ++lane) body(lane);
    }
  }
#endif
}

#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
namespace detail {

/// Each loop is a function of its own, into which all its calls are inlined. Otherwise the amount of code
/// around a loop decides whether its body is inlined, and so whether the loop is vectorised.
template <class Body>
[[gnu::noinline, gnu::flatten]] void run_lanes(int first, int end, const Body& captured) {
  const Body body = captured;  // a copy, which no store of the loop can change
#pragma GCC ivdep
  for (int i = first; i < end; ++i) body(i);
}

/// Sum of a loop, also a function of its own.
template <class Sum, class Body>
[[gnu::noinline, gnu::flatten]] Sum run_sum(int count, const Body& captured) {
  const Body body = captured;
  Sum sum;
  for (int i = 0; i < count; ++i) body(i, sum);
  return sum;
}

/// Largest of values that are not negative, first of each lane of a block; also a function of its own. The
/// last entry stands in for those beyond it.
template <class Body>
[[gnu::noinline, gnu::flatten]] double run_largest(int count, const Body& captured) {
  const Body body = captured;
  double of_lane[block_size] = {};
  for (int first = 0; first < count; first += block_size) {
    for_each_in_block([&](std::int64_t lane) {
      const auto i = first + static_cast<int>(lane);
      const double value = body(i < count ? i : count - 1);
      of_lane[lane] = of_lane[lane] > value ? of_lane[lane] : value;
    });
  }
  double largest = 0.0;
  for (const double value : of_lane) largest = largest > value ? largest : value;
  return largest;
}

}  // namespace detail
#endif

/// The team of members that host code advances without a launch.
struct OneThread {};

namespace detail {

/// True if a team does nothing on a device, for which its loops are compiled all the same.
template <class Team>
inline constexpr bool is_of_host = std::is_same_v<Team, OneThread> || std::is_same_v<Team, HostTeam>;

/// Lanes that a thread of a host's team takes at a time, whole vectors of doubles and of floats: so each lane
/// is computed as one thread alone computes it.
inline constexpr int lanes_at_once = 16;

struct LaneRange {
  int first;
  int end;
};

/// A thread's share of [0, count), which begins and ends at multiples of `at_once`.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION LaneRange own_lanes([[maybe_unused]] const Team& team, int count,
                                                [[maybe_unused]] int at_once) {
  if constexpr (std::is_same_v<Team, HostTeam>) {
    if (team.size > 1) {
      const int pieces = (count + at_once - 1) / at_once;
      const int end = team.end_of(pieces) * at_once;
      return {team.begin_of(pieces) * at_once, end < count ? end : count};
    }
  }
  return {0, count};
}

/// Waits for the other threads of a host's team.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void meet([[maybe_unused]] const Team& team) {
  if constexpr (std::is_same_v<Team, HostTeam>) team.team_barrier();
}

}  // namespace detail

/// Runs body(i) for i in [0, count) over a member's team. On a host the loop is one for the vector units, of
/// which each thread takes a share: bodies write only entry i of their outputs, which is what `ivdep`
/// promises. On a device the team's threads share the entries. All have finished on return.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_lane([[maybe_unused]] const Team& team, int count,
                                               const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (!detail::is_of_host<Team>) {
    if constexpr (is_device_team<Team>) {
      team.for_each_lane(count, body);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), body);
    }
    team.team_barrier();
  }
#else
  const detail::LaneRange own = detail::own_lanes(team, count, detail::lanes_at_once);
  detail::run_lanes(own.first, own.end, body);
  detail::meet(team);
#endif
}

/// Runs body(i) for i in [first, end), or somewhat more, and other(i) for the rest. Threads and rounding of a
/// lane are those of for_each_lane(team, count, body).
template <class Team, class Other, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_lane_of(const Team& team, int count, [[maybe_unused]] int first,
                                                  [[maybe_unused]] int end, const Other& other,
                                                  const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  for_each_lane(team, count, [=](int i) {
    if (i < first || i >= end) return other(i);
    body(i);
  });
#else
  constexpr int at_once = detail::lanes_at_once;
  const detail::LaneRange own = detail::own_lanes(team, count, at_once);
  const auto within = [&](int i) { return i < own.first ? own.first : i < own.end ? i : own.end; };
  const int begin = within(first / at_once * at_once);
  const int last = end < count ? within((end + at_once - 1) / at_once * at_once) : own.end;
  if (own.first < begin) detail::run_lanes(own.first, begin, other);
  detail::run_lanes(begin, last, body);
  if (last < own.end) detail::run_lanes(last, own.end, other);
  detail::meet(team);
#endif
}

/// Runs body(i) for pieces of work that are loops of their own, shared out like lanes.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_piece(const Team& team, int count, const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  for_each_lane(team, count, body);
#else
  const detail::LaneRange own = detail::own_lanes(team, count, 1);
  detail::run_lanes(own.first, own.end, body);
  detail::meet(team);
#endif
}

/// Number of i in [0, count) that fulfil predicate(i), over a member's team; every thread gets it.
template <class Team, class Predicate>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t count_lanes([[maybe_unused]] const Team& team, int count,
                                                     const Predicate& predicate) {
  std::int64_t total = 0;
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  if constexpr (!detail::is_of_host<Team>) {
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, count), [&](int i, std::int64_t& sum) { sum += predicate(i) ? 1 : 0; },
        total);
    team.team_barrier();
  }
#else
  const detail::LaneRange own = detail::own_lanes(team, count, detail::lanes_at_once);
  for (int i = own.first; i < own.end; ++i) total += predicate(i) ? 1 : 0;
  if constexpr (std::is_same_v<Team, HostTeam>) {
    if (team.size > 1) return team.meeting->sum(team.size, total);
  }
#endif
  return total;
}

/// Reduces body(i, sum) for i in [0, count) over a member's team; every thread gets the sum. On a host each
/// thread adds all up, in the order of one: sums of floating-point numbers depend on it, and are wanted once
/// a slice.
template <class Team, class Body, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void reduce_lanes(const Team& team, int count, const Body& body, Sum& sum) {
  if constexpr (detail::is_of_host<Team>) {
    sum = Sum{};
    for (int i = 0; i < count; ++i) body(i, sum);
    detail::meet(team);
  } else {
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, count), body, sum);
  }
}

/// Reduces like reduce_lanes, for a body without branches: on a host core a loop for the vector units.
template <class Sum, class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION Sum sum_lanes([[maybe_unused]] const Team& team, int count, const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  Sum sum;
  if constexpr (!detail::is_of_host<Team>) reduce_lanes(team, count, body, sum);
  return sum;
#else
  const Sum sum = detail::run_sum<Sum>(count, body);
  detail::meet(team);
  return sum;
#endif
}

/// The largest of the values body(i), none of which is negative, for i in [0, count) over a member's team.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION double largest_lane([[maybe_unused]] const Team& team, int count,
                                                const Body& body) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  double largest = 0.0;
  if constexpr (!detail::is_of_host<Team>) {
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, count),
        [&](int i, double& so_far) {
          const double value = body(i);
          so_far = so_far > value ? so_far : value;
        },
        Kokkos::Max<double>(largest));
  }
  return largest;
#else
  const double largest = detail::run_largest(count, body);
  detail::meet(team);
  return largest;
#endif
}

/// Runs body() once per team; the other threads wait for it.
template <class Team, class Body>
KOKKOS_FORCEINLINE_FUNCTION void once(const Team& team, const Body& body) {
  if constexpr (std::is_same_v<Team, OneThread>) {
    body();
  } else if constexpr (std::is_same_v<Team, HostTeam>) {
    if (team.rank == 0) body();
    team.team_barrier();
  } else if constexpr (is_device_team<Team>) {
    if (team.team_rank() == 0) body();
    team.team_barrier();
  } else {
    Kokkos::single(Kokkos::PerTeam(team), body);
    team.team_barrier();
  }
}

}  // namespace rodeo
