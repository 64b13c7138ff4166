#include "rodeo/der/backward_euler.hpp"

#include "rates.hpp"

namespace rodeo::der {

SolveOutcome BackwardEuler::advance(LoadedRods& rods, double end, double step) {
  const std::vector<double> start_rates = rates_of(rods);
  rods.copy_state(start_);
  rods.start();
  rods.update_fluid();
  // Rods that touch would begin a step of contact by it: they keep the accelerations before the jump.
  if (begins_anew_ && !rods.contacts()) find_first_accelerations(rods, start_rates, end - step, step);
  rods.place_ends(end);
  rods.set_loads(end);
  const SolveOutcome outcome = rods.solve(step);
  if (outcome.converged) {
    rods.count_motion_work(rods.motion_powers(), step);
    note_loss(rods, start_rates, step);
  } else {
    rods.put_back(start_);
  }
  return outcome;
}

/// Sets the accelerations that loads give the rods in the present state after a jump: those at the end of a
/// step of rods that have come there at their rates.
void BackwardEuler::find_first_accelerations(LoadedRods& rods, const std::vector<double>& rates, double start,
                                             double step) {
  rods.set_loads(start);
  std::vector<double> way = rates;
  for (double& entry : way) entry *= -step;
  move_by(rods, way);
  rods.start();
  std::vector<double> place = places_of(rods);
  for (std::size_t i = 0; i < place.size(); ++i) place[i] -= way[i];
  rods.place_ends(start);  // so that the directions are known in which held elements may go
  if (rods.solver().find_unbalanced(step, acceleration_)) {
    rods.damp_hinges(step);
    rods.solver().residual(place, acceleration_);
    rods.free_hinges();
    const std::vector<double> inertia = rods.solver().inertia();
    for (std::size_t i = 0; i < inertia.size(); ++i)
      acceleration_[i] = inertia[i] > 0.0 ? -acceleration_[i] / inertia[i] : 0.0;
    hold(rods, acceleration_);
  }
  rods.put_back(start_);
  rods.start();
}

/// Notes the loss: work of all forces by the trapezoidal rule, less the gain of motion.
void BackwardEuler::note_loss(LoadedRods& rods, const std::vector<double>& start_rates, double step) {
  const std::vector<double> rates = rates_of(rods);
  std::vector<double> now(rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) now[i] = (rates[i] - start_rates[i]) / step;
  hold(rods, now);
  if (acceleration_.empty()) acceleration_ = now;
  const std::vector<double> inertia = rods.solver().inertia();
  loss_ = 0.0;
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    const double gained = step * now[i];
    loss_ += inertia[i] *
             (0.5 * step * (acceleration_[i] + now[i]) * rates[i] - (start_rates[i] + 0.5 * gained) * gained);
  }
  acceleration_.swap(now);
  begins_anew_ = false;
}

}  // namespace rodeo::der
