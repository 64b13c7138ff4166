#include "rodeo/linear/supernodal.hpp"

#include <algorithm>
#include <numeric>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>
#include <utility>
#include <vector>

/// There only where the machine's BLAS is OpenBLAS.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int);

/// There only where something is linked with OpenMP.
extern "C" [[gnu::weak]] int omp_get_max_active_levels();
extern "C" [[gnu::weak]] void omp_set_max_active_levels(int);

namespace rodeo {

namespace {

/// OpenBLAS shares its sums among threads: results would depend on how many there are.
void use_one_blas_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

/// While it lives OpenMP forms no teams. CHOLMOD 3 asks for four threads in each of its many short loops,
/// however many there are for a member: on fewer cores they mostly wait for each other.
class NoOpenMpTeams {
 public:
  NoOpenMpTeams() {
    if (is_there()) omp_set_max_active_levels(0);
  }
  ~NoOpenMpTeams() {
    if (is_there()) omp_set_max_active_levels(levels_);
  }
  NoOpenMpTeams(const NoOpenMpTeams&) = delete;
  NoOpenMpTeams& operator=(const NoOpenMpTeams&) = delete;

 private:
  static bool is_there() {
    return omp_get_max_active_levels != nullptr && omp_set_max_active_levels != nullptr;
  }

  int levels_ = is_there() ? omp_get_max_active_levels() : 0;
};

/// A lower triangle in CHOLMOD's terms, whose arrays are elsewhere.
cholmod_sparse lower_triangle(std::vector<int>& column_start, std::vector<int>& row,
                              std::vector<double>& values) {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = column_start.size() - 1;
  matrix.nzmax = row.size();
  matrix.p = column_start.data();
  matrix.i = row.data();
  matrix.x = values.data();
  matrix.stype = -1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = matrix.packed = 1;
  return matrix;
}

}  // namespace

struct SupernodalCholesky::Factors {
  cholmod_common common{};
  std::vector<int> order;         ///< of the k-th column in the factors: which of the matrix that is
  std::vector<int> column_start;  ///< of the lower triangle in that order
  std::vector<int> row;
  std::vector<double> values;
  std::vector<std::size_t> place;  ///< of each of these among the values of the whole pattern
  cholmod_sparse matrix{};
  cholmod_factor* factor = nullptr;
  std::vector<double> ordered;        ///< right-hand side of a solve
  cholmod_dense* solution = nullptr;  ///< room for solves
  cholmod_dense* room[2] = {};

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
    for (cholmod_dense* array : {solution, room[0], room[1]}) cholmod_free_dense(&array, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }

  /// Sets the pattern of the lower triangle with columns in the given order.
  void take_pattern(const SparsePattern& pattern) {
    const auto size = static_cast<std::size_t>(pattern.size());
    std::vector<int> position(size);
    for (std::size_t k = 0; k < size; ++k) position[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    row.clear();
    place.clear();
    column_start.clear();
    std::vector<std::pair<int, std::size_t>> entries;  // of a column
    for (std::size_t k = 0; k < size; ++k) {
      const int column = order[k];
      entries.clear();
      for (int at = pattern.column_start[static_cast<std::size_t>(column)];
           at < pattern.column_start[static_cast<std::size_t>(column) + 1]; ++at) {
        const int other = pattern.row[static_cast<std::size_t>(at)];
        const int below = position[static_cast<std::size_t>(other)];
        if (below < static_cast<int>(k)) continue;
        entries.emplace_back(below,
                             other < column ? pattern.place(column, other) : static_cast<std::size_t>(at));
      }
      std::ranges::sort(entries);
      column_start.push_back(static_cast<int>(row.size()));
      for (const auto& [below, from] : entries) {
        row.push_back(below);
        place.push_back(from);
      }
    }
    column_start.push_back(static_cast<int>(row.size()));
    values.assign(row.size(), 0.0);
    matrix = lower_triangle(column_start, row, values);
  }
};

/// CHOLMOD sorts the entries of a matrix anew for each of its factors unless their order is the natural one.
SupernodalCholesky::SupernodalCholesky(const SparsePattern& pattern) : factors_(std::make_unique<Factors>()) {
  Factors& f = *factors_;
  f.order.resize(static_cast<std::size_t>(pattern.size()));
  std::iota(f.order.begin(), f.order.end(), 0);
  f.take_pattern(pattern);
  constexpr int large = 20000;  // above, nested dissection saves more in the factors than it costs
  if (pattern.size() > large) f.common.nmethods = 3;
  cholmod_factor* sparse = cholmod_analyze(&f.matrix, &f.common);
  if (sparse == nullptr) return;
  const int* const order = static_cast<const int*>(sparse->Perm);
  f.order.assign(order, order + pattern.size());
  cholmod_free_factor(&sparse, &f.common);
  f.take_pattern(pattern);
  f.common.nmethods = 1;
  f.common.method[0].ordering = CHOLMOD_NATURAL;
  f.common.postorder = 0;
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
  f.ordered.resize(vector.size());
  for (std::size_t k = 0; k < vector.size(); ++k) f.ordered[k] = vector[static_cast<std::size_t>(f.order[k])];
  cholmod_dense right{};
  right.nrow = right.nzmax = right.d = vector.size();
  right.ncol = 1;
  right.x = f.ordered.data();
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  cholmod_solve2(CHOLMOD_A, f.factor, &right, nullptr, &f.solution, nullptr, &f.room[0], &f.room[1],
                 &f.common);
  const double* const x = static_cast<const double*>(f.solution->x);
  for (std::size_t k = 0; k < vector.size(); ++k) vector[static_cast<std::size_t>(f.order[k])] = x[k];
}

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
