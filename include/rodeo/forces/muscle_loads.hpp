#pragma once

#include "rodeo/forces/muscle.hpp"

namespace rodeo::forces {

/// Adds the muscle loads of a rod at a time to field::external_force and field::external_couple, as they act
/// on nodes and elements, for models without fluxes. On the host; where muscles exert forces, these are left
/// in field::internal_force and field::shear_couple.
void add_muscle_loads(const Muscle& muscle, const RodView& rod, double time);

}  // namespace rodeo::forces
