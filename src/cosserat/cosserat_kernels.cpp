#include <algorithm>

#include "advance_slice.hpp"

namespace rodeo::cosserat {

namespace {

using Space = Kokkos::DefaultExecutionSpace;
constexpr int team_size = detail::team_size<Space>();

}  // namespace

int members_at_once() { return std::max(1, Space().concurrency() / team_size); }

std::size_t scratch_for(std::size_t array_bytes) {
  if (team_size == 1) return 0;
  const std::size_t needed = array_bytes + detail::scratch_alignment;
  return needed <= static_cast<std::size_t>(detail::SlicePolicy::scratch_size_max(0)) ? needed : 0;
}

template void advance_slice(const BasicBatchViews<double>& batch, int count);

}  // namespace rodeo::cosserat
