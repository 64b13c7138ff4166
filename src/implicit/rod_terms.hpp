#pragma once

#include <span>

#include "moving_rods.hpp"

namespace rodeo::implicit {

/// Sets a gradient of the energy of a rod to loads - gradient - gyroscopic couples, with such rates. Loads on
/// a node that two rods have are the earlier one's.
void subtract_from_loads(const MovingRod& r, const double* rates, std::span<double> gradient);

/// Adds the derivative of what resists a rod, of which the rates change by so much with the unknowns.
void add_resistance(const MovingRod& r, double by_rate, tangent::RodMatrix& matrix);

}  // namespace rodeo::implicit
