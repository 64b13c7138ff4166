#pragma once

#include "rodeo/member/batch_views.hpp"

namespace rodeo::cosserat {

/// Takes the steps of the first `count` tasks and a sample of each at its end: one launch, one team a member.
template <class Real>
void advance_slice(const BasicBatchViews<Real>& batch, int count);

extern template void advance_slice(const BasicBatchViews<double>& batch, int count);
extern template void advance_slice(const BasicBatchViews<float>& batch, int count);

}  // namespace rodeo::cosserat
