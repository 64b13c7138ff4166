#include "rodeo/tangent/seam.hpp"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/boundary/closure.hpp"
#include "rodeo/linear/dense.hpp"

#include "finite_differences.hpp"
#include "test_rods.hpp"

namespace rodeo::tangent {
namespace {

/// A closed rod of any shape and its unknowns: all but those of node n.
struct RandomRing {
  RandomRod random;
  boundary::Closure closure;
  RodView rod;
  int size;

  explicit RandomRing(Draws& draws, int elements, bool circular = false)
      : random(draws, elements, 1.0, circular),
        closure{true, rotation({0.0, 0.0, draws.between(-2.0, 2.0)})},
        rod(random.view()),
        size(unknowns(elements) - 3) {
    closure.fill_ghosts(rod);
  }
  RandomRing(const RandomRing& other)
      : random(other.random), closure(other.closure), rod(random.view()), size(other.size) {}

  void take(const Eigen::VectorXd& step, double part) {
    std::vector<double> all(step.data(), step.data() + step.size());
    all.resize(all.size() + 3);
    take_step(rod, all, part);
    closure.fill_ghosts(rod);
  }

  Eigen::VectorXd gradient() const {
    std::vector<double> g(static_cast<std::size_t>(size) + 3);
    elastic_gradient(rod, Seam::ends, g);
    Seam(rod, closure.seam).close(g);
    EXPECT_EQ(g.back(), 0.0);
    return Eigen::Map<Eigen::VectorXd>(g.data(), size);
  }

  Eigen::VectorXd random_step(Draws& draws) const {
    Eigen::VectorXd step(size);
    for (int i = 0; i < size; ++i) step(i) = draws.between(-1.0, 1.0) * (i % 6 < 3 ? 0.1 : 1.0);
    return step;
  }
};

/// The matrix of a ring with so much on its diagonal, by its factors.
struct FactoredRing {
  Seam seam;
  RodMatrix matrix;
  RodFactors factors;
  int negative;

  FactoredRing(const RandomRing& ring, double added)
      : seam(ring.rod, ring.closure.seam), matrix(ring.size + 3), factors(ring.size + 3) {
    std::vector<double> g(static_cast<std::size_t>(ring.size) + 3);
    elastic_hessian(ring.rod, Seam::ends, g, matrix);
    seam.cut(matrix, nullptr);
    for (int i = Seam::size; i < ring.size; ++i) matrix.column(i)[0] += added;
    const std::vector<double> on_seam(Seam::size, added);
    negative = static_cast<int>(factors.factor(matrix).negative);
    negative += static_cast<int>(seam.factor(factors, on_seam).negative);
  }

  Eigen::VectorXd solve(const Eigen::VectorXd& pull) const {
    std::vector<double> v(pull.data(), pull.data() + pull.size());
    v.resize(v.size() + 3);
    seam.solve(factors, std::span(v));
    return Eigen::Map<Eigen::VectorXd>(v.data(), pull.size());
  }

  Eigen::MatrixXd inverse(int size) const {
    Eigen::MatrixXd columns(size, size);
    for (int j = 0; j < size; ++j) columns.col(j) = solve(Eigen::VectorXd::Unit(size, j));
    return columns;
  }
};

/// What solves say the matrix is. It is singular, as nothing holds the ring.
Eigen::MatrixXd hessian_of(const RandomRing& ring) {
  constexpr double added = 400.0;
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(ring.size, ring.size);
  return solved(FactoredRing(ring, added).inverse(ring.size), one) - added * one;
}

TEST(Seam, DerivativesAreThoseAlongSteps) {
  Draws draws(31);
  for (const int n : {2, 3, 8, 19}) {
    const RandomRing ring(draws, n);
    const Eigen::VectorXd step = ring.random_step(draws);
    const auto moved = [&](double part) {
      RandomRing other(ring);
      other.take(step, part);
      return other;
    };
    const double slope = ring.gradient().dot(step);
    const double expected = richardson<double>([&](double h) {
      return (elastic_energy(moved(h).rod, Seam::ends) - elastic_energy(moved(-h).rod, Seam::ends)) / (2 * h);
    });
    EXPECT_NEAR(slope, expected, 1e-10 * std::abs(slope)) << n;
    const Eigen::MatrixXd hessian = hessian_of(ring);
    const double curvature = step.dot(hessian * step);
    const double curvature_expected = richardson<double>(
        [&](double h) { return (moved(h).gradient().dot(step) - moved(-h).gradient().dot(step)) / (2 * h); });
    EXPECT_NEAR(curvature, curvature_expected, 1e-9 * std::abs(curvature)) << n;
  }
}

TEST(Seam, CountsNegativeEigenvalues) {
  Draws draws(32);
  for (const int n : {3, 8, 17}) {
    const RandomRing ring(draws, n);
    const Eigen::MatrixXd hessian = hessian_of(ring);
    EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-10 * hessian.norm());
    const Eigen::VectorXd eigenvalues = symmetric_eigen(hessian).values;
    for (const double added : {-20.0, -1.0, 0.1, 1.0, 10.0, 100.0}) {
      EXPECT_EQ(FactoredRing(ring, added).negative, (eigenvalues.array() < -added).count()) << n << added;
    }
  }
}

/// A rod cut elsewhere has the same modes: node and element 1 become the first.
TEST(Seam, StandsAnywhereAlongTheRod) {
  Draws draws(33);
  const int n = 11;
  const RandomRing ring(draws, n, true);
  RandomRing other(ring);
  const Quaternion across = ring.closure.seam;
  for (int i = 0; i < n; ++i) {
    const int from = (i + 1) % n;
    const bool beyond = i + 1 >= n;
    other.rod.set_vec3(field::position, i, ring.rod.vec3(field::position, from));
    other.rod.set_quaternion(i, beyond ? ring.rod.quaternion(0) * across : ring.rod.quaternion(from));
    for (const int f : {field::rest_length, field::inverse_rest_length, field::shear_stiffness,
                        field::stretch_stiffness, field::natural_stretch, field::inverse_rest_voronoi,
                        field::bend_stiffness, field::twist_stiffness}) {
      other.rod.array(f)[i] = ring.rod.array(f)[from];
    }
    // Region n - 1 of the other lies between elements 0 and 1 of this, in frames turned by the seam.
    const Vec3 curvature = ring.rod.vec3(field::rest_curvature, from);
    other.rod.set_vec3(field::rest_curvature, i, beyond ? directors(across).to_body(curvature) : curvature);
  }
  other.closure.fill_ghosts(other.rod);
  const auto traces = [](const RandomRing& r) {
    const Eigen::MatrixXd inverse = FactoredRing(r, 50.0).inverse(r.size);
    return Eigen::Vector2d(inverse.trace(), (inverse * inverse).trace());
  };
  EXPECT_NEAR(elastic_energy(other.rod, Seam::ends), elastic_energy(ring.rod, Seam::ends), 1e-10);
  EXPECT_LT((traces(other) - traces(ring)).norm(), 1e-9 * traces(ring).norm());
}

}  // namespace
}  // namespace rodeo::tangent
