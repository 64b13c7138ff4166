#pragma once

namespace rodeo::method {

/// Outcome of a solve, or of the solves of a time step.
struct SolveOutcome {
  bool converged = false;
  int iterations = 0;    ///< of Newton's method
  bool may_grow = true;  ///< a time step twice as long would be accurate enough
};

}  // namespace rodeo::method
