#pragma once

#include <memory>
#include <span>
#include <suitesparse/klu.h>

#include "rodeo/linear/sparse_pattern.hpp"

namespace rodeo {

/// LU factors of sparse matrices of one pattern (KLU of SuiteSparse). Work that depends on the pattern alone
/// is done once, and the pivots of one matrix serve for the next as long as they suit it.
class SparseLu {
 public:
  explicit SparseLu(SparsePattern pattern);

  const SparsePattern& pattern() const { return pattern_; }

  /// Factors the matrix with these values; false if it is singular or not finite.
  bool factor(std::span<double> values);

  /// Replaces `vector` b by the solution x of A x = b.
  void solve(std::span<double> vector) const;

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
