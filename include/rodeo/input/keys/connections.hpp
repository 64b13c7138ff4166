#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"

namespace rodeo::keys {

/// Connections between any places of rods.
inline constexpr auto connections = std::to_array<KeyInfo>({
    repeatable_formulas("connection.spring",
                        "PLACE to PLACE : stiffness K [length L] [damping C], a spring along the line "
                        "between two places (N/m, m, kg/s); a place is rod K, then after a comma node K, "
                        "element K, s FRACTION, s LENGTH m, start, middle or end; L: their distance in the "
                        "rods' own shapes if not given, 0 draws them together"),
    repeatable_formulas(
        "connection.ball",
        "PLACE to PLACE [: stiffness K damping C], one point of both, about which they turn freely: nodes "
        "that stand together are one, exactly, unless a stiffness is given (N/m, kg/s)"),
    repeatable_formulas(
        "connection.hinge",
        "PLACE to PLACE [: axis X Y Z stiffness K damping C rotational_stiffness K rotational_damping C], "
        "the same with one axis about which they turn freely, d1 of the first place if not given (N m, N m "
        "s); the rotational stiffness is in series with half of the elements there"),
    repeatable_formulas("connection.rigid",
                        "PLACE to PLACE [: stiffness K damping C rotational_stiffness K rotational_damping "
                        "C], the same with the angle that they have in the rods' own shapes"),
    repeatable_formulas("connection.bond",
                        "rod A to rod B [s FROM to TO] : stiffness K [damping C] [strength F], what holds "
                        "the elements of two rods side by side where they face each other, per rest length "
                        "of rod A (N/m^2, kg/(m s)); where the force exceeds F (N/m) it breaks for good"),
});

}  // namespace rodeo::keys
