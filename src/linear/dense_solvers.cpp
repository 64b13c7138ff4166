#include "rodeo/linear/dense_solvers.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace rodeo {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigen general_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues();
}

Eigen::MatrixXd orthonormalized(const Eigen::MatrixXd& matrix) {
  return matrix.householderQr().householderQ() * Eigen::MatrixXd::Identity(matrix.rows(), matrix.cols());
}

Eigen::VectorXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& values) {
  return matrix.householderQr().solve(values);
}

Eigen::MatrixXd solved(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right_sides) {
  return matrix.partialPivLu().solve(right_sides);
}

}  // namespace rodeo
