#pragma once

#include <cstdint>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo {

/// Moves a rod (given by its number) with what motions hold of it in the step after so many, from where that
/// is at one time to where it is at another.
///
/// Frames turn about axes of the laboratory, linearly from one that is held to the next, and take the edges
/// with them; what nodes that are held then miss of their places is spread over the others in the same way.
/// So a rod between two frames that turn is twisted and bent evenly, and one that a single place holds goes
/// with it as it is.
void spread_motions(const boundary::Motions& motions, std::int64_t steps, int number, const RodData& data,
                    const RodView& rod, double from, double to);

}  // namespace rodeo
