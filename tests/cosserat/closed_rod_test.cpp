#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/observe/writhe.hpp"
#include "rodeo/rod/initial_shape.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

constexpr double ring_radius = 1.0 / (2 * M_PI);

MemberSpec ring(int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  spec.rod.direction = normalized({1, 2, -0.5});
  spec.rod.normal = normalized(cross(spec.rod.direction, {0, 0, 1}));
  return spec;
}

/// A lively state of a ring, smooth across its seam; `shift` elements further along.
void stir_ring(const TestRod& test, double amount, int shift = 0) {
  const RodView rod = test.view();
  for (int i = 0; i < rod.elements; ++i) {
    const double a = 2 * M_PI * (i + shift) / rod.elements;
    rod.set_vec3(field::velocity, i,
                 amount * Vec3{std::cos(2 * a), -std::sin(3 * a), 0.5 * std::sin(a) + 0.2});
    const double m = a + M_PI / rod.elements;
    const Vec3 rate = amount * Vec3{std::sin(m), 1.5, -3 * std::cos(2 * m)};
    rod.set_vec3(field::angular_velocity, i, directors(rod.quaternion(i)).to_body(rate));
  }
}

TEST(ClosedRod, LastNodeIsTheFirst) {
  for (const int elements : {3, 7, 8, 9, 16}) {
    TestRod test(ring(elements));
    stir_ring(test, 0.3);
    test.advance(200);
    const RodView rod = test.view();
    EXPECT_EQ(norm(rod.vec3(field::position, elements) - rod.vec3(field::position, 0)), 0.0);
    EXPECT_EQ(norm(rod.vec3(field::velocity, elements) - rod.vec3(field::velocity, 0)), 0.0);
    EXPECT_NEAR(test.sample().mass, soft_mass, 1e-13);
    EXPECT_GT(norm(rod.vec3(field::velocity, 0)), 1e-3);
  }
}

TEST(ClosedRod, KeepsItsMomentum) {
  MemberSpec spec = ring(20);
  spec.rod.total_twist = 2.3;
  TestRod test(spec);
  stir_ring(test, 0.5);
  const Sample before = test.sample();
  const Sample after = test.advance(5000);
  EXPECT_GT(norm(before.momentum), 0.1);
  EXPECT_NEAR(norm(after.momentum - before.momentum), 0.0, 1e-11);
}

TEST(ClosedRod, StiffOneKeepsEnergyAngularMomentumAndLink) {
  MemberSpec spec = ring(24);
  spec.rod.shear_stiffness = 2e6;
  spec.rod.stretch_stiffness = 3e6;
  spec.rod.rests_straight = true;
  spec.rod.total_twist = 4.0;
  spec.time.step = 0.2 * stable_step(spec.rod);
  TestRod test(spec);
  stir_ring(test, 0.5);
  const auto link = [&] { return observe::closed_linking_number(test.view()); };
  EXPECT_NEAR(observe::turns_of_twist(test.view(), true), link(), 5e-3);
  EXPECT_NEAR(link(), 4.0 / (2 * M_PI), 1e-12);
  const Sample start = test.sample();
  double largest = 0.0;
  double largest_writhe = 0.0;
  Sample end;
  for (int k = 0; k < 20; ++k) {
    end = test.advance(5000);
    largest = std::max(largest, std::abs(energy(end) / energy(start) - 1.0));
    largest_writhe = std::max(largest_writhe, std::abs(observe::centre_line_writhe(test.view(), true)));
    EXPECT_NEAR(link(), 4.0 / (2 * M_PI), 1e-12);
  }
  EXPECT_LT(largest, 2e-3);
  EXPECT_GT(largest_writhe, 1e-3);
  EXPECT_NEAR(norm(end.angular_momentum - start.angular_momentum), 0.0, 2e-4 * soft_mass * ring_radius);
}

