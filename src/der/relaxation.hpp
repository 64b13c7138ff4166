#pragma once

#include <vector>

#include "rodeo/member/stability.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/method/solve_outcome.hpp"
#include "rodeo/observe/equilibrium.hpp"

#include "rods_at_rest.hpp"

namespace rodeo::der {

using method::SolveOutcome;

/// Takes rods from equilibrium to equilibrium by pseudo-transient continuation (Kelley and Keyes 1998): steps
/// of implicit Euler from rest, in which nothing but inertia resists. A step as long as there are is one of
/// Newton's method for the equilibrium. Where it does not converge, or ends where a little less inertia would
/// let the energy fall, as at a saddle, steps shorten, and grow again as they converge. Contact is that of
/// all steps: rods cannot pass through each other on the way. The last steps are those of Newton's method
/// alone.
///
/// The stiffness of contacts is set by the forces at the start of a step, which at an equilibrium are those
/// of its end: it follows from the equilibrium, not from the way there.
class Relaxation {
 public:
  Relaxation(const MemberSpec& spec, const MemberArrays& arrays);

  const RodsAtRest& rods() const { return rods_; }
  RodsAtRest& rods() { return rods_; }

  /// Share of the inertia (1/s^2) that hides eigenvalues without a sign.
  double neutral() const { return neutral_; }

  void forget(double time) { rods_.loaded().forget(time); }

  /// Starts from the rods' state at `time`. `from_rest`: nothing acts on them there.
  void begin(double time, bool from_rest, bool released = false);

  /// Takes the rods to their equilibrium at `time`, or, from rest, to that with a share of the loads. If none
  /// is found they stay as they are.
  SolveOutcome solve(double time, double share, bool can_be_halved);

  /// Stability of the present equilibrium.
  Stability stability();
  FoundModes modes(int count);

  /// Makes the rods those of another member (RodsAtRest::become).
  void become(const MemberSpec& spec, double time);

  /// At an equilibrium: factors the rods' matrix, and sets the unbalanced forces; returns the number of
  /// negative eigenvalues.
  int factor_at_rest(double time, std::vector<double>& pull);
  /// After factor_at_rest(): eigenvalue nearest to zero of the matrix over the inertia, 1/s^2, and its mode,
  /// of unit norm, apart from motions that cost no energy.
  double nearest_mode(std::vector<double>& mode);

  /// Saves or restores what stays from step to step besides the rods' state.
  void visit_state(StateArchive& archive) {
    archive.visit(time_);
    archive.visit(from_rest_);
    rods_.visit_state(archive);
  }

 private:
  SolveOutcome relax();
  bool refine();
  double refined_least(double share, double roughly, std::vector<double>& mode);
  double least_of_modes(double no_sign);
  double no_sign() const;

  double slowest_;  ///< square of the rate of the softest rod between hinges, 1/s^2
  double neutral_;
  RodsAtRest rods_;
  double time_ = 0.0;  ///< of the present ends, s
  bool from_rest_ = false;
  double longest_refinement_;      ///< m
  std::vector<double> densities_;  ///< of each rod, kg/m^3, of a member that reports modes
};

}  // namespace rodeo::der
