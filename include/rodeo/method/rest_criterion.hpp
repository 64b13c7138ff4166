#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rodeo/math/vec3.hpp"
#include "rodeo/method/newton.hpp"
#include "rodeo/method/solve_outcome.hpp"

namespace rodeo::method {

/// Judges Newton's iterations for an equilibrium. Where the Hessian is not positive definite a share of the
/// inertia is added to it, and the iterations are steps through a medium that damps. A system has
///   unheld_pulls(): the forces along directions in which nothing holds it;
///   turn(), shift(): the largest turn of the step, rad, and its largest displacement over a length;
///   inertia(): the share of the inertia with which it was found, 1/s^2;   unstable(): the number of negative
///   eigenvalues without it;   neutral(): the share that hides motions which cost no energy;   hide(inertia):
///   such a share is no more than rounding leaves;
///   is_idle(): whether the step goes along a motion that costs no energy, where it is as long as rounding
///   makes it;
///   touches(), is_pressed(): whether contact between its parts may stop a step, and whether it acts;
///   renew_contact(): sets the stiffness of contact by the state.
class RestCriterion {
 public:
  static constexpr int any_number = std::numeric_limits<int>::max();

  /// `most_unstable`: most negative eigenvalues of the matrix on the way to an equilibrium where there are
  /// none. Of the minima around a state where there are many the iterations choose one, which may be on the
  /// side from which the loads push: the way has to be taken in parts.
  RestCriterion(int most_iterations, double inertia, int most_unstable)
      : most_iterations_(most_iterations), most_unstable_(most_unstable), inertia_(inertia) {}

  template <class System>
  Verdict at_state(const System& system) {
    look_at_fall(system.unheld_pulls());
    return verdict();
  }

  template <class System>
  Verdict at_step(System& system, bool /*regular*/) {
    look_at({system.turn(), system.shift(), system.inertia(), system.unstable(), system.is_idle()});
    return is_finite() ? Verdict::goes_on : Verdict::failed;
  }

  template <class System>
  Verdict after_step(System& system, double part) {
    if (part == 0.0) return Verdict::failed;  // its parts overlap where they must not
    if (is_rounding()) system.hide(inertia_);
    const bool is_stopped = system.touches() && part < most_part();
    judge(system.neutral(), {is_stopped, is_renewed_ || !system.is_pressed()});
    is_renewed_ = length_ <= renewing_step;
    if (is_renewed_) system.renew_contact();
    return verdict();
  }

  const SolveOutcome& outcome() const { return outcome_; }
  int iteration() const { return outcome_.iterations + 1; }
  bool goes_on() const { return !ended_ && outcome_.iterations - from_saddles_ < most_iterations_; }

  /// The share of the inertia with which the last step was found, 1/s^2.
  double inertia() const { return inertia_; }

  /// Step that an iteration found.
  struct Step {
    double turn;
    double shift;
    double inertia;
    int unstable;
    bool is_idle = false;
  };

  /// Looks at a step. The search ends if it is not finite.
  void look_at(const Step& step) {
    ++outcome_.iterations;
    turn_ = step.turn;
    length_ = std::max(step.turn, step.shift);
    inertia_ = step.inertia;
    is_idle_ = step.is_idle;
    unstable_ = std::max(unstable_, step.unstable);
    ended_ = !is_finite();
  }

  bool is_finite() const { return std::isfinite(length_); }

  /// Whether the number of negative eigenvalues matters, which takes a factorisation: not once there were
  /// many.
  bool counts_unstable() const { return most_unstable_ < any_number && unstable_ <= most_unstable_; }

  /// Looks at the forces along directions in which nothing holds, before each iteration. The search ends if
  /// they stay the same wherever the system goes: it falls for ever.
  void look_at_fall(std::vector<Vec3> pulls) {
    constexpr double same = 1e-6;  // relative
    const std::vector<Vec3> before = std::exchange(pulls_, std::move(pulls));
    bool falls = false;
    for (std::size_t k = 0; k < before.size() && k < pulls_.size(); ++k) {
      const double pull = norm(pulls_[k]);
      falls = falls || (pull > 0.0 && norm(pulls_[k] - before[k]) <= same * pull);
    }
    falls_ = falls ? falls_ + 1 : 0;
    ended_ = ended_ || falls_ == iterations_that_tell;
  }

  /// The part of the step that its turns allow.
  double most_part() const { return turn_ > most_turn ? most_turn / turn_ : 1.0; }

  bool is_rounding() const { return length_ <= rounding_step; }

  /// Effect of contact between rods on an iteration.
  struct Contact {
    bool stopped = false;  ///< contact has stopped the step
    bool settled = true;   ///< contact is as stiff as the state asks
  };

  /// Decides whether the iteration was the last. Inertia above `neutral` hides not only free motions.
  void judge(double neutral) { judge(neutral, {}); }
  void judge(double neutral, const Contact& contact) {
    const bool at_saddle = inertia_ > neutral;
    const bool shrinks = length_ <= 0.5 * last_length_;
    const bool is_last = length_ <= smallest_step || (!at_saddle && (is_rounding() || is_idle_) && !shrinks);
    outcome_.is_one_of_many = is_last && contact.settled && !at_saddle && unstable_ > most_unstable_;
    outcome_.converged = is_last && contact.settled && !outcome_.is_one_of_many;
    const bool is_slow = at_saddle || contact.stopped;
    ended_ =
        outcome_.converged || outcome_.is_one_of_many || (is_slow && ++from_saddles_ > saddle_iterations);
    last_length_ = length_;
  }

 private:
  static constexpr double most_turn = 1.0;        ///< of an element in an iteration, rad
  static constexpr int saddle_iterations = 2000;  ///< most where the Hessian is not positive definite
  static constexpr double smallest_step = 1e-11;  ///< turns (rad), and displacements, that are none
  static constexpr double rounding_step = 1e-6;   ///< longest step that is rounding if it does not shrink
  static constexpr int iterations_that_tell = 5;  ///< iterations that tell that the system falls for ever
  static constexpr double renewing_step = 1e-4;   ///< longest step with which contact is renewed

  Verdict verdict() const {
    if (outcome_.converged) return Verdict::converged;
    return goes_on() ? Verdict::goes_on : Verdict::failed;
  }

  int most_iterations_;
  int most_unstable_;
  SolveOutcome outcome_;
  bool ended_ = false;
  int from_saddles_ = 0;
  std::vector<Vec3> pulls_;
  int falls_ = 0;  ///< iterations with the same unheld_pulls()
  double inertia_;
  int unstable_ = 0;  ///< most negative eigenvalues so far
  double turn_ = 0.0;
  double length_ = 0.0;
  bool is_idle_ = false;
  bool is_renewed_ = false;  ///< contact, as an iteration begins
  double last_length_ = std::numeric_limits<double>::infinity();
};

}  // namespace rodeo::method