/// Adds weight, drag, a ground, muscles and contact as asked.
MemberSpec burdened(int elements, int what) {
  MemberSpec spec = ring(elements);
  spec.rod.rests_straight = true;
  spec.rod.total_twist = 1.0;
  if (what == 1) spec.load.gravity = {1.0, -9.81, 0.5};
  if (what == 2) spec.fluid.viscosity = 3.0;
  if (what == 3) {
    spec.ground.has_plane = true;
    spec.ground.normal = spec.rod.direction;
    spec.ground.origin = -0.05 * spec.rod.direction;
    spec.ground.stiffness = 100.0;
    spec.ground.damping = 1e-3;
    spec.ground.velocity_threshold = 1e-6;
    spec.ground.static_friction = spec.ground.kinetic_friction = {0.3, 0.5, 0.2};
    spec.load.gravity = -9.81 * spec.rod.direction;
  }
  if (what == 4) {
    spec.rod.damping = 4.0;
    spec.rod.damping_decay_time = 0.1;
  }
  if (what == 5) {
    // An ellipse so flat that its long sides press on each other.
    spec.contact = {ContactKind::penalty, 200.0, 1.0};
    spec.rod.radius = 0.03;
    spec.rod.shape = RodShape::file;
    spec.rod.rests_straight = false;
    spec.rod.total_twist = 0.0;  // it would turn the sharp bends against their rest
    for (int i = 0; i < elements; ++i) {
      const double a = 2 * M_PI * i / elements;
      spec.rod.shape_nodes.push_back({0.25 * std::cos(a), 0.028 * std::sin(a), 0.0});
    }
    spec.rod.normal = {0, 0, 1};
    spec.rod.length = 0.0;
    for (const Vec3& edge : shape_edges(spec.rod.shape_nodes, true)) spec.rod.length += norm(edge);
    spec.time.step = 0.2 * stable_step(spec.rod);
  }
  return spec;
}

TEST(ClosedRod, MovesTheSameWhereverItsSeamIs) {
  for (const int what : {0, 1, 2, 3, 4, 5}) {
    constexpr int elements = 20;
    constexpr int shift = 7;
    MemberSpec spec = burdened(elements, what);
    TestRod first(spec);
    MemberSpec turned = spec;
    if (what == 5) {
      std::vector<Vec3>& nodes = turned.rod.shape_nodes;
      std::rotate(nodes.begin(), nodes.begin() + shift, nodes.end());
    } else {
      const double angle = 2 * M_PI * shift / elements;
      turned.rod.normal =
          std::cos(angle) * spec.rod.normal + std::sin(angle) * cross(spec.rod.direction, spec.rod.normal);
    }
    TestRod second(turned);
    stir_ring(first, 0.5);
    stir_ring(second, 0.5, shift);
    first.advance(600);
    const Sample end = second.advance(600);
    EXPECT_TRUE(std::isfinite(energy(end)));
    if (what == 5) {
      EXPECT_GT(end.contact.deepest, 1e-3);
    }
    for (int i = 0; i < elements; ++i) {
      const int other = (i + elements - shift) % elements;
      const Vec3 move = first.view().vec3(field::position, i) - second.view().vec3(field::position, other);
      // Friction and contact are not smooth: rounding grows.
      EXPECT_NEAR(norm(move), 0.0, 1e-9) << "force " << what << ", node " << i;
    }
  }
}

TEST(ClosedRod, FallsFreely) {
  MemberSpec spec = ring(13);
  spec.load.gravity = {1.0, -9.81, 0.5};
  TestRod test(spec);
  const Vec3 start = test.sample().first_moment;
  const Sample end = test.advance(1000);
  EXPECT_NEAR(norm((1 / end.mass) * (end.first_moment - start) - 0.005 * spec.load.gravity), 0.0, 1e-12);
  EXPECT_NEAR(end.shear_energy + end.bend_energy, 0.0, 1e-15);
}

TEST(ClosedRod, RandomPerturbationActsOnEachNodeOnce) {
  MemberSpec spec = ring(11);
  spec.load.perturbation = 2.0;
  spec.load.perturbation_duration = 1.0;
  TestRod test(spec);
  Vec3 sum;
  for (int i = 0; i < 11; ++i)
    sum = sum + test.data().forces.on_nodes.get<forces::RandomPerturbation>().force(i);
  EXPECT_NEAR(norm(test.advance(100).momentum - 0.01 * sum), 0.0, 1e-14);
}

