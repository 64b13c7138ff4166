#include "rodeo/linear/banded_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

/// What is left of b - A x is rounding, also where the diagonal alone would not do: pivots are exchanged.
TEST(BandedMatrix, SolvesWithPivotsWhateverTheSizeAndTheBandwidth) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const int size : {1, 2, 3, 7, 40}) {
    for (const int bandwidth : {1, 2, 6, 11}) {
      BandedMatrix matrix(size, bandwidth);
      std::vector<std::vector<double>> rows;
      std::vector<double> b;
      for (int i = 0; i < size; ++i) {
        std::vector<double>& row = rows.emplace_back(static_cast<std::size_t>(size), 0.0);
        for (int j = std::max(0, i - bandwidth); j <= std::min(size - 1, i + bandwidth); ++j) {
          const double entry = i == j ? 0.01 * uniform(random) : uniform(random);
          matrix.at(i, j) = entry;
          row[static_cast<std::size_t>(j)] = entry;
        }
        b.push_back(uniform(random));
      }
      ASSERT_TRUE(matrix.factor());
      std::vector<double> x = b;
      matrix.solve(x);
      double largest = 1.0;
      for (const double value : x) largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < b.size(); ++i) {
        double left = b[i];
        for (std::size_t j = 0; j < x.size(); ++j) left -= rows[i][j] * x[j];
        EXPECT_LT(std::abs(left), 1e-12 * largest) << size << ' ' << bandwidth;
      }
    }
  }
}

/// Unknowns in units that are powers of 2, with the rows of their forces: the same digits.
TEST(BandedMatrix, SolvesToTheSameDigitsWhateverTheUnits) {
  constexpr int size = 40;
  constexpr int bandwidth = 7;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::uniform_int_distribution<int> power(-30, 30);
  BandedMatrix plain(size, bandwidth);
  BandedMatrix scaled(size, bandwidth);
  std::vector<double> units;
  for (int i = 0; i < size; ++i) units.push_back(std::ldexp(1.0, power(random)));
  std::vector<double> x;
  std::vector<double> in_units;
  for (int i = 0; i < size; ++i) {
    const double unit = units[static_cast<std::size_t>(i)];
    for (int j = std::max(0, i - bandwidth); j <= std::min(size - 1, i + bandwidth); ++j) {
      plain.at(i, j) = uniform(random);
      scaled.at(i, j) = unit * units[static_cast<std::size_t>(j)] * plain.at(i, j);
    }
    x.push_back(uniform(random));
    in_units.push_back(unit * x.back());
  }
  ASSERT_TRUE(plain.factor() && scaled.factor());
  plain.solve(x);
  scaled.solve(in_units);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(units[i] * in_units[i], x[i]) << i;
}

TEST(BandedMatrix, SaysWhatHasNoFactors) {
  BandedMatrix singular(3, 1);
  singular.at(0, 0) = 1.0;
  singular.at(2, 2) = 1.0;
  EXPECT_FALSE(singular.factor());
  BandedMatrix unknown(2, 1);
  unknown.at(0, 0) = std::numeric_limits<double>::quiet_NaN();
  unknown.at(1, 1) = 1.0;
  EXPECT_FALSE(unknown.factor());
}

}  // namespace
}  // namespace rodeo
