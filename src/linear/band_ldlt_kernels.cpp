#include "rodeo/linear/band_ldlt.hpp"

namespace rodeo {

namespace {

using Column = DoublePack;

/// The column one row down, with another number below.
[[gnu::always_inline]] inline Column down(const Column& a, double below) {
  Column last;
  last.set(0, below);
  return Column::shuffle<1, 2, 3, 4, 5, 6, 7, 8>(a, last);
}

}  // namespace

/// Eight entries of a column side by side. The last eight columns stand in registers, each from the row of
/// the present pivot on; they move one row down with every column. From one pivot to the next there are a
/// division, a multiplication and a subtraction, which take most of the time.
template <>
Pivots<double> BandLdlt<double, 8>::sweep(const SymmetricBand<double, 8>& matrix, double* vector,
                                          LdltSweep how_far) {
  detail::PivotSums<double> pivots;
  Column lower[8];  // columns j - 1 ... j - 8 of L, from row j on
  // These columns times their pivots, not moved down: column j at place j modulo 8, and again 8 further.
  alignas(64) double scaled[16][8] = {};
  Column square;         // product that column j - 1 subtracts, times its pivot
  double inverse = 0.0;  // of this pivot
  Column right;          // product of these columns and the solution, rows j and on
  for (int j = 0; j < size_; ++j) {
    const double* const a = matrix.column(j);
    const double(*const recent)[8] = scaled + 8 + j % 8;
    Column sum = Column::load(a) + Column();  // no zero is negative
#pragma GCC unroll 8
    for (int k = 7; k > 0; --k) sum -= lower[k] * recent[-k - 1][k];
    sum -= square * inverse;
    inverse = 1.0 / sum.first();
    const Column next = down(sum, a[8]);
    next.store(scaled[j % 8]);
    next.store(scaled[j % 8 + 8]);
    square = next * next.first();
    const Column l = next * inverse;
    l.store(column(j));
    inverse_[static_cast<std::size_t>(j)] = inverse;
    pivots.add(inverse, a[0]);
    if (inverse < 0.0 && how_far == LdltSweep::while_positive) break;
    if (vector) {
      const double solved = vector[j] - right.first();
      vector[j] = solved;
      right = down(right, 0.0) + l * solved;
    }
#pragma GCC unroll 8
    for (int k = 7; k > 0; --k) lower[k] = down(lower[k - 1], 0.0);
    lower[0] = l;
  }
  return pivots.pivots();
}

/// The last unknowns stand in registers: all that a row needs but the one before it is there early.
template <>
template <>
void BandLdlt<double, 8>::forward(double* vector) const {
  double x[8] = {};  // unknowns j - 1 ... j - 8
  for (int j = 0; j < size_; ++j) {
    const double* const l = column(j - 1);  // column j - k - 1 stands 8 k before
    double solved = vector[j];
#pragma GCC unroll 8
    for (int k = 7; k >= 0; --k) solved -= l[-7 * k] * x[k];
#pragma GCC unroll 8
    for (int k = 7; k > 0; --k) x[k] = x[k - 1];
    x[0] = solved;
    vector[j] = solved;
  }
}

template <>
template <>
void BandLdlt<double, 8>::back(double* vector) const {
  double x[8] = {};  // unknowns j + 1 ... j + 8
  for (int j = size_ - 1; j >= 0; --j) {
    const double* const l = column(j);
    double solved = inverse_[static_cast<std::size_t>(j)] * vector[j];
    if (j + 8 < size_) {
#pragma GCC unroll 8
      for (int k = 7; k >= 0; --k) solved -= l[k] * x[k];
    } else {
      for (int k = size_ - 2 - j; k >= 0; --k) solved -= l[k] * vector[j + 1 + k];
    }
    for (int k = 7; k > 0; --k) x[k] = x[k - 1];
    x[0] = solved;
    vector[j] = solved;
  }
}

template class BandLdlt<double, 8>;
template class BandLdlt<DoublePack, 8>;
template void BandLdlt<double, 8>::forward(DoublePack*) const;
template void BandLdlt<double, 8>::back(DoublePack*) const;
template void BandLdlt<DoublePack, 8>::forward(DoublePack*) const;
template void BandLdlt<DoublePack, 8>::back(DoublePack*) const;

// Instantiations for the mixed form of rods (tangent/mixed_tangent.hpp).
template class BandLdlt<double, 11>;
template void BandLdlt<double, 11>::forward(double*) const;
template void BandLdlt<double, 11>::back(double*) const;
template void BandLdlt<double, 11>::forward(DoublePack*) const;
template void BandLdlt<double, 11>::back(DoublePack*) const;

}  // namespace rodeo
