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

  tangent::RodMatrix& of_rod(std::size_t k) { return matrices_[k]; }

  /// Discards the pattern of contact pairs, so that later results depend on the entries alone.
  void forget();

  /// Adds connections, with velocities that change by `rate` (1/s) times displacements, and the given share
  /// of contact, applies constraints, and replaces `pull` by the solution; false if the matrix is singular.
  /// The geometric terms of seams use `stress`, that of each rod.
  bool solve(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
             double share_of_pressing, std::vector<double>& pull);

  /// Solves for another right-hand side with the same factors.
  void solve_again(const MovingRods& rods, std::vector<double>& pull) const;

 private:
  bool factor_coupled(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
                      double share_of_pressing);
  void solve_alone(MovingRods& rods, const std::vector<tangent::RodStress>& stress,
                   std::vector<double>& pull);

  std::vector<tangent::RodMatrix> matrices_;
  std::vector<tangent::RodFactors> factors_;
  std::optional<coupling::Assembly> coupled_;
  bool shares_nodes_ = false;
  bool is_coupled_ = false;
};

}  // namespace rodeo::implicit
