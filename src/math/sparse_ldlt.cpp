#include "rodeo/math/sparse_ldlt.hpp"

#include <Eigen/SparseCholesky>

namespace rodeo {

struct SparseLdlt::Factors {
  Eigen::SparseMatrix<double> matrix;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
};

SparseLdlt::SparseLdlt(const SparsePattern& pattern) : factors_(std::make_unique<Factors>()) {
  const std::vector<double> values(pattern.row.size(), 0.0);
  factors_->matrix = Eigen::Map<const Eigen::SparseMatrix<double>>(
      pattern.size(), pattern.size(), static_cast<Eigen::Index>(pattern.row.size()),
      pattern.column_start.data(), pattern.row.data(), values.data());
  factors_->ldlt.analyzePattern(factors_->matrix);
}

SparseLdlt::SparseLdlt(SparseLdlt&&) noexcept = default;
SparseLdlt& SparseLdlt::operator=(SparseLdlt&&) noexcept = default;
SparseLdlt::~SparseLdlt() = default;

bool SparseLdlt::factor(std::span<const double> values) {
  std::ranges::copy(values, factors_->matrix.valuePtr());
  factors_->ldlt.factorize(factors_->matrix);
  return negative() == 0;
}

std::optional<int> SparseLdlt::negative() const {
  if (factors_->ldlt.info() != Eigen::Success) return std::nullopt;
  const Eigen::VectorXd diagonal = factors_->ldlt.vectorD();
  if (!diagonal.allFinite() || (diagonal.array() == 0.0).any()) return std::nullopt;
  return static_cast<int>((diagonal.array() < 0.0).count());
}

void SparseLdlt::solve(std::span<double> vector) const {
  Eigen::Map<Eigen::VectorXd> x(vector.data(), static_cast<Eigen::Index>(vector.size()));
  x = factors_->ldlt.solve(x).eval();
}

}  // namespace rodeo
