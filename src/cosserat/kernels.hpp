#pragma once

#include "rodeo/member/batch_views.hpp"

namespace rodeo::cosserat {

/// Takes the steps of `count` tasks from `first` on: one launch, one team of so many threads a member.
/// `general` says whether members have motions, connections or a further ground, which cost others nothing
/// then; `circular` that sections of all rods are alike about d1 and d2; `sampled` whether a sample is taken
/// at the end of each.
template <class Real, bool general = false, bool circular = true, bool sampled = true>
void advance_slice(const BasicBatchViews<Real>& batch, int first, int count, int threads);

}  // namespace rodeo::cosserat
