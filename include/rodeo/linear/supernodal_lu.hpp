#pragma once

#include <memory>
#include <span>

#include "rodeo/linear/sparse_pattern.hpp"

namespace rodeo {

/// LU factors of large sparse matrices of one pattern, which is symmetric though the matrices are not, by
/// dense blocks (UMFPACK of SuiteSparse) in an order of nested dissection (METIS), which is found once.
class SupernodalLu {
 public:
  explicit SupernodalLu(const SparsePattern& pattern);
  SupernodalLu(SupernodalLu&&) noexcept;
  SupernodalLu& operator=(SupernodalLu&&) noexcept;
  ~SupernodalLu();

  /// Factors the matrix with these values; false if it is singular or not finite.
  bool factor(std::span<const double> values);

  /// Replaces `vector` b by the solution x of A x = b.
  void solve(std::span<double> vector) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace rodeo
