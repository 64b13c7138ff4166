#pragma once

#include <vector>

#include "rodeo/models/rows.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::models {

/// Warnings about values of a deck that may be meant otherwise than they are taken, whatever the model.
std::vector<StartWarning> start_doubts(const MemberSpec& spec);

}  // namespace rodeo::models
