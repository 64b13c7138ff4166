#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>

#include <Eigen/Core>

namespace rodeo {

/// Learning rate of a part of a search distribution, which follows the signal-to-noise ratio of the part's
/// updates (LRA-CMA-ES: Nomura, Akimoto and Ono 2023, arXiv:2304.03473): updates that point in
/// one direction are made in full, and of those that cancel each other a small share.
class LearningRate {
 public:
  /// `memory`: weight of the newest update in the moving averages.
  LearningRate(Eigen::Index count, double memory) : memory_(memory), mean_(Eigen::VectorXd::Zero(count)) {}

  /// Takes an update, in coordinates in which the distribution before it is standard normal.
  void follow(const Eigen::VectorXd& update);

  /// Makes at least this share of updates from now on.
  void raise(double least) { value_ = std::max(value_, least); }

  double value() const { return value_; }  ///< share of an update that is made, at most one

 private:
  double memory_;
  Eigen::VectorXd mean_;  ///< moving average of updates
  double square_ = 0.0;   ///< moving average of their squared lengths
  double value_ = 1.0;
};

/// Share of noise in what candidates are ranked by, from twins: candidates at one place, each evaluated by
/// itself. Twice the share of pairs at two places whose values differ by less than those of twins do: zero
/// without noise, and one where nothing but noise tells candidates apart.
class NoiseShare {
 public:
  /// How many last candidates of a generation repeat its first ones. Noise changes slowly, and repeats cost.
  static int twins(int population, std::uint64_t generation);

  void follow(std::span<const Eigen::VectorXd> candidates, std::span<const double> fitness);

  double value() const { return value_; }  ///< moving average; one before there were twins

  /// Share of updates that is made however little stands out from what looks like noise: paths that bend do.
  double least_rate() const;

 private:
  std::deque<double> differences_;  ///< of the last twins
  int generations_ = 0;             ///< followed since the first twins
  double value_ = 1.0;
};

}  // namespace rodeo
