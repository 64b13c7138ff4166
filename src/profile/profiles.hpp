#pragma once

#include <array>

#include "hanging.hpp"
#include "helix_envelope.hpp"
#include "timoshenko.hpp"
#include "twist_wave.hpp"

namespace rodeo {

/// The list of solutions, in the order of AnalyticReference after `none`. A new one: its header, one line
/// here, its name in that enumeration and in the choices of convergence.reference.
inline constexpr std::array analytic_profiles = {
    profile::hanging,
    profile::timoshenko,
    profile::helix_envelope,
    profile::twist_wave,
};

}  // namespace rodeo
