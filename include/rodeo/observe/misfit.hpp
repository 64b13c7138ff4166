#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr std::string_view needs_data = "measure.data or measure.point";

inline constexpr Observable misfit = {
    "misfit",
    "m",
    "how far the rods are from measure.data: root of the weighted mean, over its points, of the squared "
    "distance from the place of the point on the rod at its time, in the coordinates that are known; at a "
    "frame of the points so far; NaN of a member that ends before the last",
    [](const Observation& o) { return o.misfit.distance; },
    Known::always,
    needs_data};
inline constexpr Observable misfit_max = {"misfit_max",
                                          "m",
                                          "the largest of the distances of misfit, whatever their weights",
                                          [](const Observation& o) { return o.misfit.largest; },
                                          Known::always,
                                          needs_data};
inline constexpr Observable misfit_weighted = {
    "misfit_weighted",
    "1",
    "root of the mean, over the coordinates that are known, of weight times squared difference: about 1 for "
    "rods that differ from measure.data by its noise alone, where weights are one over the variance of a "
    "coordinate (1/m^2)",
    [](const Observation& o) { return o.misfit.weighted; },
    Known::always,
    needs_data};
inline constexpr Observable misfit_coordinates = {"misfit_coordinates",
                                                  "1",
                                                  "number of coordinates of measure.data that are known, of "
                                                  "weights above 0; at a frame of the points so far",
                                                  [](const Observation& o) { return o.misfit.coordinates; },
                                                  Known::always,
                                                  needs_data};

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
