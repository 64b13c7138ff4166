#pragma once

#include <string_view>

#include "rodeo/models/features.hpp"

namespace rodeo {

// What members of time.scheme = energy_momentum lack beside what the row of their method lacks
// (models/models.hpp), which generalized_alpha has.

inline constexpr std::string_view conserving_impact_gap = "it conserves energy, which impacts take";
inline constexpr std::string_view conserving_spring_gap =
    "it has no springs between rods, which may be closed and share nodes on balls";
inline constexpr std::string_view conserving_motion_gap =
    "it conserves energy, which places that are held or moved take or give";

inline constexpr Gaps energy_momentum_gaps = {
    {"springs and joints at any places", conserving_spring_gap},
    {"bonds side by side", conserving_spring_gap},
    {"places that are held or moved in time", conserving_motion_gap},
    {"ground", conserving_impact_gap},
    {"planes that move", conserving_impact_gap},
    {"friction of the ground", conserving_impact_gap},
    {"contact by an implicit potential", conserving_impact_gap},
    {"contact by an implicit barrier", conserving_impact_gap},
    {"friction between rods", conserving_impact_gap}};

}  // namespace rodeo
