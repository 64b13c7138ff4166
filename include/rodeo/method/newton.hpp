#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rodeo/method/solve_outcome.hpp"

namespace rodeo::method {

/// Solves F(q) = 0 from the given q (eq. 7) by Newton's method with a line search. The system gives
///   residual(q, F): sets F;            norm(F): what is compared with the tolerance;
///   tolerance(norm): from the norm at the first q;   must_fall(): whether to search from the first step on;
///   factor(q, iteration): factors the Jacobian or, from some iteration on, an approximation of it with which
///   fewer iterations are needed; false if that is singular;
///   factor_anew(q): where no step could be taken with what was factored last, factors something else at the
///   same q; false if there is nothing left;
///   solve(v): v <- M^-1 v, with M the matrix that was factored last;
///   length(p): the size of a step, from the same units for all degrees of freedom;
///   rounding_norm(), no_length(): the norm that rounding alone may leave, and the length of a step that is
///   none; is_rounding(p, way): whether a step p after which the residual has not fallen is no more than
///   rounding of a solve that has gone so far; bound(q, p): the largest part of step p that may be taken, at
///   most 1.
///
/// Whole steps are taken at first, also where they raise the residual: as an element of a slender rod turns
/// it is stretched in second order, stretching is stiff, and the next step takes that back. If the residual
/// has not fallen below its least for some steps (the watchdog of Chamberlain et al. 1982), the iteration
/// goes back there and searches: a step is then halved until the residual falls, or the next correction with
/// the same Jacobian is shorter than the step was (natural monotonicity test, Deuflhard 2004, section 3.3).
/// With forces as stiff and one-sided as those of contact the search begins at once (must_fall).
///
/// A norm that rounding explains says nothing of the solution, nor whether it falls: there the iteration goes
/// on with whole steps until one is none. Its linear solutions know what is rounding: forces of stretch that
/// differ by what places do in their last digits move nothing else.
template <class System>
class Newton {
 public:
  SolveOutcome solve(System& system, std::vector<double>& q, int most_iterations) {
    first_ = q;
    double norm = evaluate(system, q);
    const double tolerance = system.tolerance(norm);
    double least = std::numeric_limits<double>::max();
    int steps_since_least = 0;
    for (int iteration = 1;; ++iteration) {
      const bool is_rounding = tolerance < norm && norm <= system.rounding_norm();
      if (norm <= tolerance) return {true, iteration};
      if (iteration > most_iterations || !std::isfinite(norm)) return {false, iteration};
      if (norm < least || is_rounding) {
        least = std::min(least, norm);
        best_ = q;
        steps_since_least = 0;
      } else if (++steps_since_least == patience) {
        q = best_;
        norm = evaluate(system, q);
      }
      const bool careful = !is_rounding && (system.must_fall() || steps_since_least >= patience);
      if (!system.factor(q, iteration)) return {false, iteration};
      const double before = norm;
      while (!take_step(system, q, norm, careful)) {
        evaluate(system, q);  // the system factors at the state that was evaluated last
        if (is_step_of_rounding(system, q)) return {true, iteration};
        if (!system.factor_anew(q)) return {false, iteration};
      }
      if (is_rounding) {
        if (norm <= system.rounding_norm() && system.length(step_) <= system.no_length())
          return {true, iteration};
      } else if (norm > 0.5 * before && is_step_of_rounding(system, q)) {
        return {true, iteration + 1};
      }
    }
  }

 private:
  static constexpr double shortest_part = 1e-3;  ///< of what may be taken
  static constexpr int patience = 5;             ///< steps without a new least residual before the search

  double evaluate(System& system, const std::vector<double>& q) {
    system.residual(q, residual_);
    return system.norm(residual_);
  }

  /// Sets q and its residual to those after the step or the part of it that is accepted. False if none is.
  bool take_step(System& system, std::vector<double>& q, double& norm, bool careful) {
    step_ = residual_;
    system.solve(step_);
    for (double& entry : step_) entry = -entry;
    const double most = system.bound(q, step_);
    for (double part = most; part > shortest_part * most; part *= 0.5) {
      trial_ = q;
      for (std::size_t i = 0; i < q.size(); ++i) trial_[i] += part * step_[i];
      const double trial_norm = evaluate(system, trial_);
      if (!std::isfinite(trial_norm)) continue;
      if (careful && trial_norm > (1.0 - 0.1 * part) * norm && !shortens(system, part)) continue;
      q.swap(trial_);
      norm = trial_norm;
      return true;
    }
    return false;
  }

  bool is_step_of_rounding(const System& system, const std::vector<double>& q) {
    way_ = q;
    for (std::size_t i = 0; i < q.size(); ++i) way_[i] -= first_[i];
    return system.is_rounding(step_, way_);
  }

  /// The natural monotonicity test.
  bool shortens(const System& system, double part) {
    correction_ = residual_;
    system.solve(correction_);
    return system.length(correction_) < (1.0 - 0.25 * part) * system.length(step_);
  }

  std::vector<double> first_;
  std::vector<double> way_;  ///< from there
  std::vector<double> residual_;
  std::vector<double> step_;
  std::vector<double> trial_;
  std::vector<double> best_;
  std::vector<double> correction_;
};

}  // namespace rodeo::method
