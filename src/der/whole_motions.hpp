#pragma once

#include <vector>

#include "rodeo/coupling/mechanisms.hpp"
#include "rodeo/der/loaded_rods.hpp"

namespace rodeo::der {

/// Motions that may cost no energy: those of rods as wholes, and rolls about their own centre lines, that no
/// joint or support resists (coupling/mechanisms.hpp).
class WholeMotions {
 public:
  /// Finds the motions in the present state of the rods.
  explicit WholeMotions(const LoadedRods& rods);

  /// Number of the motions.
  std::size_t count() const { return motions_.size(); }

  /// The motions, orthonormal in the measure of the inertia.
  const std::vector<std::vector<double>>& motions() const { return motions_; }

  /// Whether a displacement is made of them: the rest has next to none of its kinetic energy. Lengths and
  /// angles have no other measure in common, and a roll of a thin rod would hide any bending.
  bool hold(const std::vector<double>& displacement) const;

 private:
  std::vector<double> inertia_;  ///< of each degree of freedom, kg and kg m^2
  std::vector<std::vector<double>> motions_;
};

}  // namespace rodeo::der
