#pragma once

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Constraints on an end of a beam.
struct BeamEnd {
  bool deflection = false;
  bool slope = false;
  bool element = false;  ///< all of the element there, which is not part of the beam

  static BeamEnd of(EndCondition end) {
    const bool element = end == EndCondition::clamped_element;
    const bool slope = element || end == EndCondition::clamped || end == EndCondition::clamped_sliding;
    return {end != EndCondition::free, slope, element};
  }
};

/// Angular frequency, rad/s, of the slowest bending mode of an open rod: Euler-Bernoulli's beam of its
/// length, straight and unloaded, with its taper and its point masses. For a uniform one (beta L)^2
/// sqrt(B/(m' L^4)), m' = mass per length, with beta L = 1.8751 (one end clamped, the other free), 3.1416
/// (both pinned), 3.9266 (one pinned, the other clamped or free), 4.7300 (both clamped or both free). Ends
/// that slide along the axis are held across it; what turns or moves as a whole is no mode.
double slowest_bending_frequency(const RodSpec& rod, const BeamEnd& first, const BeamEnd& last);

}  // namespace rodeo
