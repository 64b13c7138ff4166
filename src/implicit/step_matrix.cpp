#include "step_matrix.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "rodeo/coupling/blocks.hpp"

namespace rodeo::implicit {

StepMatrix::StepMatrix(const MovingRods& rods) {
  for (const MovingRod& r : rods.rods()) {
    matrices_.emplace_back(r.unknowns());
    factors_.emplace_back(r.unknowns());
  }
  shares_nodes_ = std::ranges::any_of(rods.ties().followers(),
                                      [](const coupling::Ties::Follower& f) { return !f.is_ghost; });
  if (shares_nodes_ || rods.links() || rods.pressing().exists())
    coupled_.emplace(rods.ties(), rods.inertia());
}

void StepMatrix::forget() {
  if (coupled_) coupled_->forget();
}

bool StepMatrix::solve(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
                       double share_of_pressing, std::vector<double>& pull) {
  is_coupled_ = shares_nodes_ || rods.links() || rods.pressing().acts();
  if (!is_coupled_) {
    solve_alone(rods, stress, pull);
    return true;
  }
  if (!factor_coupled(rods, stress, rate, share_of_pressing)) return false;
  solve_again(rods, pull);
  return true;
}

void StepMatrix::solve_again(const MovingRods& rods, std::vector<double>& pull) const {
  if (is_coupled_) {
    coupled_->solve(pull);
  } else {
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      const MovingRod& r = rods.rods()[k];
      if (r.seam) {
        r.seam->solve(factors_[k], r.part(pull));
      } else {
        factors_[k].solve(r.of(pull));
      }
    }
  }
  rods.hold(pull);
}

void StepMatrix::solve_alone(MovingRods& rods, const std::vector<tangent::RodStress>& stress,
                             std::vector<double>& pull) {
  constexpr std::array<double, tangent::Seam::size> nothing = {};
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    MovingRod& r = rods.rods()[k];
    if (r.seam) r.seam->cut(matrices_[k], &stress[k]);  // which takes what is there of its unknowns
    r.held.hold(matrices_[k]);
    if (r.seam) {
      for (const int unknown : r.held.unknowns()) r.seam->hold(unknown);
      factors_[k].factor(matrices_[k]);
      r.seam->factor(factors_[k], nothing);
      r.seam->solve(factors_[k], r.part(pull));
    } else {
      factors_[k].factor_and_forward(matrices_[k], r.of(pull));
      factors_[k].back(r.of(pull));
    }
  }
  rods.hold(pull);
}

/// Any of several tied nodes may be constrained.
bool StepMatrix::factor_coupled(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
                                double share_of_pressing) {
  std::vector<coupling::Assembly::Held> held;
  for (const MovingRod& r : rods.rods())
    held.push_back({&r.held, static_cast<int>(r.first), r.unknowns(), r.seam.has_value()});
  coupled_->begin(held);
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    const MovingRod& r = rods.rods()[k];
    const int first = static_cast<int>(r.first);
    coupled_->add_band(first, matrices_[k]);
    if (!r.seam) continue;
    const tangent::Seam::Blocks blocks = r.seam->blocks(&stress[k]);
    const int turn = first + tangent::element_unknown(0);
    const int last = first + tangent::element_unknown(r.rod.elements - 1);
    coupled_->add(turn, turn, blocks.of_first);
    coupled_->add(last, turn, blocks.last_first);
    coupled_->add(turn, last, transpose(blocks.last_first));
  }
  const auto add = [&](int row, int column, const Matrix3& block) { coupled_->add(row, column, block); };
  if (rods.links()) coupling::for_each_block(*rods.links(), rate, add);
  if (rods.rigid_joints()) coupling::for_each_block(*rods.rigid_joints(), rate, add);
  if (rods.pressing().acts()) rods.pressing().add_matrix(share_of_pressing, *coupled_);
  coupled_->finish();
  return coupled_->factor();
}

}  // namespace rodeo::implicit
