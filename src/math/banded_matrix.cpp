#include "rodeo/math/banded_matrix.hpp"

#include <algorithm>
#include <lapacke.h>

namespace rodeo {

static_assert(sizeof(lapack_int) == sizeof(int));

BandedMatrix::BandedMatrix(int size, int bandwidth)
    : size_(size),
      bandwidth_(bandwidth),
      pitch_(3 * bandwidth + 1),
      entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(pitch_)),
      pivots_(static_cast<std::size_t>(size)) {}

void BandedMatrix::set_zero() { std::ranges::fill(entries_, 0.0); }

void BandedMatrix::scale(double factor) {
  for (double& entry : entries_) entry *= factor;
}

bool BandedMatrix::factor() {
  return LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, size_, size_, bandwidth_, bandwidth_, entries_.data(), pitch_,
                             pivots_.data()) == 0;
}

void BandedMatrix::solve(std::span<double> vector) const {
  LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', size_, bandwidth_, bandwidth_, 1, entries_.data(), pitch_,
                      pivots_.data(), vector.data(), size_);
}

}  // namespace rodeo
