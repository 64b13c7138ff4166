#pragma once

#include <optional>
#include <vector>

#include "rodeo/coupling/assembly.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

/// The matrix of a step: that of each rod, their connections, and what presses on them. Without these each
/// rod is solved alone.
class StepMatrix {
 public:
  explicit StepMatrix(const MovingRods& rods);

  tangent::RodMatrix& of_rod(std::size_t k) { return matrices_[k]; }

  /// Forgets what it knows of pairs in contact: what follows depends on the entries alone.
  void forget();

  /// Adds connections, where velocities change by `rate` (1/s) times displacements, and such a share of what
  /// presses, holds what supports hold, and replaces `pull` by what answers it; false if the matrix is
  /// singular. In the geometric terms of seams stands `stress`, that of each rod.
  bool solve(MovingRods& rods, const std::vector<tangent::RodStress>& stress, double rate,
             double share_of_pressing, std::vector<double>& pull);

  /// The same for another pull.
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
