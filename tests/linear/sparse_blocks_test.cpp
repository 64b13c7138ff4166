#include "rodeo/linear/sparse_blocks.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

constexpr Matrix3 unit_block = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/// A closed chain of triples, each coupled with the next by a block that is not symmetric by itself.
void add_ring(SparseBlocks& matrix, int triples, double diagonal) {
  const Matrix3 block = {{-1.0, 0.3, 0.0}, {0.1, -0.8, 0.2}, {0.0, 0.4, -0.9}};
  for (int k = 0; k < triples; ++k) {
    const int next = (k + 1) % triples;
    matrix.add(3 * k, 3 * k, diagonal * unit_block);
    matrix.add(3 * k, 3 * k, (0.1 * k) * unit_block);  // blocks of one place add up
    matrix.add(3 * k, 3 * next, block);
    matrix.add(3 * next, 3 * k, transpose(block));
  }
}

std::vector<double> sines(int size) {
  std::vector<double> x;
  for (int i = 0; i < size; ++i) x.push_back(std::sin(1.0 + i));
  return x;
}

/// Of (A + share W) x - b.
double residual(const SparseBlocks& matrix, double share, const std::vector<double>& weights,
                const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> product(x.size());
  matrix.multiply(x, product);
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, std::abs(product[i] + share * weights[i] * x[i] - b[i]));
  return largest;
}

TEST(SparseBlocks, SolvesAndCountsNegativeEigenvalues) {
  constexpr int triples = 7;
  SparseBlocks matrix(3 * triples);
  matrix.clear();
  add_ring(matrix, triples, 4.0);
  matrix.assemble();
  EXPECT_EQ(matrix.diagonal(3 * 2 + 1), 4.2);
  const std::vector<double> weights = sines(matrix.size());
  const std::vector<double> b = sines(matrix.size());
  std::vector<double> x = b;
  EXPECT_EQ(matrix.factor_and_count(0.5, weights), 0);
  matrix.solve(x);
  EXPECT_LT(residual(matrix, 0.5, weights, x, b), 1e-13);
  // As far below all eigenvalues as the matrix was above zero, all are negative.
  const std::vector<double> ones(weights.size(), 1.0);
  EXPECT_EQ(matrix.factor_and_count(-20.0, ones), matrix.size());
  x = b;
  matrix.solve(x);
  EXPECT_LT(residual(matrix, -20.0, ones, x, b), 1e-13);
}

TEST(SparseBlocks, SolvesWhatIsNotSymmetricAndSaysWhenItIsSingular) {
  constexpr int triples = 5;
  SparseBlocks matrix(3 * triples);
  matrix.clear();
  add_ring(matrix, triples, 4.0);
  matrix.add(3, 6, {{0.0, 1.0, 0.0}, {-2.0, 0.0, 0.0}, {0.0, 0.0, 0.5}});
  matrix.assemble();
  const std::vector<double> none(static_cast<std::size_t>(matrix.size()));
  const std::vector<double> b = sines(matrix.size());
  std::vector<double> x = b;
  ASSERT_TRUE(matrix.factor(0.0, none));
  matrix.solve(x);
  EXPECT_LT(residual(matrix, 0.0, none, x, b), 1e-13);
  matrix.clear();
  for (int k = 1; k < triples; ++k) matrix.add(3 * k, 3 * k, unit_block);
  matrix.add(0, 0, {{1.0, 2.0, 0.0}, {2.0, 4.0, 0.0}, {0.0, 0.0, 1.0}});
  matrix.assemble();
  EXPECT_FALSE(matrix.factor(0.0, none));
}

TEST(SparseBlocks, HoldUnknowns) {
  constexpr int triples = 4;
  SparseBlocks matrix(3 * triples);
  matrix.clear();
  add_ring(matrix, triples, 4.0);
  matrix.assemble();
  matrix.hold(5);
  EXPECT_EQ(matrix.diagonal(5), 1.0);
  std::vector<double> x(static_cast<std::size_t>(matrix.size()));
  x[5] = 2.0;
  std::vector<double> product(x.size());
  matrix.multiply(x, product);
  EXPECT_EQ(product, x) << "nothing else feels it";
}

/// The pattern of one set of blocks serves for the next if that has no others; each gives what it would
/// alone.
TEST(SparseBlocks, HaveNewBlocksEachTime) {
  constexpr int triples = 6;
  SparseBlocks matrix(3 * triples);
  const std::vector<double> none(3 * triples);
  const std::vector<double> b = sines(3 * triples);
  const auto solved = [&](SparseBlocks& of, bool bridged) {
    of.clear();
    add_ring(of, triples, 4.0);
    if (bridged) {
      of.add(0, 9, 0.5 * unit_block);
      of.add(9, 0, 0.5 * unit_block);
    }
    of.assemble();
    EXPECT_EQ(of.factor_and_count(0.0, none), 0);
    std::vector<double> x = b;
    of.solve(x);
    EXPECT_LT(residual(of, 0.0, none, x, b), 1e-13);
    return x;
  };
  for (const bool bridged : {false, true, false, true}) {
    SparseBlocks fresh(3 * triples);
    const std::vector<double> alone = solved(fresh, bridged);
    const std::vector<double> again = solved(matrix, bridged);
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(again[i], alone[i], 1e-13);
    matrix.forget();
    EXPECT_EQ(solved(matrix, bridged), alone) << "to the last bit where the pattern is its own";
  }
}

}  // namespace
}  // namespace rodeo
