#pragma once

#include <span>
#include <vector>

namespace rodeo {

/// A square matrix with `bandwidth` diagonals on either side of the main one, and its LU factors with partial
/// pivoting (LAPACK's dgbtrf and dgbtrs). Pivots are compared in units in which the matrix is of the size of
/// 1: forces and couples have none in common, and by their bare numbers rods that are measured in other units
/// would have other pivots, and lose other digits.
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
  double* column(int j) { return entries_.data() + static_cast<std::ptrdiff_t>(j) * pitch_; }
  const double* column(int j) const { return entries_.data() + static_cast<std::ptrdiff_t>(j) * pitch_; }
  void set_units();

  int size_;
  int bandwidth_;
  int pitch_;
  std::vector<double> entries_;  ///< LAPACK's band storage: column by column
  std::vector<int> pivots_;
  std::vector<double> units_;  ///< by which rows are multiplied before pivots are compared
};

}  // namespace rodeo
