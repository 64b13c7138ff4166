#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

NewtonOutcome BackwardEuler::advance(LoadedRods& rods, double end, double step) {
  rods.start();
  rods.update_fluid();
  rods.place_ends(end);
  rods.set_loads(end);
  const NewtonOutcome outcome = rods.solve(step);
  if (outcome.converged) {
    rods.count_motion_work(rods.motion_powers(), step);
  } else {
    rods.restore_ends();
  }
  return outcome;
}

}  // namespace rodeo::der
