#include "sobol_indices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rodeo {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Sums over pairs of which the estimators are made, less the same ones of the approximation.
struct JansenSums {
  double count = 0.0;
  double values = 0.0;   ///< of f(a) and f(b)
  double squares = 0.0;  ///< of the same
  ArrayXd first;         ///< of (f(b) - f(a with b_i))^2
  ArrayXd total;         ///< of (f(a) - f(a with b_i))^2

  explicit JansenSums(Index parameters) : first(ArrayXd::Zero(parameters)), total(first) {}

  void add(const MatrixXd& pairs, Index row, double sign) {
    const double a = pairs(row, 0);
    const double b = pairs(row, 1);
    values += sign * (a + b);
    squares += sign * (a * a + b * b);
    for (Index k = 0; k < first.size(); ++k) {
      const double mixed = pairs(row, 2 + k);
      first[k] += sign * (b - mixed) * (b - mixed);
      total[k] += sign * (a - mixed) * (a - mixed);
    }
  }

  void add(const JansenSums& other, double sign) {
    count += sign * other.count;
    values += sign * other.values;
    squares += sign * other.squares;
    first += sign * other.first;
    total += sign * other.total;
  }

  SobolIndices indices(const Approximation& approximation) const {
    const double mean = values / (2.0 * count);
    const double own = approximation.variance;
    const double variance = own + squares / (2.0 * count) - mean * mean;
    const ArrayXd without = own * (1.0 - approximation.indices.first.array()) + first / (2.0 * count);
    const ArrayXd with = own * approximation.indices.total.array() + total / (2.0 * count);
    return {1.0 - without / variance, with / variance};
  }
};

}  // namespace

double SobolIndices::largest_difference(const SobolIndices& other) const {
  if (first.size() == 0 || other.first.size() != first.size()) {
    return std::numeric_limits<double>::infinity();
  }
  return std::max((first - other.first).cwiseAbs().maxCoeff(), (total - other.total).cwiseAbs().maxCoeff());
}

double SobolIndices::largest() const {
  return first.size() == 0 ? std::numeric_limits<double>::infinity()
                           : std::max(first.maxCoeff(), total.maxCoeff());
}

SobolIndices jackknife_errors(const MatrixXd& first, const MatrixXd& total) {
  constexpr double groups = jackknife_groups;
  constexpr double t = 2.365;  // Student's, 97.5 %, of seven degrees of freedom
  const auto error = [&](const MatrixXd& replicates) -> VectorXd {
    const MatrixXd spread = replicates.colwise() - replicates.rowwise().mean();
    return t * (spread.rowwise().squaredNorm() * (groups - 1.0) / groups).cwiseSqrt();
  };
  return {error(first), error(total)};
}

EstimatedIndices jansen_indices(const MatrixXd& pairs, const Approximation& approximation) {
  constexpr Index groups = jackknife_groups;
  const Index parameters = pairs.cols() - 2;
  JansenSums all(parameters);
  std::vector<JansenSums> of_groups(groups, all);
  for (Index row = 0; row < pairs.rows(); ++row) {
    JansenSums& group = of_groups[static_cast<std::size_t>(row * groups / pairs.rows())];
    group.count += 1.0;
    group.add(pairs, row, 1.0);
    group.add(approximation.pairs, row, -1.0);
  }
  for (const JansenSums& group : of_groups) all.add(group, 1.0);
  MatrixXd first(parameters, groups);
  MatrixXd total(parameters, groups);
  for (Index group = 0; group < groups; ++group) {
    JansenSums rest = all;
    rest.add(of_groups[static_cast<std::size_t>(group)], -1.0);
    const SobolIndices indices = rest.indices(approximation);
    first.col(group) = indices.first;
    total.col(group) = indices.total;
  }
  return {all.indices(approximation), jackknife_errors(first, total)};
}

}  // namespace rodeo
