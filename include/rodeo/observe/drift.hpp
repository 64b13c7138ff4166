#pragma once

#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Energy with the potential of the steady end force and of gravity, which an undamped member conserves once
/// its perturbation has ended (end couples are not conservative, and no potential is counted for them).
inline double conserved_energy(const MemberSpec& spec, const cosserat::Sample& s) {
  return sum_of_energies(s) + s.end_load_potential - dot(spec.load.gravity, s.first_moment);
}

inline constexpr Observable energy_drift = {
    "energy_drift", "J",
    "change of the energy, load potentials included, since loads and boundaries became steady",
    [](const Observation& o) {
      return conserved_energy(o.spec, o.last) - conserved_energy(o.spec, o.baseline);
    }};
inline constexpr Observable momentum_drift = {
    "momentum_drift", "kg m/s",
    "norm of the change of the momentum of all rods since loads and boundaries became steady",
    [](const Observation& o) { return norm(o.last.momentum - o.baseline.momentum); }};
inline constexpr Observable angular_momentum_drift = {
    "angular_momentum_drift", "kg m^2/s",
    "norm of the change of the angular momentum of all rods about x = y = z = 0 since loads and boundaries "
    "became steady",
    [](const Observation& o) { return norm(o.last.angular_momentum - o.baseline.angular_momentum); }};

}  // namespace rodeo::observe
