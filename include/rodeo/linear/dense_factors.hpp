#pragma once

#include <memory>
#include <vector>

namespace rodeo {

/// A dense matrix and its LU factors with partial pivoting, in single precision: an approximate inverse that
/// takes half the memory of an exact one, on which the time of a solve depends. By Eigen, whose factorisation
/// is vectorised and does not depend on the BLAS of a machine nor its threads; the reference LAPACK of Debian
/// takes ten times as long.
class DenseFactors {
 public:
  explicit DenseFactors(int size);
  ~DenseFactors();
  DenseFactors(DenseFactors&&) noexcept;
  DenseFactors& operator=(DenseFactors&&) noexcept;

  /// The entries, column by column; to be set before each factorisation, which overwrites them.
  float* matrix();

  void factor();

  /// Replaces `vector` b by the solution x of A x = b.
  void solve(std::vector<float>& vector) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace rodeo
