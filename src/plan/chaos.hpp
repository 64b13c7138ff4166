#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "random_variable.hpp"
#include "sensitivity_table.hpp"

namespace rodeo {

/// A response as a sum of products of polynomials of germs that are orthonormal for their distributions
/// (polynomial chaos). Its mean, variance and Sobol indices follow from the coefficients (Sudret 2008).
class Chaos {
 public:
  /// Fits by least squares to values [points] at germs [points, variables]. Terms are selected one after the
  /// other, each the one that leaves the least residual (orthogonal least squares, Chen et al. 1989), among
  /// those of a degree and a hyperbolic norm (Blatman and Sudret 2011). How many terms, and which degree and
  /// norm, is what predicts best where points are left out of the selection and the fit: leave-one-out errors
  /// of a selection that knows all points are far too small.
  static Chaos fit(std::span<const OrthonormalPolynomials> polynomials, const Eigen::MatrixXd& germs,
                   const Eigen::VectorXd& values);

  /// Mean square of the errors at points that are left out, an eighth at a time, over the variance.
  double prediction_error() const { return prediction_error_; }

  int degree() const;  ///< largest total degree of a term
  std::size_t terms() const { return terms_.size(); }
  double mean() const { return coefficients_[0]; }
  double variance() const;
  const EstimatedIndices& estimate() const { return estimate_; }

  /// Values at germs [points, variables].
  Eigen::VectorXd values(const Eigen::MatrixXd& germs) const;

 private:
  using Term = std::vector<std::uint8_t>;  ///< the degree in each variable

  struct Selection;
  struct Validation;
  static std::vector<Term> terms_within(Eigen::Index variables, double degree, double norm, std::size_t most);
  Eigen::MatrixXd columns(const std::vector<Term>& terms, const Eigen::MatrixXd& germs) const;
  SobolIndices indices_of(const std::vector<Term>& terms, const Eigen::VectorXd& coefficients) const;

  std::vector<OrthonormalPolynomials> polynomials_;
  std::vector<Term> terms_;  ///< the first one is the constant
  Eigen::VectorXd coefficients_;
  EstimatedIndices estimate_;
  double prediction_error_ = 0.0;
};

}  // namespace rodeo
