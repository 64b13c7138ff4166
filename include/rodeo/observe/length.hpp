#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Length as the distance of the last node from where the first one started (eq. 3.13 of Gazzola et al.
/// 2018), sampled every time.slice_steps.
inline constexpr Observable oscillation_period = {
    "oscillation_period", "s", "mean period of the length; NaN if less than two periods were seen",
    [](const Observation& o) { return o.length.period(); }};
inline constexpr Observable largest_length = {"largest_length", "m",
                                              "largest distance of the last node from the rod's origin",
                                              [](const Observation& o) { return o.length.largest(); }};

}  // namespace rodeo::observe
