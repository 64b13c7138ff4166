#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Energies of section 3.3 of Gazzola et al. 2018 at the member's end.
inline constexpr Observable translational_energy = {
    "translational_energy", "J", "1/2 sum m v^2",
    [](const Observation& o) { return o.last.translational_energy; }};
inline constexpr Observable rotational_energy = {
    "rotational_energy", "J", "1/2 sum omega J omega/e",
    [](const Observation& o) { return o.last.rotational_energy; }};
inline constexpr Observable bending_energy = {
    "bending_energy", "J", "1/2 integral kappa B kappa ds: bend and twist",
    [](const Observation& o) { return o.last.bend_energy + o.last.twist_energy; }};
inline constexpr Observable twist_energy = {"twist_energy", "J", "the twist part of bending_energy",
                                            [](const Observation& o) { return o.last.twist_energy; }};
inline constexpr Observable shear_energy = {"shear_energy", "J",
                                            "1/2 integral sigma S sigma ds: shear and stretch",
                                            [](const Observation& o) { return o.last.shear_energy; }};

inline double sum_of_energies(const cosserat::Sample& s) {
  return s.translational_energy + s.rotational_energy + s.bend_energy + s.twist_energy + s.shear_energy;
}

inline constexpr Observable total_energy = {"total_energy", "J", "sum of all energies",
                                            [](const Observation& o) { return sum_of_energies(o.last); }};

}  // namespace rodeo::observe
