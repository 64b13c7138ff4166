#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo::observe {

/// The highest energy so far. Plain data, as it is saved with a member's state.
class HighestEnergy {
 public:
  /// `energy` is all of it, `kinetic` that of motion, `held` what strain, contact, ground and connections
  /// hold of it, and `rounding` what may stem from rounding alone, J. The rest is potentials of loads, which
  /// may be large and have no zero.
  void add(double energy, double kinetic, double held, double rounding) {
    const double stored = kinetic + held;
    if (std::isnan(first_)) first_ = highest_ = lowest_ = energy;
    highest_ = std::max(highest_, energy);
    lowest_ = std::min(lowest_, energy);
    last_ = energy;
    growth_ = std::max(growth_, energy - lowest_);
    most_ = std::max(most_, stored + rounding + rounding_of_sums * std::abs(energy - stored));
    least_held_ = std::min(least_held_, held);
  }

  /// By how much it is above the first one, J; NaN if there was none.
  double gain() const { return highest_ - first_; }
  /// The gain over the largest energy that could move: the most that was stored, less what was held all
  /// along.
  double relative_gain() const { return relative(gain()); }
  /// The most by which it has grown from what it was at any time before, over the same: what
  /// damping takes makes no room for energy from nothing.
  double relative_growth() const { return relative(growth_); }

  /// By how much the last one is below the highest, over the same; NaN if there was none.
  double relative_loss() const { return relative(highest_ - last_); }

  /// An energy over that.
  double relative(double energy) const {
    const double scale = most_ - least_held_ + rounding_of_sums * std::abs(least_held_);
    return is_known() && scale > 0.0 ? energy / scale : energy;
  }

  /// Whether there was any.
  bool is_known() const { return !std::isnan(first_); }

 private:
  static constexpr double rounding_of_sums = 1e-9;

  double first_ = std::nan("");
  double highest_ = std::nan("");
  double lowest_ = std::nan("");
  double last_ = std::nan("");
  double growth_ = 0.0;
  double most_ = 0.0;
  double least_held_ = std::numeric_limits<double>::infinity();
};

}  // namespace rodeo::observe
