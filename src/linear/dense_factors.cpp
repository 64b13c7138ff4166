#include "rodeo/linear/dense_factors.hpp"

#include <algorithm>
#include <optional>

#include <Eigen/LU>

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

}  // namespace rodeo
