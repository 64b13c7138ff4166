#include "rodeo/linear/sparse_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rodeo {

SparseBlocks::SparseBlocks(int size, std::vector<int> groups)
    : size_(size), groups_(std::move(groups)), diagonal_(static_cast<std::size_t>(size)) {}

void SparseBlocks::clear() {
  blocks_.clear();
  entries_.clear();
  unsymmetric_.clear();
  factors_of_.clear();
}

void SparseBlocks::make_pattern() {
  using Rows = std::pair<int, int>;  // from the first on to before the second
  std::vector<std::vector<Rows>> rows(static_cast<std::size_t>(size_));
  for (int k = 0; k < size_; ++k) rows[static_cast<std::size_t>(k)].push_back({k, k + 1});
  const auto add = [&](const BlockPlace& place) {
    for (int j = place.column; j < place.column + place.columns; ++j)
      rows[static_cast<std::size_t>(j)].push_back({place.row, place.row + place.rows});
  };
  for (const Block& block : blocks_) add(block.place);
  std::ranges::for_each(expected_, add);
  SparsePattern pattern;
  pattern.column_start.push_back(0);
  for (std::vector<Rows>& own : rows) {
    std::ranges::sort(own);
    int next = 0;
    for (const auto& [begin, end] : own) {
      for (int i = std::max(begin, next); i < end; ++i) pattern.row.push_back(i);
      next = std::max(next, end);
    }
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
  if (factors_ && factors_->pattern() == pattern) return factors_->forget_values();
  for (int k = 0; k < size_; ++k) diagonal_[static_cast<std::size_t>(k)] = pattern.place(k, k);
  factors_.emplace(std::move(pattern), groups_);
}

/// Sets the values of the pattern; false if it has no place for a block, whose rows stand together in it.
/// They mostly begin at the same place of all its columns.
bool SparseBlocks::gather() {
  const SparsePattern& pattern = factors_->pattern();
  values_.assign(pattern.row.size(), 0.0);
  for (const auto& [place, first] : blocks_) {
    const double* from = entries_.data() + first;
    std::size_t within = 0;
    for (int j = place.column; j < place.column + place.columns; ++j) {
      const auto start = static_cast<std::size_t>(pattern.column_start[static_cast<std::size_t>(j)]);
      const auto end = static_cast<std::size_t>(pattern.column_start[static_cast<std::size_t>(j) + 1]);
      std::size_t begin = start + within;
      if (begin >= end || pattern.row[begin] != place.row) begin = pattern.place(place.row, j);
      within = begin - start;
      const std::size_t last = begin + static_cast<std::size_t>(place.rows) - 1;
      if (last >= end || pattern.row[begin] != place.row || pattern.row[last] != place.row + place.rows - 1)
        return false;
      for (std::size_t k = begin; k <= last; ++k) values_[k] += *from++;
    }
  }
  return true;
}

void SparseBlocks::assemble() {
  if (!std::exchange(is_forgotten_, false) && gather()) return;
  make_pattern();
  gather();
}

void SparseBlocks::hold(int unknown) {
  const SparsePattern& pattern = factors_->pattern();
  const auto column = static_cast<std::size_t>(unknown);
  for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
    values_[static_cast<std::size_t>(k)] = 0.0;
    const int row = pattern.row[static_cast<std::size_t>(k)];
    values_[pattern.place(unknown, row)] = 0.0;  // the pattern is symmetric
  }
  values_[diagonal_[column]] = 1.0;
}

void SparseBlocks::multiply(std::span<const double> x, std::span<double> product) const {
  std::ranges::fill(product, 0.0);
  factors_->pattern().for_each_entry(x.size(), [&](std::size_t row, std::size_t column, std::size_t k) {
    product[row] += values_[k] * x[column];
  });
}

double SparseBlocks::size_of_terms(std::span<const double> x) const {
  double sum = 0.0;
  factors_->pattern().for_each_entry(x.size(), [&](std::size_t row, std::size_t column, std::size_t k) {
    if (row < x.size()) sum += std::abs(values_[k] * x[row] * x[column]);
  });
  return sum;
}

const std::vector<double>& SparseBlocks::shifted(double share, std::span<const double> weights) {
  changed_ = values_;
  for (std::size_t i = 0; i < weights.size(); ++i) changed_[diagonal_[i]] += share * weights[i];
  return changed_;
}

std::optional<int> SparseBlocks::factor_and_count(double share, std::span<const double> weights) {
  return factors_->factor_and_count(shifted(share, weights));
}

bool SparseBlocks::factor(double share, std::span<const double> weights, bool symmetric) {
  shifted(share, weights);
  return factors_->factor(changed_, symmetric);
}

bool SparseBlocks::factor_nearly_symmetric() {
  changed_ = values_;
  for (const auto& [place, first] : unsymmetric_) {
    const double* const by_row = factors_of_.data() + first;
    for (int j = 0; j < place.columns; ++j) {
      const double factor = by_row[place.rows + j];
      if (factor == 0.0) continue;
      double* const to = &changed_[factors_->pattern().place(place.row, place.column + j)];
      for (int i = 0; i < place.rows; ++i) to[i] -= by_row[i] * factor;
    }
  }
  return factors_->factor(values_, changed_);
}

}  // namespace rodeo
