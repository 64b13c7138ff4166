#include "rodeo/linear/sparse_columns.hpp"

#include <algorithm>
#include <utility>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>

namespace rodeo {

namespace {

using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

/// Place of each unknown in the order of elimination.
Permutation places_by_group(const SparsePattern& pattern, std::span<const int> groups) {
  const int count = *std::ranges::max_element(groups) + 1;
  std::vector<std::vector<int>> unknowns(static_cast<std::size_t>(count));
  std::vector<Eigen::Triplet<double>> meetings;
  for (int column = 0; column < pattern.size(); ++column) {
    const auto j = static_cast<std::size_t>(column);
    unknowns[static_cast<std::size_t>(groups[j])].push_back(column);
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const auto row = static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(k)]);
      meetings.emplace_back(groups[row], groups[j], 1.0);
    }
  }
  Eigen::SparseMatrix<double> graph(count, count);
  graph.setFromTriplets(meetings.begin(), meetings.end());
  Permutation order;
  Eigen::AMDOrdering<int>()(graph, order);
  Permutation places(pattern.size());
  int place = 0;
  for (int k = 0; k < count; ++k) {
    for (const int unknown : unknowns[static_cast<std::size_t>(order.indices()(k))])
      places.indices()(unknown) = place++;
  }
  return places;
}

}  // namespace

struct SparseLdlt::Factors {
  Eigen::SparseMatrix<double> matrix;
  Permutation places;  ///< of unknowns by groups; nothing without groups
  Eigen::SparseMatrix<double> in_order;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> grouped;

  bool has_groups() const { return places.size() > 0; }
  bool succeeded() const { return (has_groups() ? grouped.info() : ldlt.info()) == Eigen::Success; }
  Eigen::VectorXd pivots() const { return has_groups() ? grouped.vectorD() : ldlt.vectorD(); }
};

SparseLdlt::SparseLdlt(const SparsePattern& pattern) : SparseLdlt(pattern, {}) {}

SparseLdlt::SparseLdlt(const SparsePattern& pattern, std::span<const int> groups)
    : factors_(std::make_unique<Factors>()) {
  const std::vector<double> values(pattern.row.size(), 0.0);
  factors_->matrix = Eigen::Map<const Eigen::SparseMatrix<double>>(
      pattern.size(), pattern.size(), static_cast<Eigen::Index>(pattern.row.size()),
      pattern.column_start.data(), pattern.row.data(), values.data());
  if (groups.empty()) {
    factors_->ldlt.analyzePattern(factors_->matrix);
    return;
  }
  factors_->places = places_by_group(pattern, groups);
  factors_->in_order = factors_->matrix.twistedBy(factors_->places);
  factors_->grouped.analyzePattern(factors_->in_order);
}

SparseLdlt::SparseLdlt(SparseLdlt&&) noexcept = default;
SparseLdlt& SparseLdlt::operator=(SparseLdlt&&) noexcept = default;
SparseLdlt::~SparseLdlt() = default;

bool SparseLdlt::factor(std::span<const double> values) {
  std::ranges::copy(values, factors_->matrix.valuePtr());
  if (factors_->has_groups()) {
    factors_->in_order = factors_->matrix.twistedBy(factors_->places);
    factors_->grouped.factorize(factors_->in_order);
  } else {
    factors_->ldlt.factorize(factors_->matrix);
  }
  return negative() == 0;
}

std::optional<int> SparseLdlt::negative() const {
  if (!factors_->succeeded()) return std::nullopt;
  const Eigen::VectorXd diagonal = factors_->pivots();
  if (!diagonal.allFinite() || (diagonal.array() == 0.0).any()) return std::nullopt;
  return static_cast<int>((diagonal.array() < 0.0).count());
}

void SparseLdlt::solve(std::span<double> vector) const {
  Eigen::Map<Eigen::VectorXd> x(vector.data(), static_cast<Eigen::Index>(vector.size()));
  if (factors_->has_groups()) {
    x = factors_->places.transpose() * factors_->grouped.solve(factors_->places * x).eval();
  } else {
    x = factors_->ldlt.solve(x).eval();
  }
}

SparseLu::SparseLu(SparsePattern pattern)
    : pattern_(std::move(pattern)),
      common_(std::make_unique<klu_common>()),
      symbolic_(nullptr, FreeSymbolic{common_.get()}),
      numeric_(nullptr, FreeNumeric{common_.get()}) {
  klu_defaults(common_.get());
  common_->btf = 0;  // one block: what is not coupled is factored by itself elsewhere
  symbolic_.reset(
      klu_analyze(pattern_.size(), pattern_.column_start.data(), pattern_.row.data(), common_.get()));
}

bool SparseLu::factor(std::span<double> values) {
  if (!symbolic_) return false;
  if (numeric_ && refactor(values)) return true;
  numeric_.reset(klu_factor(pattern_.column_start.data(), pattern_.row.data(), values.data(), symbolic_.get(),
                            common_.get()));
  return numeric_ != nullptr && common_->status == KLU_OK;
}

/// Factors with the pivots of an earlier matrix; false if they do not suit these values.
bool SparseLu::refactor(std::span<double> values) {
  constexpr double smallest_growth = 1e-8;  // of the pivots: as with threshold pivoting
  if (klu_refactor(pattern_.column_start.data(), pattern_.row.data(), values.data(), symbolic_.get(),
                   numeric_.get(), common_.get()) == 0 ||
      common_->status != KLU_OK) {
    return false;
  }
  klu_rgrowth(pattern_.column_start.data(), pattern_.row.data(), values.data(), symbolic_.get(),
              numeric_.get(), common_.get());
  return common_->rgrowth > smallest_growth;
}

void SparseLu::solve(std::span<double> vectors) const {
  const int count = static_cast<int>(vectors.size()) / pattern_.size();
  klu_solve(symbolic_.get(), numeric_.get(), pattern_.size(), count, vectors.data(), common_.get());
}

}  // namespace rodeo
