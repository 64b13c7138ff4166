#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// The distance between the ends of the last rod, looked at after every time.slice_steps and every thousand
/// steps, after each step where they are implicit. Of a rod that hangs from a clamp and swings lengthwise it
/// is the length of eq. 3.13 of Gazzola et al. 2018. A closed rod has no ends.
inline constexpr Observable end_distance_period = {
    "end_distance_period", "s",
    "mean period of the distance between the first and last nodes, looked at every 1000 steps and every "
    "time.slice_steps (each step of implicit methods), between upward passages through the middle of its "
    "range; NaN before the second; of "
    "several rods, of the last one's",
    [](const Observation& o) { return o.spec.rod.closed ? std::nan("") : o.end_distance.period(); }};
inline constexpr Observable end_distance_max = {
    "end_distance_max", "m",
    "largest distance between the first and last nodes so far, looked at every 1000 steps and every "
    "time.slice_steps (each step of implicit methods); NaN for a closed rod; of several rods, of the last "
    "one's",
    [](const Observation& o) { return o.spec.rod.closed ? std::nan("") : o.end_distance.largest(); }};

}  // namespace rodeo::observe
