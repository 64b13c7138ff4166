#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/boundary/clamp.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

void evaluate_loads(const RodView& rod, bool clamped = false) {
  on_team([&](const auto& team) {
    shear_and_stretch(team, rod);
    bend_and_twist(team, rod);
    boundary::Clamp{clamped, clamped}.apply(team, rod);
  });
}

/// Net force on a node and net couple on an element at present, with gain 1 and rates zero: what the kicks
/// apply.

TEST(Elasticity, AxialLoadIsAppendixB) {
  // F = A_hat E (e - 1)/e, exactly, at any stretch.
  for (const double e : {0.7, 0.9, 1.0, 1.15, 1.3, 2.0}) {
    TestRod test(soft_rod(10));
    const RodView rod = test.view();
    for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::position, i, {0, 0, e * i * 0.1});
    evaluate_loads(rod);
    for (int i = 0; i < rod.elements; ++i) {
      EXPECT_NEAR(rod.vec3(field::internal_force, i).z, 3000.0 * (e - 1) / e, 1e-10);
      EXPECT_NEAR(norm(rod.vec3(field::shear_couple, i)), 0.0, 1e-12);
    }
  }
}

TEST(Elasticity, ShearLoadAndItsCouple) {
  // Nodes moved along x under fixed directors: sigma_1 = gamma, n_1 = S1 gamma/e, couple (Q t x S sigma)
  // l_hat.
  const double gamma = 0.2;
  TestRod test(soft_rod(10));
  const RodView rod = test.view();
  for (int i = 0; i < rod.nodes(); ++i) rod.set_vec3(field::position, i, {gamma * 0.1 * i, 0, 0.1 * i});
  evaluate_loads(rod);
  const double e = std::sqrt(1 + gamma * gamma);
  for (int i = 0; i < rod.elements; ++i) {
    EXPECT_NEAR(rod.vec3(field::internal_force, i).x, 2000.0 * gamma / e, 1e-10);
    EXPECT_NEAR(rod.vec3(field::shear_couple, i).y, 2000.0 * gamma / e * 0.1, 1e-11);
  }
}

TEST(Elasticity, UniformBendAndTwistGiveBKappa) {
  const double kappa = 0.7;
  const double twist = 1.1;
  MemberSpec spec = soft_rod(20);
  TestRod test(spec);
  const RodView rod = test.view();
  // Directors turn by (kappa, 0, twist) per length, in the body frame.
  Quaternion q = rod.quaternion(0);
  for (int i = 0; i < rod.elements; ++i) {
    rod.set_quaternion(i, q);
    q = q * rotation(0.05 * Vec3{kappa, 0, twist});
  }
  evaluate_loads(rod);
  // tau = B kappa and, with the turn theta, (1 - (theta/2) cot(theta/2)) theta x (theta x tau)/theta^2.
  const Vec3 tau = {0.8 * kappa, 0, 0.5 * twist};
  const double length = std::hypot(kappa, twist);
  const Vec3 axis = {kappa / length, 0, twist / length};
  const double half = 0.5 * 0.05 * length;
  const Vec3 expected = tau + (1.0 - half / std::tan(half)) * cross(axis, cross(axis, tau));
  for (int i = 0; i + 1 < rod.elements; ++i) {
    EXPECT_NEAR(norm(rod.vec3(field::bend_couple, i) - expected), 0.0, 1e-12);
    // Half of kappa x B kappa D.
    EXPECT_NEAR(rod.vec3(field::transport_couple, i).y,
                0.5 * (twist * 0.8 * kappa - kappa * 0.5 * twist) * 0.05, 1e-13);
  }
}

void compare_loads_with_energy(EndCondition ends) {
  // For e = 1 the scheme is Hamiltonian. With lengths kept by construction (only directors turn) the couples
  // of bend, twist and shear must be the derivative of the sampled energy along a body rotation of one
  // element.
  MemberSpec spec = soft_rod(12);
  spec.boundary = {ends, ends};
  TestRod test(spec);
  const RodView rod = test.view();
  for (int i = 0; i < rod.elements; ++i) {
    const double s = (i + 0.5) / rod.elements;
    const double amount = 2.0 * s * (1.0 - s);  // a clamp's half region takes no large turn
    rod.set_quaternion(i, rod.quaternion(i) *
                              rotation(amount * Vec3{0.2 * std::sin(4 * s), 0.3 * s, 0.5 * std::cos(3 * s)}));
  }
  const auto energy = [&] {
    const Sample s = test.sample();
    return s.bend_energy + s.twist_energy + s.shear_energy;
  };
  evaluate_loads(rod, ends == EndCondition::clamped);
  const double h = 1e-5;
  for (const int i : {0, 1, 5, 11}) {
    const Vec3 couple = couple_on(rod, i);
    const Quaternion q = rod.quaternion(i);
    const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < 3; ++c) {
      rod.set_quaternion(i, q * rotation(h * axes[c]));
      const double up = energy();
      rod.set_quaternion(i, q * rotation(-h * axes[c]));
      const double down = energy();
      rod.set_quaternion(i, q);
      EXPECT_NEAR(dot(couple, axes[c]), -(up - down) / (2 * h), 1e-7 * norm(couple))
          << "element " << i << " axis " << c;
    }
  }
}

