#pragma once

#include <chrono>
#include <cstdint>

#include "study.hpp"

namespace rodeo {

/// True duration of steps on this machine, from a few of them.
struct CostTrial {
  double slowness = 1.0;      ///< measured over predicted time
  std::int64_t steps = 0;     ///< that were timed; 0: none, and the slowness means nothing
  std::uint64_t members = 0;  ///< that took them
  bool contact = false;       ///< some of them may come into contact, which takes longer
};

/// Runs the first steps of Study::representatives, for about as long as `patience`, and forgets them. Nothing
/// is timed where members do not step, and where they run on a device, on which one member alone says nothing
/// of many. `study` keeps its slowness.
CostTrial run_cost_trial(Study& study, std::chrono::duration<double> patience);

}  // namespace rodeo
