#include "rodeo/fluid/mobility.hpp"

#include <array>
#include <cmath>
#include <random>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/linear/dense.hpp"
#include "rodeo/math/host_threads.hpp"

#include "fluid/mobility_matrix.hpp"

namespace rodeo::fluid {
namespace {

using Matrix = Eigen::Matrix3d;

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A bent filament with elements of 0.5 to 1.5 cm and regularisations between 1 and 2 mm.
Filament random_filament(int nodes, std::mt19937& random, NodeVectors& position, int first,
                         const Vec3& start) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Filament filament{nodes, {}};
  Vec3 at = start;
  Vec3 direction = {0, 0, 1};
  for (int i = 0; i < nodes; ++i) {
    position.set(first + i, at);
    direction = normalized(direction + Vec3{unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5});
    at = at + (0.005 + 0.01 * unit(random)) * direction;
    if (i > 0) filament.regularizations.push_back(1e-3 + 1e-3 * unit(random));
  }
  return filament;
}

/// Two filaments of different lengths, the second with a uniform regularisation.
struct TwoFilaments {
  explicit TwoFilaments(int first_nodes = 11, int second_nodes = 14) : position(first_nodes + second_nodes) {
    std::mt19937 random(7);
    filaments.push_back(random_filament(first_nodes, random, position, 0, {0, 0, 0}));
    filaments.push_back(random_filament(second_nodes, random, position, first_nodes, {0.01, 0.004, 0.02}));
    filaments[1].regularizations.assign(static_cast<std::size_t>(second_nodes) - 1, 1.5e-3);
  }
  NodeVectors position;
  std::vector<Filament> filaments;
};

/// Integral over a part of a segment of the regularised Stokeslet with a weight, by five points of Gauss.
template <class Weight>
Matrix quadrature(const Eigen::Vector3d& x0, const Eigen::Vector3d& v, double eps, double begin, double end,
                  const Weight& weight) {
  constexpr std::array abscissae = {0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                    -0.9061798459386640};
  constexpr std::array weights = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                                  0.2369268850561891, 0.2369268850561891};
  Matrix sum = Matrix::Zero();
  for (std::size_t k = 0; k < 5; ++k) {
    const double s = 0.5 * (begin + end) + 0.5 * (end - begin) * abscissae[k];
    const Eigen::Vector3d x = x0 + s * v;
    const double r = std::sqrt(x.squaredNorm() + eps * eps);
    sum += 0.5 * (end - begin) * weights[k] * weight(s) *
           ((1 / r + eps * eps / (r * r * r)) * Matrix::Identity() + x * x.transpose() / (r * r * r));
  }
  return sum;
}

/// The share of a segment in A between a target and both its nodes, by quadrature in many parts.
void add_segment(const NodeVectors& position, int target, int first, double eps, double first_weight,
                 double last_weight, Eigen::MatrixXd& matrix) {
  constexpr int parts = 200;
  const Eigen::Vector3d x0 = eigen(position.at(target) - position.at(first));
  const Eigen::Vector3d v = eigen(position.at(first) - position.at(first + 1));
  for (int k = 0; k < parts; ++k) {
    const double begin = static_cast<double>(k) / parts;
    const double end = static_cast<double>(k + 1) / parts;
    matrix.block<3, 3>(3 * target, 3 * first) +=
        first_weight * quadrature(x0, v, eps, begin, end, [](double s) { return 1 - s; });
    matrix.block<3, 3>(3 * target, 3 * (first + 1)) +=
        last_weight * quadrature(x0, v, eps, begin, end, [](double s) { return s; });
  }
}

/// A by its definition.
Eigen::MatrixXd matrix_by_quadrature(const TwoFilaments& rods, MobilityKind kind) {
  const int nodes = rods.position.nodes();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * nodes, 3 * nodes);
  int first = 0;
  for (const Filament& filament : rods.filaments) {
    const auto length = [&](int k) {
      const bool exists = k >= first && k + 1 < first + filament.nodes;
      return exists ? norm(rods.position.at(k + 1) - rods.position.at(k)) : 0.0;
    };
    for (int k = first; k + 1 < first + filament.nodes; ++k) {
      const double eps = filament.regularizations[static_cast<std::size_t>(k - first)];
      const bool published = kind == MobilityKind::lower_triangle;
      const double first_weight = published ? 1.0 : length(k) / (0.5 * (length(k - 1) + length(k)));
      const double last_weight = published ? 1.0 : length(k) / (0.5 * (length(k) + length(k + 1)));
      for (int target = 0; target < nodes; ++target)
        add_segment(rods.position, target, k, eps, first_weight, last_weight, matrix);
    }
    first += filament.nodes;
  }
  return matrix;
}

