#include "covariance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rodeo/linear/dense.hpp"

namespace rodeo {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Eigenvalues at or below zero come from rounding alone; so small ones stand for them.
constexpr double smallest_eigenvalue = 1e-300;

/// The matrix of Covariance::entries.
MatrixXd matrix_of(Index dimension, std::span<const double> entries) {
  MatrixXd matrix = MatrixXd::Identity(dimension, dimension);
  if (entries.empty()) return matrix;
  const bool is_diagonal = static_cast<Index>(entries.size()) == dimension;
  auto entry = entries.begin();
  for (Index row = 0; row < dimension; ++row) {
    for (Index column = is_diagonal ? row : 0; column <= row; ++column) matrix(row, column) = *entry++;
  }
  if (!(symmetric_eigen(matrix).values.minCoeff() > 0.0))
    throw std::invalid_argument("has no covariance matrix, which is positive definite");
  return matrix;
}

class FullCovariance final : public Covariance {
 public:
  explicit FullCovariance(MatrixXd matrix) : matrix_(std::move(matrix)) { decompose(); }

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
  VectorXd change_to(const Covariance& later, double growth) const override {
    const MatrixXd inverse_root = axes_ * lengths_.cwiseInverse().asDiagonal() * axes_.transpose();
    const MatrixXd matrix = of(later).matrix_.selfadjointView<Eigen::Lower>();
    const MatrixXd change =
        growth * (inverse_root * matrix * inverse_root) - MatrixXd::Identity(matrix.rows(), matrix.cols());
    return change.reshaped();
  }
  void blend(const Covariance& former, double growth, double share) override {
    matrix_ = (1.0 - share) * of(former).matrix_ + share * growth * matrix_;
  }
  void shorten(double length) override {
    matrix_ /= length * length;
    lengths_ /= length;
  }
  void decompose() override {
    const SymmetricEigen eigen = symmetric_eigen(matrix_);
    axes_ = eigen.vectors;
    lengths_ = eigen.values.cwiseMax(smallest_eigenvalue).cwiseSqrt();
  }
  VectorXd eigenvalues() const override { return lengths_.cwiseAbs2(); }
  VectorXd axis(Index k) const override { return lengths_[k] * axes_.col(k); }
  VectorXd variances() const override { return matrix_.diagonal(); }
  std::vector<double> entries() const override {
    std::vector<double> entries;
    for (Index row = 0; row < matrix_.rows(); ++row) {
      for (Index column = 0; column <= row; ++column) entries.push_back(matrix_(row, column));
    }
    return entries;
  }

 private:
  static const FullCovariance& of(const Covariance& other) {
    return static_cast<const FullCovariance&>(other);
  }

  MatrixXd matrix_;   ///< its lower triangle
  MatrixXd axes_;     ///< unit vectors, one a column
  VectorXd lengths_;  ///< of the axes: square roots of the eigenvalues, ascending
};

class DiagonalCovariance final : public Covariance {
 public:
  explicit DiagonalCovariance(VectorXd variances) : variances_(std::move(variances)) { decompose(); }

  std::unique_ptr<Covariance> clone() const override { return std::make_unique<DiagonalCovariance>(*this); }
  VectorXd root(const VectorXd& z) const override { return lengths_.cwiseProduct(z); }
  VectorXd inverse_root(const VectorXd& y) const override { return y.cwiseQuotient(lengths_); }
  void adapt(double decay, std::span<const CovarianceTerm> terms) override {
    variances_ *= decay;
    for (const CovarianceTerm& term : terms) variances_ += term.weight * term.direction.cwiseAbs2();
  }
  VectorXd change_to(const Covariance& later, double growth) const override {
    return growth * of(later).variances_.cwiseQuotient(lengths_.cwiseAbs2()) -
           VectorXd::Ones(lengths_.size());
  }
  void blend(const Covariance& former, double growth, double share) override {
    variances_ = (1.0 - share) * of(former).variances_ + share * growth * variances_;
  }
  void shorten(double length) override {
    variances_ /= length * length;
    lengths_ /= length;
  }
  void decompose() override { lengths_ = variances_.cwiseMax(smallest_eigenvalue).cwiseSqrt(); }
  VectorXd eigenvalues() const override {
    VectorXd sorted = lengths_.cwiseAbs2();
    std::sort(sorted.data(), sorted.data() + sorted.size());
    return sorted;
  }
  VectorXd axis(Index k) const override { return lengths_[k] * VectorXd::Unit(lengths_.size(), k); }
  VectorXd variances() const override { return variances_; }
  std::vector<double> entries() const override { return {variances_.begin(), variances_.end()}; }

 private:
  static const DiagonalCovariance& of(const Covariance& other) {
    return static_cast<const DiagonalCovariance&>(other);
  }

  VectorXd variances_;
  VectorXd lengths_;  ///< square roots of the variances at the last decomposition
};

}  // namespace

double Covariance::normalize() {
  decompose();
  const double length = std::exp(0.5 * eigenvalues().array().log().mean());
  shorten(length);
  return length;
}

std::unique_ptr<Covariance> make_full_covariance(Index dimension, std::span<const double> entries) {
  return std::make_unique<FullCovariance>(matrix_of(dimension, entries));
}

std::unique_ptr<Covariance> make_diagonal_covariance(Index dimension, std::span<const double> entries) {
  if (entries.empty()) return std::make_unique<DiagonalCovariance>(VectorXd::Ones(dimension));
  return std::make_unique<DiagonalCovariance>(matrix_of(dimension, entries).diagonal());
}

}  // namespace rodeo
