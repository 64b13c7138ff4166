#pragma once

#include "rodeo/member/batch_views.hpp"

namespace rodeo::cosserat {

/// Takes the steps of the first `count` tasks and a sample of each at its end: one launch, one team of so
/// many threads a member. `general` says whether members have motions, connections or a further ground, which
/// cost others nothing then; `circular` that sections of all rods are alike about d1 and d2.
template <class Real, bool general = false, bool circular = true>
void advance_slice(const BasicBatchViews<Real>& batch, int count, int threads);

extern template void advance_slice<double>(const BasicBatchViews<double>& batch, int count, int threads);
extern template void advance_slice<float>(const BasicBatchViews<float>& batch, int count, int threads);
extern template void advance_slice<double, true>(const BasicBatchViews<double>& batch, int count,
                                                 int threads);
extern template void advance_slice<double, true, false>(const BasicBatchViews<double>& batch, int count,
                                                        int threads);
extern template void advance_slice<float, true>(const BasicBatchViews<float>& batch, int count, int threads);

}  // namespace rodeo::cosserat
