#pragma once

#include "rodeo/input/member_spec.hpp"

namespace rodeo::cosserat {

/// A time step, in s, below which position Verlet is stable for the straight rod at rest: 2/omega_max, where
/// omega_max bounds the highest frequency of the discrete rod. With m' = rho A, j = rho I and the grid's
/// largest wave number 2/dl:
///   stretch  omega^2 <= 4 S3/(m' dl^2)
///   twist    omega^2 <= 4 B3/(2 j dl^2)
///   bend and shear together  omega^2 <= 4 S1/(m' dl^2) + S1/j + 4 B1/(j dl^2), the trace of the coupled 2 x
///   2 system.
/// Clamps leave the bounds as they are: their half region is a spring twice as stiff, but one that ties its
/// element to something at rest instead of to a neighbour that swings the other way (row sum 2 + 1 + 1 of
/// Gershgorin's circle in place of 1 + 1 + 2); so do an end mass and held nodes. S1/j does not depend on dl,
/// which is why dt = a dl alone blows up on coarse grids. Explicit damping terms, contact and compression (e
/// < 1) lower it.
double stable_step(const RodSpec& rod);

}  // namespace rodeo::cosserat
