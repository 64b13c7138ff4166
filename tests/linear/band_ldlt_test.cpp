#include "rodeo/linear/band_ldlt.hpp"

#include <bit>
#include <cstdint>
#include <random>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/linear/dense.hpp"

namespace rodeo {
namespace {

std::mt19937& band_draws() {
  static std::mt19937 generator(5);
  return generator;
}
double band_draw() { return std::uniform_real_distribution<double>(-1.0, 1.0)(band_draws()); }

/// With so many negative numbers on the diagonal as a row in three, large enough that no pivot is small.
template <int bandwidth>
void fill_band(SymmetricBand<double, bandwidth>& matrix, Eigen::MatrixXd& dense) {
  const int size = matrix.size();
  dense.setZero(size, size);
  for (int j = 0; j < size; ++j) {
    matrix.at(j, j) = (j % 3 == 1 ? -1.0 : 1.0) * (bandwidth + band_draw());
    dense(j, j) = matrix.at(j, j);
    for (int i = j + 1; i < size && i <= j + bandwidth; ++i) {
      matrix.at(i, j) = band_draw();
      dense(i, j) = dense(j, i) = matrix.at(i, j);
    }
  }
}

Eigen::VectorXd random_vector(int size) {
  Eigen::VectorXd v(size);
  for (int i = 0; i < size; ++i) v(i) = band_draw();
  return v;
}

template <int bandwidth>
void expect_solution(int size) {
  SymmetricBand<double, bandwidth> matrix(size);
  Eigen::MatrixXd dense;
  fill_band(matrix, dense);
  BandLdlt<double, bandwidth> factors(size);
  const Pivots<double> pivots = factors.factor(matrix);
  EXPECT_EQ(pivots.negative, (symmetric_eigen(dense).values.array() < 0.0).count());
  EXPECT_GT(pivots.least_ratio, 0.3);

  const Eigen::VectorXd right = random_vector(size);
  const Eigen::VectorXd expected = solved(dense, right);
  Eigen::VectorXd x = right;
  factors.solve(x.data());
  EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm());
  Eigen::VectorXd product(size);
  matrix.multiply(x.data(), product.data());
  EXPECT_LT((product - right).norm(), 1e-13 * right.norm());

