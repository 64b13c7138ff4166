#pragma once

#include "rodeo/member/member_arrays.hpp"

namespace rodeo {

/// Sets the external forces and couples of all nodes and elements at a time: those of all laws, of formulas
/// and muscles, and of end loads. For callers that have no fluxes between elements.
void set_loads(const MemberArrays& member, double time);

/// Moves a rod between its driven ends from where these are at one time to where they are at another: the
/// turn of each end is spread over its elements, and with `ways` its travel over the nodes between them. An
/// end alone would wind up the element beside it.
void spread_driven_ends(const RodData& rod, const RodView& arrays, double from, double to, bool ways);

}  // namespace rodeo
