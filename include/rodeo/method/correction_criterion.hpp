#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/method/newton.hpp"

namespace rodeo::method {

/// Judges Newton's iterations of a time step by the size of their corrections. The error that they leave is
/// estimated by how much they shrink. A system has
///   correction_size(), change_size(): of the last correction, and of the change since the start of the step;
///   next_size(): the size of the correction from the present state by the matrix of the last one;
///   is_lost(): it has gone farther than its state can be followed.
/// With forces as stiff and one-sided as those of contact a search is asked for: a correction is then halved
/// until the next one, by the same matrix, is shorter (natural monotonicity test, Deuflhard 2004, section
/// 3.3). Without a search, corrections become shorter soon where the step has one solution nearby. Where they
/// do not, they wander, and end at any solution by chance.
class CorrectionCriterion {
 public:
  /// `accuracy`: the error over the size of the step that is enough.
  CorrectionCriterion(int most_iterations, double accuracy, bool searches)
      : most_iterations_(most_iterations), accuracy_(accuracy), searches_(searches) {}

  int iterations() const { return iterations_; }
  int iteration() const { return iterations_ + 1; }

  template <class System>
  Verdict at_state(const System& /*system*/) const {
    return Verdict::goes_on;
  }

  template <class System>
  Verdict at_step(System& system, bool regular) {
    const double correction = regular ? system.correction_size() : std::nan("");
    ++iterations_;
    if (!std::isfinite(correction)) return Verdict::failed;
    constexpr double smallest = 1e-13;
    const double shrinks = correction / size_;  // zero at first
    const double error = iterations_ == 1 ? correction : correction * shrinks / (1.0 - shrinks);
    size_ = correction;
    longer_ = correction < least_ ? 0 : longer_ + 1;
    least_ = std::min(least_, correction);
    if (!searches_ && longer_ == patience) return Verdict::failed;
    const bool is_rounding = correction <= rounding && shrinks > 0.5;
    is_last_ = is_rounding || (shrinks < 1.0 && error <= accuracy_ * system.change_size() + smallest);
    return !is_last_ && iterations_ >= most_iterations_ ? Verdict::failed : Verdict::goes_on;
  }

  bool searches(double part) const { return searches_ && !ends_with(part); }

  template <class System>
  bool accepts(System& system, double /*part*/) const {
    return size_ <= rounding || system.next_size() < size_;
  }

  template <class System>
  bool is_exhausted(const System& /*system*/) const {
    return false;
  }

  template <class System>
  Verdict after_step(const System& system, double part) const {
    if (system.is_lost()) return Verdict::failed;
    return ends_with(part) ? Verdict::converged : Verdict::goes_on;
  }

 private:
  static constexpr double rounding = 1e-9;  ///< below which corrections that do not shrink are no more
  static constexpr int patience = 5;        ///< corrections that are no shorter than the shortest so far

  bool ends_with(double part) const { return is_last_ && part == 1.0; }

  int most_iterations_;
  double accuracy_;
  bool searches_;
  int iterations_ = 0;
  double size_ = std::numeric_limits<double>::infinity();  ///< of the last correction
  double least_ = std::numeric_limits<double>::infinity();
  int longer_ = 0;  ///< corrections since the shortest
  bool is_last_ = false;
};

}  // namespace rodeo::method
