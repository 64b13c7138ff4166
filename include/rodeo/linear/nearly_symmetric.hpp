#pragma once

#include <memory>
#include <span>

#include "rodeo/linear/sparse_columns.hpp"

namespace rodeo {

/// Solves, to a few digits, with large sparse matrices of one pattern, which is symmetric, that are not far
/// from symmetric ones which are positive definite: by GMRES, preconditioned by the factors of such a one
/// (SupernodalCholesky). That takes a small part of the time of LU factors. Those of an earlier matrix do not
/// serve: as pairs stop and slip their friction changes a hundredfold, and many solves with such factors take
/// all iterations in vain. Where many iterations are not enough, or a matrix is not positive definite, there
/// are LU factors.
class NearlySymmetric {
 public:
  explicit NearlySymmetric(const SparsePattern& pattern);
  NearlySymmetric(NearlySymmetric&&) noexcept;
  NearlySymmetric& operator=(NearlySymmetric&&) noexcept;
  ~NearlySymmetric();

  /// Largest norm of a residual over that of its right-hand side.
  static constexpr double accuracy = 1e-2;

  static constexpr int most_iterations = 24;
  /// Number of vectors kept.
  static constexpr int vectors = 2 * most_iterations + 3;

  /// Sets the matrix by `values`, and factors the symmetric part of `near`, a matrix like it; false if it is
  /// singular or not finite.
  bool factor(std::span<const double> values, std::span<const double> near);

  /// Replaces `vector` b by x with |b - A x| <= accuracy |b|.
  void solve(std::span<double> vector) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace rodeo
