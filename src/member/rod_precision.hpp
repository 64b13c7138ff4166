#pragma once

#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Fills the lasting arrays of a member's rods (host memory) with what those in double precision are in
/// another; where that is compensated, with the compensation of the state, and losses for decays.
template <class Real>
void round_rods(const ConstRodView& from, const BasicRodView<Real>& to);

/// The reverse, for those who look at rods: what was rounded stays so. Entries -1 to n + 1 only, those of
/// work arrays from before element `first_work` on.
template <class Real>
requires(Precision<Real>::compensated) void widen_rods(const BasicRodView<const Real>& from,
                                                       const RodView& to, int first_work);

}  // namespace rodeo
