#include "rodeo/linear/dense_solvers.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace rodeo {

namespace {

template <class Matrix>
SymmetricEigen<Matrix> symmetric(const Matrix& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

template <class Matrix>
Matrix orthonormal_columns(const Matrix& matrix) {
  return Eigen::HouseholderQR<Matrix>(matrix).householderQ() * Matrix::Identity(matrix.rows(), matrix.cols());
}

}  // namespace

SymmetricEigen<Eigen::MatrixXd> symmetric_eigen(const Eigen::MatrixXd& matrix) { return symmetric(matrix); }
SymmetricEigen<Eigen::MatrixXcd> hermitian_eigen(const Eigen::MatrixXcd& matrix) { return symmetric(matrix); }

GeneralEigen general_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues();
}

Eigen::MatrixXd orthonormalized(const Eigen::MatrixXd& matrix) { return orthonormal_columns(matrix); }
Eigen::MatrixXcd orthonormalized(const Eigen::MatrixXcd& matrix) { return orthonormal_columns(matrix); }

Eigen::VectorXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& values) {
  return matrix.householderQr().solve(values);
}

Eigen::MatrixXd solved(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right_sides) {
  return matrix.partialPivLu().solve(right_sides);
}

}  // namespace rodeo
