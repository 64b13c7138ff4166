#pragma once

#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Rounds the lasting arrays of a member's rods (host memory) from double precision to another; where that is
/// compensated, with the compensation of the state, and losses for decays.
template <class Real>
void round_rods(const ConstRodView& from, const BasicRodView<Real>& to);

/// Widens rounded arrays for observers of rods; rounded digits stay lost. Entries -1 to n + 1 only, those of
/// work arrays from before element `first_work` on.
template <class Real>
requires(Precision<Real>::compensated) void widen_rods(const BasicRodView<const Real>& from,
                                                       const RodView& to, int first_work);

}  // namespace rodeo
