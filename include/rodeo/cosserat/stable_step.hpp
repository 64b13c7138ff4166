#pragma once

#include "rodeo/input/member_spec.hpp"

namespace rodeo::cosserat {

/// A time step, in s, below which position Verlet is stable for the rod at rest: 2/omega_max, where omega_max
/// bounds the highest frequency of the discrete rod. For a uniform, straight one, with m' = rho A, j = rho I
/// and the grid's largest wave number 2/dl:
///   stretch  omega^2 <= 4 S3/(m' dl^2)
///   twist    omega^2 <= 4 B3/(2 j dl^2)
///   bend and shear together  omega^2 <= 4 S1/(m' dl^2) + S1/j + 4 B1/(j dl^2), the trace of the coupled 2 x
///   2 system.
/// Where sections or elements differ, each term is the largest along the rod of Gershgorin's row sums: twice
/// the springs on either side of a node or element over its inertia. A clamp's half region is a spring twice
/// as stiff, but one that ties its element to something at rest instead of to a neighbour that swings the
/// other way, so it counts once; point masses and held nodes only lower the bound. S1/j does not depend on
/// dl, which is why dt = a dl alone blows up on coarse grids. Explicit damping terms, contact and compression
/// (e < 1) lower it.
double stable_step(const RodSpec& rod);

}  // namespace rodeo::cosserat
