#include "rodeo/coupling/coupled_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace rodeo::coupling {
namespace {

/// Two rods whose elastic pattern is filled at random, beside the same as a dense matrix.
class CoupledRods {
 public:
  static constexpr int elements = 8;
  static constexpr int each = 4 * elements + 3;
  static constexpr int size = 2 * each;

  CoupledMatrix matrix{{{4, {8, 11}, {4, 11}, 10}, {0, each}, size}};

  explicit CoupledRods(bool symmetric) : symmetric_(symmetric) {}

  void fill() {
    matrix.set_zero();
    dense_.assign(size * size, 0.0);
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < size; ++i) {
        if (!coupled(i % each, j % each) || i / each != j / each) continue;
        const bool above = symmetric_ && i < j;
        add(i, j, i == j ? 40.0 + number() : above ? 0.0 : number());
        if (above) continue;
        if (symmetric_) {
          dense(j, i) = dense(i, j);
          matrix.band().at(j, i) = dense(i, j);
        }
        matrix.band().at(i, j) = dense(i, j);
      }
    }
  }

  void shift(int i, double by) {
    add(i, i, by);
    matrix.band().at(i, i) += by;
  }

  void press(const PairNodes& nodes) {
    contact::PairMatrix block;
    for (int i = 0; i < contact::pair_size; ++i) {
      for (int j = 0; j < contact::pair_size; ++j) {
        block[i][j] = symmetric_ && j < i ? block[j][i] : number();
        add(nodes[static_cast<std::size_t>(i / 3)] + i % 3, nodes[static_cast<std::size_t>(j / 3)] + j % 3,
            block[i][j]);
      }
    }
    matrix.add(nodes, block);
  }

  void expect_solution() {
    ASSERT_TRUE(matrix.factor(symmetric_));
    std::vector<double> expected(size), vector(size, 0.0);
    for (double& x : expected) x = number();
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j)
        vector[static_cast<std::size_t>(i)] += dense(i, j) * expected[static_cast<std::size_t>(j)];
    }
    matrix.solve(vector);
    for (std::size_t i = 0; i < vector.size(); ++i) EXPECT_NEAR(vector[i], expected[i], 1e-11) << i;
  }

 private:
  static bool coupled(int i, int j) {
    const auto reaches = [](int a, int b) {  // a node two nodes on, an angle the nodes and angles around
      const int node = 4 * (b / 4);
      return b % 4 == 3 ? a >= node - 4 && a <= node + 10 : a >= node - 8 && a <= node + 10;
    };
    return reaches(i, j) && reaches(j, i);
  }
  double number() { return uniform_(engine_); }
  double& dense(int i, int j) { return dense_[static_cast<std::size_t>(i * size + j)]; }
  void add(int i, int j, double value) { dense(i, j) += value; }

  bool symmetric_;
  std::mt19937_64 engine_{3};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
  std::vector<double> dense_;
};

class CoupledMatrixTest : public testing::TestWithParam<bool> {};

TEST_P(CoupledMatrixTest, SolvesWithTheBandAlone) {
  CoupledRods rods(GetParam());
  rods.fill();
  rods.expect_solution();
}

TEST_P(CoupledMatrixTest, SolvesWhateverPairsPress) {
  CoupledRods rods(GetParam());
  const auto of = [](int first, int second) {
    return PairNodes{4 * first, 4 * first + 4, 4 * second, 4 * second + 4};
  };
  const PairNodes across{8, 12, CoupledRods::each + 4, CoupledRods::each + 8};
  const PairNodes ends{0, 4, CoupledRods::each + 28, CoupledRods::each + 32};
  rods.matrix.expect({across});
  for (int round = 0; round < 3; ++round) {  // the pattern stays, grows, and goes again
    rods.fill();
    rods.press(across);
    if (round > 0) rods.press(ends);
    if (round > 0) rods.press(of(1, 6));  // of one rod
    rods.expect_solution();
  }
  rods.fill();
  rods.expect_solution();
  rods.fill();
  rods.press(ends);
  rods.expect_solution();
}

INSTANTIATE_TEST_SUITE_P(SymmetricOrNot, CoupledMatrixTest, testing::Bool());

/// An indefinite matrix has no L D L' without pivots worth having.
TEST(CoupledMatrix, SolvesWhatIsSymmetricButNotPositive) {
  CoupledRods rods(true);
  rods.fill();
  for (int i = 0; i < CoupledRods::size; i += 3) rods.shift(i, -90.0);
  rods.press({8, 12, CoupledRods::each + 4, CoupledRods::each + 8});
  rods.expect_solution();
}

