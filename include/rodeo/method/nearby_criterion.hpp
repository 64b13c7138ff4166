#pragma once

#include <algorithm>
#include <limits>

#include "rodeo/method/newton.hpp"

namespace rodeo::method {

/// Judges Newton's iterations from a point of a branch to the next, which has to be near. A system has
///   step_length();   is_lost(): it has come to where nothing is known.
class NearbyCriterion {
 public:
  int iteration() const { return iterations_ + 1; }
  int iterations() const { return iterations_; }

  /// Whether the first correction was so short that the next step along the branch may be longer.
  bool was_easy() const { return is_easy_; }

  template <class System>
  Verdict at_state(const System& /*system*/) const {
    return iterations_ < most_iterations ? Verdict::goes_on : Verdict::failed;
  }

  template <class System>
  Verdict at_step(const System& system, bool /*regular*/) {
    length_ = system.step_length();
    ++iterations_;
    const bool grows = iterations_ > first_iterations && length_ > std::max(10.0 * last_, rounding);
    return !(length_ < 1.0) || grows ? Verdict::failed : Verdict::goes_on;
  }

  template <class System>
  Verdict after_step(const System& system, double /*part*/) {
    if (system.is_lost()) return Verdict::failed;
    if (iterations_ == 1) is_easy_ = length_ <= easy_length;
    const bool is_rounding = iterations_ > first_iterations && length_ <= rounding && length_ > 0.5 * last_;
    last_ = length_;
    return length_ <= converged_length || is_rounding ? Verdict::converged : Verdict::goes_on;
  }

 private:
  static constexpr int most_iterations = 12;
  static constexpr int first_iterations = 3;  ///< number of first corrections that may grow
  static constexpr double easy_length = 2e-3;
  static constexpr double converged_length = 1e-11;
  static constexpr double rounding = 1e-7;  ///< longest correction that is rounding if it does not shrink

  int iterations_ = 0;
  double length_ = 0.0;
  double last_ = std::numeric_limits<double>::infinity();
  bool is_easy_ = false;
};

}  // namespace rodeo::method
