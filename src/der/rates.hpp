#pragma once

#include <vector>

#include "rodeo/der/loaded_rods.hpp"

namespace rodeo::der {

/// Of nodes their places, of elements zero.
std::vector<double> places_of(LoadedRods& rods);

/// Of nodes their velocities, of elements their rates of turning about their tangents.
std::vector<double> rates_of(LoadedRods& rods);
void set_rates(LoadedRods& rods, const std::vector<double>& rates);

/// RodStep::move_by() of all rods.
void move_by(LoadedRods& rods, const std::vector<double>& way);

/// Makes zero what is not free, and moves nodes that follow others as these move.
void hold(LoadedRods& rods, std::vector<double>& change);

}  // namespace rodeo::der
