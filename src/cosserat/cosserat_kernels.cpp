#include <algorithm>

#include "rodeo/cosserat/advance_slice.hpp"

namespace rodeo::cosserat {

int members_at_once() {
  using Space = Kokkos::DefaultExecutionSpace;
  return std::max(1, Space().concurrency() / detail::team_size<Space>());
}

template void advance_slice(const BasicBatchViews<double>& batch, int count);

}  // namespace rodeo::cosserat
