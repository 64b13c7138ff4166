#pragma once

#include <span>
#include <vector>

namespace rodeo {

/// A square matrix with `bandwidth` diagonals on either side of the main one, and its LU factors with partial
/// pivoting (LAPACK's dgbtrf and dgbtrs).
class BandedMatrix {
 public:
  BandedMatrix(int size, int bandwidth);

  int size() const { return size_; }
  int bandwidth() const { return bandwidth_; }

  /// Entry of row i and column j, |i - j| <= bandwidth; not to be used on factors.
  double& at(int i, int j) {
    return entries_[static_cast<std::size_t>(j * (pitch_ - 1) + 2 * bandwidth_ + i)];
  }

  void set_zero();
  void scale(double factor);

  /// Sets `product` to A x.
  void multiply(std::span<const double> x, std::span<double> product) const;

  /// Replaces the matrix by its factors; false if it is singular or not finite.
  bool factor();

  /// Replaces `vector` b by the solution x of A x = b, with the factors of A.
  void solve(std::span<double> vector) const;

 private:
  int size_;
  int bandwidth_;
  int pitch_;
  std::vector<double> entries_;  ///< LAPACK's band storage: column by column
  std::vector<int> pivots_;
};

}  // namespace rodeo
