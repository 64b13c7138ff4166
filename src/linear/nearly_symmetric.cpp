#include "rodeo/linear/nearly_symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "rodeo/linear/gmres.hpp"
#include "rodeo/linear/supernodal.hpp"

namespace rodeo {

namespace {

/// Place of each entry's mirror image across the diagonal of a pattern.
std::vector<std::size_t> mirrors_of(const SparsePattern& pattern) {
  std::vector<std::size_t> mirrors(pattern.row.size());
  std::vector<int> next(pattern.column_start.begin(), pattern.column_start.end() - 1);
  pattern.for_each_entry(static_cast<std::size_t>(pattern.size()),
                         [&](std::size_t row, std::size_t, std::size_t k) {
                           mirrors[k] = static_cast<std::size_t>(next[row]++);
                         });
  return mirrors;
}

}  // namespace

struct NearlySymmetric::Solver {
  SparsePattern pattern;
  std::vector<std::size_t> mirrors;
  SupernodalCholesky cholesky;
  std::optional<SupernodalLu> general;
  Gmres gmres;
  std::vector<double> values;
  std::vector<double> near;  ///< values of the symmetric matrix
  std::vector<double> x;
  bool is_general = false;  ///< the last factors are those of the matrix itself

  explicit Solver(const SparsePattern& of)
      : pattern(of),
        mirrors(mirrors_of(of)),
        cholesky(of),
        gmres(static_cast<std::size_t>(of.size()), most_iterations),
        values(of.row.size()),
        near(of.row.size()),
        x(static_cast<std::size_t>(of.size())) {}

  bool factor_near() {
    is_general = false;
    return cholesky.factor(near);
  }

  bool factor_general() {
    if (!general) general.emplace(pattern);
    is_general = general->factor(values);
    return is_general;
  }

  void multiply(const std::vector<double>& v, std::vector<double>& product) const {
    std::ranges::fill(product, 0.0);
    pattern.for_each_entry(v.size(), [&](std::size_t row, std::size_t column, std::size_t k) {
      product[row] += values[k] * v[column];
    });
  }

  /// Finds x from zero on; true if it is found.
  bool iterate(std::span<const double> b) {
    std::ranges::fill(x, 0.0);
    std::ranges::copy(b, gmres.residual().begin());
    const double goal = accuracy * norm(gmres.residual());
    return gmres
        .improve([this](const std::vector<double>& v, std::vector<double>& product) { multiply(v, product); },
                 [this](const std::vector<double>& v, std::vector<double>& solution) {
                   std::ranges::copy(v, solution.begin());
                   cholesky.solve(solution);
                 },
                 goal, x)
        .converged;
  }
};

NearlySymmetric::NearlySymmetric(const SparsePattern& pattern) : solver_(std::make_unique<Solver>(pattern)) {}
NearlySymmetric::NearlySymmetric(NearlySymmetric&&) noexcept = default;
NearlySymmetric& NearlySymmetric::operator=(NearlySymmetric&&) noexcept = default;
NearlySymmetric::~NearlySymmetric() = default;

bool NearlySymmetric::factor(std::span<const double> values, std::span<const double> near) {
  Solver& s = *solver_;
  std::ranges::copy(values, s.values.begin());
  for (std::size_t k = 0; k < near.size(); ++k) s.near[k] = 0.5 * (near[k] + near[s.mirrors[k]]);
  return s.factor_near() || s.factor_general();
}

void NearlySymmetric::solve(std::span<double> vector) const {
  Solver& s = *solver_;
  if (s.is_general) return s.general->solve(vector);
  if (s.iterate(vector)) {
    std::ranges::copy(s.x, vector.begin());
  } else if (s.factor_general()) {
    s.general->solve(vector);
  } else {
    std::ranges::fill(vector, std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace rodeo
