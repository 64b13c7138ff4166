#include "rodeo/linear/sparse_factors.hpp"

namespace rodeo {

bool SparseFactors::factor(std::span<double> values, bool symmetric) {
  if (symmetric && is_large() && factor_by_blocks(values)) return true;
  if (symmetric) {
    kind_ = Kind::symmetric;
    if (by_columns().factor(values)) return true;
  }
  if (is_large()) {
    kind_ = Kind::large_general;
    if (!large_general_) large_general_.emplace(pattern_);
    return large_general_->factor(values);
  }
  kind_ = Kind::general;
  if (!general_) general_.emplace(pattern_);
  return general_->factor(values);
}

bool SparseFactors::factor(std::span<const double> values, std::span<const double> near) {
  kind_ = Kind::nearly_symmetric;
  if (!nearly_symmetric_) nearly_symmetric_.emplace(pattern_);
  return nearly_symmetric_->factor(values, near);
}

std::optional<int> SparseFactors::factor_and_count(std::span<const double> values) {
  if (is_large() && groups_.empty() && factor_by_blocks(values)) return 0;
  kind_ = Kind::symmetric;
  by_columns().factor(values);
  return by_columns().negative();
}

/// False if it is not positive definite.
bool SparseFactors::factor_by_blocks(std::span<const double> values) {
  kind_ = Kind::large_symmetric;
  if (!large_symmetric_) large_symmetric_.emplace(pattern_);
  return large_symmetric_->factor(values);
}

SparseLdlt& SparseFactors::by_columns() {
  if (!symmetric_) symmetric_.emplace(pattern_, groups_);
  return *symmetric_;
}

void SparseFactors::solve(std::span<double> vectors) const {
  const auto size = static_cast<std::size_t>(pattern_.size());
  for (; kind_ != Kind::general && vectors.size() > size; vectors = vectors.subspan(size))
    solve(vectors.first(size));
  switch (kind_) {
    case Kind::symmetric:
      return symmetric_->solve(vectors);
    case Kind::general:
      return general_->solve(vectors);
    case Kind::large_symmetric:
      return large_symmetric_->solve(vectors);
    case Kind::large_general:
      return large_general_->solve(vectors);
    case Kind::nearly_symmetric:
      return nearly_symmetric_->solve(vectors);
  }
}

}  // namespace rodeo
