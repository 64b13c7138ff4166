#include "rodeo/linear/nearly_symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "rodeo/linear/gmres.hpp"
#include "rodeo/linear/supernodal_cholesky.hpp"
#include "rodeo/linear/supernodal_lu.hpp"
#include "rodeo/math/vector_sums.hpp"

namespace rodeo {

namespace {

constexpr int few_iterations = 8;  ///< after which factors serve for the next matrix too

/// Of each entry of a pattern, the place of that on the other side of the diagonal.
std::vector<std::size_t> mirrors_of(const SparsePattern& pattern) {
  std::vector<std::size_t> mirrors(pattern.row.size());
  std::vector<int> next(pattern.column_start.begin(), pattern.column_start.end() - 1);
  for (std::size_t column = 0; column + 1 < pattern.column_start.size(); ++column) {
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      mirrors[entry] = static_cast<std::size_t>(next[static_cast<std::size_t>(pattern.row[entry])]++);
    }
  }
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
  std::vector<double> near;  ///< those of the symmetric matrix
  std::vector<double> x;
  enum class Factors { none, earlier, present, general };
  Factors factors = Factors::none;
  int iterations = 0;  ///< of the last solve

  explicit Solver(const SparsePattern& of)
      : pattern(of),
        mirrors(mirrors_of(of)),
        cholesky(of),
        gmres(static_cast<std::size_t>(of.size()), most_iterations),
        values(of.row.size()),
        near(of.row.size()),
        x(static_cast<std::size_t>(of.size())) {}

  bool factor_near() {
    const bool is_definite = cholesky.factor(near);
    factors = is_definite ? Factors::present : Factors::none;
    return is_definite;
  }

  bool factor_general() {
    if (!general) general.emplace(pattern);
    const bool is_regular = general->factor(values);
    factors = is_regular ? Factors::general : Factors::none;
    return is_regular;
  }

  void multiply(const std::vector<double>& v, std::vector<double>& product) const {
    std::ranges::fill(product, 0.0);
    for (std::size_t column = 0; column < v.size(); ++column) {
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k);
        product[static_cast<std::size_t>(pattern.row[entry])] += values[entry] * v[column];
      }
    }
  }

  /// Improves x; true if it is found.
  bool iterate(const std::vector<double>& b) {
    const GmresOutcome outcome = gmres.solve(
        [this](const std::vector<double>& v, std::vector<double>& product) { multiply(v, product); },
        [this](const std::vector<double>& v, std::vector<double>& solution) {
          std::ranges::copy(v, solution.begin());
          cholesky.solve(solution);
        },
        b, accuracy, x);
    iterations = outcome.iterations;
    return outcome.converged;
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
  const bool has_factors = s.factors == Solver::Factors::present || s.factors == Solver::Factors::earlier;
  if (has_factors && s.iterations <= few_iterations) {
    s.factors = Solver::Factors::earlier;
    return true;
  }
  return s.factor_near() || s.factor_general();
}

void NearlySymmetric::solve(std::span<double> vector) const {
  Solver& s = *solver_;
  if (s.factors == Solver::Factors::general) return s.general->solve(vector);
  const std::vector<double> b(vector.begin(), vector.end());
  std::ranges::fill(s.x, 0.0);
  bool is_found = s.iterate(b);
  if (!is_found && s.factors == Solver::Factors::earlier) is_found = s.factor_near() && s.iterate(b);
  if (!is_found && s.factor_general()) return s.general->solve(vector);
  std::ranges::copy(s.x, vector.begin());
}

}  // namespace rodeo