/// Neither the pivots of an earlier matrix, nor a pattern without the pairs that are expected now.
TEST(CoupledMatrix, OnceForgottenDependsOnItsEntriesAlone) {
  constexpr int each = CoupledRods::each;
  const auto make = [] {
    return CoupledMatrix({{4, {8, 11}, {4, 11}, 10}, {0, each}, 2 * each, {{Span{0, 7}, Span{each, 7}}}});
  };
  const auto factor = [](CoupledMatrix& matrix, double diagonal, std::vector<PairNodes> expected) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    matrix.set_zero();
    for (int j = 0; j < matrix.size(); ++j) {
      for (int i = std::max(0, j - 1); i <= std::min(j + 1, matrix.size() - 1); ++i) {
        if (i / each == j / each) matrix.band().at(i, j) = i == j ? diagonal : uniform(engine);
      }
    }
    SpanMatrix block = {};
    for (auto& row : block) {
      for (double& entry : row) entry = uniform(engine);
    }
    matrix.add(0, block);
    matrix.expect(std::move(expected));
    ASSERT_TRUE(matrix.factor(false));
  };
  const auto solution = [](const CoupledMatrix& matrix) {
    std::vector<double> vector(2 * each, 1.0);
    matrix.solve(vector);
    return vector;
  };
  const std::vector<PairNodes> pairs = {{8, 12, each + 16, each + 20}, {24, 28, each + 4, each + 8}};
  const struct {
    double diagonal;
    std::vector<PairNodes> expected;
  } cases[] = {{1e-5, {}}, {40.0, pairs}};
  for (const auto& wanted : cases) {
    CoupledMatrix anew = make();
    factor(anew, wanted.diagonal, wanted.expected);
    CoupledMatrix used = make();
    factor(used, 40.0, {});
    factor(used, wanted.diagonal, wanted.expected);
    EXPECT_NE(solution(used), solution(anew));  // else this shows nothing
    factor(used, 40.0, {});
    used.forget();
    factor(used, wanted.diagonal, wanted.expected);
    EXPECT_EQ(solution(used), solution(anew));
  }
}

TEST(CoupledMatrix, SaysWhenItIsSingular) {
  CoupledRods rods(false);
  rods.matrix.set_zero();
  const contact::PairMatrix block;
  rods.matrix.add({0, 4, CoupledRods::each, CoupledRods::each + 4}, block);
  EXPECT_FALSE(rods.matrix.factor(true));
  EXPECT_FALSE(rods.matrix.factor(false));
}

/// So many rods that the factors are those of dense blocks: with what they turn into vectors they give these
/// back.
TEST(CoupledMatrix, OfManyRodsIsSolvedAsThatOfFew) {
  constexpr int rods = 300;
  constexpr int each = CoupledRods::each;
  static_assert(rods * each >= SparseFactors::many && 2 * each < SparseFactors::many);
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto number = [&] { return uniform(engine); };
  for (const bool symmetric : {true, false}) {
    // Pairs of rods that press on each other, alone and in a chain of all.
    std::vector<PairNodes> pressed;
    for (int k = 0; k + 1 < rods; ++k) {
      pressed.push_back(
          {k * each + 4 * (k % 7), k * each + 4 * (k % 7) + 4, (k + 1) * each + 8, (k + 1) * each + 12});
    }
    const auto fill = [&](CoupledMatrix& matrix, int first, int last, const std::vector<double>& entries) {
      matrix.set_zero();
      for (int i = 0; i < (last - first) * each; ++i) {
        matrix.band().at(i, i) = 60.0 + entries[static_cast<std::size_t>(i % each)];
        if (i % each == 0) continue;
        matrix.band().at(i, i - 1) = entries[static_cast<std::size_t>(i % each)];
        matrix.band().at(i - 1, i) = (symmetric ? 1.0 : 0.6) * entries[static_cast<std::size_t>(i % each)];
      }
      contact::PairMatrix block;
      for (int i = 0; i < contact::pair_size; ++i) {
        for (int j = 0; j < contact::pair_size; ++j) {
          const auto place = static_cast<std::size_t>(symmetric && j < i ? 12 * j + i : 12 * i + j);
          block[i][j] = entries[place % entries.size()];
        }
      }
      for (int k = first; k + 1 < last; k += 2) {  // two by two
        PairNodes nodes = pressed[static_cast<std::size_t>(k)];
        for (int& node : nodes) node -= first * each;
        matrix.add(nodes, block);
      }
      EXPECT_TRUE(matrix.factor(symmetric));
    };
    std::vector<double> entries(each);
    for (double& entry : entries) entry = number();
    std::vector<double> right(rods * each);
    for (double& entry : right) entry = number();
    std::vector<int> starts;
    for (int k = 0; k < rods; ++k) starts.push_back(k * each);
    CoupledMatrix all({{4, {8, 11}, {4, 11}, 10}, starts, rods * each});
    fill(all, 0, rods, entries);
    std::vector<double> solution = right;
    all.solve(solution);
    for (int k = 0; k < rods; k += 2) {
      CoupledMatrix two({{4, {8, 11}, {4, 11}, 10}, {0, each}, 2 * each});
      fill(two, k, k + 2, entries);
      std::vector<double> own(right.begin() + k * each, right.begin() + (k + 2) * each);
      two.solve(own);
      for (std::size_t i = 0; i < own.size(); ++i)
        EXPECT_NEAR(solution[static_cast<std::size_t>(k * each) + i], own[i], 1e-11) << k << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace rodeo::coupling
