#include "rodeo/linear/dense.hpp"

#include <algorithm>
#include <optional>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace rodeo {

namespace {

/// Eigen cuts products into blocks that fit the caches, and rounds sums at their ends. So that all processors
/// of a set of kernels give the same bits, it takes these for their caches.
[[maybe_unused]] const bool caches_are_named = [] {
  Eigen::setCpuCacheSizes(32 << 10, 1 << 20, 32 << 20);
  return true;
}();

}  // namespace

struct DenseFactors::Data {
  Eigen::MatrixXf matrix;
  Eigen::VectorXf solution;  ///< in memory of Eigen's, whose alignment decides in which order it sums
  std::optional<Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXf>>> factors;  ///< in place
};

DenseFactors::DenseFactors(int size) : data_(std::make_unique<Data>()) { data_->matrix.resize(size, size); }

DenseFactors::~DenseFactors() = default;
DenseFactors::DenseFactors(DenseFactors&&) noexcept = default;
DenseFactors& DenseFactors::operator=(DenseFactors&&) noexcept = default;

float* DenseFactors::matrix() { return data_->matrix.data(); }

void DenseFactors::factor() { data_->factors.emplace(data_->matrix); }

void DenseFactors::solve(std::vector<float>& vector) const {
  const Eigen::Map<const Eigen::VectorXf> right(vector.data(), static_cast<Eigen::Index>(vector.size()));
  data_->solution = data_->factors->permutationP() * right;
  data_->factors->matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(data_->solution);
  data_->factors->matrixLU().triangularView<Eigen::Upper>().solveInPlace(data_->solution);
  std::copy_n(data_->solution.data(), vector.size(), vector.data());
}

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
