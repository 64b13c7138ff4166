#include "rodeo/linear/sparse_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rodeo {

SparseBlocks::SparseBlocks(int triples) : SparseBlocks(triples, {}) {}

SparseBlocks::SparseBlocks(int triples, std::vector<int> groups)
    : triples_(triples),
      groups_(std::move(groups)),
      diagonal_(static_cast<std::size_t>(3) * static_cast<std::size_t>(triples)) {}

void SparseBlocks::clear() {
  added_.clear();
  for (int k = 0; k < triples_; ++k) add(k, k, {});  // the diagonal is always there
}

/// Place of a block among the rows of its column; the number of all rows if it is not there.
std::size_t SparseBlocks::place(int row, int column) const {
  if (block_row_.empty()) return 0;
  const auto k = static_cast<std::size_t>(column);
  const auto begin = block_row_.begin() + block_start_[k];
  const auto end = block_row_.begin() + block_start_[k + 1];
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<std::size_t>(found - block_row_.begin())
                                       : block_row_.size();
}

void SparseBlocks::make_pattern() {
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(triples_));
  for (const Block& block : added_) rows[static_cast<std::size_t>(block.column)].push_back(block.row);
  block_start_ = {0};
  block_row_.clear();
  pattern_ = {};
  pattern_.column_start.push_back(0);
  for (int column = 0; column < triples_; ++column) {
    std::vector<int>& own = rows[static_cast<std::size_t>(column)];
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    block_row_.insert(block_row_.end(), own.begin(), own.end());
    block_start_.push_back(static_cast<int>(block_row_.size()));
    for (int k = 0; k < 3; ++k) {
      const auto unknown = static_cast<std::size_t>(3 * column + k);
      for (const int row : own) {
        if (row == column) diagonal_[unknown] = pattern_.row.size() + static_cast<std::size_t>(k);
        for (int i = 0; i < 3; ++i) pattern_.row.push_back(3 * row + i);
      }
      pattern_.column_start.push_back(static_cast<int>(pattern_.row.size()));
    }
  }
  std::vector<int> groups;
  for (const int group : groups_) groups.insert(groups.end(), 3, group);
  factors_.emplace(pattern_, std::move(groups));
}

void SparseBlocks::assemble() {
  const bool fits = !block_row_.empty() && std::ranges::all_of(added_, [&](const Block& block) {
    return place(block.row, block.column) < block_row_.size();
  });
  if (!fits) make_pattern();
  values_.assign(pattern_.row.size(), 0.0);
  for (const Block& block : added_) {
    const auto column = static_cast<std::size_t>(block.column);
    const auto first = static_cast<std::size_t>(block_start_[column]);
    const std::size_t rows = static_cast<std::size_t>(block_start_[column + 1]) - first;
    const std::size_t within = place(block.row, block.column) - first;
    for (std::size_t k = 0; k < 3; ++k) {
      double* const to = &values_[9 * first + 3 * (k * rows + within)];
      for (int i = 0; i < 3; ++i) to[i] += block.entries(i, static_cast<int>(k));
    }
  }
}

void SparseBlocks::hold(int unknown) {
  const auto column = static_cast<std::size_t>(unknown);
  for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k) {
    values_[static_cast<std::size_t>(k)] = 0.0;
    const int row = pattern_.row[static_cast<std::size_t>(k)];
    values_[pattern_.place(unknown, row)] = 0.0;  // the pattern is symmetric
  }
  values_[diagonal_[column]] = 1.0;
}

void SparseBlocks::multiply(std::span<const double> x, std::span<double> product) const {
  std::ranges::fill(product, 0.0);
  for (std::size_t column = 0; column < x.size(); ++column) {
    for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      product[static_cast<std::size_t>(pattern_.row[entry])] += values_[entry] * x[column];
    }
  }
}

double SparseBlocks::size_of_terms(std::span<const double> x) const {
  double sum = 0.0;
  for (std::size_t column = 0; column < x.size(); ++column) {
    for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const auto row = static_cast<std::size_t>(pattern_.row[entry]);
      if (row < x.size()) sum += std::abs(values_[entry] * x[row] * x[column]);
    }
  }
  return sum;
}

void SparseBlocks::set_shifted(double share, std::span<const double> weights) {
  shifted_ = values_;
  for (std::size_t i = 0; i < weights.size(); ++i) shifted_[diagonal_[i]] += share * weights[i];
}

std::optional<int> SparseBlocks::factor_and_count(double share, std::span<const double> weights) {
  set_shifted(share, weights);
  return factors_->factor_and_count(shifted_);
}

bool SparseBlocks::factor(double share, std::span<const double> weights, bool symmetric) {
  set_shifted(share, weights);
  return factors_->factor(shifted_, symmetric);
}

void SparseBlocks::solve(std::span<double> vector) const { factors_->solve(vector); }

}  // namespace rodeo
