#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// No number of a distribution without ends is at a coordinate of 0.
inline constexpr double least_coordinate = 0x1p-34;

/// `count` points in [0, 1)^dimension, [count, dimension]: each axis cut into `count` equal cells, each
/// holding one point (McKay et al. 1979).
std::vector<double> latin_hypercube(std::size_t count, std::size_t dimension, std::uint64_t seed);

/// The first `count` points of the Sobol sequence with a random digital shift, [count, dimension]: as well
/// spread as the plain sequence, without its point at the origin.
std::vector<double> sobol(std::size_t count, std::size_t dimension, std::uint64_t seed);

/// The first `count` points, at most 2^16, of the Sobol sequence with nested random scrambling (Owen 1995),
/// in (0, 1), [count, dimension]: each is uniform, and those of different seeds are independent.
std::vector<double> scrambled_sobol(std::size_t count, std::size_t dimension, std::uint64_t seed);

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

/// Ranks from 1; equal values share the mean of theirs. Infinite values are allowed, NaN is not.
std::vector<double> mean_ranks(std::span<const double> values);

/// Spearman's correlation of pairs: that of their ranks. NaN for fewer than two pairs, and where either side
/// is all one value.
double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace rodeo
