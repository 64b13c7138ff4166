#include "rodeo/linear/gmres.hpp"

#include <limits>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/linear/dense.hpp"

namespace rodeo {
namespace {

constexpr int size = 40;

Eigen::VectorXd eigen(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

LinearMap product_with(const Eigen::MatrixXd& matrix) {
  return [matrix](const std::vector<double>& vector, std::vector<double>& result) {
    Eigen::Map<Eigen::VectorXd>(result.data(), size) = matrix * eigen(vector);
  };
}

/// A matrix without symmetry, of condition 10 or so.
Eigen::MatrixXd some_matrix() {
  std::srand(3);
  return Eigen::MatrixXd::Identity(size, size) + 0.1 * Eigen::MatrixXd::Random(size, size);
}

struct System {
  Eigen::MatrixXd matrix = some_matrix();
  std::vector<double> right = std::vector<double>(size, 1.0);
  std::vector<double> x = std::vector<double>(size, 0.0);

  double residual() const { return (matrix * eigen(x) - eigen(right)).norm() / eigen(right).norm(); }
};

TEST(Gmres, SolvesToTheTolerance) {
  int before = 0;
  for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
    System s;
    const GmresOutcome outcome =
        Gmres(size, size)
            .solve(product_with(s.matrix), product_with(Eigen::MatrixXd::Identity(size, size)), s.right,
                   tolerance, s.x);
    EXPECT_TRUE(outcome.converged);
    EXPECT_LE(s.residual(), 1.01 * tolerance);
    EXPECT_GT(outcome.iterations, before);
    before = outcome.iterations;
  }
}

TEST(Gmres, GainsByAPreconditionerAndByAGoodStart) {
  System s;
  const Eigen::MatrixXd near = s.matrix + 1e-4 * Eigen::MatrixXd::Random(size, size);
  Gmres gmres(size, 10);
  const LinearMap inverse = product_with(solved(near, Eigen::MatrixXd::Identity(size, size)));
  EXPECT_LE(gmres.solve(product_with(s.matrix), inverse, s.right, 1e-10, s.x).iterations, 4);
  EXPECT_LE(s.residual(), 1.01e-10);
  s.x[3] += 1e-8;
  EXPECT_LE(gmres.solve(product_with(s.matrix), inverse, s.right, 1e-10, s.x).iterations, 1);
  EXPECT_EQ(gmres.solve(product_with(s.matrix), inverse, s.right, 1e-9, s.x).iterations, 0);
}

TEST(Gmres, EndsWithTheExactSolutionInAnInvariantSpace) {
  System s;
  s.matrix = 3.0 * Eigen::MatrixXd::Identity(size, size);
  const LinearMap identity = product_with(Eigen::MatrixXd::Identity(size, size));
  const GmresOutcome outcome = Gmres(size, 10).solve(product_with(s.matrix), identity, s.right, 1e-14, s.x);
  EXPECT_TRUE(outcome.converged);
  EXPECT_EQ(outcome.iterations, 1);
}

TEST(Gmres, SaysWhereItDoesNotConverge) {
  System s;
  const LinearMap identity = product_with(Eigen::MatrixXd::Identity(size, size));
  const GmresOutcome outcome = Gmres(size, 3).solve(product_with(s.matrix), identity, s.right, 1e-12, s.x);
  EXPECT_FALSE(outcome.converged);
  EXPECT_EQ(outcome.iterations, 3);
  EXPECT_LT(s.residual(), 0.5);  // the best there is in so few
  s.matrix(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Gmres(size, 3).solve(product_with(s.matrix), identity, s.right, 1e-12, s.x).converged);
}

}  // namespace
}  // namespace rodeo
