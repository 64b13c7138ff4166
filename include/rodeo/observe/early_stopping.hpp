#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable objective_bound = {
    "objective_bound",
    "m/s",
    "best objective that a pruned member could still have reached; NaN for others",
    [](const Observation& o) { return o.objective_bound; },
    Known::at_end,
    "optimize.largest_gain"};
inline constexpr Observable objective_gain = {"objective_gain",
                                              "m/s",
                                              "by how much the objective is better than over the worst whole "
                                              "period that optimize.largest_gain is about; "
                                              "NaN without optimize.largest_gain",
                                              [](const Observation& o) { return o.objective_gain; },
                                              Known::at_end,
                                              "optimize.largest_gain"};
inline constexpr Observable periods_run = {"periods_run",
                                           "1",
                                           "periods that the member took, of muscle.period or "
                                           "observe.settle_interval: less than time.end has if it settled",
                                           [](const Observation& o) { return o.periods; },
                                           Known::always,
                                           "observe.settle"};

}  // namespace rodeo::observe
