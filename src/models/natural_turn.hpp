#pragma once

#include <optional>

#include "rodeo/models/rows.hpp"

namespace rodeo::models {

/// Rods whose natural curvature or twist, with what formulas add to it while the member runs, is half a turn
/// or more from an element to the next.
std::optional<StartProblem> natural_turn_beyond_elements(const MemberSpec& spec);

}  // namespace rodeo::models
