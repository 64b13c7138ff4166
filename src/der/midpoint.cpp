#include "rodeo/der/midpoint.hpp"

#include "extrapolation.hpp"

namespace rodeo::der {

SolveOutcome Midpoint::advance(LoadedRods& rods, double end, double step) {
  const RodView& all = rods.member().all;
  const double half = 0.5 * step;
  const double middle = end - half;
  rods.copy_state(start_);
  set_loads(rods, middle, half);
  rods.start();
  rods.place_ends(middle);
  for (RodStep& rod : rods.rods()) lead_frames(rod, half);
  const ConstRodView start(start_.data(), all.elements, all.shrink);
  const SolveOutcome outcome = judge_turn(rods.solve(half), rods.member(), start, 2.0);
  if (!outcome.converged) {
    rods.put_back(start_);
    return outcome;
  }
  rods.count_motion_work(rods.motion_powers(), step);
  extrapolate_state(rods.member(), start, half, 1.0);
  rods.stand_at(end);
  rods.set_natural_strains(end);
  return outcome;
}

/// Sets the loads in the predicted state in the middle of the step.
void Midpoint::set_loads(LoadedRods& rods, double time, double half) {
  move_on(rods.member(), half);
  rods.set_loads(time);
  rods.put_back(start_);
}

}  // namespace rodeo::der
