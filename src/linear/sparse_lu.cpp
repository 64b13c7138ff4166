#include "rodeo/linear/sparse_lu.hpp"

#include <utility>

namespace rodeo {

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

void SparseLu::solve(std::span<double> vector) const {
  klu_solve(symbolic_.get(), numeric_.get(), pattern_.size(), 1, vector.data(), common_.get());
}

}  // namespace rodeo
