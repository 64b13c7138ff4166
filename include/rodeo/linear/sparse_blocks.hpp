#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rodeo/linear/sparse_factors.hpp"
#include "rodeo/math/matrix3.hpp"

namespace rodeo {

/// Rows and columns of a block in a matrix, each one after the other.
struct BlockPlace {
  int row;
  int rows;
  int column;
  int columns;
};

/// A square sparse matrix that is set by adding dense blocks, of which the order does not matter but for
/// rounding, and factored (SparseFactors). The pattern of one set of blocks serves for the next as long as it
/// has them all. It has to be symmetric, and the diagonal is always there.
class SparseBlocks {
 public:
  /// Unknowns of one group are eliminated one after the other, as they are numbered.
  explicit SparseBlocks(int size, std::vector<int> groups = {});

  int size() const { return size_; }

  /// Forgets the pattern, so that later results depend on the blocks alone. Work that depends on the pattern
  /// serves on if the next one is like it.
  void forget() { is_forgotten_ = true; }

  /// Removes all blocks.
  void clear();
  /// Adds a block of entry(i, j).
  template <class Entry>
  void add(const BlockPlace& place, const Entry& entry) {
    blocks_.push_back({place, entries_.size()});
    for (int j = 0; j < place.columns; ++j) {
      for (int i = 0; i < place.rows; ++i) entries_.push_back(entry(i, j));
    }
  }
  /// Adds a block by its first row and column.
  void add(int row, int column, const Matrix3& block) { add({row, 3, column, 3}, block); }
  /// Makes room in the next pattern for a block that may come.
  void expect(const BlockPlace& place) { expected_.push_back(place); }
  void expect_nothing() { expected_.clear(); }
  /// Notes a part of a block, by_row(i) by_column(j), that makes the matrix markedly unsymmetric.
  template <class ByRow, class ByColumn>
  void note_unsymmetric(const BlockPlace& place, const ByRow& by_row, const ByColumn& by_column) {
    unsymmetric_.push_back({place, factors_of_.size()});
    for (int i = 0; i < place.rows; ++i) factors_of_.push_back(by_row(i));
    for (int j = 0; j < place.columns; ++j) factors_of_.push_back(by_column(j));
  }
  /// Assembles the matrix from the added blocks.
  void assemble();

  /// Functions below need an assembled matrix.

  /// Makes the row and the column of an unknown those of the unit matrix.
  void hold(int unknown);
  double diagonal(int unknown) const { return values_[diagonal_[static_cast<std::size_t>(unknown)]]; }
  void multiply(std::span<const double> x, std::span<double> product) const;
  /// The sum of the sizes of all terms of x A x; unknowns beyond the end of x are zero.
  double size_of_terms(std::span<const double> x) const;

  /// Factors the matrix, which is symmetric, with `share` times `weights` added on its diagonal, and returns
  /// how many of its eigenvalues are negative; nothing if it has no such factors.
  std::optional<int> factor_and_count(double share, std::span<const double> weights);
  /// Factors any matrix, without the count of eigenvalues; false if it is singular.
  bool factor(double share, std::span<const double> weights, bool symmetric = false);
  /// Factors a matrix for solutions of few digits (SparseFactors); without what was noted as unsymmetric it
  /// is nearly symmetric.
  bool factor_nearly_symmetric();

  /// Replaces vectors b, one after the other, by the solutions x of A x = b, with the last factors.
  void solve(std::span<double> vectors) const { factors_->solve(vectors); }

 private:
  struct Block {
    BlockPlace place;
    std::size_t first;  ///< of its numbers
  };

  void make_pattern();
  bool gather();
  const std::vector<double>& shifted(double share, std::span<const double> weights);

  int size_;
  std::vector<int> groups_;  ///< of each unknown; nothing without
  std::vector<Block> blocks_;
  std::vector<double> entries_;  ///< of blocks, column by column
  std::vector<BlockPlace> expected_;
  std::vector<Block> unsymmetric_;
  std::vector<double> factors_of_;     ///< of these
  std::vector<std::size_t> diagonal_;  ///< [size] among the values
  std::vector<double> values_;
  std::vector<double> changed_;           ///< with more on the diagonal, or without what is unsymmetric
  std::optional<SparseFactors> factors_;  ///< with the pattern
  bool is_forgotten_ = true;              ///< the pattern serves no more
};

}  // namespace rodeo
