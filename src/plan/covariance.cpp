#include "covariance.hpp"

#include <algorithm>

#include "rodeo/linear/dense_solvers.hpp"

namespace rodeo {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Eigenvalues at or below zero come from rounding alone; so small ones stand for them.
constexpr double smallest_eigenvalue = 1e-300;

class FullCovariance final : public Covariance {
 public:
  explicit FullCovariance(Index dimension) : matrix_(MatrixXd::Identity(dimension, dimension)) {
    decompose();
  }

  std::unique_ptr<Covariance> clone() const override { return std::make_unique<FullCovariance>(*this); }
  VectorXd root(const VectorXd& z) const override {
    return axes_ * lengths_.cwiseProduct(axes_.transpose() * z);
  }
  VectorXd inverse_root(const VectorXd& y) const override {
    return axes_ * (axes_.transpose() * y).cwiseQuotient(lengths_);
  }
  void adapt(double decay, std::span<const CovarianceTerm> terms) override {
    matrix_ *= decay;
    for (const CovarianceTerm& term : terms) {
      matrix_.selfadjointView<Eigen::Lower>().rankUpdate(term.direction, term.weight);
    }
  }
  void decompose() override {
    const SymmetricEigen eigen = symmetric_eigen(matrix_);
    axes_ = eigen.vectors;
    lengths_ = eigen.values.cwiseMax(smallest_eigenvalue).cwiseSqrt();
  }
  VectorXd eigenvalues() const override { return lengths_.cwiseAbs2(); }
  VectorXd axis(Index k) const override { return lengths_[k] * axes_.col(k); }
  VectorXd variances() const override { return matrix_.diagonal(); }

 private:
  MatrixXd matrix_;   ///< its lower triangle
  MatrixXd axes_;     ///< unit vectors, one a column
  VectorXd lengths_;  ///< of the axes: square roots of the eigenvalues, ascending
};

class DiagonalCovariance final : public Covariance {
 public:
  explicit DiagonalCovariance(Index dimension) : variances_(VectorXd::Ones(dimension)) { decompose(); }

  std::unique_ptr<Covariance> clone() const override { return std::make_unique<DiagonalCovariance>(*this); }
  VectorXd root(const VectorXd& z) const override { return lengths_.cwiseProduct(z); }
  VectorXd inverse_root(const VectorXd& y) const override { return y.cwiseQuotient(lengths_); }
  void adapt(double decay, std::span<const CovarianceTerm> terms) override {
    variances_ *= decay;
    for (const CovarianceTerm& term : terms) variances_ += term.weight * term.direction.cwiseAbs2();
  }
  void decompose() override { lengths_ = variances_.cwiseMax(smallest_eigenvalue).cwiseSqrt(); }
  VectorXd eigenvalues() const override {
    VectorXd sorted = lengths_.cwiseAbs2();
    std::sort(sorted.data(), sorted.data() + sorted.size());
    return sorted;
  }
  VectorXd axis(Index k) const override { return lengths_[k] * VectorXd::Unit(lengths_.size(), k); }
  VectorXd variances() const override { return variances_; }

 private:
  VectorXd variances_;
  VectorXd lengths_;  ///< square roots of the variances at the last decomposition
};

}  // namespace

std::unique_ptr<Covariance> make_full_covariance(Index dimension) {
  return std::make_unique<FullCovariance>(dimension);
}

std::unique_ptr<Covariance> make_diagonal_covariance(Index dimension) {
  return std::make_unique<DiagonalCovariance>(dimension);
}

}  // namespace rodeo
