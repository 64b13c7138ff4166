#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable contact_count = {"contact_count", "1",
                                             "pairs of elements in self-contact in the last step",
                                             [](const Observation& o) { return o.last.contact.touching; }};
inline constexpr Observable contact_depth_max = {
    "contact_depth_max", "m", "deepest overlap of two elements, r_i + r_j less their distance, in any step",
    [](const Observation& o) { return o.last.contact.deepest; }};

}  // namespace rodeo::observe
