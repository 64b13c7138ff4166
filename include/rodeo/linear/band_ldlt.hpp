#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/math/pack.hpp"

namespace rodeo {

/// A symmetric matrix with `bandwidth` diagonals below the main one, by columns: entry i, j >= i of column i
/// stands at place j - i. Entries beyond the last row exist and are zero. With Real a pack it is one matrix a
/// lane.
template <class Real, int bandwidth>
class SymmetricBand {
 public:
  static constexpr int column_entries = bandwidth + 1;

  explicit SymmetricBand(int size)
      : size_(size), entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(column_entries)) {}

  int size() const { return size_; }

  /// Column j from the diagonal down.
  Real* column(int j) { return entries_.data() + place(j); }
  const Real* column(int j) const { return entries_.data() + place(j); }

  /// Entry of a row and a column, 0 <= row - column <= bandwidth.
  Real& at(int row, int column_) { return column(column_)[row - column_]; }
  const Real& at(int row, int column_) const { return column(column_)[row - column_]; }

  void set_zero() { entries_.assign(entries_.size(), Real(0.0)); }

  /// Makes row and column i those of the unit matrix: an unknown that is held. Its pivot is 1.
  void hold(int i) {
    for (int k = 1; k <= bandwidth; ++k) {
      column(i)[k] = Real(0.0);
      if (i >= k) column(i - k)[k] = Real(0.0);
    }
    column(i)[0] = Real(1.0);
  }

  /// An entry of A x.
  Real row_times(int row, const Real* x) const {
    Real sum = column(row)[0] * x[row];
    for (int j = row < bandwidth ? 0 : row - bandwidth; j < row; ++j) sum += column(j)[row - j] * x[j];
    for (int i = row + 1; i < size_ && i <= row + bandwidth; ++i) sum += column(row)[i - row] * x[i];
    return sum;
  }

  /// result = A x.
  void multiply(const Real* x, Real* result) const {
    for (int i = 0; i < size_; ++i) result[i] = column(i)[0] * x[i];
    for (int j = 0; j < size_; ++j) {
      const Real* const a = column(j);
      const int last = j + bandwidth < size_ ? bandwidth : size_ - 1 - j;
      const Real from = x[j];
      Real sum = result[j];
      for (int k = 1; k <= last; ++k) {
        result[j + k] += a[k] * from;
        sum += a[k] * x[j + k];
      }
      result[j] = sum;
    }
  }

 private:
  static std::size_t place(int j) {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(column_entries);
  }

  int size_;
  std::vector<Real> entries_;
};

/// Information from the pivots of a factorisation.
template <class Real>
struct Pivots {
  Real negative = Real(0.0);  ///< number of negative pivots, that of negative eigenvalues (Sylvester)
  /// The least |pivot| over the entry of the diagonal that it came from. Without pivoting, digits are lost as
  /// this is small: factors are unreliable below 1e-10 or so. NaN if anything was not finite.
  Real least_ratio = Real(0.0);
};

/// How far a factorisation goes: to the end, or, of one matrix of eight diagonals, to the first pivot that is
/// negative, by which it is known not to be positive definite. Its factors are then of no use.
enum class LdltSweep { whole, while_positive };

/// The factors L D L' of a symmetric band matrix, without pivoting (Golub and Van Loan, Matrix Computations,
/// section 4.3): those of a positive definite matrix lose no digits; of an indefinite one they are as good as
/// no pivot is small. They tell the number of negative eigenvalues. Right-hand sides may be packs where the
/// matrix is scalar: as many systems of one matrix.
template <class Real, int bandwidth>
class BandLdlt {
 public:
  using Matrix = SymmetricBand<Real, bandwidth>;

  explicit BandLdlt(int size) : size_(size) {}

  int size() const { return size_; }

  Pivots<Real> factor(const Matrix& matrix) { return factor_and_forward(matrix, nullptr); }

  /// Factors the matrix, and replaces b of A x = b by L^-1 b.
  Pivots<Real> factor_and_forward(const Matrix& matrix, Real* vector, LdltSweep how_far = LdltSweep::whole) {
    make_room();
    return sweep(matrix, vector, how_far);
  }

  /// Replaces b by L^-1 b.
  template <class Vector>
  void forward(Vector* vector) const;

  /// Replaces L^-1 b by the solution x.
  template <class Vector>
  void back(Vector* vector) const;

  template <class Vector>
  void solve(Vector* vector) const {
    forward(vector);
    back(vector);
  }

 private:
  /// Columns of zeros in front, so that no column is the first.
  static constexpr std::size_t front = bandwidth;

  /// Allocates on first use: members that go side by side have no factors of their own.
  void make_room() {
    lower_.resize((static_cast<std::size_t>(size_) + front) * bandwidth);
    inverse_.resize(static_cast<std::size_t>(size_));
  }
  Pivots<Real> sweep(const Matrix& matrix, Real* vector, LdltSweep how_far);

  Real* column(std::ptrdiff_t j) { return lower_.data() + (j + bandwidth) * bandwidth; }
  const Real* column(std::ptrdiff_t j) const { return lower_.data() + (j + bandwidth) * bandwidth; }

  int size_;
  std::vector<Real> lower_;    ///< of L below its unit diagonal, by columns; zero beyond the last row
  std::vector<Real> inverse_;  ///< 1/D
};

