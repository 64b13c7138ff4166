#pragma once

#include "rodeo/der/rod_step.hpp"
#include "rodeo/linear/banded_matrix.hpp"

namespace rodeo::der {

/// Adds minus the forces on a rod at q, so many seconds after the start of a step: of elasticity, inertia,
/// spins that turn, damping, a fluid and loads.
void add_forces(const RodStep& rod, const double* q, double step, double* force);

/// Adds their derivatives by q, in rows from the rod's first one on; those of spins that turn, which are not
/// symmetric, if they are asked for.
void add_jacobian(const RodStep& rod, const double* q, double step, bool spins, BandedMatrix& jacobian);

/// Adds the forces of damping at velocities of a rod's degrees of freedom, in the present state.
void add_damping(const RodStep& rod, const forces::DampingLaw& damping, const double* velocity,
                 double* force);

/// Whether a rod has couples, elements that spin fast, or loads that change as it moves, which make the
/// derivatives unsymmetric.
bool has_unsymmetric_loads(const RodStep& rod, const double* q, double step);

}  // namespace rodeo::der
