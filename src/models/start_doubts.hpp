#pragma once

#include <vector>

#include "rodeo/models/rows.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::models {

/// What of a deck may be meant otherwise than it is taken, whatever the model.
std::vector<StartWarning> start_doubts(const MemberSpec& spec);

}  // namespace rodeo::models
