#pragma once

#include <Eigen/Core>

namespace rodeo {

/// First and total Sobol indices, one of each for every parameter: the shares of a response's variance that
/// are a parameter's alone, and with all that it does together with others.
struct SobolIndices {
  Eigen::VectorXd first;
  Eigen::VectorXd total;

  /// The largest difference of an index; infinite where there are none to compare with.
  double largest_difference(const SobolIndices& other) const;
  double largest() const;
};

/// Indices, and half the widths of their 95 % confidence intervals.
struct EstimatedIndices {
  SobolIndices indices;
  SobolIndices errors;
};

/// Groups of points that are left out, one at a time, to estimate the error of a result.
inline constexpr int jackknife_groups = 8;

/// Errors of indices by delete-a-group jackknife, from the indices without each group: `first` and `total`
/// [parameters, groups].
SobolIndices jackknife_errors(const Eigen::MatrixXd& first, const Eigen::MatrixXd& total);

/// Something like a response whose indices are known exactly. The better it is, the smaller the errors of
/// estimators of what it leaves (a control variate).
struct Approximation {
  double variance = 0.0;
  SobolIndices indices;
  Eigen::MatrixXd pairs;  ///< its values, less its mean, where jansen_indices() takes the response's
};

/// Jansen's (1999) estimators from rows f(a), f(b), f(a with b_0 in place of a_0), ..., one for each pair of
/// points a and b; values less the mean of the approximation. The errors are those of a delete-a-group
/// jackknife over pairs that follow each other: of points that fill space evenly each such group is almost as
/// even, as no group drawn at random would be.
EstimatedIndices jansen_indices(const Eigen::MatrixXd& pairs, const Approximation& approximation);

}  // namespace rodeo
