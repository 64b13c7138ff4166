#pragma once

#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Number of elements from which on a member's rods are ordered by where they start: fewer fit a cache in any
/// order.
inline constexpr int least_elements_in_spatial_order = 2000;

/// The numbers of a member's rods in the order in which they stand in its arrays. That of the deck; but of
/// large members with explicit steps and contact by penalty forces the order of a space-filling curve (Morton
/// 1966) through the middles of the rods at the start, so that what touches is near in memory as well. The
/// last rod stays the last, as its end is the member's. Members whose joints, motions, connections or random
/// numbers go by the place in the arrays keep the order of the deck.
std::vector<int> rod_order(const MemberSpec& spec);

}  // namespace rodeo
