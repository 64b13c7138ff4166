#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo::method {

/// Looks for the least share of the inertia (1/s^2) with which a matrix that is not positive definite becomes
/// so and no element turns farther than it may.
class InertiaSearch {
 public:
  /// Begins at `last_share`; `neutral` is too little. Where only that is known, the least sufficient one of
  /// 2, 8, 32 ... times `neutral` is looked for first, from the one nearest to the `usual`: mostly those far
  /// below are too little.
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

  /// Judges the step by the matrix with this share, by its largest turn; returns whether it is the best so
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

}  // namespace rodeo::method
