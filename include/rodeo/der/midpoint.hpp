#pragma once

#include <vector>

#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

/// The implicit midpoint rule, of second order with one solve: half a step of backward Euler, and as far
/// again. It takes no energy from motion, however fast. Loads that depend on the state are those where
/// velocities take the rods in half a step.
class Midpoint final : public Scheme {
 public:
  double shortest_solve() const override { return 0.5; }
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  double loss() const override { return 0.0; }
  void forget() override {}  // all it keeps is of the rods

 private:
  void set_loads(LoadedRods& rods, double time, double half);

  std::vector<double> start_;  ///< the state that the step starts from
};

}  // namespace rodeo::der
