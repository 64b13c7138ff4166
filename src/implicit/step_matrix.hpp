#pragma once

#include <optional>
#include <vector>

#include "rodeo/coupling/assembly.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

/// The matrix of a step: rods, their connections and contact. Without the last two each rod is solved alone.
class StepMatrix {
 public:
  explicit StepMatrix(const MovingRods& rods);

  /// Discards the pattern of contact pairs, so that later results depend on the entries alone.
  void forget() {
    if (coupled_) coupled_->forget();
  }

  /// Adds to the matrices of rods connections, with velocities that change by `rate` (1/s) times
  /// displacements, and the given share of contact, applies constraints, and replaces `pull` by the solution;
  /// false if the matrix is singular. Geometric terms have the predicted stresses.
  bool solve(MovingRods& rods, double rate, double share_of_pressing, std::vector<double>& pull);

  /// Solves for another right-hand side with the same factors.
  void solve_again(const MovingRods& rods, std::vector<double>& pull) const;

 private:
  std::optional<coupling::Assembly> coupled_;
  bool shares_nodes_;
  bool is_coupled_ = false;
};

}  // namespace rodeo::implicit
