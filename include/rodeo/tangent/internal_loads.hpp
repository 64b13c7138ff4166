#pragma once

#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::tangent {

/// Sets the internal loads of the elements and regions of a rod in its present state, as explicit steps leave
/// them in the arrays.
void set_internal_loads(const RodView& rod, ClampedEnds ends);

}  // namespace rodeo::tangent
