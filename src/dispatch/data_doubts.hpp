#pragma once

#include <string>
#include <vector>

#include "rodeo/models/rows.hpp"

namespace rodeo {

/// What is doubtful about the data that a member's rods are compared with: their size or place is none that
/// these rods can have, or points are 0 in all coordinates. `places` says where each point of them stands.
std::vector<StartWarning> data_doubts(const MemberSpec& spec, const std::vector<std::string>& places);

}  // namespace rodeo
