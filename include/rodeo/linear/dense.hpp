#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

namespace rodeo {

/// A dense matrix and its LU factors with partial pivoting, in single precision: an approximate inverse that
/// takes half the memory of an exact one, on which the time of a solve depends. By Eigen, whose factorisation
/// is vectorised and does not depend on the BLAS of a machine nor its threads; the reference LAPACK of Debian
/// takes ten times as long.
class DenseFactors {
 public:
  explicit DenseFactors(int size);
  ~DenseFactors();
  DenseFactors(DenseFactors&&) noexcept;
  DenseFactors& operator=(DenseFactors&&) noexcept;

  /// The entries, column by column; to be set before each factorisation, which overwrites them.
  float* matrix();

  void factor();

  /// Replaces `vector` b by the solution x of A x = b.
  void solve(std::vector<float>& vector) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// Solvers for small dense matrices, by Eigen. Each of these functions is compiled in one source, since it
// takes a compiler up to ten seconds.

/// The eigenvalues of a symmetric matrix, ascending, and orthonormal eigenvectors, one a column.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Reads the lower triangle of the matrix only.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

/// The eigenvalues of a real matrix, and eigenvectors of norm 1, one a column.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const Eigen::MatrixXd& matrix);
Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& matrix);

/// As many orthonormal columns as a matrix has: the first k span what its first k do.
Eigen::MatrixXd orthonormalized(const Eigen::MatrixXd& matrix);

/// Least-squares solution for a matrix of at least as many rows as columns, by Householder reflections.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& values);

/// Solutions for a square matrix, by LU factors with partial pivoting.
Eigen::MatrixXd solved(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right_sides);

}  // namespace rodeo
