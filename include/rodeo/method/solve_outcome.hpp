#pragma once

namespace rodeo::method {

/// Outcome of a solve, or of the solves of a time step.
struct SolveOutcome {
  bool converged = false;
  int iterations = 0;    ///< of Newton's method
  bool may_grow = true;  ///< a time step twice as long would be accurate enough
  /// An equilibrium was found, but one of many that the way to it passed by, and is not taken.
  bool is_one_of_many = false;
};

}  // namespace rodeo::method