TEST(ClosedRod, SinksInAFluidAsAllItsElementsDo) {
  // A ring across its own way: every element feels 4 pi mu/ln(L/r) per length, at balance with its weight.
  MemberSpec spec = ring(16);
  spec.fluid.viscosity = 300.0;
  spec.load.gravity = -9.81 * spec.rod.direction;
  TestRod test(spec);
  const Sample end = test.advance(3000);
  const double drag = 4 * M_PI * 300.0 / std::log(1.0 / 0.05);
  EXPECT_NEAR(norm((1 / end.mass) * end.momentum - (soft_mass / drag) * spec.load.gravity), 0.0, 1e-9);
}

TEST(ClosedRod, RestsOnTheGroundAndStopsAsAWhole) {
  MemberSpec spec = burdened(15, 3);
  spec.rod.total_twist = 0.0;
  TestRod test(spec);
  const double height = dot(test.sample().first_moment, spec.rod.direction);
  for (int i = 0; i < 15; ++i) test.view().set_vec3(field::angular_velocity, i, {});
  Sample end = test.advance(1000);
  EXPECT_NEAR(dot(end.first_moment, spec.rod.direction), height, 1e-9);
  EXPECT_NEAR(end.translational_energy, 0.0, 1e-18);
  // Spun about its axis, every element rubs along itself with the forward coefficient.
  for (int i = 0; i < 15; ++i) {
    test.view().set_vec3(field::velocity, i, cross(spec.rod.direction, test.view().vec3(field::position, i)));
  }
  const double start = norm(test.sample().angular_momentum);
  end = test.advance(100);
  const double torque = 0.3 * 9.81 * soft_mass * ring_radius;
  EXPECT_NEAR((start - norm(end.angular_momentum)) / 0.01 / torque, 1.0, 0.03);
}

/// Mean period of x(t) over all its upward passages through zero, by steps.
double period_of(TestRod& test, const std::function<double()>& amplitude, std::int64_t steps, double step) {
  double last = amplitude();
  double first_passage = -1.0;
  double passage = 0.0;
  int passages = 0;
  for (std::int64_t k = 0; k < steps; ++k) {
    test.advance(1);
    const double now = amplitude();
    if (last < 0.0 && now >= 0.0) {
      passage = (static_cast<double>(k) + last / (last - now)) * step;
      if (passages++ == 0) first_passage = passage;
    }
    last = now;
  }
  return (passage - first_passage) / (passages - 1);
}

TEST(ClosedRod, BreathesAtItsFrequency) {
  // All nodes outward alike: omega^2 = E/(rho R^2) = S3/(m' R^2) on a circle.
  constexpr int elements = 24;
  MemberSpec spec = ring(elements);
  spec.rod.bend_stiffness = 1e-6;
  spec.time.step = 1e-4;
  TestRod test(spec);
  const RodView rod = test.view();
  for (int i = 0; i < elements; ++i)
    rod.set_vec3(field::velocity, i, 1e-5 * normalized(rod.vec3(field::position, i)));
  const double radius = norm(rod.vec3(field::position, 0));
  const double period = period_of(
      test, [&] { return norm(rod.vec3(field::position, 0)) - radius; }, 20000, spec.time.step);
  const double expected = 2 * M_PI * ring_radius / std::sqrt(3000.0 / soft_mass);
  EXPECT_NEAR(period / expected, 1.0, 4e-3);
}

