#pragma once

#include <algorithm>
#include <cmath>

namespace rodeo::observe {

/// The highest energy so far. Plain data, as it is saved with a member's state.
class HighestEnergy {
 public:
  /// `energy` is the whole, `stored` the part that is no potential of loads, which may be large and has no
  /// zero, and `rounding` the part that may stem from rounding alone, J.
  void add(double energy, double stored, double rounding) {
    if (std::isnan(first_)) first_ = highest_ = lowest_ = energy;
    highest_ = std::max(highest_, energy);
    lowest_ = std::min(lowest_, energy);
    last_ = energy;
    growth_ = std::max(growth_, energy - lowest_);
    constexpr double potential_rounding = 1e-9;
    scale_ = std::max(scale_, stored + rounding + potential_rounding * std::abs(energy - stored));
  }

  /// Gain of the highest energy over the first one, J; NaN if there was none.
  double gain() const { return highest_ - first_; }
  /// Gain over the largest stored energy.
  double relative_gain() const { return relative(gain()); }
  /// Largest growth from any earlier energy, over the largest stored energy: energy that damping takes makes
  /// no room for energy from nothing.
  double relative_growth() const { return relative(growth_); }

  /// Loss of the last energy from the highest, over the largest stored energy; NaN if there was none.
  double relative_loss() const { return relative(highest_ - last_); }

  /// An energy over the largest stored one.
  double relative(double energy) const { return scale_ > 0.0 ? energy / scale_ : energy; }

  /// Whether any energy was added.
  bool is_known() const { return !std::isnan(first_); }

 private:
  double first_ = std::nan("");
  double highest_ = std::nan("");
  double lowest_ = std::nan("");
  double last_ = std::nan("");
  double growth_ = 0.0;
  double scale_ = 0.0;
};

}  // namespace rodeo::observe
