#pragma once

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

  double value() const { return value_; }  ///< share of an update that is made, at most one

 private:
  double memory_;
  Eigen::VectorXd mean_;  ///< moving average of updates
  double square_ = 0.0;   ///< moving average of their squared lengths
  double value_ = 1.0;
};

}  // namespace rodeo