TEST(Elasticity, LoadsAreMinusTheGradientOfTheEnergyOfAFreeRod) {
  compare_loads_with_energy(EndCondition::free);
}
TEST(Elasticity, LoadsAreMinusTheGradientOfTheEnergyOfAClampedRod) {
  compare_loads_with_energy(EndCondition::clamped);
}

TEST(Elasticity, ForcesOfRigidSectionsAreMinusTheGradientOfTheEnergy) {
  MemberSpec spec = soft_rod(12);
  spec.sections_shrink = 0.0;
  TestRod test(spec);
  const RodView rod = test.view();
  stir(rod, 0.3);
  evaluate_loads(rod);
  const auto energy = [&] {
    const Sample s = test.sample();
    return s.bend_energy + s.twist_energy + s.shear_energy;
  };
  const double h = 1e-6;
  for (const int i : {0, 1, 4, 12}) {
    const Vec3 r = rod.vec3(field::position, i);
    const Vec3 force = force_on(rod, i);
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      rod.set_vec3(field::position, i, r + h * axis);
      const double up = energy();
      rod.set_vec3(field::position, i, r - h * axis);
      const double down = energy();
      rod.set_vec3(field::position, i, r);
      EXPECT_NEAR(dot(force, axis), -(up - down) / (2 * h), 1e-7 * norm(force)) << "node " << i;
    }
  }
}

TEST(Elasticity, ForcesAreMinusTheGradientOfTheEnergyAtUnitDilatation) {
  TestRod test(soft_rod(12));
  const RodView rod = test.view();
  for (int i = 0; i < rod.elements; ++i) {
    rod.set_quaternion(i, rod.quaternion(i) * rotation({0.1 * std::sin(i), 0.2 * std::cos(2.0 * i), 0.3}));
  }
  evaluate_loads(rod);
  const double h = 1e-6;
  for (const int i : {0, 4, 12}) {
    const Vec3 r = rod.vec3(field::position, i);
    const Vec3 force = force_on(rod, i);
    for (int c = 0; c < 2; ++c) {  // across the rod: lengths change in second order only
      const Vec3 move = c == 0 ? Vec3{h, 0, 0} : Vec3{0, h, 0};
      rod.set_vec3(field::position, i, r + move);
      const double up = test.sample().shear_energy;
      rod.set_vec3(field::position, i, r - move);
      const double down = test.sample().shear_energy;
      rod.set_vec3(field::position, i, r);
      EXPECT_NEAR(c == 0 ? force.x : force.y, -(up - down) / (2 * h), 1e-6 * norm(force) + 1e-7);
    }
  }
}

TEST(Elasticity, LoadsSumToZeroForceAndCouple) {
  for (const double sections_shrink : {0.0, 1.0}) {
    MemberSpec spec = soft_rod(15);
    spec.sections_shrink = sections_shrink;
    TestRod test(spec);
    const RodView rod = test.view();
    stir(rod, 0.3);
    evaluate_loads(rod);
    Vec3 force;
    Vec3 moment;
    double force_size = 0.0;
    double moment_size = 0.0;
    for (int i = 0; i < rod.nodes(); ++i) {
      force = force + force_on(rod, i);
      moment = moment + cross(rod.vec3(field::position, i), force_on(rod, i));
      force_size += norm(force_on(rod, i));
      moment_size += norm(cross(rod.vec3(field::position, i), force_on(rod, i)));
    }
    for (int i = 0; i < rod.elements; ++i) {
      moment = moment + directors(rod.quaternion(i)).to_laboratory(couple_on(rod, i));
      moment_size += norm(couple_on(rod, i));
    }
    EXPECT_NEAR(norm(force), 0.0, 1e-14 * force_size);
    EXPECT_NEAR(norm(moment), 0.0, 1e-13 * moment_size);
  }
}

TEST(Elasticity, RestShapeIsFreeOfLoads) {
  MemberSpec spec = soft_rod(9);
  spec.rod.direction = normalized({1, 2, -0.5});
  spec.rod.normal = normalized(cross(spec.rod.direction, {0, 0, 1}));
  TestRod test(spec);
  evaluate_loads(test.view());
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(norm(force_on(test.view(), i)), 0.0, 1e-10);
    EXPECT_NEAR(norm(couple_on(test.view(), i)), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace rodeo::cosserat
