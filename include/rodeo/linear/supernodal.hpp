#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rodeo/linear/sparse_columns.hpp"

namespace rodeo {

/// Factors L L' of large sparse matrices of one pattern, symmetric and positive definite, by dense blocks of
/// columns (CHOLMOD of SuiteSparse). The order that keeps factors sparse, of approximate minimum degree or of
/// nested dissection, is found once.
class SupernodalCholesky {
 public:
  explicit SupernodalCholesky(const SparsePattern& pattern);
  SupernodalCholesky(SupernodalCholesky&&) noexcept;
  SupernodalCholesky& operator=(SupernodalCholesky&&) noexcept;
  ~SupernodalCholesky();

  /// Factors the matrix with these values (both triangles); false if it is not positive definite.
  bool factor(std::span<const double> values);

  /// Replaces `vector` b by the solution x of A x = b.
  void solve(std::span<double> vector) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

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
