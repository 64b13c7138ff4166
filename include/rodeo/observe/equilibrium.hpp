#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable unstable_modes = {
    "unstable_modes",
    "1",
    "ways to leave the equilibrium by which the energy falls: negative eigenvalues of its Hessian; NaN with "
    "loads that have no energy",
    [](const Observation& o) { return o.last.unstable_modes; },
    Known::always,
    "time.method = static"};

inline constexpr Observable least_stiffness = {
    "least_stiffness",
    "N/m",
    "least curvature of the energy at the equilibrium over displacements of unit mean square, weighted by "
    "mass, but those that cost no energy: negative if it is unstable, zero where it branches",
    [](const Observation& o) { return o.last.least_stiffness; },
    Known::always,
    "time.method = static"};

}  // namespace rodeo::observe
