#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// The event of observe.buckling_energy or observe.buckling_translational_energy, looked for between slices
/// (time.slice_steps); the member stops there.
inline constexpr Observable buckled = {
    "buckled", "1", "1 if an energy exceeded observe.buckling_*energy, else 0",
    [](const Observation& o) { return o.buckled ? 1.0 : 0.0; }, Known::at_end};
inline constexpr Observable buckling_time = {"buckling_time", "s", "when it did; NaN if it did not",
                                             [](const Observation& o) { return o.buckling_time; },
                                             Known::at_end};

}  // namespace rodeo::observe
