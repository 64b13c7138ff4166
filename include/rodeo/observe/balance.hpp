#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

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
    "that comes from nothing or goes unseen. Measured where measure.define names it, every "
    "measure.interval; NaN where something takes or gives energy that is not measured",
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
inline constexpr Observable damping_loss = {
    "damping_loss",
    "J",
    "energy that rod.damping, fluid.kind = slender_body and the damping of connections have taken, as "
    "energy_balance has it",
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
