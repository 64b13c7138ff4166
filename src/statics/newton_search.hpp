#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "rodeo/math/vec3.hpp"
#include "rodeo/method/solve_outcome.hpp"

namespace rodeo::statics {

using method::SolveOutcome;

/// What is decided from one of Newton's iterations for an equilibrium to the next.
class NewtonSearch {
 public:
  NewtonSearch(int most_iterations, double inertia) : most_iterations_(most_iterations), inertia_(inertia) {}

  const SolveOutcome& outcome() const { return outcome_; }
  bool goes_on() const { return !ended_ && outcome_.iterations - from_saddles_ < most_iterations_; }

  /// The share of the inertia with which the last step was found, 1/s^2.
  double inertia() const { return inertia_; }

  /// Looks at the step that an iteration found: its largest turn, rad, its largest displacement over the
  /// rod's length, and its share of the inertia; whether it goes along a motion that costs no energy, where
  /// it is as long as rounding makes it. The search ends if they are not finite.
  void look_at(double turn, double shift, double inertia, bool is_idle = false) {
    ++outcome_.iterations;
    turn_ = turn;
    length_ = std::max(turn, shift);
    inertia_ = inertia;
    is_idle_ = is_idle;
    ended_ = !is_finite();
  }

  /// Looks at what pulls rods along directions in which nothing holds them (RestingRods::unheld_pulls),
  /// before each iteration. The search ends if that stays the same wherever they go: they fall for ever.
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

  bool is_finite() const { return std::isfinite(length_); }

  /// The part of it that may be taken.
  double most_part() const { return turn_ > most_turn ? most_turn / turn_ : 1.0; }

  bool is_rounding() const { return length_ <= rounding_step; }
  double length() const { return length_; }

  /// What contact between rods did to an iteration.
  struct Contact {
    bool stopped = false;  ///< its step
    bool settled = true;   ///< it is as stiff as the rods' state asks
  };

  /// Decides whether it was the last. More inertia than this hides not only free motions.
  void judge(double neutral) { judge(neutral, {}); }
  void judge(double neutral, const Contact& contact) {
    const bool at_saddle = inertia_ > neutral;
    const bool shrinks = length_ <= 0.5 * last_length_;
    const bool is_last = length_ <= smallest_step || (!at_saddle && (is_rounding() || is_idle_) && !shrinks);
    outcome_.converged = is_last && contact.settled;
    const bool is_slow = at_saddle || contact.stopped;
    ended_ = outcome_.converged || (is_slow && ++from_saddles_ > saddle_iterations);
    last_length_ = length_;
  }

 private:
  static constexpr double most_turn = 1.0;        ///< of an element in an iteration, rad
  static constexpr int saddle_iterations = 2000;  ///< most where the Hessian is not positive definite
  static constexpr double smallest_step = 1e-11;  ///< turns (rad), and displacements, that are none
  static constexpr double rounding_step = 1e-6;   ///< from which on steps that do not shrink are rounding
  static constexpr int iterations_that_tell = 5;  ///< that rods fall for ever

  int most_iterations_;
  SolveOutcome outcome_;
  bool ended_ = false;
  int from_saddles_ = 0;
  std::vector<Vec3> pulls_;
  int falls_ = 0;  ///< iterations with the same pulls
  double inertia_;
  double turn_ = 0.0;
  double length_ = 0.0;
  bool is_idle_ = false;
  double last_length_ = std::numeric_limits<double>::infinity();
};

/// Looks for the least share of the inertia (1/s^2) with which a matrix that is not positive definite becomes
/// so and no element turns farther than it may.
class InertiaSearch {
 public:
  /// `last_share` is where it begins; `neutral` is too little. Where nothing is known but that, the least of
  /// 2, 8, 32 ... times `neutral` is looked for first that is enough, from the one that is nearest to the
  /// `usual`: mostly those far below are too little.
  InertiaSearch(double last_share, double neutral, double usual)
      : neutral_(neutral),
        lowest_(2.0 * neutral),
        stepping_(last_share <= lowest_),
        too_small_(neutral),
        share_(std::max(last_share, lowest_)) {
    while (stepping_ && factor * share_ <= usual) share_ *= factor;
  }

  bool goes_on() const { return !near_ && enough_ > close_share * too_small_ && std::isfinite(share_); }
  double share() const { return share_; }  ///< to be tried
  double enough() const { return enough_; }

  /// Looks at what the matrix with this share answers, by its largest turn; whether it is the best step so
  /// far.
  bool judge(bool definite, double turn) {
    const bool is_enough = definite && turn <= saddle_turn;
    (is_enough ? enough_ : too_small_) = share_;
    if (is_enough) turn_ = turn;
    if (!std::isfinite(enough_)) {
      share_ *= factor;
      return false;
    }
    stepping_ = stepping_ && factor * too_small_ < enough_ && enough_ > lowest_;
    if (stepping_) {
      share_ = enough_ / factor;
    } else {
      near_ = turn_ > 0.3 * saddle_turn;
      share_ = std::max(std::sqrt(too_small_ * enough_), too_small_ > neutral_ ? 0.0 : enough_ / factor);
    }
    return is_enough;
  }

 private:
  static constexpr double factor = 4.0;       ///< from one share that is tried to the next
  static constexpr double saddle_turn = 0.3;  ///< most of an element, rad
  static constexpr double close_share = 1.2;  ///< to the least that is enough: near enough

  double neutral_;
  double lowest_;
  bool stepping_;  ///< by factors
  double too_small_;
  double enough_ = std::numeric_limits<double>::infinity();
  double turn_ = 0.0;  ///< with that
  double share_;
  bool near_ = false;
};

}  // namespace rodeo::statics
