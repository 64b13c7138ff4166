#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable periods_run = {"periods_run",
                                           "1",
                                           "periods that the member took, of muscle.period or "
                                           "observe.settle_interval: less than time.end has if it settled",
                                           [](const Observation& o) { return o.periods; },
                                           Known::always,
                                           "observe.settle"};

}  // namespace rodeo::observe
