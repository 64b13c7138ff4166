#pragma once

#include <algorithm>
#include <limits>

namespace rodeo::observe {

/// Extremes and period of a quantity that is sampled between slices. The period is counted between upward
/// passages through the middle of its range, where the slope is largest and ripples shift the passage least.
class Oscillation {
 public:
  void add(double time, double value) {
    const double middle = 0.5 * (smallest_ + largest_);
    if (value_ < middle && value >= middle) {
      const double passage = time_ + (middle - value_) / (value - value_) * (time - time_);
      if (passages_++ == 0) first_passage_ = passage;
      last_passage_ = passage;
    }
    smallest_ = std::min(smallest_, value);
    largest_ = std::max(largest_, value);
    time_ = time;
    value_ = value;
  }

  /// Mean period, s; NaN before the second passage, and where all that passes is rounding.
  double period() const {
    constexpr double rounding = 1e-12;
    const bool varies = largest_ - smallest_ > rounding * largest_;
    return varies && passages_ > 1 ? (last_passage_ - first_passage_) / (passages_ - 1)
                                   : std::numeric_limits<double>::quiet_NaN();
  }
  double largest() const { return largest_; }

 private:
  double smallest_ = std::numeric_limits<double>::max();
  double largest_ = std::numeric_limits<double>::lowest();
  double time_ = 0.0;  ///< of the last sample, s
  double value_ = std::numeric_limits<double>::max();
  int passages_ = 0;
  double first_passage_ = 0.0;
  double last_passage_ = 0.0;
};

}  // namespace rodeo::observe
