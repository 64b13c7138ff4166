#pragma once

#include <vector>

#include "rodeo/der/loaded_rods.hpp"

namespace rodeo::der {

/// Positions of nodes, and zeros for elements.
std::vector<double> places_of(LoadedRods& rods);

/// Velocities of nodes, and rates of turning of elements about their tangents.
std::vector<double> rates_of(LoadedRods& rods);
void set_rates(LoadedRods& rods, const std::vector<double>& rates);

/// RodStep::move_by() of all rods.
void move_by(LoadedRods& rods, const std::vector<double>& way);

/// Zeroes what is not free, and moves nodes that follow others as these move.
void hold(LoadedRods& rods, std::vector<double>& change);

}  // namespace rodeo::der
