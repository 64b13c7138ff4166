#include "rodeo/linear/sparse_factors.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/linear/sparse_columns.hpp"
#include "rodeo/linear/supernodal.hpp"

namespace rodeo {
namespace {

constexpr int side = 20;
constexpr int places = side * side;

/// A square grid whose neighbours are coupled by -1, and less and more than that by `skew`.
struct CoupledGrid {
  SparsePattern pattern;
  std::vector<double> values;

  CoupledGrid(double diagonal, double skew) {
    for (int j = 0; j < places; ++j) {
      pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
      for (const int i : {j - side, j - 1, j, j + 1, j + side}) {
        const bool beside = i == j || std::abs(i - j) == side || i / side == j / side;
        if (i < 0 || i >= places || !beside) continue;
        pattern.row.push_back(i);
        values.push_back(i == j ? diagonal + 0.01 * j : i < j ? -1.0 - skew : -1.0 + skew);
      }
    }
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
};

std::vector<double> any_vector() {
  std::vector<double> b;
  for (int i = 0; i < places; ++i) b.push_back(std::sin(1.0 + i));
  return b;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

/// That factors by blocks solve as those without do, also for other values of the pattern.
template <class Blocks, class Columns>
void expect_same_solutions(const CoupledGrid& grid) {
  Blocks blocks(grid.pattern);
  Columns columns(grid.pattern);
  for (const double scale : {1.0, 3.0}) {
    std::vector<double> values = grid.values;
    for (double& value : values) value *= scale;
    ASSERT_TRUE(blocks.factor(values));
    ASSERT_TRUE(columns.factor(values));
    std::vector<double> x = any_vector();
    std::vector<double> y = x;
    blocks.solve(x);
    columns.solve(y);
    expect_near(x, y, 1e-12);
  }
}

TEST(SupernodalCholesky, SolvesAsFactorsWithoutBlocksDo) {
  expect_same_solutions<SupernodalCholesky, SparseLdlt>(CoupledGrid(4.0, 0.0));
}

TEST(SupernodalCholesky, TellsWhatIsNotPositiveDefinite) {
  const CoupledGrid indefinite(1.0, 0.0);
  SupernodalCholesky factors(indefinite.pattern);
  EXPECT_FALSE(factors.factor(indefinite.values));
  EXPECT_TRUE(factors.factor(CoupledGrid(5.0, 0.0).values));
}

TEST(SupernodalLu, SolvesAsFactorsWithoutBlocksDo) {
  expect_same_solutions<SupernodalLu, SparseLu>(CoupledGrid(4.5, 0.8));
}

TEST(SupernodalLu, TellsWhatIsSingular) {
  const CoupledGrid grid(4.5, 0.8);
  SupernodalLu factors(grid.pattern);
  EXPECT_FALSE(factors.factor(std::vector<double>(grid.values.size(), 0.0)));
  EXPECT_TRUE(factors.factor(grid.values));
}

/// Whatever signs a matrix has, and whether it is symmetric, its factors solve.
TEST(SparseFactors, SolveWithMatricesOfAnySigns) {
  for (const auto& [diagonal, skew] : {std::pair{4.0, 0.0}, std::pair{0.5, 0.0}, std::pair{0.5, 0.2}}) {
    CoupledGrid grid(diagonal, skew);
    SparseFactors factors(grid.pattern);
    SparseLu pivoted(grid.pattern);
    ASSERT_TRUE(factors.factor(grid.values, skew == 0.0));
    ASSERT_TRUE(pivoted.factor(grid.values));
    std::vector<double> x = any_vector();
    std::vector<double> y = x;
    factors.solve(x);
    pivoted.solve(y);
    expect_near(x, y, 1e-9);
    if (skew != 0.0) continue;
    const std::optional<int> negative = factors.factor_and_count(grid.values);
    ASSERT_TRUE(negative.has_value());
    EXPECT_EQ(*negative > 0, diagonal < 4.0);
  }
}

}  // namespace
}  // namespace rodeo
