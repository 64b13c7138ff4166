#pragma once

#include <string>
#include <vector>

#include "rodeo/models/rows.hpp"

namespace rodeo {

/// Doubts about the data that a member's rods are compared with: these rods cannot have their size or place,
/// or points are 0 in all coordinates. `places` says where each point stands.
std::vector<StartWarning> data_doubts(const MemberSpec& spec, const std::vector<std::string>& places);

}  // namespace rodeo
