#pragma once

#include <vector>

#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

/// Two solves a step, of second order and L-stable: the singly diagonally implicit Runge-Kutta method of
/// Alexander (1977) with gamma = 1 - 1/sqrt(2). Loads that depend on the state are evaluated explicitly,
/// which makes it the method ARS(2,2,2) of Ascher, Ruuth and Spiteri (1997):
///   y_1 = y_n + gamma h (I(y_1) + E(y_n))
///   y_2 = y_n + (1 - gamma) h I(y_1) + gamma h I(y_2) + delta h E(y_n) + (1 - delta) h E(y_1),
/// with delta = 1 - 1/(2 gamma). The second line is the first from y_*, the state extrapolated through y_1 by
/// (1 - gamma)/gamma, and with E(y_1) + (1/(2 gamma^2) - 1) (E(y_1) - E(y_n)) for E(y_n). Loads that depend
/// on time alone are taken at the end of each solve.
class Sdirk2 final : public Scheme {
 public:
  double shortest_solve() const override;
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  void forget() override {}  // all it keeps is of the rods

 private:
  std::vector<double> start_;  ///< the state that the step starts from
};

}  // namespace rodeo::der
