#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// The event of observe.buckling_energy or observe.buckling_translational_energy, looked for between slices
/// (time.slice_steps), of implicit methods after each step; the member stops there.
inline constexpr Observable buckled = {"buckled", "1",
                                       "1 if an energy of all rods together exceeded observe.buckling_energy "
                                       "or observe.buckling_translational_energy, else 0",
                                       [](const Observation& o) { return o.buckled ? 1.0 : 0.0; },
                                       Known::at_end};
inline constexpr Observable buckling_time = {"buckling_time", "s",
                                             "when an energy exceeded its limit, looked at every "
                                             "time.slice_steps (each step of implicit methods); NaN "
                                             "if none did",
                                             [](const Observation& o) { return o.buckling_time; },
                                             Known::at_end};

}  // namespace rodeo::observe
