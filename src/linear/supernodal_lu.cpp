#include "rodeo/linear/supernodal_lu.hpp"

#include <algorithm>
#include <suitesparse/umfpack.h>
#include <vector>

#include "blas_threads.hpp"

namespace rodeo {

struct SupernodalLu::Factors {
  SparsePattern pattern;
  std::vector<double> values;
  std::vector<double> right;  ///< room for the right-hand side of a solve
  double control[UMFPACK_CONTROL];
  void* symbolic = nullptr;
  void* numeric = nullptr;

  explicit Factors(const SparsePattern& of) : pattern(of), right(static_cast<std::size_t>(of.size())) {
    use_one_blas_thread();
    umfpack_di_defaults(control);
    control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    control[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
    control[UMFPACK_IRSTEP] = 0;  // of refinement: Newton's iterations take what one solve gives
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;
  ~Factors() {
    umfpack_di_free_numeric(&numeric);
    umfpack_di_free_symbolic(&symbolic);
  }
};

SupernodalLu::SupernodalLu(const SparsePattern& pattern) : factors_(std::make_unique<Factors>(pattern)) {}
SupernodalLu::SupernodalLu(SupernodalLu&&) noexcept = default;
SupernodalLu& SupernodalLu::operator=(SupernodalLu&&) noexcept = default;
SupernodalLu::~SupernodalLu() = default;

bool SupernodalLu::factor(std::span<const double> values) {
  Factors& f = *factors_;
  f.values.assign(values.begin(), values.end());
  const int* const start = f.pattern.column_start.data();
  const int* const row = f.pattern.row.data();
  const int size = f.pattern.size();
  if (f.symbolic == nullptr && umfpack_di_symbolic(size, size, start, row, f.values.data(), &f.symbolic,
                                                   f.control, nullptr) != UMFPACK_OK)
    return false;
  umfpack_di_free_numeric(&f.numeric);
  return umfpack_di_numeric(start, row, f.values.data(), f.symbolic, &f.numeric, f.control, nullptr) ==
         UMFPACK_OK;
}

void SupernodalLu::solve(std::span<double> vector) const {
  Factors& f = *factors_;
  std::ranges::copy(vector, f.right.begin());
  umfpack_di_solve(UMFPACK_A, f.pattern.column_start.data(), f.pattern.row.data(), f.values.data(),
                   vector.data(), f.right.data(), f.numeric, f.control, nullptr);
}

}  // namespace rodeo
