#pragma once

#include <vector>

#include "rodeo/coupling/assembly.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

// The loads of links (connection/links.hpp) in a step that conserves energy and momenta. Springs do the work
// by which their energies change, dashpots take energy away, and neither leaves a resultant. Between two
// places the spring's force is along the mean of the gaps at the start and at the end, so that its work is
// exact (Gonzalez 1996, J. Nonlinear Sci. 6, 449); couples are those of conserving_terms.hpp. The arrays hold
// the state in the middle of the step.

/// Adds forces on nodes, and couples on elements in the laboratory frame, to `loads`.
void add_conserving_loads(const MovingRods& rods, const coupling::Links& links, double step,
                          std::vector<double>& loads);

/// Adds minus their derivatives by x1 and by a turn of R1 <- R1 exp(phi).
void add_conserving_matrix(const MovingRods& rods, const coupling::Links& links, double step,
                           coupling::Assembly& matrix);

}  // namespace rodeo::implicit
