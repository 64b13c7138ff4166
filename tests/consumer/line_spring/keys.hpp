#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

#include "law.hpp"

namespace rodeo::own {

inline constexpr auto line_spring_keys = std::to_array<KeyInfo>({
    keys::vec3<&LineSpring::point>("line_spring.point", "m", "0, 0, 0", "a point of the line"),
    keys::vec3<&LineSpring::along>("line_spring.along", "1", "0, 0, 1",
                                   "direction of the line, any length but zero"),
    keys::real<&LineSpring::spring>("line_spring.stiffness", "N/m", "0", keys::not_negative,
                                    "of the spring from the line to a node"),
    keys::real<&LineSpring::place>("line_spring.place", "1", "1", {.minimum = 0.0, .maximum = 1.0},
                                   "where along the rod the spring holds it, from 0 at its first node to 1"),
});

}  // namespace rodeo::own
