#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/method/newton.hpp"

namespace rodeo::method {

/// Judges Newton's iterations for F(q) = 0 by the residual. A system has
///   norm(): of the residual;   tolerance(norm): from the norm at the first q;
///   rounding_norm(), no_length(): the norm that rounding alone may leave, and the length of a step that is
///   none;
///   step_length(), next_length(): of the last step, and of the one from the present state by the matrix of
///   that; the same units for all degrees of freedom;
///   is_rounding(): whether the last step, after which the residual has not fallen, is no more than rounding
///   of a solve that has gone so far;
///   must_fall(): whether to search from the first step on;
///   moves(): whether the first state is no solution, however small its residual: loads and inertia may be
///   less than what bends a stiff rod, and still move it;
///   note_best(), go_to_best(): the best state, and back there.
///
/// Whole steps are taken at first, also where they raise the residual: as an element of a slender rod turns
/// it is stretched in second order, stretching is stiff, and the next step takes that back. If the residual
/// has not fallen below its least for some steps (the watchdog of Chamberlain et al. 1982), the iteration
/// goes back there and searches: a step is then halved until the residual falls, or the next correction with
/// the same Jacobian is shorter than the step was (natural monotonicity test, Deuflhard 2004, section 3.3).
/// With forces as stiff and one-sided as those of contact the search begins at once (must_fall). As these
/// have kinks the iteration may then go back and forth between states of no smaller residual, of which the
/// test of corrections likes each better than the other: it fails when it has not come nearer for long.
///
/// A norm that rounding explains says nothing of the solution, nor whether it falls: there the iteration goes
/// on with whole steps until one is none. Its linear solutions know what is rounding: forces of stretch that
/// differ by what places do in their last digits move nothing else.
class ResidualCriterion {
 public:
  explicit ResidualCriterion(int most_iterations) : most_iterations_(most_iterations) {}

  int iterations() const { return iterations_; }
  int iteration() const { return iterations_; }

  template <class System>
  Verdict at_state(System& system) {
    norm_ = system.norm();
    if (iterations_++ == 0) tolerance_ = system.tolerance(norm_);
    if (norm_ <= tolerance_ && (iterations_ > 1 || norm_ == 0.0 || !system.moves()))
      return Verdict::converged;
    if (iterations_ > most_iterations_ || !std::isfinite(norm_)) return Verdict::failed;
    if (norm_ < nearer * reached_) {
      reached_ = norm_;
      reached_at_ = iterations_;
    }
    if (system.must_fall() && iterations_ - reached_at_ >= long_enough) return Verdict::failed;
    is_rounding_ = norm_ <= system.rounding_norm();
    if (norm_ < least_ || is_rounding_) {
      least_ = std::min(least_, norm_);
      system.note_best();
      steps_since_least_ = 0;
    } else if (++steps_since_least_ == patience) {
      system.go_to_best();
      system.evaluate();
      norm_ = system.norm();
    }
    is_careful_ = !is_rounding_ && (system.must_fall() || steps_since_least_ >= patience);
    return Verdict::goes_on;
  }

  template <class System>
  Verdict at_step(const System& /*system*/, bool regular) const {
    return regular ? Verdict::goes_on : Verdict::failed;
  }

  bool searches(double /*part*/) const { return true; }

  template <class System>
  bool accepts(System& system, double part) const {
    const double norm = system.norm();
    if (!std::isfinite(norm)) return false;
    return !is_careful_ || norm <= (1.0 - 0.1 * part) * norm_ ||
           system.next_length() < (1.0 - 0.25 * part) * system.step_length();
  }

  template <class System>
  bool is_exhausted(System& system) const {
    return system.is_rounding();
  }

  template <class System>
  Verdict after_step(System& system, double /*part*/) {
    const double norm = system.norm();
    if (is_rounding_)
      return norm <= system.rounding_norm() && system.step_length() <= system.no_length() ? Verdict::converged
                                                                                          : Verdict::goes_on;
    if (!(norm > 0.5 * norm_ && system.is_rounding())) return Verdict::goes_on;
    ++iterations_;
    return Verdict::converged;
  }

 private:
  static constexpr int patience = 5;      ///< steps without a new least residual before the search
  static constexpr double nearer = 0.9;   ///< part of a residual from which on another one is smaller
  static constexpr int long_enough = 12;  ///< steps without a smaller one

  int most_iterations_;
  int iterations_ = 0;
  double tolerance_ = 0.0;
  double norm_ = 0.0;  ///< at the state from which a step goes
  double least_ = std::numeric_limits<double>::max();
  int steps_since_least_ = 0;
  double reached_ = std::numeric_limits<double>::max();
  int reached_at_ = 0;  ///< the iteration
  bool is_rounding_ = false;
  bool is_careful_ = false;
};

}  // namespace rodeo::method
