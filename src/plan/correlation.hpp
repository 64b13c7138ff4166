#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Dependence of numbers that a study draws (study.correlation): that of normal numbers of the same
/// probabilities (Gaussian copula), so that each keeps its own distribution.
class Correlation {
 public:
  /// Independent numbers.
  Correlation() = default;

  /// Reads study.correlation for the numbers that a study draws, each with the addresses that one coordinate
  /// moves. Throws DeckError on any other address, and where no numbers can have such coefficients.
  Correlation(const Deck& deck, const std::vector<std::vector<ParameterAddress>>& drawn);

  bool any() const { return matrix_.size() > 0; }

  /// Turns independent coordinates in [0, 1), each the probability of smaller values, into dependent ones.
  void apply(std::span<double> coordinates) const;

  /// Changes `other` so that its dependent coordinates share some with those of `point`: the number `shared`
  /// alone, or all but that one. The others are as likely as they are given these.
  void share(std::span<double> other, std::span<const double> point, std::size_t shared, bool alone) const;

 private:
  Eigen::MatrixXd matrix_;     ///< of coefficients
  Eigen::MatrixXd factor_;     ///< of Cholesky
  Eigen::MatrixXd precision_;  ///< the inverse of the matrix
};

/// Addresses of parameters, each with its own coordinate.
std::vector<std::vector<ParameterAddress>> each_alone(std::span<const RandomParameter> parameters);

}  // namespace rodeo
