#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rodeo/linear/sparse_factors.hpp"
#include "rodeo/math/matrix3.hpp"

namespace rodeo {

/// A square sparse matrix of blocks of three rows and columns, one for each pair of triples of unknowns that
/// meet. It is set by adding blocks, of which the order does not matter but for rounding, and factored
/// (SparseFactors). The pattern of one set of blocks serves for the next as long as it has them all.
class SparseBlocks {
 public:
  explicit SparseBlocks(int triples);
  /// Triples of one group are eliminated one after the other, as they are numbered.
  SparseBlocks(int triples, std::vector<int> groups);

  int size() const { return 3 * triples_; }

  /// Forgets the pattern, so that later results depend on the blocks alone.
  void forget() { block_row_.clear(); }

  /// Removes all blocks.
  void clear();
  /// Adds a block, by triples. A symmetric matrix needs its blocks on both sides of the diagonal.
  void add(int row, int column, const Matrix3& block) { added_.push_back({row, column, block}); }
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

  /// Replaces `vector` b by the solution x of A x = b, with the last factors.
  void solve(std::span<double> vector) const;

 private:
  struct Block {
    int row;
    int column;
    Matrix3 entries;
  };

  void make_pattern();
  std::size_t place(int row, int column) const;
  void set_shifted(double share, std::span<const double> weights);

  int triples_;
  std::vector<int> groups_;  ///< of each triple; nothing without
  std::vector<Block> added_;
  std::vector<int> block_start_;  ///< [triples + 1] of the columns
  std::vector<int> block_row_;    ///< rising in each column
  SparsePattern pattern_;
  std::vector<std::size_t> diagonal_;  ///< [size] among the values
  std::vector<double> values_;
  std::vector<double> shifted_;  ///< with what has been added on the diagonal
  std::optional<SparseFactors> factors_;
};

}  // namespace rodeo
