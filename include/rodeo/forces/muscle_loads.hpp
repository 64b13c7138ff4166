#pragma once

#include "rodeo/forces/muscle.hpp"

namespace rodeo::forces {

/// Adds what the muscles of a rod exert at a time to field::external_force and field::external_couple, as it
/// acts on nodes and elements: for who has no fluxes between them. On the host; where muscles exert forces,
/// these are left in field::internal_force and field::shear_couple.
void add_muscle_loads(const Muscle& muscle, const RodView& rod, double time);

}  // namespace rodeo::forces
