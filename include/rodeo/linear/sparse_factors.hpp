#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rodeo/linear/nearly_symmetric.hpp"
#include "rodeo/linear/sparse_columns.hpp"
#include "rodeo/linear/supernodal.hpp"

namespace rodeo {

/// Factors of sparse matrices of one pattern, which is symmetric: of the kind that takes least time for their
/// size and signs.
class SparseFactors {
 public:
  explicit SparseFactors(SparsePattern pattern) : SparseFactors(std::move(pattern), {}) {}

  /// Unknowns of one group are eliminated one after the other, as they are numbered: some are of no sign
  /// without the others, so that no matrix is positive definite.
  SparseFactors(SparsePattern pattern, std::vector<int> groups)
      : pattern_(std::move(pattern)), groups_(std::move(groups)) {}

  const SparsePattern& pattern() const { return pattern_; }

  /// Forgets all but work that depends on the pattern alone.
  void forget_values() {
    if (general_) general_->forget_pivots();
    large_general_.reset();
    nearly_symmetric_.reset();
  }

  /// Number of unknowns from which on dense blocks are worth their overhead. With a third of these the other
  /// factors are as fast.
  static constexpr int many = 10000;

  /// Factors the matrix with these values; false if it is singular or not finite. One that is not positive
  /// definite has pivots.
  bool factor(std::span<double> values, bool symmetric);

  /// Number of unknowns from which on a nearly symmetric matrix is solved by iterations, which take less time
  /// than its factors.
  static constexpr int several = 1500;

  /// Factors a matrix that is not symmetric, of several unknowns, for solutions that need a few digits alone.
  /// `near`: one like it, whose symmetric part is positive definite (NearlySymmetric).
  bool factor(std::span<const double> values, std::span<const double> near);

  /// Factors the matrix, which is symmetric, without pivots, and returns how many of its eigenvalues are
  /// negative; nothing if there are no such factors.
  std::optional<int> factor_and_count(std::span<const double> values);

  /// Replaces vectors b, one after the other, by the solutions x of A x = b, with the last factors.
  void solve(std::span<double> vectors) const;

 private:
  bool is_large() const { return pattern_.size() >= many; }
  bool factor_by_blocks(std::span<const double> values);
  SparseLdlt& by_columns();

  SparsePattern pattern_;
  std::vector<int> groups_;  ///< of each unknown; nothing without
  std::optional<SparseLdlt> symmetric_;
  std::optional<SparseLu> general_;
  std::optional<SupernodalCholesky> large_symmetric_;
  std::optional<SupernodalLu> large_general_;
  std::optional<NearlySymmetric> nearly_symmetric_;
  enum class Kind { symmetric, general, large_symmetric, large_general, nearly_symmetric };
  Kind kind_ = Kind::symmetric;  ///< of the last factors
};

}  // namespace rodeo