namespace detail {

/// Number of negative pivots, and largest ratio, over the pivots so far.
template <class Real>
struct PivotSums {
  Real negative = Real(0.0);
  Real largest = Real(0.0);  ///< |diagonal/pivot|

  [[gnu::always_inline]] void add(const Real& inverse, const Real& diagonal) {
    const Real zero(0.0);
    negative += select(inverse < zero, Real(1.0), zero);
    const Real ratio = magnitude(diagonal * inverse);
    largest = select(ratio <= largest, largest, ratio);  // keeps a NaN, of either
  }
  Pivots<Real> pivots() const { return {negative, Real(1.0) / largest}; }
};

}  // namespace detail

/// Factors column by column: subtracts the terms of the columns before, then takes the pivot (Golub and Van
/// Loan, algorithm 4.1.2). Operations and their order suit one matrix in vectors (band_ldlt_kernels.cpp),
/// which has the same bits.
template <class Real, int bandwidth>
Pivots<Real> BandLdlt<Real, bandwidth>::sweep(const Matrix& matrix, Real* vector,
                                              [[maybe_unused]] LdltSweep how_far) {
  detail::PivotSums<Real> pivots;
  // The last columns of L times their pivots, column j at place j modulo `bandwidth`.
  Real scaled[bandwidth][bandwidth] = {};
  Real square[bandwidth] = {};  // product that the last column subtracts, times its pivot
  Real inverse(0.0);            // of that
  int place = 0;
  const auto step = [&](int j, int before) __attribute__((always_inline)) {
    const Real* const a = matrix.column(j);
    Real sum[bandwidth + 1];
#pragma GCC unroll 16
    for (int r = 0; r < bandwidth; ++r) sum[r] = a[r] + Real(0.0);  // no zero is negative
    sum[bandwidth] = a[bandwidth];
#pragma GCC unroll 16
    for (int k = bandwidth; k > 1; --k) {
      const Real* const l = column(j - k) + k - 1;  // rows j and on
      const Real u = scaled[place >= k ? place - k : place - k + bandwidth][k - 1];
#pragma GCC unroll 16
      for (int r = 0; r <= bandwidth - k; ++r) sum[r] -= l[r] * u;
    }
#pragma GCC unroll 16
    for (int r = 0; r < bandwidth; ++r) sum[r] -= square[r] * inverse;
    inverse = Real(1.0) / sum[0];
    Real* const l = column(j);
#pragma GCC unroll 16
    for (int r = 0; r < bandwidth; ++r) {
      scaled[place][r] = sum[r + 1];
      square[r] = sum[r + 1] * sum[1];
      l[r] = sum[r + 1] * inverse;
    }
    place = place + 1 == bandwidth ? 0 : place + 1;
    inverse_[static_cast<std::size_t>(j)] = inverse;
    if (vector) {
      Real taken(0.0);
      for (int k = before; k > 0; --k) taken += column(j - k)[k - 1] * vector[j - k];
      vector[j] -= taken;
    }
    pivots.add(inverse, a[0]);
  };
  if (vector) {
    for (int j = 0; j < size_ && j < bandwidth; ++j) step(j, j);
    for (int j = bandwidth; j < size_; ++j) step(j, bandwidth);
  } else {
    for (int j = 0; j < size_; ++j) step(j, 0);
  }
  return pivots.pivots();
}

template <class Real, int bandwidth>
template <class Vector>
void BandLdlt<Real, bandwidth>::forward(Vector* vector) const {
  for (int j = 0; j < size_; ++j) {
    Vector sum = vector[j];
    for (int k = j < bandwidth ? j : bandwidth; k > 0; --k) sum -= column(j - k)[k - 1] * vector[j - k];
    vector[j] = sum;
  }
}

template <class Real, int bandwidth>
template <class Vector>
void BandLdlt<Real, bandwidth>::back(Vector* vector) const {
  for (int j = size_ - 1; j >= 0; --j) {
    const Real* const l = column(j);
    Vector sum = inverse_[static_cast<std::size_t>(j)] * vector[j];
    for (int k = size_ - 1 - j < bandwidth ? size_ - 1 - j : bandwidth; k > 0; --k)
      sum -= l[k - 1] * vector[j + k];
    vector[j] = sum;
  }
}

// Instances for rods, compiled once for the vector units (src/linear/band_ldlt_kernels.cpp).
template <>
Pivots<double> BandLdlt<double, 8>::sweep(const SymmetricBand<double, 8>& matrix, double* vector,
                                          LdltSweep how_far);
template <>
template <>
void BandLdlt<double, 8>::forward(double* vector) const;
template <>
template <>
void BandLdlt<double, 8>::back(double* vector) const;
extern template class BandLdlt<double, 8>;
extern template class BandLdlt<DoublePack, 8>;
extern template void BandLdlt<double, 8>::forward(DoublePack*) const;
extern template void BandLdlt<double, 8>::back(DoublePack*) const;
extern template void BandLdlt<DoublePack, 8>::forward(DoublePack*) const;
extern template void BandLdlt<DoublePack, 8>::back(DoublePack*) const;
extern template class BandLdlt<double, 11>;
extern template void BandLdlt<double, 11>::forward(double*) const;
extern template void BandLdlt<double, 11>::back(double*) const;
extern template void BandLdlt<double, 11>::forward(DoublePack*) const;
extern template void BandLdlt<double, 11>::back(DoublePack*) const;

}  // namespace rodeo
