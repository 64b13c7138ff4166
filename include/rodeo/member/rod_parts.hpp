#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rodeo/math/lanes.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo {

/// Whether a member may be taken in parts: it is large, and nothing in it knows places by their numbers among
/// all of the member's.
bool may_have_parts(const MemberSpec& spec);

/// The parts of a member that may have them, with these rods; none where its rods stand too close to be
/// parted. `member` has all its arrays.
template <class Real>
std::vector<RodsPart> make_parts(std::span<const RodData> rods, const BasicRodView<const Real>& member);

/// The places for the work arrays of a member in these parts, or in none, whose arrays have so many elements:
/// the first, and one for each thread, from `offset` on.
template <class Real>
WorkPlaces make_work_places(std::span<const RodsPart> parts, int elements, std::size_t offset);

/// Numbers that a member's work arrays take, about.
template <class Real>
std::size_t work_numbers(const MemberSpec& spec);

/// The number of a thread among those of a team on a host.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION int rank_of([[maybe_unused]] const Team& team) {
  if constexpr (std::is_same_v<Team, HostTeam>) {
    return team.rank;
  } else {
    return 0;
  }
}

/// Calls visit(team, part) for each of `count` parts: on a host by one thread, a team of its own.
template <class Team, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void for_each_part(const Team& team, const RodsPart* parts, int count,
                                               const Visit& visit) {
  if constexpr (std::is_same_v<Team, HostTeam>) {
    const int end = team.end_of(count);
    for (int k = team.begin_of(count); k < end; ++k) visit(HostTeam{}, parts[k]);
    team.team_barrier();
  } else {
    for (int k = 0; k < count; ++k) visit(team, parts[k]);
  }
}

/// The sum of what each thread has counted in its parts; all get it.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t of_all_parts([[maybe_unused]] const Team& team, std::int64_t own) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  if constexpr (std::is_same_v<Team, HostTeam>) {
    if (team.size > 1) return team.meeting->sum(team.size, own);
  }
#endif
  return own;
}

}  // namespace rodeo
