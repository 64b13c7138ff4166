#pragma once

#include <cmath>

#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// The energy that a member can release without external work: energies of motion and strain, and what the
/// springs of contact, ground and connections hold, J.
inline double stored_energy(const Sample& s) {
  return sum_of_energies(s) + s.contact_energy + s.ground_energy + s.connection_energy;
}

/// Stored energy with the potentials of gravity, of steady end forces and of laws on single rods, which an
/// undamped member conserves once its perturbation has ended (couples are not conservative, and no potential
/// is counted for them).
inline double conserved_energy(const Vec3& gravity, const Sample& s) {
  return stored_energy(s) + s.end_load_potential + s.law_potential - dot(gravity, s.first_moment);
}

inline double conserved_energy(const MemberSpec& spec, const Sample& s) {
  return conserved_energy(spec.load.gravity, s);
}

/// Whether nothing can do work on a member once its loads and boundaries are steady: all of them have a
/// potential that conserved_energy() counts, or only take energy away. Contact in implicit steps gives back
/// no more than it took and held at first, if it is right.
bool has_no_source(const MemberSpec& spec);

/// Whether implicit steps of second order are all that can change a member's energy. They keep that of the
/// motion that they resolve.
bool only_steps_take_energy(const MemberSpec& spec);

inline constexpr Observable energy_drift = {
    "energy_drift", "J",
    "change of the energy, with the potentials of loads, contact and ground, since loads and boundaries "
    "became steady, or since the start where they never do; it has in it the work of muscles, couples, "
    "magnets, motions and other loads without a potential",
    [](const Observation& o) {
      return conserved_energy(o.spec, o.last) - conserved_energy(o.spec, o.baseline);
    }};
inline constexpr Observable energy_gain = {
    "energy_gain", "J",
    "most by which that energy, with the exact potential of stretch, has exceeded what it was when loads "
    "and boundaries became steady; NaN where "
    "muscles, couples or changing loads may do work",
    [](const Observation& o) { return o.energy.gain(); }};
inline constexpr Observable energy_gain_relative = {
    "energy_gain_relative", "1",
    "energy_gain over the largest energy of motion, strain, contact and ground since then",
    [](const Observation& o) { return o.energy.relative_gain(); }};
inline constexpr Observable energy_loss_relative = {
    "energy_loss_relative", "1",
    "what implicit steps have taken of that energy in the end, over the same: motion that they do not "
    "resolve; where anything else may take or give energy scheme_loss over the same, and NaN where that "
    "is not known, as with backward_euler, which always takes some",
    [](const Observation& o) {
      if (o.only_steps_take_energy) return o.energy.relative_loss();
      const ImplicitSample& implicit = o.last.implicit;
      if (!implicit.energy.is_known() || always_takes_energy(o.spec.scheme)) return std::nan("");
      return implicit.energy.relative(implicit.scheme_loss);
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
