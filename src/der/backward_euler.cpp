#include "rodeo/der/backward_euler.hpp"

#include "rates.hpp"

namespace rodeo::der {

SolveOutcome BackwardEuler::advance(LoadedRods& rods, double end, double step) {
  const std::vector<double> start_rates = rates_of(rods);
  rods.start();
  rods.update_fluid();
  rods.place_ends(end);
  rods.set_loads(end);
  const SolveOutcome outcome = rods.solve(step);
  if (outcome.converged) {
    rods.count_motion_work(rods.motion_powers(), step);
    note_loss(rods, start_rates, step);
  } else {
    rods.restore_ends();
  }
  return outcome;
}

/// The work of all forces by the trapezoidal rule, less what motion gained.
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
}

}  // namespace rodeo::der
