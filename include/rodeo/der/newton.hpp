#pragma once

#include <cmath>
#include <vector>

namespace rodeo::der {

/// How a Newton iteration ended.
struct NewtonOutcome {
  bool converged = false;
  int iterations =
      0;  ///< evaluations of the residual at an iterate: linear solves, and one for the last check
};

/// Solves F(q) = 0 from the given q (eq. 7) by Newton's method with a line search. The system gives
///   residual(q, F): sets F;            norm(F): what is compared with the tolerance;
///   factor(q): factors the Jacobian, false if it is singular;   solve(v): v <- Jacobian^-1 v;
///   length(p): the size of a step, from the same units for all degrees of freedom;
///   bound(q, p): the largest part of step p that may be taken, at most 1.
/// A step is shortened until the residual falls or, where it does not, until the next correction with the
/// same Jacobian is shorter than the step was (natural monotonicity test, Deuflhard 2004, section 3.3): in
/// slender rods a good step may raise the residual, as a turn stretches elements in second order and
/// stretching is stiff.
template <class System>
class Newton {
 public:
  NewtonOutcome solve(System& system, std::vector<double>& q, double tolerance, int most_iterations) {
    system.residual(q, residual_);
    double norm = system.norm(residual_);
    for (int iteration = 1;; ++iteration) {
      if (norm <= tolerance) return {true, iteration};
      if (iteration > most_iterations || !std::isfinite(norm) || !system.factor(q)) return {false, iteration};
      step_ = residual_;
      system.solve(step_);
      for (double& entry : step_) entry = -entry;
      if (!search(system, q, norm)) return {false, iteration};
      q.swap(trial_);
      residual_.swap(trial_residual_);
      norm = system.norm(residual_);
    }
  }

 private:
  static constexpr double shortest_part = 1e-3;

  bool search(System& system, const std::vector<double>& q, double norm) {
    const double length = system.length(step_);
    for (double part = system.bound(q, step_); part > shortest_part; part *= 0.5) {
      trial_ = q;
      for (std::size_t i = 0; i < q.size(); ++i) trial_[i] += part * step_[i];
      system.residual(trial_, trial_residual_);
      const double trial_norm = system.norm(trial_residual_);
      if (trial_norm < (1.0 - 0.1 * part) * norm) return true;
      if (!std::isfinite(trial_norm)) continue;
      correction_ = trial_residual_;
      system.solve(correction_);
      if (system.length(correction_) < (1.0 - 0.25 * part) * length) return true;
    }
    return false;
  }

  std::vector<double> residual_;
  std::vector<double> step_;
  std::vector<double> trial_;
  std::vector<double> trial_residual_;
  std::vector<double> correction_;
};

}  // namespace rodeo::der
