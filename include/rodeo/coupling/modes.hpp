#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/math/pack.hpp"
#include "rodeo/observe/modes.hpp"

namespace rodeo::coupling {

/// Rods at an equilibrium, linearized there: what their small vibrations follow from.
class Vibrating {
 public:
  virtual ~Vibrating() = default;

  /// Of each unknown.
  virtual const std::vector<double>& inertia() const = 0;

  /// Factors the matrix with a share of the inertia (1/s^2); returns how many of its eigenvalues are
  /// negative.
  virtual int factor(double share) = 0;

  /// Replaces vectors, one a lane, by the solutions, with these factors.
  virtual void solve(std::vector<DoublePack>& vectors) const = 0;

  /// Of each unknown, a measure that tells directions and places along the rods.
  virtual std::vector<double> telling_weights() const = 0;

  /// What damping takes from such velocities of the unknowns: forces.
  virtual std::vector<double> resistance(const std::vector<double>& velocity) const = 0;

  /// What frames hold of a shape (mode_components numbers for each node).
  virtual std::vector<double> at_nodes(const std::vector<double>& shape) const = 0;
};

/// A small vibration about an equilibrium without damping, K shape = square M shape.
struct Mode {
  double square = 0.0;  ///< of its angular frequency, 1/s^2; negative of one that leaves the equilibrium
  std::vector<double> shape;  ///< of the unknowns, with shape' M shape = 1 kg m^2
};

/// Those of the lowest squares, in their order, but those whose square is at most `no_sign` in size: they
/// cost no energy. `shift` (1/s^2) is about the square of the slowest vibration. Where several have the same
/// square it is their choice that is to be made: of all shapes together those along x come first, then those
/// along y.
std::vector<Mode> lowest_modes(Vibrating& rods, double shift, double no_sign, std::size_t count);

/// The same as members report them, damped: motions exp(-rate t) cos(2 pi frequency t) in the space of the
/// lowest modes and of a few more. NaN where there are fewer.
FoundModes find_modes(Vibrating& rods, double shift, double no_sign, int count);

/// So many that are not found.
FoundModes unknown_modes(const Vibrating& rods, int count);

}  // namespace rodeo::coupling
