#pragma once

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Energies that the strain of a rod's elements stores, J.
struct StrainEnergies {
  double shear = 0.0;
  double stretch = 0.0;
};

/// Strain energies of all rods together. Where rods do not shear, their directors follow the centre line.
StrainEnergies strain_energies(const Observation& o);

/// Excess of a rod's sampled energy of stretch over the potential of its tension, J. Where sections shrink
/// the tension is S_3 (1 - 1/e), so that the potential is S_3 (e - 1 - ln e) l_hat and not S_3 (e - 1)^2/2
/// l_hat: the two agree in second order of the stretch only.
double stretch_energy_excess(const ConstRodView& rod);

/// Kinetic and elastic energies (section 3.3 of Gazzola et al. 2018), each of all rods together. The elastic
/// ones are parts without overlap: what the paper calls the bending energy is bend and twist here, and its
/// shear energy shear and stretch.
inline constexpr Observable translational_energy = {
    "translational_energy", "J", "kinetic energy of translation, 1/2 sum m v^2, of all rods",
    [](const Observation& o) { return o.last.translational_energy; }};
inline constexpr Observable rotational_energy = {
    "rotational_energy", "J",
    "kinetic energy of rotation, 1/2 sum omega J omega/e, of all rods; for der only of the spin about the "
    "tangent",
    [](const Observation& o) { return o.last.rotational_energy; }};
inline constexpr Observable bending_energy = {
    "bending_energy", "J",
    "elastic energy of bending without twist, 1/2 integral B (kappa_1^2 + kappa_2^2) ds, of all rods; over "
    "e^3 where sections narrow",
    [](const Observation& o) { return o.last.bend_energy; }};
inline constexpr Observable twist_energy = {
    "twist_energy", "J",
    "elastic energy of twist, 1/2 integral B_3 kappa_3^2 ds, of all rods; over e^3 where sections narrow",
    [](const Observation& o) { return o.last.twist_energy; }};
inline constexpr Observable shear_energy = {
    "shear_energy", "J",
    "elastic energy of shear without stretch, 1/2 integral S (sigma_1^2 + sigma_2^2) ds, of all rods; over e "
    "where sections are "
    "incompressible; 0 for der, which has no shear",
    [](const Observation& o) { return strain_energies(o).shear; }};
inline constexpr Observable stretch_energy = {
    "stretch_energy", "J",
    "elastic energy of stretch, 1/2 integral S_3 sigma_3^2 ds, of all rods; over e where sections are "
    "incompressible",
    [](const Observation& o) { return strain_energies(o).stretch; }};

inline double sum_of_energies(const Sample& s) {
  return s.translational_energy + s.rotational_energy + s.bend_energy + s.twist_energy + s.shear_energy;
}

inline constexpr Observable total_energy = {
    "total_energy", "J",
    "sum of the kinetic and elastic energies, of all rods; without potentials of loads, contact and ground",
    [](const Observation& o) { return sum_of_energies(o.last); }};

}  // namespace rodeo::observe
