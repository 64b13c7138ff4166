#include "rodeo/der/elastic_energy.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::der {
namespace {

/// A rod clamped at both ends, with natural curvature and twist, moved at random by much.
struct MovedRod {
  static constexpr int elements = 6;
  cosserat::TestRod test{spec()};
  std::vector<double> q = std::vector<double>(degrees_of_freedom(elements));

  static MemberSpec spec() {
    MemberSpec spec = cosserat::soft_rod(elements);
    spec.boundary.first = EndCondition::clamped;
    spec.boundary.last = EndCondition::clamped;
    return spec;
  }

  RodView rod() const { return test.view(); }

  MovedRod() {
    const RandomStream stream;
    const auto random = [&](int i, int k) {
      double u[4];
      stream.uniform(static_cast<std::uint64_t>(i), u);
      return u[k] - 0.5;
    };
    for (int i = 0; i <= elements; ++i) {
      const Vec3 moved =
          rod().vec3(field::position, i) + 0.1 * Vec3{random(i, 0), random(i, 1), random(i, 2)};
      q[static_cast<std::size_t>(4 * i)] = moved.x;
      q[static_cast<std::size_t>(4 * i + 1)] = moved.y;
      q[static_cast<std::size_t>(4 * i + 2)] = moved.z;
      if (i < elements) q[static_cast<std::size_t>(4 * i + 3)] = random(i, 3);
      if (i < elements)
        rod().set_quaternion(i, rod().quaternion(i) * rotation({0.2 * random(i, 3), random(i, 1), 0}));
      rod().set_vec3(field::rest_curvature, i - 1, {random(i, 1), 2 * random(i, 0), random(i, 2)});
    }
  }

  double energy() const {
    const ElasticEnergy e = elastic_energy(rod(), hinge_laws(rod()), q.data());
    return e.stretching + e.bending + e.twisting;
  }
  std::vector<double> gradient() const {
    std::vector<double> g(q.size(), 0.0);
    add_elastic_gradient(rod(), hinge_laws(rod()), q.data(), g.data());
    return g;
  }
};

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST(DerElasticEnergy, GradientIsThatOfTheEnergy) {
  MovedRod moved;
  const std::vector<double> gradient = moved.gradient();
  constexpr double step = 1e-6;
  for (std::size_t i = 0; i < moved.q.size(); ++i) {
    const double here = moved.q[i];
    moved.q[i] = here + step;
    const double ahead = moved.energy();
    moved.q[i] = here - step;
    const double behind = moved.energy();
    moved.q[i] = here;
    EXPECT_NEAR(gradient[i], (ahead - behind) / (2 * step), 1e-6 * largest(gradient)) << "entry " << i;
  }
}

TEST(DerElasticEnergy, HessianIsThatOfTheGradient) {
  MovedRod moved;
  const int size = static_cast<int>(moved.q.size());
  BandedMatrix hessian(size, elastic_bandwidth);
  add_elastic_hessian(moved.rod(), hinge_laws(moved.rod()), moved.q.data(), hessian, 0);
  double stiffest = 0.0;
  for (int i = 0; i < size; ++i) stiffest = std::max(stiffest, hessian.at(i, i));
  constexpr double step = 1e-6;
  for (int i = 0; i < size; ++i) {
    double& entry = moved.q[static_cast<std::size_t>(i)];
    const double here = entry;
    entry = here + step;
    const std::vector<double> ahead = moved.gradient();
    entry = here - step;
    const std::vector<double> behind = moved.gradient();
    entry = here;
    for (int j = 0; j < size; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const double difference = (ahead[k] - behind[k]) / (2 * step);
      const double entry_ij = std::abs(i - j) <= elastic_bandwidth ? hessian.at(i, j) : 0.0;
      EXPECT_NEAR(entry_ij, difference, 1e-6 * stiffest) << "entry " << i << ", " << j;
    }
  }
}

/// Free ends: the energy does not change as the whole rod moves and turns.
TEST(DerElasticEnergy, ForcesOfAFreeRodHaveNoResultant) {
  MovedRod moved;
  const RodView rod = moved.rod();
  for (const int region : {-1, MovedRod::elements - 1}) {
    rod.array(field::bend_stiffness)[region] = 0.0;
    rod.array(field::twist_stiffness)[region] = 0.0;
  }
  const std::vector<double> g = moved.gradient();
  Vec3 force;
  for (std::size_t i = 0; i <= MovedRod::elements; ++i)
    force = force + Vec3{g[4 * i], g[4 * i + 1], g[4 * i + 2]};
  EXPECT_NEAR(norm(force), 0.0, 1e-12 * largest(g));

  // A small turn about an axis: of positions, and of the frames at the start of the step.
  const double energy = moved.energy();
  const Vec3 turn = {0.02, -0.03, 0.05};
  for (int i = 0; i <= MovedRod::elements; ++i) {
    const auto k = static_cast<std::size_t>(4 * i);
    const Vec3 turned =
        directors(conjugate(rotation(turn))).to_body({moved.q[k], moved.q[k + 1], moved.q[k + 2]});
    moved.q[k] = turned.x;
    moved.q[k + 1] = turned.y;
    moved.q[k + 2] = turned.z;
    rod.set_quaternion(i, rotation(turn) * rod.quaternion(i));
  }
  EXPECT_NEAR(moved.energy(), energy, 1e-13 * energy);
}

/// The couples at clamps, against the work as the held directors turn.
TEST(DerElasticEnergy, EndCouplesAreThoseOfTheClamps) {
  MovedRod moved;
  const RodView rod = moved.rod();
  // The state of the arrays: edges along their frames.
  Vec3 place;
  for (int i = 0; i <= MovedRod::elements; ++i) {
    const auto k = static_cast<std::size_t>(4 * i);
    moved.q[k] = place.x;
    moved.q[k + 1] = place.y;
    moved.q[k + 2] = place.z;
    if (i < MovedRod::elements) moved.q[k + 3] = 0.0;
    place = place + 0.2 * directors(rod.quaternion(i)).d3;
  }
  constexpr double step = 1e-5;
  const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const struct {
    int clamp;
    int element;
    double sign;
    Vec3 couple;
  } ends[2] = {{-1, 0, 1.0, couple_after(rod, hinge_laws(rod), 0)},
               {MovedRod::elements, MovedRod::elements - 1, -1.0,
                couple_before(rod, hinge_laws(rod), MovedRod::elements)}};
  for (const auto& end : ends) {
    const Vec3 couple = directors(rod.quaternion(end.element)).to_laboratory(end.couple);
    for (const Vec3& axis : axes) {
      const Quaternion held = rod.quaternion(end.clamp);
      rod.set_quaternion(end.clamp, rotation(step * axis) * held);
      const double ahead = moved.energy();
      rod.set_quaternion(end.clamp, rotation(-step * axis) * held);
      const double behind = moved.energy();
      rod.set_quaternion(end.clamp, held);
      EXPECT_NEAR(end.sign * dot(couple, axis), -(ahead - behind) / (2 * step), 1e-7);
    }
  }
}

}  // namespace
}  // namespace rodeo::der
