#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr std::string_view reference =
    "convergence.reference = hanging|timoshenko|helix_envelope|twist_wave";

/// Norms of the member's profile at its end against the solution that convergence.reference names
/// (rodeo/profile), as means over the rest length, in the profile's own unit.
inline constexpr Observable profile_error_l1 = {
    "profile_error_l1",
    "SI",
    "mean size of the error of the profile along the rod, in the unit of the profile; NaN without a solution "
    "in closed form (convergence.reference)",
    [](const Observation& o) { return o.profile_error.l1; },
    Known::always,
    reference};
inline constexpr Observable profile_error_l2 = {
    "profile_error_l2",
    "SI",
    "root of the mean square of the error of the profile, as profile_error_l1",
    [](const Observation& o) { return o.profile_error.l2; },
    Known::always,
    reference};
inline constexpr Observable profile_error_linf = {
    "profile_error_linf",
    "SI",
    "largest size of the error of the profile, as profile_error_l1",
    [](const Observation& o) { return o.profile_error.linf; },
    Known::always,
    reference};

}  // namespace rodeo::observe
