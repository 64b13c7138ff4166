#include "learning_rate.hpp"

#include <algorithm>
#include <cmath>

namespace rodeo {

void LearningRate::follow(const Eigen::VectorXd& update) {
  constexpr double aimed_ratio = 1.4;     // alpha; signal over noise per learning rate
  constexpr double largest_change = 0.1;  // gamma; of the rate's logarithm, over the rate
  mean_ += memory_ * (update - mean_);
  square_ += memory_ * (update.squaredNorm() - square_);
  const double length = mean_.squaredNorm();
  const double noise = square_ - length;
  if (!(noise > 0.0)) return;
  const double signal = length - memory_ / (2.0 - memory_) * square_;
  const double excess = std::clamp(signal / noise / (aimed_ratio * value_) - 1.0, -1.0, 1.0);
  value_ = std::min(1.0, value_ * std::exp(std::min(largest_change * value_, memory_) * excess));
}

}  // namespace rodeo