/// Period of the ring's first in-plane bending mode over that of the thin ring.
double bending_period(int elements) {
  MemberSpec spec = ring(elements);
  spec.rod.shear_stiffness = 2e4;
  spec.rod.stretch_stiffness = 3e4;
  spec.rod.bend_stiffness = 0.2;
  spec.rod.inertia_ratio = 0.05;  // a thin ring's rotational inertia does not count
  spec.time.step = 0.5 * stable_step(spec.rod);
  TestRod test(spec);
  const RodView rod = test.view();
  const Vec3 second = cross(spec.rod.direction, spec.rod.normal);
  // u = cos(2 a) outward and -sin(2 a)/2 along, which stretches nothing.
  for (int i = 0; i < elements; ++i) {
    const double a = 2 * M_PI * i / elements;
    const Vec3 out = std::cos(a) * spec.rod.normal + std::sin(a) * second;
    const Vec3 along = cross(spec.rod.direction, out);
    rod.set_vec3(field::velocity, i, 1e-4 * (std::cos(2 * a) * out - (0.5 * std::sin(2 * a)) * along));
  }
  const auto amplitude = [&] {
    double sum = 0.0;
    for (int i = 0; i < elements; ++i) {
      const double a = 2 * M_PI * i / elements;
      const Vec3 out = std::cos(a) * spec.rod.normal + std::sin(a) * second;
      sum += std::cos(2 * a) * dot(rod.vec3(field::position, i) - spec.rod.origin, out);
    }
    return sum;
  };
  // omega^2 = B/(m' R^4) n^2 (n^2 - 1)^2/(n^2 + 1), n = 2 (Love).
  const double omega = std::sqrt(0.2 / (soft_mass * std::pow(ring_radius, 4)) * 36.0 / 5.0);
  const double time = 3.6 * 2 * M_PI / omega;
  return period_of(test, amplitude, std::llround(time / spec.time.step), spec.time.step) * omega / (2 * M_PI);
}

TEST(ClosedRod, BendsInItsPlaneAtItsFrequency) {
  const double coarse = bending_period(16);
  const double fine = bending_period(32);
  EXPECT_NEAR(fine, 1.0, 0.015);
  // Second order towards a limit that is near the thin ring's.
  EXPECT_NEAR(fine + (fine - coarse) / 3, 1.0, 6e-3) << coarse << " " << fine;
}

TEST(ClosedRod, SeamsNeighboursDoNotTouch) {
  // A thick ring at rest: neighbours along it overlap their spheres, over the seam as elsewhere.
  MemberSpec spec = ring(40);
  spec.rod.radius = 0.04;
  spec.contact = {ContactKind::penalty, 1e5, 0.0};
  TestRod test(spec);
  test.advance(100);
  EXPECT_EQ(test.sample().contact.touching, 0.0);
  EXPECT_EQ(test.sample().contact.deepest, 0.0);
  // Each element leaves out as many on one side as on the other.
  const contact::ContactView view = test.contact().view;
  const int skipped = view.first_partner()[10] - 10;
  EXPECT_GT(skipped, 3);
  EXPECT_EQ(view.seam_begin()[0], 40 - skipped + 1);
  EXPECT_EQ(view.seam_begin()[3], 40 - skipped + 4);
  EXPECT_EQ(view.seam_end()[3], 40);
  EXPECT_EQ(view.seam_begin()[20], 40);
}

TEST(ClosedRod, BesideAnotherRodEachMovesAsAlone) {
  MemberSpec alone = ring(9);
  alone.rod.total_twist = 1.5;
  alone.load.gravity = {0, -3.0, 0};
  MemberSpec both = alone;
  MemberSpec open = soft_rod(6);
  open.rod.origin = {5, 5, 5};
  both.further_rods = {{open.rod, open.boundary, open.load, JointKind::none},
                       {alone.rod, alone.boundary, alone.load, JointKind::none}};
  both.further_rods.back().rod.origin = {-4, 0, 0};
  TestRod one(alone);
  TestRod three(both);
  one.advance(2000);
  three.advance(2000);
  for (int i = 0; i <= 9; ++i) {
    const Vec3 expected = one.view().vec3(field::position, i);
    EXPECT_NEAR(norm(three.rod(0).vec3(field::position, i) - expected), 0.0, 1e-14);
    EXPECT_NEAR(norm(three.rod(2).vec3(field::position, i) - expected - Vec3{-4, 0, 0}), 0.0, 1e-13);
  }
}

}  // namespace
}  // namespace rodeo::cosserat
