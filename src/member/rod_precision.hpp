#pragma once

#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Fills the arrays of a member's rods in single precision from those in double (host memory), with the
/// compensation of the state, and losses for decays.
void round_rods(const RodView& from, const BasicRodView<float>& to);
/// For code that knows both precisions: nothing is rounded.
void round_rods(const RodView& from, const RodView& to);

/// The reverse, for those who look at rods: what was rounded stays so. Entries -1 to n + 1 only.
void widen_rods(const BasicRodView<float>& from, const RodView& to);

}  // namespace rodeo
