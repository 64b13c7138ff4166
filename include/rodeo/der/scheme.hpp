#pragma once

#include "rodeo/der/loaded_rods.hpp"
#include "rodeo/member/stability.hpp"
#include "rodeo/observe/modes.hpp"

namespace rodeo::der {

/// How a time step is made of solves. A member has one for itself, which may keep what it works with.
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// The part of a step that its shortest solve takes.
  virtual double shortest_solve() const = 0;

  /// Takes the rods to `end` in a step of so many seconds. If a solve does not converge they stay as they
  /// are. Iterations are those of all its solves.
  virtual NewtonOutcome advance(LoadedRods& rods, double end, double step) = 0;

  /// Of the rods where advance() has left them, if that is an equilibrium.
  virtual Stability stability(LoadedRods& /*rods*/) const { return {}; }

  /// So many of its slowest vibrations there, if stability() has just been asked for.
  virtual FoundModes modes(LoadedRods& /*rods*/, int /*count*/) const { return {}; }
};

/// One solve with what acts on the rods at its start, but for what depends on time alone: of first order.
class BackwardEuler final : public Scheme {
 public:
  double shortest_solve() const override { return 1.0; }
  NewtonOutcome advance(LoadedRods& rods, double end, double step) override;
};

}  // namespace rodeo::der
