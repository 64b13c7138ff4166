#pragma once

#include <memory>

#include "rodeo/member/state_archive.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

struct StepOutcome {
  bool converged = false;
  int iterations = 0;
  bool may_grow = true;  ///< a step twice as long would be accurate enough
};

/// By which an element may turn in a step, rad: a step that takes it further does not converge, and is
/// halved.
inline constexpr double most_turn_of_step = 1.0;

/// How a time step is made. A member has one for itself.
class Scheme {
 public:
  virtual ~Scheme() = default;

  /// Takes the rods to `end` in a step of so many seconds. If it does not converge they stay as they are.
  virtual StepOutcome advance(MovingRods& rods, double end, double step) = 0;

  /// What the ground has done to the rods in the last step that converged, J.
  virtual double work_of_ground() const { return 0.0; }

  /// What is held has changed: the next step begins from the state alone.
  virtual void begin_anew() {}

  /// Forgets what saves work from step to step: what follows depends on the state alone.
  virtual void forget() {}

  /// Saves or restores what stays from one step to the next besides the arrays.
  virtual void visit_state(StateArchive& archive) = 0;
};

std::unique_ptr<Scheme> make_generalized_alpha(const MemberSpec& spec);
std::unique_ptr<Scheme> make_energy_momentum(const MemberSpec& spec);

}  // namespace rodeo::implicit
