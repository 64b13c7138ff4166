#include "step_matrix.hpp"

#include <algorithm>
#include <array>

namespace rodeo::implicit {

StepMatrix::StepMatrix(const MovingRods& rods)
    : shares_nodes_(std::ranges::any_of(rods.ties().followers(),
                                        [](const coupling::Ties::Follower& f) { return !f.is_ghost; })) {
  if (shares_nodes_ || rods.links() || rods.pressing().exists())
    coupled_.emplace(rods.ties(), rods.inertia());
}

/// Any of several tied nodes may be constrained.
bool StepMatrix::solve(MovingRods& rods, double rate, double share_of_pressing, std::vector<double>& pull) {
  is_coupled_ = shares_nodes_ || rods.links() || rods.pressing().acts();
  if (is_coupled_) {
    rods.begin(*coupled_);
    rods.add_to(*coupled_, rate, true);
    if (rods.pressing().acts()) rods.pressing().add_matrix(share_of_pressing, *coupled_);
    coupled_->finish();
    if (!coupled_->factor()) return false;
    solve_again(rods, pull);
    return true;
  }
  constexpr std::array<double, tangent::Seam::size> nothing = {};
  for (CosseratRod& r : rods.rods()) {
    r.constrain(&r.predicted);
    r.factor(nothing, r.of(pull), LdltSweep::whole);
  }
  rods.hold(pull);
  return true;
}

void StepMatrix::solve_again(const MovingRods& rods, std::vector<double>& pull) const {
  if (is_coupled_) {
    coupled_->solve(pull);
  } else {
    for (const CosseratRod& r : rods.rods()) r.solve(r.part(pull));
  }
  rods.hold(pull);
}

}  // namespace rodeo::implicit
