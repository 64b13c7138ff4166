#pragma once

#include <vector>

#include "resting_rods.hpp"

namespace rodeo::statics {

/// A small vibration about an equilibrium without damping, K shape = square M shape.
struct Mode {
  double square = 0.0;  ///< of its angular frequency, 1/s^2; negative of one that leaves the equilibrium
  std::vector<double> shape;  ///< of the unknowns, with shape' M shape = 1 kg m^2
};

/// Those of the lowest squares, in their order, but those whose square is at most `no_sign` in size: they
/// cost no energy. The rods are linearized at an equilibrium; `shift` (1/s^2) is about the square of the
/// slowest vibration. Where several have the same square it is their choice that is to be made: of all shapes
/// together those along x come first, then those along y.
std::vector<Mode> lowest_modes(RestingRods& rods, double shift, double no_sign, std::size_t count);

/// What damping makes of modes: as many rates and frequencies.
struct DampedModes {
  std::vector<double> frequencies;  ///< Hz; negative of a mode that leaves the equilibrium, without damping
  std::vector<double> decay_rates;  ///< 1/s; that of the slower motion of a mode that does not swing
};

/// The motions exp(-rate t) cos(2 pi frequency t) of rods with such a drag (force over velocity) of each of
/// their unknowns, in the space of these modes, in the order of their frequencies.
DampedModes damp(const std::vector<Mode>& modes, const std::vector<double>& drag);

}  // namespace rodeo::statics
