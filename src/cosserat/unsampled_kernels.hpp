#pragma once

#include "rodeo/member/batch_views.hpp"

namespace rodeo::cosserat {

/// Takes the steps of `count` tasks from `first` on, one or more each, without samples at their ends.
template <class Real, bool general = false, bool circular = true>
void advance_unsampled(const BasicBatchViews<Real>& batch, int first, int count, int threads);
extern template void advance_unsampled<double>(const BasicBatchViews<double>& batch, int first, int count,
                                               int threads);
extern template void advance_unsampled<float>(const BasicBatchViews<float>& batch, int first, int count,
                                              int threads);
extern template void advance_unsampled<double, true>(const BasicBatchViews<double>& batch, int first,
                                                     int count, int threads);
extern template void advance_unsampled<double, true, false>(const BasicBatchViews<double>& batch, int first,
                                                            int count, int threads);
extern template void advance_unsampled<float, true>(const BasicBatchViews<float>& batch, int first, int count,
                                                    int threads);

}  // namespace rodeo::cosserat
