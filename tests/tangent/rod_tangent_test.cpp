#include "rodeo/tangent/rod_tangent.hpp"

#include <gtest/gtest.h>

#include "rodeo/boundary/clamp.hpp"
#include "rodeo/linear/dense.hpp"
#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

#include "cosserat/elasticity.hpp"
#include "finite_differences.hpp"
#include "test_rods.hpp"

namespace rodeo::tangent {
namespace {

constexpr int element_counts[] = {1, 2, 7, 8, 9, 15, 16, 17, 40};
constexpr ClampedEnds all_ends[] = {{false, false}, {true, false}, {false, true}, {true, true}};

Eigen::VectorXd random_step(Draws& draws, int elements) {
  Eigen::VectorXd step(unknowns(elements));
  for (int i = 0; i < step.size(); ++i) step(i) = draws.between(-1.0, 1.0) * (i % 6 < 3 ? 0.1 : 1.0);
  return step;
}

std::span<const double> as_span(const Eigen::VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
std::span<double> as_span(Eigen::VectorXd& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

Eigen::VectorXd gradient_of(const RodView& rod, ClampedEnds ends) {
  Eigen::VectorXd g(unknowns(rod.elements));
  elastic_gradient(rod, ends, as_span(g));
  return g;
}

Eigen::MatrixXd dense_hessian(const RodView& rod, ClampedEnds ends, const RodStress* stress = nullptr) {
  const int size = unknowns(rod.elements);
  RodMatrix band(size);
  for (int j = 0; j < size; ++j) std::fill_n(band.column(j), RodMatrix::column_entries, NAN);  // all are set
  Eigen::VectorXd g(size);
  elastic_hessian(rod, ends, as_span(g), band, stress);
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(size, size);
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k <= half_bandwidth; ++k) {
      if (j + k < size) {
        h(j + k, j) = h(j, j + k) = band.column(j)[k];
      } else {
        EXPECT_EQ(band.column(j)[k], 0.0);
      }
    }
  }
  return h;
}

/// Element by element from the laws.
struct Assembled {
  double energy = 0.0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;

  Assembled(const RodView& rod, ClampedEnds ends, const RodStress* stress = nullptr) {
    const int n = rod.elements;
    gradient.setZero(unknowns(n));
    hessian.setZero(unknowns(n), unknowns(n));
    for (int i = 0; i < n; ++i) {
      const auto state = ShearStretch<double>::of(rod, i);
      energy += state.energy();
      const ElementGradient<double> g = state.gradient();
      const ElementHessian<double> h = state.hessian(stress ? stress->forces()(i) : state.stress);
      const int x = node_unknown(i);
      const int next = node_unknown(i + 1);
      const int q = element_unknown(i);
      gradient.segment<3>(x) -= eigen(g.edge);
      gradient.segment<3>(next) += eigen(g.edge);
      gradient.segment<3>(q) += eigen(g.turn);
      const Eigen::Matrix3d edge = eigen(h.edge_edge);
      add(x, x, edge);
      add(next, next, edge);
      add(next, x, -edge);
      add(q, x, -eigen(h.edge_turn).transpose());
      add(next, q, eigen(h.edge_turn));
      add(q, q, eigen(h.turn_turn));
    }
    for (int i = ends.first ? -1 : 0; i < n - (ends.last ? 0 : 1); ++i) {
      const auto state = BendTwist<double>::of(rod, i);
      energy += state.energy();
      const RegionGradient<double> g = state.gradient();
      const RegionHessian<double> h = state.hessian(stress ? stress->couples()(i) : state.couple);
      const int before = element_unknown(i);
      const int after = element_unknown(i + 1);
      if (i >= 0) {
        gradient.segment<3>(before) += eigen(g.before);
        add(before, before, eigen(h.before_before));
      }
      if (i + 1 < n) {
        gradient.segment<3>(after) += eigen(g.after);
        add(after, after, eigen(h.after_after));
      }
      if (i >= 0 && i + 1 < n) add(after, before, eigen(h.after_before));
    }
  }

