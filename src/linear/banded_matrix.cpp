#include "rodeo/linear/banded_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rodeo {

BandedMatrix::BandedMatrix(int size, int bandwidth)
    : size_(size),
      bandwidth_(bandwidth),
      pitch_(3 * bandwidth + 1),
      entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(pitch_)),
      pivots_(static_cast<std::size_t>(size)),
      units_(static_cast<std::size_t>(size)) {}

void BandedMatrix::set_zero() { std::ranges::fill(entries_, 0.0); }

void BandedMatrix::scale(double factor) {
  for (double& entry : entries_) entry *= factor;
}

void BandedMatrix::multiply(std::span<const double> x, std::span<double> product) const {
  std::ranges::fill(product, 0.0);
  for (int j = 0; j < size_; ++j) {
    const double* const column =
        entries_.data() + static_cast<std::ptrdiff_t>(j) * (pitch_ - 1) + 2 * bandwidth_;
    const int last = std::min(j + bandwidth_, size_ - 1);
    for (int i = std::max(0, j - bandwidth_); i <= last; ++i)
      product[static_cast<std::size_t>(i)] += column[i] * x[static_cast<std::size_t>(j)];
  }
}

// The algorithms of LAPACK's dgbtf2 and dgbtrs, entry by entry. A BLAS has other kernels on other processors,
// and sometimes in other environments, which differ in the last bits; bands are too narrow for any of them to
// be faster.

/// The root of |a_ii|, or of a_ij^2/|a_jj| where that is more, as it is not in positive definite matrices.
/// All of them are s_i times as large where unknowns and rows are counted in units s.
void BandedMatrix::set_units() {
  const int diagonal = 2 * bandwidth_;
  double* const units = units_.data();
  for (int j = 0; j < size_; ++j) units[j] = std::abs(column(j)[diagonal]);
  for (int j = 0; j < size_; ++j) {
    const double* const entries = column(j) + diagonal - j;
    const double own = std::abs(entries[j]);
    const double inverse = own > 0.0 ? 1.0 / own : 0.0;
    const int last = std::min(j + bandwidth_, size_ - 1);
    for (int i = std::max(0, j - bandwidth_); i <= last; ++i)
      units[i] = std::max(units[i], entries[i] * entries[i] * inverse);
  }
  for (double& unit : units_) unit = unit > 0.0 ? 1.0 / std::sqrt(unit) : 1.0;
}

bool BandedMatrix::factor() {
  const int diagonal = 2 * bandwidth_;  // its place in a column, below room for what pivots bring there
  set_units();
  for (int j = bandwidth_ + 1; j < std::min(diagonal, size_); ++j)
    std::fill(column(j) + diagonal - j, column(j) + bandwidth_, 0.0);
  int last = 0;  // column that pivots so far reach
  bool regular = true;
  for (int j = 0; j < size_; ++j) {
    if (j + diagonal < size_) std::fill_n(column(j + diagonal), bandwidth_, 0.0);
    const int below = std::min(bandwidth_, size_ - 1 - j);
    double* const pivot = column(j) + diagonal;
    double* const units = units_.data() + j;
    int rows = 0;
    double largest = std::abs(pivot[0]) * units[0];
    for (int i = 1; i <= below; ++i) {
      const double size = std::abs(pivot[i]) * units[i];
      if (size > largest) {
        largest = size;
        rows = i;
      }
    }
    std::swap(units[0], units[rows]);
    pivots_[static_cast<std::size_t>(j)] = j + rows;
    if (!(std::abs(pivot[rows]) > 0.0)) {
      regular = false;
      continue;
    }
    last = std::max(last, std::min(j + bandwidth_ + rows, size_ - 1));
    if (rows != 0) {
      for (int k = j; k <= last; ++k)
        std::swap(column(k)[diagonal + rows - (k - j)], column(k)[diagonal - (k - j)]);
    }
    const double inverse = 1.0 / pivot[0];
    for (int i = 1; i <= below; ++i) pivot[i] *= inverse;
    for (int k = j + 1; k <= last; ++k) {
      double* const other = column(k) + diagonal - (k - j);
      const double factor = other[0];
      for (int i = 1; i <= below; ++i) other[i] -= pivot[i] * factor;
    }
  }
  return regular;
}

void BandedMatrix::solve(std::span<double> vector) const {
  const int diagonal = 2 * bandwidth_;
  double* const x = vector.data();
  for (int j = 0; j + 1 < size_; ++j) {
    const int below = std::min(bandwidth_, size_ - 1 - j);
    if (const int row = pivots_[static_cast<std::size_t>(j)]; row != j) std::swap(x[j], x[row]);
    const double* const factors = column(j) + diagonal;
    for (int i = 1; i <= below; ++i) x[j + i] -= factors[i] * x[j];
  }
  for (int j = size_ - 1; j >= 0; --j) {
    const int above = std::min(diagonal, j);
    const double* const factors = column(j) + diagonal;
    x[j] /= factors[0];
    for (int i = 1; i <= above; ++i) x[j - i] -= factors[-i] * x[j];
  }
}

}  // namespace rodeo
