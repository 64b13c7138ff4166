#pragma once

#include <cmath>
#include <limits>

namespace rodeo::implicit {

/// Watches Newton's iterations of a step by the size of their corrections. The error that they leave is
/// estimated by how much they shrink.
class Convergence {
 public:
  enum class State { goes_on, converged, failed };

  /// `accuracy`: the error over the size of the step that is enough.
  Convergence(int most_iterations, double accuracy)
      : most_iterations_(most_iterations), accuracy_(accuracy) {}

  int iterations() const { return iterations_; }

  State tell(double correction, double step) {
    constexpr double rounding = 1e-9;  // below which corrections that do not shrink are no more than that
    constexpr double smallest = 1e-13;
    ++iterations_;
    if (!std::isfinite(correction)) return State::failed;
    const double shrinks = correction / last_;  // zero at first
    const double error = iterations_ == 1 ? correction : correction * shrinks / (1.0 - shrinks);
    last_ = correction;
    const bool is_rounding = correction <= rounding && shrinks > 0.5;
    if (is_rounding || (shrinks < 1.0 && error <= accuracy_ * step + smallest)) return State::converged;
    return iterations_ >= most_iterations_ ? State::failed : State::goes_on;
  }

 private:
  int most_iterations_;
  double accuracy_;
  int iterations_ = 0;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace rodeo::implicit
