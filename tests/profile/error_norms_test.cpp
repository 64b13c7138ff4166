#include "rodeo/profile/error_norms.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

TEST(ErrorNorms, AreMeansOverTheRod) {
  // e(s) = s on [0, 1]: L1 = 1/2, L2 = 1/sqrt 3, Linf = 1; the rules' own errors are of second order.
  for (const int n : {100, 1000}) {
    std::vector<double> nodes;
    std::vector<double> middles;
    for (int i = 0; i <= n; ++i) nodes.push_back(-static_cast<double>(i) / n);
    for (int i = 0; i < n; ++i) middles.push_back((i + 0.5) / n);
    const ErrorNorms at_nodes = error_norms(nodes, Sampling::nodes);
    EXPECT_NEAR(at_nodes.l1, 0.5, 1e-12);
    EXPECT_NEAR(at_nodes.l2, 1.0 / std::sqrt(3.0), 0.2 / (n * n));
    EXPECT_EQ(at_nodes.linf, 1.0);
    const ErrorNorms at_middles = error_norms(middles, Sampling::elements);
    EXPECT_NEAR(at_middles.l1, 0.5, 1e-12);
    EXPECT_NEAR(at_middles.l2, 1.0 / std::sqrt(3.0), 0.1 / (n * n));
    EXPECT_EQ(at_middles.linf, 1.0 - 0.5 / n);
  }
}

TEST(ErrorNorms, OneUnknownValueMakesThemUnknown) {
  for (const std::size_t place : {0u, 2u, 4u}) {
    std::vector<double> errors = {1, 2, 3, 2, 1};
    errors[place] = std::numeric_limits<double>::quiet_NaN();
    const ErrorNorms norms = error_norms(errors, Sampling::nodes);
    EXPECT_TRUE(std::isnan(norms.l1) && std::isnan(norms.l2) && std::isnan(norms.linf)) << place;
  }
}

TEST(ObservedOrder, IsTheExponentOfTheError) {
  for (const double order : {0.5, 1.0, 2.0, 4.0}) {
    const auto error = [&](double h) { return 0.3 * std::pow(h, order); };
    EXPECT_NEAR(observed_order({0.1, error(0.1)}, {0.05, error(0.05)}, 0.0), order, 1e-12);
    EXPECT_NEAR(observed_order({0.1, error(0.1)}, {0.07, error(0.07)}, 0.0), order, 1e-12);
  }
}

TEST(ObservedOrder, AllowsForTheErrorOfANumericalReference) {
  // Against a solution with an error of its own, errors are c (h^p - h_ref^p): the plain quotient of
  // logarithms says 2.32 for p = 2 just above the reference.
  for (const double order : {1.0, 2.0, 4.0}) {
    const double reference = 0.025;
    const auto error = [&](double h) { return 0.3 * (std::pow(h, order) - std::pow(reference, order)); };
    EXPECT_NEAR(observed_order({0.2, error(0.2)}, {0.1, error(0.1)}, reference), order, 1e-9);
    EXPECT_NEAR(observed_order({0.1, error(0.1)}, {0.05, error(0.05)}, reference), order, 1e-9);
  }
}

TEST(ObservedOrder, IsUnknownWithoutTwoFallingErrors) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(observed_order({0.2, 1.0}, {0.1, 0.0}, 0.0)));
  EXPECT_TRUE(std::isnan(observed_order({0.2, 1.0}, {0.1, 1.5}, 0.0)));
  EXPECT_TRUE(std::isnan(observed_order({0.2, nan}, {0.1, 1.0}, 0.0)));
  EXPECT_TRUE(std::isnan(observed_order({0.2, 2.0}, {0.1, nan}, 0.0)));
  EXPECT_TRUE(std::isnan(observed_order({0.2, 2.0}, {0.1, 1.0}, 0.1)));
}

TEST(Interpolation, ReproducesCubicsAndNodes) {
  const auto cubic = [](double x) { return 1.0 - 2.0 * x + 0.5 * x * x - 0.1 * x * x * x; };
  std::vector<double> nodes;
  for (int i = 0; i <= 7; ++i) nodes.push_back(cubic(i));
  for (double x = 0.0; x <= 7.0; x += 0.173) EXPECT_NEAR(interpolate_at(nodes, x), cubic(x), 1e-12) << x;
  for (int i = 0; i <= 7; ++i) EXPECT_EQ(interpolate_at(nodes, i), nodes[static_cast<std::size_t>(i)]);
}

TEST(Interpolation, IsOfFourthOrder) {
  std::vector<double> errors;
  for (const int n : {10, 20, 40}) {
    std::vector<double> nodes;
    for (int i = 0; i <= n; ++i) nodes.push_back(std::sin(5.0 * i / n));
    double largest = 0.0;
    for (double s = 0.0; s <= 1.0; s += 0.001) {
      largest = std::max(largest, std::abs(interpolate_at(nodes, s * n) - std::sin(5.0 * s)));
    }
    errors.push_back(largest);
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 3.5);
  EXPECT_GT(std::log2(errors[1] / errors[2]), 3.7);
}

TEST(Interpolation, WorksWithFewNodes) {
  EXPECT_DOUBLE_EQ(interpolate_at(std::vector<double>{1.0, 3.0}, 0.25), 1.5);
  EXPECT_DOUBLE_EQ(interpolate_at(std::vector<double>{0.0, 1.0, 4.0}, 1.5), 2.25);
}

}  // namespace
}  // namespace rodeo
