#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace rodeo {

/// A direction by which a covariance matrix is adapted, with its weight.
struct CovarianceTerm {
  Eigen::VectorXd direction;
  double weight = 0.0;
};

/// The covariance matrix of a search distribution with its square roots: all entries, or the diagonal alone.
/// The square roots are those of the last decomposition, which lags behind adaptations.
class Covariance {
 public:
  virtual ~Covariance() = default;

  virtual std::unique_ptr<Covariance> clone() const = 0;

  /// C^(1/2) z, with the symmetric root: a continuous function of C, which B D z is not.
  virtual Eigen::VectorXd root(const Eigen::VectorXd& z) const = 0;

  /// C^(-1/2) y.
  virtual Eigen::VectorXd inverse_root(const Eigen::VectorXd& y) const = 0;

  /// C <- decay C + sum of weight direction direction^T.
  virtual void adapt(double decay, std::span<const CovarianceTerm> terms) = 0;

  /// C^(-1/2) (growth later - C) C^(-1/2), its entries as one vector, of another matrix of this class.
  virtual Eigen::VectorXd change_to(const Covariance& later, double growth) const = 0;

  /// C <- former + share (growth C - former), of another matrix of this class.
  virtual void blend(const Covariance& former, double growth, double share) = 0;

  /// C <- C/length^2, with its square roots.
  virtual void shorten(double length) = 0;

  /// Decomposes C and shortens it to a determinant of one; returns the length by which it did.
  double normalize();

  /// Finds eigenvalues and axes anew.
  virtual void decompose() = 0;

  /// Eigenvalues of the last decomposition, ascending.
  virtual Eigen::VectorXd eigenvalues() const = 0;

  /// Principal axis k of length sqrt(eigenvalue k).
  virtual Eigen::VectorXd axis(Eigen::Index k) const = 0;

  /// The diagonal of C.
  virtual Eigen::VectorXd variances() const = 0;

  /// The lower triangle of C, row by row, or the diagonal where no other entry is adapted.
  virtual std::vector<double> entries() const = 0;
};

/// A matrix of such entries, or the identity without any, of which all or the diagonal alone can be adapted.
/// Throws std::invalid_argument where it is not positive definite.
std::unique_ptr<Covariance> make_full_covariance(Eigen::Index dimension,
                                                 std::span<const double> entries = {});
std::unique_ptr<Covariance> make_diagonal_covariance(Eigen::Index dimension,
                                                     std::span<const double> entries = {});

}  // namespace rodeo