  Eigen::VectorXd fused = right;
  const Pivots<double> again = factors.factor_and_forward(matrix, fused.data());
  factors.back(fused.data());
  EXPECT_LT((fused - x).norm(), 1e-14 * x.norm());
  EXPECT_EQ(again.negative, pivots.negative);
  EXPECT_EQ(again.least_ratio, pivots.least_ratio);
}

TEST(BandLdlt, SolvesAndCountsNegativeEigenvalues) {
  for (const int size : {1, 2, 7, 8, 9, 10, 17, 51, 75}) {
    expect_solution<8>(size);
    expect_solution<3>(size);
    expect_solution<11>(size);
  }
}

TEST(BandLdlt, MayLeaveOffAtTheFirstNegativePivot) {
  constexpr int size = 51;
  SymmetricBand<double, 8> matrix(size);
  Eigen::MatrixXd dense;
  fill_band(matrix, dense);
  BandLdlt<double, 8> factors(size);
  EXPECT_EQ(factors.factor_and_forward(matrix, nullptr, LdltSweep::while_positive).negative, 1.0);
  for (int j = 0; j < size; ++j) matrix.at(j, j) = std::abs(matrix.at(j, j)) + 16.0;
  Eigen::VectorXd to_the_end = random_vector(size);
  Eigen::VectorXd while_positive = to_the_end;
  EXPECT_EQ(factors.factor_and_forward(matrix, to_the_end.data()).negative, 0.0);
  EXPECT_EQ(factors.factor_and_forward(matrix, while_positive.data(), LdltSweep::while_positive).negative,
            0.0);
  EXPECT_EQ(while_positive, to_the_end);
}

/// Zeros of either sign differ too.
void expect_same_bits(double a, double b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << a << " " << b;
}

/// Eight matrices in lanes, of which some entries are zero or its opposite, and a right-hand side of each.
void expect_lanes_as_alone(int size) {
  SymmetricBand<DoublePack, 8> packed(size);
  std::vector<DoublePack> fused(static_cast<std::size_t>(size));
  std::vector<Eigen::VectorXd> fused_alone;
  std::vector<Eigen::VectorXd> solved_alone;
  std::vector<Pivots<double>> pivots;
  for (int lane = 0; lane < 8; ++lane) {
    SymmetricBand<double, 8> matrix(size);
    Eigen::MatrixXd dense;
    fill_band(matrix, dense);
    if (lane == 5 && size > 4) matrix.at(4, 4) = 9.5;  // another number of negative ones
    Eigen::VectorXd right = random_vector(size);
    for (int j = 0; j < size; ++j) {
      for (int k = 1; k <= 8; ++k) {
        if (j + k >= size || (j + k + lane) % 3 == 0) matrix.column(j)[k] = k % 2 == 0 ? -0.0 : 0.0;
      }
      if (j % 5 == 1) right(j) = j % 2 == 0 ? -0.0 : 0.0;
      for (int k = 0; k <= 8; ++k) packed.column(j)[k].set(lane, matrix.column(j)[k]);
      fused[static_cast<std::size_t>(j)].set(lane, right(j));
    }
    BandLdlt<double, 8> factors(size);
    solved_alone.push_back(right);
    fused_alone.push_back(right);
    pivots.push_back(factors.factor_and_forward(matrix, fused_alone.back().data()));
    factors.back(fused_alone.back().data());
    factors.solve(solved_alone.back().data());
  }
  std::vector<DoublePack> solved = fused;
  BandLdlt<DoublePack, 8> factors(size);
  const Pivots<DoublePack> all = factors.factor_and_forward(packed, fused.data());
  factors.back(fused.data());
  factors.solve(solved.data());
  for (int lane = 0; lane < 8; ++lane) {
    const auto k = static_cast<std::size_t>(lane);
    EXPECT_EQ(all.negative[lane], pivots[k].negative);
    expect_same_bits(all.least_ratio[lane], pivots[k].least_ratio);
    for (int j = 0; j < size; ++j) {
      expect_same_bits(fused[static_cast<std::size_t>(j)][lane], fused_alone[k](j));
      expect_same_bits(solved[static_cast<std::size_t>(j)][lane], solved_alone[k](j));
    }
  }
}

TEST(BandLdlt, LanesAreMatricesOfTheirOwn) {
  for (const int size : {1, 2, 8, 9, 10, 33}) expect_lanes_as_alone(size);
}

TEST(BandLdlt, SolvesEightRightHandSidesOfOneMatrix) {
  constexpr int size = 40;
  SymmetricBand<double, 8> matrix(size);
  Eigen::MatrixXd dense;
  fill_band(matrix, dense);
  BandLdlt<double, 8> factors(size);
  factors.factor(matrix);
  std::vector<DoublePack> x(size);
  Eigen::MatrixXd right(size, 8);
  for (int lane = 0; lane < 8; ++lane) {
    right.col(lane) = random_vector(size);
    for (int j = 0; j < size; ++j) x[static_cast<std::size_t>(j)].set(lane, right(j, lane));
  }
  factors.solve(x.data());
  const Eigen::MatrixXd expected = solved(dense, right);
  for (int lane = 0; lane < 8; ++lane) {
    for (int j = 0; j < size; ++j)
      EXPECT_NEAR(x[static_cast<std::size_t>(j)][lane], expected(j, lane), 1e-13);
  }
}

TEST(BandLdlt, TellsASingularMatrixAndOneThatIsNotFinite) {
  // Springs of a chain that nothing holds: rigid translation has no energy.
  constexpr int size = 30;
  SymmetricBand<double, 8> chain(size);
  for (int j = 0; j + 1 < size; ++j) {
    chain.at(j, j) += 1.0;
    chain.at(j + 1, j + 1) += 1.0;
    chain.at(j + 1, j) -= 1.0;
  }
  BandLdlt<double, 8> factors(size);
  EXPECT_LT(factors.factor(chain).least_ratio, 1e-13);
  chain.hold(0);
  const Pivots<double> held = factors.factor(chain);
  EXPECT_GT(held.least_ratio, 0.01);
  EXPECT_EQ(held.negative, 0.0);
  chain.at(20, 20) = NAN;
  EXPECT_FALSE(factors.factor(chain).least_ratio > 0.0);
}

TEST(BandLdlt, UnknownsThatAreHeldStayOutOfTheOthers) {
  constexpr int size = 20;
  SymmetricBand<double, 8> matrix(size);
  Eigen::MatrixXd dense;
  fill_band(matrix, dense);
  constexpr int held = 9;
  matrix.hold(held);
  dense.row(held).setZero();
  dense.col(held).setZero();
  dense(held, held) = 1.0;
  Eigen::VectorXd x = random_vector(size);
  x(held) = 0.0;
  const Eigen::VectorXd expected = solved(dense, x);
  BandLdlt<double, 8> factors(size);
  factors.factor_and_forward(matrix, x.data());
  factors.back(x.data());
  EXPECT_LT((x - expected).norm(), 1e-13);
  EXPECT_EQ(x(held), 0.0);
}

}  // namespace
}  // namespace rodeo
