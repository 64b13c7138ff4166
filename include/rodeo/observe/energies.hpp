#pragma once

#include <cmath>

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
    "where sections are incompressible; 0 for der, which has no shear",
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
    "most by which that energy, with the exact potential of stretch, has exceeded what it was when loads and "
    "boundaries became steady; NaN where muscles, couples or changing loads may do work",
    [](const Observation& o) { return o.energy.gain(); }};
inline constexpr Observable energy_gain_relative = {
    "energy_gain_relative", "1",
    "energy_gain over the largest energy of motion, strain, contact and ground since then",
    [](const Observation& o) { return o.energy.relative_gain(); }};
inline constexpr Observable energy_loss_relative = {
    "energy_loss_relative", "1",
    "what implicit steps have taken of that energy in the end, over the same: motion that they do not "
    "resolve; where anything else may take or give energy scheme_loss over the same, and NaN where that is "
    "not known, as with backward_euler, which always takes some",
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

/// The event of observe.buckling_energy or observe.buckling_translational_energy, looked for between slices
/// (time.slice_steps), of implicit methods after each step; the member stops there.
inline constexpr Observable buckled = {"buckled", "1",
                                       "1 if an energy of all rods together exceeded observe.buckling_energy "
                                       "or observe.buckling_translational_energy, else 0",
                                       [](const Observation& o) { return o.buckled ? 1.0 : 0.0; },
                                       Known::at_end};
inline constexpr Observable buckling_time = {
    "buckling_time", "s",
    "when an energy exceeded its limit, looked at every time.slice_steps (each step of implicit methods); "
    "NaN if none did",
    [](const Observation& o) { return o.buckling_time; }, Known::at_end};

/// Key that has to name an observable of the balance for it to be measured.
inline constexpr std::string_view asked_for = "measure.define";

/// Remainder of the balance of energy, J.
inline double energy_balance_of(const Observation& o) {
  const MeasuredWork& measured = o.measured;
  const double of_scheme = std::isnan(o.last.implicit.scheme_loss) ? 0.0 : o.last.implicit.scheme_loss;
  return measured.gained - measured.work + measured.damping_loss + o.last.friction_loss + o.last.ground_loss +
         of_scheme;
}

inline constexpr Observable energy_balance = {
    "energy_balance",
    "J",
    "change of the energy of motion, strain, contact, ground and connections since the start, less "
    "work_done, plus damping_loss, friction_loss, ground_loss and, where it is known, scheme_loss: energy "
    "that comes from nothing or goes unseen. Measured where measure.define names it, every measure.interval; "
    "NaN where something takes or gives energy that is not measured",
    energy_balance_of,
    Known::always,
    asked_for};
inline constexpr Observable energy_balance_relative = {
    "energy_balance_relative",
    "1",
    "size of energy_balance over the sum of all work done and taken, whatever its sign",
    [](const Observation& o) { return std::abs(energy_balance_of(o)) / o.measured.turnover; },
    Known::always,
    asked_for};
inline constexpr Observable work_done = {"work_done",
                                         "J",
                                         "work of gravity, loads, muscles, actuation, motions and the platen "
                                         "since the start, as energy_balance has it",
                                         [](const Observation& o) { return o.measured.work; },
                                         Known::always,
                                         asked_for};
inline constexpr Observable damping_loss = {"damping_loss",
                                            "J",
                                            "energy that rod.damping, rod.retardation_time, "
                                            "fluid.kind = slender_body and the "
                                            "damping of connections have taken, as energy_balance has it",
                                            [](const Observation& o) { return o.measured.damping_loss; },
                                            Known::always,
                                            asked_for};
inline constexpr Observable scheme_loss = {
    "scheme_loss",
    "J",
    "energy that implicit steps themselves have taken so far: the work of all forces by the trapezoidal rule "
    "in each step, less the kinetic energy gained; 0 with midpoint and energy_momentum, NaN with sdirk2",
    [](const Observation& o) {
      const bool moves = o.spec.method != TimeMethod::equilibrium;
      return moves && o.last.implicit.steps > 0 ? o.last.implicit.scheme_loss : std::nan("");
    },
    Known::always,
    "model.kind = der|rigid or time.method = implicit and time.method = dynamic|implicit"};

}  // namespace rodeo::observe
