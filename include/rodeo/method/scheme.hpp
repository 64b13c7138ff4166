#pragma once

#include <limits>
#include <span>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/method/solve_outcome.hpp"

namespace rodeo::method {

template <class System>
class Scheme;

/// A step of a system from its state to `end`, after `length` seconds, and its outcome.
template <class System>
struct SystemStep {
  Scheme<System>* scheme;
  System* system;
  double end;
  double length;
  SolveOutcome outcome = {};
};

/// Scheme that makes a time step of a system out of solves. A member has one of its own, which may keep data.
template <class System>
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// The part of a step that its shortest solve takes.
  virtual double shortest_solve() const { return 1.0; }

  /// Takes the system to `end` in a step of so many seconds. If a solve does not converge it stays as it is.
  /// Iterations are those of all solves.
  virtual SolveOutcome advance(System& system, double end, double step) = 0;

  /// Whether a step of a system may be taken together with that of another by its scheme, in less time and
  /// with the same bits. A scheme that never can does not go with itself either.
  virtual bool goes_with(const System& /*system*/, const Scheme& /*other*/,
                         const System& /*of_other*/) const {
    return false;
  }

  /// Advances systems as advance() does, each by its step; the first step is by this scheme.
  virtual void advance_together(std::span<SystemStep<System>> /*steps*/) {}

  /// Work of the ground on the system in the last step that converged, J.
  virtual double work_of_ground() const { return 0.0; }

  /// Energy taken by the scheme itself in that step, J; NaN if it does not know.
  virtual double loss() const { return std::numeric_limits<double>::quiet_NaN(); }

  /// Notes that loads, or held places, have jumped since the last step.
  virtual void begin_anew() {}

  /// Notes that other places are held than in the last step.
  virtual void hold_anew() {}

  /// Forgets data that save work from step to step: later results depend on the state alone.
  virtual void forget() = 0;

  /// Saves or restores data kept from one step to the next besides the arrays.
  virtual void visit_state(StateArchive& /*archive*/) {}
};

}  // namespace rodeo::method
