#pragma once

#include <memory>
#include <optional>
#include <span>

#include "rodeo/linear/sparse_pattern.hpp"

namespace rodeo {

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

}  // namespace rodeo
