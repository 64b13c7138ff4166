#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable connection_energy = {
    "connection_energy", "J", "energy that springs, joints and bonds between rods store",
    [](const Observation& o) { return o.last.connection_energy; }};

inline constexpr Observable broken_bonds = {"broken_bonds", "1",
                                            "elements at which a bond between rods has broken",
                                            [](const Observation& o) { return o.last.broken_bonds; }};

}  // namespace rodeo::observe
