#pragma once

#include <array>

#include "rodeo/observe/buckling.hpp"
#include "rodeo/observe/drift.hpp"
#include "rodeo/observe/end_position.hpp"
#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/speed.hpp"

namespace rodeo {

/// The list of observables, in the order of /members/observables. A new one: its header and one line here.
inline constexpr std::array observables = {
    observe::end_x,
    observe::end_y,
    observe::end_z,
    observe::tip_deflection,
    observe::translational_energy,
    observe::rotational_energy,
    observe::bending_energy,
    observe::twist_energy,
    observe::shear_energy,
    observe::total_energy,
    observe::buckled,
    observe::buckling_time,
    observe::energy_drift,
    observe::momentum_drift,
    observe::angular_momentum_drift,
    observe::forward_speed,
    observe::lateral_speed,
};

}  // namespace rodeo
