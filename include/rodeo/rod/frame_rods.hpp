#pragma once

#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// The numbers of the rods that a member's frames hold, in ascending order.
std::vector<int> frame_rods(const MemberSpec& spec);

/// The nodes of each of them.
std::vector<int> frame_rod_nodes(const MemberSpec& spec);

}  // namespace rodeo