TEST(Mobility, EntriesAreIntegralsOfTheKernel) {
  const TwoFilaments rods;
  Mobility mobility(rods.filaments, MobilityKind::full);
  mobility.assemble(rods.position);
  const Eigen::MatrixXd expected = matrix_by_quadrature(rods, MobilityKind::full);
  EXPECT_LT((matrix_of(mobility) - expected).norm(), 1e-13 * expected.norm());
  // Node by node, so that small blocks count too.
  for (int i = 0; i < mobility.nodes(); ++i) {
    for (int j = 0; j < mobility.nodes(); ++j) {
      const Matrix difference =
          matrix_of(mobility).block<3, 3>(3 * i, 3 * j) - expected.block<3, 3>(3 * i, 3 * j);
      ASSERT_LT(difference.norm(), 1e-12 * expected.block(3 * i, 3 * j, 3, 3).norm()) << i << " " << j;
    }
  }
}

/// The matrix of the program of Tong et al.: M1 and M2 without weights, the lower triangle for both.
TEST(Mobility, LowerTriangleStandsForTheUpperOne) {
  const TwoFilaments rods;
  Mobility mobility(rods.filaments, MobilityKind::lower_triangle);
  mobility.assemble(rods.position);
  const Eigen::MatrixXd lower = matrix_by_quadrature(rods, MobilityKind::lower_triangle);
  const Eigen::MatrixXd expected = lower.selfadjointView<Eigen::Lower>();
  EXPECT_LT((matrix_of(mobility) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_GT((lower - expected).norm(), 0.03 * expected.norm());
}

/// From the segment itself to a thousand lengths away, beside it and on its line, where the recursions
/// cancel.
TEST(Mobility, HoldsAtAnyDistance) {
  constexpr double eps = 1e-3;
  constexpr double length = 5e-3;
  for (const double distance : {0.0, 2e-3, 4.4e-3, 5e-3, 9e-3, 4e-2, 0.5, 5.0}) {
    for (const double angle : {0.0, 0.3, 0.5 * M_PI, 2.0, M_PI}) {
      const Vec3 target = {distance * std::sin(angle), 0, length / 2 + distance * std::cos(angle)};
      NodeVectors position(4);
      position.set(0, {0, 0, 0});
      position.set(1, {0, 0, length});
      position.set(2, target);
      position.set(3, target + Vec3{0, 0.01, 0});
      Mobility mobility({{2, {eps}}, {2, {eps}}}, MobilityKind::full);
      mobility.assemble(position);
      const Eigen::Vector3d v = eigen(position.at(0) - position.at(1));
      Matrix expected = Matrix::Zero();
      for (int k = 0; k < 200; ++k)
        expected +=
            2 * quadrature(eigen(target), v, eps, k / 200.0, (k + 1) / 200.0, [](double s) { return s; });
      Matrix block;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) block(i, j) = mobility.at(2, 1, i, j);
      EXPECT_LT((block - expected).norm(), 1e-12 * expected.norm()) << distance << " " << angle;
    }
  }
}

TEST(Mobility, AppliesItself) {
  const TwoFilaments rods;
  for (const MobilityKind kind : {MobilityKind::full, MobilityKind::lower_triangle}) {
    Mobility mobility(rods.filaments, kind);
    mobility.assemble(rods.position);
    const Eigen::VectorXd force = Eigen::VectorXd::Random(mobility.unknowns());
    NodeVectors padded = node_vectors(force);
    NodeVectors result(mobility.nodes());
    mobility.apply(padded.entries(), result.entries());
    const Eigen::VectorXd expected = matrix_of(mobility) * force;
    EXPECT_LT((vector_of(result) - expected).norm(), 1e-14 * expected.norm());
    for (int i = result.nodes(); i < result.pitch(); ++i) EXPECT_EQ(result.component(1)[i], 0.0);
    Mobility assembled(rods.filaments, kind);
    NodeVectors again(mobility.nodes());
    assembled.assemble_and_apply(rods.position, padded.entries(), again.entries());
    EXPECT_EQ(again.entries(), result.entries());
    EXPECT_EQ(matrix_of(assembled), matrix_of(mobility));

    std::vector<float> copy(static_cast<std::size_t>(mobility.unknowns() * mobility.unknowns()));
    mobility.copy_to(copy.data());
    for (int i = 0; i < mobility.nodes(); ++i) {
      for (int c = 0; c < 9; ++c) {
        const int j = (5 * i + c) % mobility.nodes();
        const int column = (c % 3) * mobility.nodes() + j;
        const int row = (c / 3) * mobility.nodes() + i;
        EXPECT_EQ(copy[static_cast<std::size_t>(column * mobility.unknowns() + row)],
                  static_cast<float>(mobility.at(i, j, c / 3, c % 3)));
      }
    }
  }
}

/// Inside a parallel region loops run on one thread, outside on all there are if there are nodes enough.
TEST(Mobility, IsTheSameForAnyNumberOfThreads) {
  const TwoFilaments rods(131, 170);
  NodeVectors force(301);
  for (int i = 0; i < force.nodes(); ++i) force.set(i, {std::sin(i), std::cos(3 * i), 1.0});
  for (const MobilityKind kind : {MobilityKind::full, MobilityKind::lower_triangle}) {
    Mobility many(rods.filaments, kind);
    NodeVectors velocity(many.nodes());
    many.assemble_and_apply(rods.position, force.entries(), velocity.entries());
    Mobility one(rods.filaments, kind);
    NodeVectors velocity_of_one(one.nodes());
    share_among_threads(
        1, [&](int) { one.assemble_and_apply(rods.position, force.entries(), velocity_of_one.entries()); });
    EXPECT_EQ(matrix_of(many), matrix_of(one));
    EXPECT_EQ(velocity.entries(), velocity_of_one.entries());
  }
}

/// A uniform force per length on a straight rod moves its middle as the integrals over the whole rod say; for
/// a long rod the velocity is that of slender-body theory with a radius eps/sqrt(e).
TEST(Mobility, StraightRodMovesAsSlenderBodyTheorySays) {
  constexpr int nodes = 101;
  constexpr double length = 1.0;
  constexpr double eps = 4e-3;
  NodeVectors position(nodes);
  NodeVectors force(nodes);
  for (int i = 0; i < nodes; ++i) {
    position.set(i, {0.3, -0.1, length * i / (nodes - 1)});
    const double share = (i == 0 || i + 1 == nodes ? 0.5 : 1.0) * length / (nodes - 1);
    force.set(i, {2 * share, 0, 3 * share});
  }
  Mobility mobility({{nodes, std::vector<double>(nodes - 1, eps)}}, MobilityKind::full);
  mobility.assemble(position);
  NodeVectors velocity(nodes);
  mobility.apply(force.entries(), velocity.entries());
  const double inverse = 2 * std::asinh(0.5 * length / eps);
  const double cube = length / std::hypot(0.5 * length, eps);
  const Vec3 middle = velocity.at(nodes / 2);
  EXPECT_NEAR(middle.x, 2 * (inverse + cube), 1e-12);
  EXPECT_NEAR(middle.z, 3 * 2 * inverse, 1e-12);
  EXPECT_NEAR(middle.y, 0.0, 1e-15);
  const double radius = eps / std::sqrt(M_E);
  EXPECT_NEAR(middle.x, 2 * (2 * std::log(length / radius) + 1), 1e-4 * middle.x);
  EXPECT_NEAR(middle.z, 3 * (4 * std::log(length / radius) - 2), 1e-4 * middle.z);
}

/// Drag of a prolate spheroid of half-axes 1 and 0.01 (Chwang & Wu 1975), as segments with the regularisation
/// sqrt(e) r of their radii r. Both translations, the total force.
TEST(Mobility, SpheroidHasItsDrag) {
  constexpr int elements = 200;
  constexpr double thin = 0.01;
  NodeVectors position(elements + 1);
  Filament filament{elements + 1, {}};
  for (int i = 0; i <= elements; ++i) position.set(i, {0, 0, -std::cos(M_PI * i / elements)});
  for (int i = 0; i < elements; ++i) {
    const double middle = 0.5 * (position.at(i).z + position.at(i + 1).z);
    filament.regularizations.push_back(std::sqrt(M_E) * thin * std::sqrt(1 - middle * middle));
  }
  Mobility mobility({filament}, MobilityKind::full);
  mobility.assemble(position);
  const Eigen::MatrixXd matrix = matrix_of(mobility);
  const double e = std::sqrt(1 - thin * thin);
  const double log = std::log((1 + e) / (1 - e));
  const double cube = e * e * e;
  // Over 8 pi mu.
  const double expected[2] = {4 * cube / (2 * e + (3 * e * e - 1) * log),
                              2 * cube / ((1 + e * e) * log - 2 * e)};
  for (const int direction : {0, 2}) {
    NodeVectors velocity(elements + 1);
    for (int i = 0; i <= elements; ++i) velocity.component(direction)[i] = 1.0;
    const NodeVectors force = node_vectors(solved(matrix, vector_of(velocity)));
    double total = 0.0;
    for (int i = 0; i <= elements; ++i) total += force.component(direction)[i];
    const double exact = expected[direction / 2];
    EXPECT_NEAR(total, exact, 2e-3 * exact) << direction;
  }
}

/// Far from a rod the fluid moves by the Stokeslet of the sum of its forces, whatever their distribution.
TEST(Mobility, FarFieldIsThatOfTheTotalForce) {
  const TwoFilaments rods;
  for (const double distance : {10.0, 100.0}) {
    NodeVectors position(13);
    NodeVectors force(13);
    Eigen::Vector3d total = Eigen::Vector3d::Zero();
    for (int i = 0; i < 11; ++i) {
      position.set(i, rods.position.at(i));
      force.set(i, {std::sin(i + 1.0), 1.0, 0.1 * i});
      total += eigen(force.at(i));
    }
    position.set(11, {distance, 0.5 * distance, 0});
    position.set(12, {distance, 0.5 * distance, 0.01});
    Mobility mobility({rods.filaments[0], {2, {1e-3}}}, MobilityKind::full);
    mobility.assemble(position);
    NodeVectors velocity(13);
    mobility.apply(force.entries(), velocity.entries());
    const Eigen::Vector3d x = eigen(position.at(11));
    const Eigen::Vector3d stokeslet = total / x.norm() + x * x.dot(total) / std::pow(x.norm(), 3);
    EXPECT_LT((eigen(velocity.at(11)) - stokeslet).norm(), 0.1 / distance * stokeslet.norm());
  }
}

}  // namespace
}  // namespace rodeo::fluid
