#include "learning_rate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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

int NoiseShare::twins(int population, std::uint64_t generation) {
  constexpr std::uint64_t interval = 6;
  return generation % interval == 0 || generation == 1 ? std::min(2, population / 4) : 0;
}

void NoiseShare::follow(std::span<const Eigen::VectorXd> candidates, std::span<const double> fitness) {
  constexpr std::size_t remembered = 24;  // fewer ones now and then look like no noise where all is noise
  constexpr double memory = 0.2;
  std::vector<double> others;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double difference = std::abs(fitness[i] - fitness[j]);
      if (!std::isfinite(difference)) continue;
      if (candidates[i] != candidates[j]) {
        others.push_back(difference);
      } else {
        differences_.push_back(difference);
        if (differences_.size() > remembered) differences_.pop_front();
      }
    }
  }
  if (differences_.empty() || others.empty()) return;
  std::ranges::sort(others);
  double nearer = 0.0;
  for (const double difference : differences_) {
    nearer += static_cast<double>(std::ranges::lower_bound(others, difference) - others.begin());
  }
  const double share = 2.0 * nearer / static_cast<double>(differences_.size() * others.size());
  value_ += std::max(memory, 1.0 / ++generations_) * (share - value_);
}

double NoiseShare::least_rate() const {
  constexpr double weak = 0.45;    // noise by which all of an update is made
  constexpr double strong = 0.55;  // noise from which on the ratio of signal to noise alone says how much
  return std::clamp((strong - value_) / (strong - weak), 0.0, 1.0);
}

}  // namespace rodeo
