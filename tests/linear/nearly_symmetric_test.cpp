#include "rodeo/linear/nearly_symmetric.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

/// A square grid whose neighbours are coupled by -1, and less and more than that by `skew`.
struct SkewGrid {
  static constexpr int side = 12;
  static constexpr int places = side * side;

  SparsePattern pattern;
  std::vector<double> values;
  std::vector<double> symmetric;  ///< without the skew

  SkewGrid(double diagonal, double skew) {
    for (int j = 0; j < places; ++j) {
      pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
      for (const int i : {j - side, j - 1, j, j + 1, j + side}) {
        const bool beside = i == j || std::abs(i - j) == side || i / side == j / side;
        if (i < 0 || i >= places || !beside) continue;
        pattern.row.push_back(i);
        symmetric.push_back(i == j ? diagonal : -1.0);
        values.push_back(i == j ? diagonal : i < j ? -1.0 - skew : -1.0 + skew);
      }
    }
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }

  static std::vector<double> any_vector() {
    std::vector<double> b;
    for (int i = 0; i < places; ++i) b.push_back(std::sin(1.0 + i * i));
    return b;
  }

  /// What a solution leaves of the right-hand side, over that.
  double left_of(const std::vector<double>& b, const std::vector<double>& x) const {
    std::vector<double> left = b;
    for (std::size_t j = 0; j < places; ++j) {
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k);
        left[static_cast<std::size_t>(pattern.row[entry])] -= values[entry] * x[j];
      }
    }
    double square = 0.0;
    double whole = 0.0;
    for (std::size_t i = 0; i < places; ++i) {
      square += left[i] * left[i];
      whole += b[i] * b[i];
    }
    return std::sqrt(square / whole);
  }
};

/// Whatever matrix it had before, and however far the symmetric one is.
TEST(NearlySymmetric, SolvesWithEachOfItsMatrices) {
  NearlySymmetric solver(SkewGrid(4.5, 0.0).pattern);
  const auto expect_solution = [&](const SkewGrid& grid, const std::vector<double>& near) {
    ASSERT_TRUE(solver.factor(grid.values, near));
    const std::vector<double> b = SkewGrid::any_vector();
    std::vector<double> x = b;
    solver.solve(x);
    EXPECT_LE(grid.left_of(b, x), 1.0001 * NearlySymmetric::accuracy);
  };
  for (const double skew : {0.1, 0.3, 2.0, 0.2}) {
    const SkewGrid grid(4.5, skew);
    expect_solution(grid, grid.symmetric);
  }
  expect_solution(SkewGrid(40.0, 0.3), SkewGrid(40.0, 0.0).symmetric);
  expect_solution(SkewGrid(0.5, 0.3), SkewGrid(0.5, 0.0).symmetric);  // which is not positive definite
  const SkewGrid again(4.5, 0.4);
  expect_solution(again, again.symmetric);
  expect_solution(again, SkewGrid(400.0, 0.0).symmetric);
}

TEST(NearlySymmetric, TakesTheSymmetricPartOfWhatIsNear) {
  const SkewGrid grid(4.5, 0.25);
  NearlySymmetric by_part(grid.pattern);
  NearlySymmetric by_symmetric(grid.pattern);
  ASSERT_TRUE(by_part.factor(grid.values, grid.values));
  ASSERT_TRUE(by_symmetric.factor(grid.values, grid.symmetric));
  std::vector<double> x = SkewGrid::any_vector();
  std::vector<double> y = x;
  by_part.solve(x);
  by_symmetric.solve(y);
  EXPECT_EQ(x, y);
}

TEST(NearlySymmetric, DependsOnTheMatrixAloneAndNotOnThoseBefore) {
  const SkewGrid grid(4.5, 0.2);
  const SkewGrid before(4.6, 0.25);
  NearlySymmetric anew(grid.pattern);
  NearlySymmetric again(grid.pattern);
  std::vector<double> x = SkewGrid::any_vector();
  std::vector<double> y = x;
  std::vector<double> other = x;
  ASSERT_TRUE(again.factor(before.values, before.symmetric));
  again.solve(other);
  ASSERT_TRUE(anew.factor(grid.values, grid.symmetric));
  ASSERT_TRUE(again.factor(grid.values, grid.symmetric));
  anew.solve(x);
  again.solve(y);
  EXPECT_EQ(x, y);
}

TEST(NearlySymmetric, TellsWhatIsSingular) {
  const SkewGrid grid(4.5, 0.3);
  NearlySymmetric solver(grid.pattern);
  const std::vector<double> nothing(grid.values.size(), 0.0);
  EXPECT_FALSE(solver.factor(nothing, nothing));
  EXPECT_TRUE(solver.factor(grid.values, grid.symmetric));
}

}  // namespace
}  // namespace rodeo
