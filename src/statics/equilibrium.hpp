#pragma once

#include <optional>
#include <vector>

#include "rodeo/member/stability.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/method/inertia_search.hpp"
#include "rodeo/method/rest_criterion.hpp"
#include "rodeo/method/solve_outcome.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/spec/member_spec.hpp"

#include "resting_rods.hpp"

namespace rodeo::statics {

using method::RestCriterion;
using method::SolveOutcome;

class EquilibriaInLanes;

/// Finds equilibria of a member's rods by Newton's method.
///
/// Plain iterations turn elements along straight lines, which stretches the rods and makes stress out of
/// nothing. Here the geometric terms of the Hessian have the stress that the last iteration predicted instead
/// of that of the present state (tangent/shear_stretch.hpp), and a rod takes its load in few iterations.
///
/// Where the Hessian is not positive definite a share of the inertia is added, as in a step of implicit Euler
/// through a medium that damps. It is the smallest with which no element turns farther than it may, so that
/// rods leave a saddle as fast as they can and end in a minimum nearby. They stay at a saddle only if no
/// force takes them from it.
class Equilibrium {
 public:
  /// Finder of equilibria of several members side by side.
  using Lanes = EquilibriaInLanes;

  Equilibrium(const MemberSpec& spec, const MemberArrays& arrays);

  const RestingRods& rods() const { return rods_; }
  RestingRods& rods() { return rods_; }

  /// Share of the inertia (1/s^2) added to the matrix, so that motions which cost no energy do not make it
  /// singular.
  double neutral() const { return neutral_; }

  /// Makes the rods those of another member (RestingRods::become).
  void become(const MemberSpec& spec, double time);

  /// Does nothing: no data are kept from step to step to save work.
  void forget(double /*time*/) {}

  /// Starts from the rods' state at `time`. `from_rest`: nothing acts on them there, and their strains are
  /// balanced by forces that fade as loads come on. `released`: a motion has ended, and its reaction fades
  /// likewise.
  void begin(double time, bool from_rest, bool released = false);

  /// Takes the rods to their equilibrium at `time`, or to that with a share of the loads that come on or
  /// fade. If none is found, or one of many where the way can be halved, they stay as they are.
  SolveOutcome solve(double time, double share, bool can_be_halved);

  /// At an equilibrium: factors the rods' true matrix without motions that cost no energy, and sets the
  /// unbalanced forces; returns the number of negative eigenvalues.
  int factor_at_rest(double time, std::vector<double>& pull);

  /// Largest square, 1/s^2, with which a motion of rods as wholes, or a roll of theirs, is taken to cost no
  /// energy.
  double free_square() const;

  /// Stability of the present equilibrium.
  Stability stability();

  /// Slowest vibrations about the present equilibrium; also where loads have no energy.
  FoundModes modes(int count);
  /// After factor_at_rest(): eigenvalue nearest to zero of the matrix over the inertia, 1/s^2, and its mode,
  /// of unit norm, apart from motions that cost no energy.
  double nearest_mode(std::vector<double>& mode);

  /// Saves or restores what stays from step to step besides the rods' state.
  void visit_state(StateArchive& archive) {
    archive.visit(time_);
    archive.visit(from_rest_);
    archive.visit_list(strained_);
    archive.visit(neutral_);
  }

 private:
  friend class EquilibriaInLanes;
  class Iteration;

  /// Begins a search; returns nothing if rods are in the way of what moves them.
  std::optional<RestCriterion> begin_search(double time, bool can_be_halved);
  void iterate(double time, double share, RestCriterion& criterion);
  /// Makes a share of the inertia neutral() if it is no more than rounding leaves.
  void hide(double inertia, double rounding) {
    if (inertia <= rounding) neutral_ = inertia;
  }
  SolveOutcome end_search(double time, const RestCriterion& criterion, const std::vector<Placement>& before);
  double least_neutral() const;
  double no_sign() const;
  double slow_rounding() const;
  Stability slow_stability(int expected);
  std::optional<Stability> told_by_inertia(double no_sign, int unstable);
  double find_step(double last_share);
  double least_eigenvalue(double share, double digits, std::vector<double>& mode);

  RestingRods rods_;
  int most_iterations_;
  double time_ = 0.0;  ///< of the present ends, s
  bool from_rest_ = false;
  double neutral_;                ///< share of the inertia that hides eigenvalues without a sign, 1/s^2
  std::vector<double> strained_;  ///< unbalanced forces at the start, which fade
  std::vector<double> pull_;
  std::vector<double> step_;
  std::vector<double> trial_;
};

}  // namespace rodeo::statics
