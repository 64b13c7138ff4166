#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <suitesparse/klu.h>
#include <vector>

namespace rodeo {

/// Pattern of a square sparse matrix: compressed columns, rows rising.
struct SparsePattern {
  std::vector<int> column_start;  ///< [size + 1]
  std::vector<int> row;           ///< [entries]

  int size() const { return static_cast<int>(column_start.size()) - 1; }
  bool operator==(const SparsePattern&) const = default;

  /// Place of an entry among the values; it must exist.
  std::size_t place(int i, int j) const {
    const auto column = static_cast<std::size_t>(j);
    const auto begin = row.begin() + column_start[column];
    const auto end = row.begin() + column_start[column + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, i) - row.begin());
  }

  /// Calls visit(row, column, place among the values) for all entries of the first columns.
  template <class Visit>
  void for_each_entry(std::size_t columns, const Visit& visit) const {
    for (std::size_t j = 0; j < columns; ++j) {
      for (auto k = static_cast<std::size_t>(column_start[j]);
           k < static_cast<std::size_t>(column_start[j + 1]); ++k)
        visit(static_cast<std::size_t>(row[k]), j, k);
    }
  }
};

/// Factors L D L' of sparse symmetric matrices of one pattern (Eigen), without pivots: those of positive
/// definite ones lose no digits. Work that depends on the pattern alone is done once.
class SparseLdlt {
 public:
  explicit SparseLdlt(const SparsePattern& pattern);
  /// Unknowns of one group are eliminated one after the other, as they are numbered; groups come in an order
  /// that keeps factors sparse.
  SparseLdlt(const SparsePattern& pattern, std::span<const int> groups);
  SparseLdlt(SparseLdlt&&) noexcept;
  SparseLdlt& operator=(SparseLdlt&&) noexcept;
  ~SparseLdlt();

  /// Factors the matrix with these values (both triangles); false if it is not positive definite.
  bool factor(std::span<const double> values);

  /// Number of negative eigenvalues of the last factored matrix; nothing if a pivot was zero or not finite.
  std::optional<int> negative() const;

  /// Replaces `vector` b by the solution x of A x = b.
  void solve(std::span<double> vector) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// LU factors of sparse matrices of one pattern (KLU of SuiteSparse). Work that depends on the pattern alone
/// is done once, and the pivots of one matrix serve for the next as long as they suit it.
class SparseLu {
 public:
  explicit SparseLu(SparsePattern pattern);

  const SparsePattern& pattern() const { return pattern_; }

  /// Factors the matrix with these values; false if it is singular or not finite.
  bool factor(std::span<double> values);
  void forget_pivots() { numeric_.reset(); }

  /// Replaces vectors b, one after the other, by the solutions x of A x = b.
  void solve(std::span<double> vectors) const;

 private:
  struct FreeSymbolic {
    klu_common* common;
    void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
  };
  struct FreeNumeric {
    klu_common* common;
    void operator()(klu_numeric* numeric) const { klu_free_numeric(&numeric, common); }
  };

  bool refactor(std::span<double> values);

  SparsePattern pattern_;
  std::unique_ptr<klu_common> common_;
  std::unique_ptr<klu_symbolic, FreeSymbolic> symbolic_;
  std::unique_ptr<klu_numeric, FreeNumeric> numeric_;
};

}  // namespace rodeo
