#pragma once

#include <vector>

#include "rodeo/input/shape_file.hpp"

namespace rodeo {

/// The rods of a member as a frame of its campaign's file holds them. Throws FileError with one sentence:
/// what is missing in that file, and which key of its deck keeps it.
std::vector<RodNumbers> read_member_state(const StateSource& source);

}  // namespace rodeo
