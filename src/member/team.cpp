#include "rodeo/member/team.hpp"

#include <algorithm>

namespace rodeo {

int members_at_once() { return std::max(1, Kokkos::DefaultExecutionSpace().concurrency() / team_size()); }

int threads_of_member(int threads, int members, int elements) {
  if (!on_host<>) return team_size();
  // Below that, waiting for each other takes longer than the loops.
  constexpr int least_shared_elements = 3000;
  return elements < least_shared_elements ? 1 : std::max(1, threads / members);
}

std::size_t scratch_for(std::size_t array_bytes) {
  if (team_size() == 1) return 0;
  const std::size_t needed = array_bytes + scratch_alignment;
  return needed <= static_cast<std::size_t>(Kokkos::TeamPolicy<>::scratch_size_max(0)) ? needed : 0;
}

}  // namespace rodeo
