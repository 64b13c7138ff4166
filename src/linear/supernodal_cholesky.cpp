#include "rodeo/linear/supernodal_cholesky.hpp"

#include <algorithm>
#include <suitesparse/cholmod.h>

#include "blas_threads.hpp"

namespace rodeo {

struct SupernodalCholesky::Factors {
  cholmod_common common{};
  std::vector<int> column_start;  ///< of the lower triangle
  std::vector<int> row;
  std::vector<double> values;
  std::vector<std::size_t> place;  ///< of each of these among the values of the whole pattern
  cholmod_sparse matrix{};
  cholmod_factor* factor = nullptr;

  Factors() {
    use_one_blas_thread();
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.print = 0;
    common.quick_return_if_not_posdef = 1;
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
};

SupernodalCholesky::SupernodalCholesky(const SparsePattern& pattern) : factors_(std::make_unique<Factors>()) {
  Factors& f = *factors_;
  for (int j = 0; j < pattern.size(); ++j) {
    f.column_start.push_back(static_cast<int>(f.row.size()));
    const auto column = static_cast<std::size_t>(j);
    for (auto k = static_cast<std::size_t>(pattern.column_start[column]);
         k < static_cast<std::size_t>(pattern.column_start[column + 1]); ++k) {
      const int i = pattern.row[k];
      if (i < j) continue;
      f.row.push_back(i);
      f.place.push_back(k);
    }
  }
  f.column_start.push_back(static_cast<int>(f.row.size()));
  f.values.assign(f.row.size(), 0.0);
  f.matrix.nrow = f.matrix.ncol = static_cast<std::size_t>(pattern.size());
  f.matrix.nzmax = f.row.size();
  f.matrix.p = f.column_start.data();
  f.matrix.i = f.row.data();
  f.matrix.x = f.values.data();
  f.matrix.stype = -1;  // the lower triangle
  f.matrix.itype = CHOLMOD_INT;
  f.matrix.xtype = CHOLMOD_REAL;
  f.matrix.dtype = CHOLMOD_DOUBLE;
  f.matrix.sorted = f.matrix.packed = 1;
  constexpr int large = 20000;  // above, nested dissection saves more in the factors than it costs
  if (pattern.size() > large) f.common.nmethods = 3;
  f.factor = cholmod_analyze(&f.matrix, &f.common);
}

SupernodalCholesky::SupernodalCholesky(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky& SupernodalCholesky::operator=(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky::~SupernodalCholesky() = default;

bool SupernodalCholesky::factor(std::span<const double> values) {
  Factors& f = *factors_;
  if (f.factor == nullptr) return false;
  for (std::size_t k = 0; k < f.values.size(); ++k) f.values[k] = values[f.place[k]];
  const NoOpenMpTeams alone;
  cholmod_factorize(&f.matrix, f.factor, &f.common);
  return f.common.status == CHOLMOD_OK && f.factor->minor == f.factor->n;
}

void SupernodalCholesky::solve(std::span<double> vector) const {
  Factors& f = *factors_;
  cholmod_dense right{};
  right.nrow = right.nzmax = right.d = vector.size();
  right.ncol = 1;
  right.x = vector.data();
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  cholmod_dense* solution = cholmod_solve(CHOLMOD_A, f.factor, &right, &f.common);
  const double* const x = static_cast<const double*>(solution->x);
  std::copy(x, x + vector.size(), vector.begin());
  cholmod_free_dense(&solution, &f.common);
}

}  // namespace rodeo
