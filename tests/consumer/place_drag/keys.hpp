#pragma once
#include "rodeo/input/key_rows.hpp"

#include "law.hpp"

namespace rodeo::own {

inline constexpr auto place_drag_keys = std::to_array<KeyInfo>({
    keys::real<&PlaceDrag::at_zero>("place_drag.at_zero", "kg/(m s)", "0", keys::not_negative,
                                    "drag at x = 0, per length"),
    keys::real<&PlaceDrag::slope>("place_drag.slope", "kg/(m^2 s)", "0", keys::any_number,
                                  "its growth along x"),
});

}  // namespace rodeo::own
