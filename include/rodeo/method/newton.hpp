#pragma once

namespace rodeo::method {

/// Verdict of a criterion on Newton's iterations.
enum class Verdict { goes_on, converged, failed };

/// A system whose steps can be taken back.
template <class System>
concept TakesStepsBack = requires(System& system) {
  system.note_state();
  system.go_back();
};

/// Takes the longest part of the step, of `most` at most, that a criterion accepts; zero without any.
template <TakesStepsBack System, class Criterion>
double take_accepted_part(System& system, const Criterion& criterion, double most) {
  constexpr double shortest = 1e-3;  // of `most`
  system.note_state();
  for (double part = most; part > shortest * most; part *= 0.5) {
    system.take(part);
    system.evaluate();
    if (criterion.accepts(system, part)) return part;
    system.go_back();
  }
  return 0.0;
}

/// Solves for the state of a system by Newton's method with a line search; true if it converges. The system
/// holds its state and the step from there:
///   evaluate(): finds the residual in the present state;
///   find_step(iteration): finds the step by the derivative or, from some iteration on, by an approximation
///   of it with which fewer iterations are needed; false if that is singular;
///   largest_part(): the largest part of the step that may be taken, at most 1;
///   take(part): takes a part of the step;
/// and where steps can be taken back
///   note_state(), go_back(): note the state that take() starts from, and return to it;
///   find_other_step(): where no part of the step was accepted, finds one by another derivative; false if
///   there is none left.
/// The criterion counts, iteration() is the number of the present one, and decides
///   at_state(system): after evaluate(), whether there is more to do;
///   at_step(system, regular): after find_step(), likewise;
///   searches(part): whether the state after so much of the step has to be better than the one before it;
///   accepts(system, part): whether it is, with its residual evaluated; if not half of the part is tried;
///   is_exhausted(system): after no part was better, whether none can be;
///   after_step(system, part): after take(), likewise.
template <class System, class Criterion>
bool solve_by_newton(System& system, Criterion& criterion) {
  for (bool is_evaluated = false;;) {
    if (!is_evaluated) system.evaluate();
    Verdict verdict = criterion.at_state(system);
    if (verdict != Verdict::goes_on) return verdict == Verdict::converged;
    bool regular = system.find_step(criterion.iteration());
    double part = 0.0;
    for (;;) {
      verdict = criterion.at_step(system, regular);
      if (verdict != Verdict::goes_on) return verdict == Verdict::converged;
      part = system.largest_part();
      is_evaluated = false;
      if constexpr (TakesStepsBack<System>) {
        if (criterion.searches(part)) {
          part = take_accepted_part(system, criterion, part);
          is_evaluated = true;
          if (part > 0.0) break;
          system.evaluate();
          if (criterion.is_exhausted(system)) return true;
          regular = system.find_other_step();
          if (!regular) return false;
          continue;
        }
      }
      system.take(part);
      break;
    }
    verdict = criterion.after_step(system, part);
    if (verdict != Verdict::goes_on) return verdict == Verdict::converged;
  }
}

}  // namespace rodeo::method
