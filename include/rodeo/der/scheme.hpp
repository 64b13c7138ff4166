#pragma once

#include "rodeo/der/loaded_rods.hpp"
#include "rodeo/method/scheme.hpp"

namespace rodeo::der {

using method::SolveOutcome;

/// How a time step of discrete elastic rods is made of solves.
using Scheme = method::Scheme<LoadedRods>;

}  // namespace rodeo::der
