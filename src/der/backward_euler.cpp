#include "rodeo/der/backward_euler.hpp"

namespace rodeo::der {

SolveOutcome BackwardEuler::advance(LoadedRods& rods, double end, double step) {
  rods.start();
  rods.update_fluid();
  rods.place_ends(end);
  rods.set_loads(end);
  const SolveOutcome outcome = rods.solve(step);
  if (outcome.converged) {
    rods.count_motion_work(rods.motion_powers(), step);
  } else {
    rods.restore_ends();
  }
  return outcome;
}

}  // namespace rodeo::der
