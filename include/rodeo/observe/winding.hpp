#pragma once

#include <cmath>
#include <vector>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Gauss linking integral of two rods: how many turns they wind around each other, counted over all
/// directions of view, right-handed positive where the rods run the same way. Exact for polygons, a whole
/// number for closed ones.
double gauss_integral(const ConstRodView& a, const ConstRodView& b);

/// Sum of the Gauss integrals of a rod with others.
double winding_around(const ConstRodView& rod, const std::vector<ConstRodView>& others);

inline constexpr Observable winding = {
    "winding",
    "1",
    "turns that the last rod winds around the others: Gauss's integral with each, summed; NaN for a single "
    "rod",
    [](const Observation& o) { return o.others.empty() ? std::nan("") : winding_around(o.state, o.others); },
    Known::always,
    "rod.count > 1"};

}  // namespace rodeo::observe