 private:
  void add(int row, int column, const Eigen::Matrix3d& block) {
    hessian.block<3, 3>(row, column) += block;
    if (row != column) hessian.block<3, 3>(column, row) += block.transpose();
  }
};

TEST(RodTangent, IsTheSumOfTheLaws) {
  Draws draws(1);
  for (const int n : element_counts) {
    for (const ClampedEnds ends : all_ends) {
      const RandomRod rod(draws, n);
      const Assembled sum(rod.view(), ends);
      EXPECT_NEAR(elastic_energy(rod.view(), ends), sum.energy, 1e-14 * sum.energy);
      Eigen::VectorXd g = Eigen::VectorXd::Constant(unknowns(n), NAN);
      EXPECT_NEAR(elastic_gradient(rod.view(), ends, as_span(g)), sum.energy, 1e-14 * sum.energy);
      EXPECT_LT((g - sum.gradient).norm(), 1e-13 * sum.gradient.norm()) << n;
      EXPECT_LT((dense_hessian(rod.view(), ends) - sum.hessian).norm(), 1e-13 * sum.hessian.norm()) << n;

      RodMatrix band(unknowns(n));
      Eigen::VectorXd beside = Eigen::VectorXd::Constant(unknowns(n), NAN);
      EXPECT_NEAR(elastic_hessian(rod.view(), ends, as_span(beside), band), sum.energy, 1e-14 * sum.energy);
      EXPECT_LT((beside - g).norm(), 1e-13 * g.norm());
    }
  }
}

TEST(RodTangent, OfOneOfSeveralRodsLeavesOutTheOthers) {
  Draws draws(2);
  const RandomRod whole(draws, 31);
  for (const int first : {0, 3, 11, 22}) {
    const RodView part = whole.view().part(first, 9);
    const Assembled sum(part, {true, true});
    EXPECT_LT((gradient_of(part, {true, true}) - sum.gradient).norm(), 1e-13 * sum.gradient.norm());
    EXPECT_LT((dense_hessian(part, {true, true}) - sum.hessian).norm(), 1e-13 * sum.hessian.norm());
  }
}

TEST(RodTangent, DerivativesAreThoseAlongSteps) {
  Draws draws(3);
  for (const ClampedEnds ends : all_ends) {
    const RandomRod rod(draws, 19);
    const Eigen::VectorXd step = random_step(draws, 19);
    const auto moved = [&](double part) {
      RandomRod other(rod);
      take_step(other.view(), as_span(step), part);
      return other;
    };
    const auto energy = [&](double part) { return elastic_energy(moved(part).view(), ends); };
    // Of energies that are 1e-15 accurate.
    const double slope = gradient_of(rod.view(), ends).dot(step);
    const double slope_expected =
        richardson<double>([&](double h) { return (energy(h) - energy(-h)) / (2 * h); });
    EXPECT_NEAR(slope, slope_expected, 1e-10 * std::abs(slope));
    const double curvature = step.dot(dense_hessian(rod.view(), ends) * step);
    // Of the slope along the step, which stays the same vector in the frames that it turns.
    const double curvature_expected = richardson<double>([&](double h) {
      return (gradient_of(moved(h).view(), ends).dot(step) - gradient_of(moved(-h).view(), ends).dot(step)) /
             (2 * h);
    });
    EXPECT_NEAR(curvature, curvature_expected, 1e-10 * std::abs(curvature));
  }
}

TEST(RodTangent, GradientHoldsTheForcesOfExplicitSteps) {
  Draws draws(4);
  for (const int n : {3, 8, 21}) {
    for (const ClampedEnds ends : all_ends) {
      const RandomRod random(draws, n);
      const RodView& rod = random.view();
      for (int i = 0; i < n; ++i)
        rod.array(field::natural_stretch)[i] = 1.0;  // others are forces of their own
      cosserat::shear_and_stretch<false>(OneThread{}, rod);
      cosserat::bend_and_twist<false>(OneThread{}, rod);
      for (const int region : {-1, n - 1}) {
        rod.set_vec3(field::bend_couple, region, {});
        rod.set_vec3(field::transport_couple, region, {});
      }
      rod.set_vec3(field::internal_force, -1, {});
      rod.set_vec3(field::internal_force, n, {});
      boundary::Clamp{ends.first, ends.last}.apply(OneThread{}, rod);
      const Eigen::VectorXd g = gradient_of(rod, ends);
      const double size = g.norm();
      for (int i = 0; i <= n; ++i) {
        const Vec3 force = rod.vec3(field::internal_force, i) - rod.vec3(field::internal_force, i - 1);
        EXPECT_LT((g.segment<3>(node_unknown(i)) + eigen(force)).norm(), 1e-13 * size);
      }
      for (int i = 0; i < n; ++i) {
        const Vec3 couple = rod.vec3(field::shear_couple, i) + rod.vec3(field::bend_couple, i) +
                            rod.vec3(field::transport_couple, i) - rod.vec3(field::bend_couple, i - 1) +
                            rod.vec3(field::transport_couple, i - 1);
        EXPECT_LT((g.segment<3>(element_unknown(i)) + eigen(couple)).norm(), 1e-13 * size);
      }
    }
  }
}

TEST(RodTangent, FreeRodHasNoResultantAndNoStiffnessAgainstRigidMotions) {
  Draws draws(5);
  constexpr int n = 23;
  RandomRod rod(draws, n);
  const auto rigid = [&] {
    Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(unknowns(n), 6);
    for (int i = 0; i <= n; ++i) {
      motions.block<3, 3>(node_unknown(i), 0).setIdentity();
      motions.block<3, 3>(node_unknown(i), 3) = -eigen(cross_matrix(rod.view().vec3(field::position, i)));
      if (i == n) break;
      motions.block<3, 3>(element_unknown(i), 3) =
          eigen(to_laboratory_matrix(directors(rod.view().quaternion(i)))).transpose();
    }
    return motions;
  };
  const Eigen::VectorXd g = gradient_of(rod.view(), {});
  EXPECT_LT((rigid().transpose() * g).norm(), 1e-13 * g.norm());

  // At rest, where nothing is under stress, none of the six directions has stiffness and all others have.
  for (int i = 0; i < n; ++i) {
    rod.view().array(field::natural_stretch)[i] = 1.0;
    const Vec3 d3 = directors(rod.view().quaternion(i)).d3;
    rod.view().set_vec3(field::position, i + 1,
                        rod.view().vec3(field::position, i) + rod.view().array(field::rest_length)[i] * d3);
    if (i + 1 < n) {
      const Vec3 turn = rotation_vector(conjugate(rod.view().quaternion(i)) * rod.view().quaternion(i + 1));
      rod.view().set_vec3(field::rest_curvature, i, rod.view().array(field::inverse_rest_voronoi)[i] * turn);
    }
  }
  const Eigen::MatrixXd h = dense_hessian(rod.view(), {});
  EXPECT_LT(gradient_of(rod.view(), {}).norm(), 1e-12);
  EXPECT_LT((h * rigid()).norm(), 1e-12 * h.norm());
  const Eigen::VectorXd eigenvalues = symmetric_eigen(h).values;
  EXPECT_GT(eigenvalues(6), 1e-7 * eigenvalues(unknowns(n) - 1));
  EXPECT_LT(std::abs(eigenvalues(5)), 1e-13 * eigenvalues(unknowns(n) - 1));
}

TEST(RodTangent, PredictsTheStressOfElementsRegionsAndClamps) {
  Draws draws(6);
  constexpr int n = 18;
  for (const ClampedEnds ends : all_ends) {
    const RandomRod rod(draws, n);
    const Eigen::VectorXd step = random_step(draws, n);
    RodStress stress(n);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(unknowns(n));
    predict_stress(rod.view(), ends, as_span(none), 1.0, stress);
    // That of no step is the stress there is.
    EXPECT_LT((dense_hessian(rod.view(), ends, &stress) - dense_hessian(rod.view(), ends)).norm(), 1e-10);

    const auto error = [&](double part) {
      const Eigen::VectorXd small = part * step;
      predict_stress(rod.view(), ends, as_span(small), 1.0, stress);
      const RandomRod moved(rod);
      take_step(moved.view(), as_span(small), 1.0);
      RodStress true_one(n);
      predict_stress(moved.view(), ends, as_span(none), 1.0, true_one);
      double sum = 0.0;
      for (int i = ends.first ? -1 : 0; i < n; ++i) {
        if (i >= 0) sum += std::pow(norm(stress.forces()(i) - true_one.forces()(i)), 2);
        if (i + 1 < n || ends.last) sum += std::pow(norm(stress.couples()(i) - true_one.couples()(i)), 2);
      }
      return std::sqrt(sum);
    };
    EXPECT_NEAR(error(1e-3) / error(5e-4), 4.0, 0.05);
    predict_stress(rod.view(), ends, as_span(step), 1.0, stress);
    const Assembled mixed(rod.view(), ends, &stress);
    EXPECT_LT((dense_hessian(rod.view(), ends, &stress) - mixed.hessian).norm(),
              1e-13 * mixed.hessian.norm());
    EXPECT_GT((dense_hessian(rod.view(), ends) - mixed.hessian).norm(), 1e-3 * mixed.hessian.norm());
  }
}

/// Newton's iterations with mixed stress for a cantilever with a dead force across its end: P L^2/EI = 10 in
/// one load step. Returns the relative size of each step, turns by turns.
std::vector<double> cantilever_steps(int n, double (&tip)[3]) {
  constexpr double bend = 1.0;
  constexpr double radius = 0.01;  // over the length
  std::vector<double> arrays(rod_size(n));
  const RodView rod(arrays.data(), n, 0.0);
  const double stretch = 4 * bend / (radius * radius);
  for (int i = 0; i < n; ++i) {
    rod.set_vec3(field::position, i + 1, {0, 0, (i + 1.0) / n});
    rod.set_quaternion(i, {1, 0, 0, 0});
    rod.array(field::rest_length)[i] = 1.0 / n;
    rod.array(field::inverse_rest_length)[i] = n;
    rod.array(field::shear_stiffness)[i] = 0.4 * stretch;
    rod.array(field::stretch_stiffness)[i] = stretch;
    rod.array(field::natural_stretch)[i] = 1.0;
  }
  for (int i = -1; i + 1 < n; ++i) {
    rod.array(field::inverse_rest_voronoi)[i] = i < 0 ? 2.0 * n : n;
    rod.array(field::bend_stiffness)[i] = bend;
    rod.array(field::twist_stiffness)[i] = bend / 1.5;
  }
  rod.set_quaternion(-1, {1, 0, 0, 0});
  const ClampedEnds ends{true, false};
  RodMatrix matrix(unknowns(n));
  RodFactors factors(unknowns(n));
  RodStress stress(n);
  std::vector<double> sizes;
  std::vector<double> right(static_cast<std::size_t>(unknowns(n)));
  for (int iteration = 0; iteration < 30; ++iteration) {
    elastic_hessian(rod, ends, right, matrix, iteration > 0 ? &stress : nullptr);
    right[static_cast<std::size_t>(node_unknown(n))] -= 10.0;
    for (int c = 0; c < 3; ++c) {
      matrix.hold(c);
      right[static_cast<std::size_t>(c)] = 0.0;
    }
    for (double& r : right) r = -r;
    const Pivots<double> pivots = factors.factor_and_forward(matrix, right.data());
    factors.back(right.data());
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
      const double* const turn = right.data() + element_unknown(i);
      largest = std::max(largest, norm(Vec3{turn[0], turn[1], turn[2]}));
    }
    const double part = std::min(1.0, 1.0 / largest);
    predict_stress(rod, ends, right, part, stress);
    take_step(rod, right, part);
    sizes.push_back(largest);
    if (largest < 1e-11) {
      EXPECT_EQ(pivots.negative, 0.0);
      break;
    }
  }
  const Vec3 end = rod.vec3(field::position, n);
  tip[0] = end.x;
  tip[1] = end.y;
  tip[2] = end.z;
  return sizes;
}

TEST(RodTangent, MixedStressFindsALargeDeflectionInOneLoadStep) {
  double coarse[3];
  double middle[3];
  double fine[3];
  cantilever_steps(50, coarse);
  cantilever_steps(100, middle);
  const std::vector<double> steps = cantilever_steps(200, fine);
  EXPECT_LE(steps.size(), 12u);
  EXPECT_LT(steps.back(), 1e-11);
  // Of second order, so that Richardson's extrapolation is the elastica with shear and stretch, to 1e-6.
  for (const int c : {0, 2}) EXPECT_NEAR((middle[c] - coarse[c]) / (fine[c] - middle[c]), 4.0, 0.05);
  // Bisshopp and Drucker 1945 (Q. Appl. Math. 3, 272) for P L^2/EI = 10: deflection 0.811, without shear.
  EXPECT_NEAR(fine[0], 0.811, 0.002);
  EXPECT_EQ(fine[1], 0.0);
}

}  // namespace
}  // namespace rodeo::tangent
