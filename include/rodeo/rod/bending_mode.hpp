#pragma once

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Angular frequency, rad/s, of the slowest bending mode of an open rod: Euler-Bernoulli's beam of its
/// length, straight and unloaded, with its taper and its point masses. For a uniform one (beta L)^2
/// sqrt(B/(m' L^4)), m' = mass per length, with beta L = 1.8751 (one end clamped, the other free), 3.1416
/// (both pinned), 3.9266 (one pinned, the other clamped or free), 4.7300 (both clamped or both free). Ends
/// that slide along the axis are held across it; what turns or moves as a whole is no mode. A held element is
/// not part of the beam.
double slowest_bending_frequency(const RodSpec& rod, EndCondition first, EndCondition last);

}  // namespace rodeo
