#include "rodeo/contact/spring_friction.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/contact/pair_contact.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/observe/energies.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::contact {
namespace {

using cosserat::TestRod;

constexpr double rubbing_radius = 0.02;  // m
constexpr double rubbing_g = 9.81;       // m/s^2
constexpr double rubbing_mu = 0.4;

const Vec3 along_x = {1, 0, 0};
const Vec3 along_y = {0, 1, 0};

/// A stiff rod of half a metre about a middle.
RodSetup stiff_rod(int elements, const Vec3& middle, const Vec3& direction, const Vec3& normal) {
  RodSetup setup;
  setup.rod = cosserat::soft_rod(elements).rod;
  setup.rod.length = 0.5;
  setup.rod.radius = rubbing_radius;
  setup.rod.bend_stiffness = 200.0;
  setup.rod.twist_stiffness = 150.0;
  setup.rod.shear_stiffness = 1e6;
  setup.rod.stretch_stiffness = 1e6;
  setup.rod.origin = middle - 0.25 * direction;
  setup.rod.direction = direction;
  setup.rod.normal = normal;
  return setup;
}

/// A fixed rod of one element, with both ends held.
RodSetup rail(const Vec3& middle, const Vec3& direction, const Vec3& normal) {
  RodSetup setup = stiff_rod(1, middle, direction, normal);
  setup.boundary.first = setup.boundary.last = EndCondition::clamped;
  return setup;
}

MemberSpec rubbing(const std::vector<RodSetup>& rods) {
  MemberSpec spec = cosserat::soft_rod(1);
  spec.rod = rods.front().rod;
  spec.boundary = rods.front().boundary;
  spec.further_rods.assign(rods.begin() + 1, rods.end());
  spec.contact.kind = ContactKind::penalty;
  spec.contact.stiffness = 2e4;
  spec.contact.tangential_stiffness = 1.6e4;
  spec.contact.damping = 20.0;
  spec.contact.friction = rubbing_mu;
  spec.sections_shrink = 0.0;
  spec.time.step = 0.2 * cosserat::step_bounds(spec).all.step;
  return spec;
}

/// Weight on a slope, of the angle whose tangent that is, which falls along -y.
Vec3 gravity_on_slope(double tangent) {
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  return rubbing_g * cosine * Vec3{0, -tangent, -1};
}

/// A rod that points down the slope and lies on two rails across it: it can slide and not roll.
MemberSpec slider(double tangent) {
  const double height = 2.0 * rubbing_radius;
  MemberSpec spec = rubbing({stiff_rod(7, {0, 0, height}, along_y, along_x),
                             rail({0, 0.13, 0}, along_x, along_y), rail({0, -0.13, 0}, along_x, along_y)});
  spec.load.gravity = gravity_on_slope(tangent);
  for (RodSetup& setup : spec.further_rods) setup.load.gravity = spec.load.gravity;
  return spec;
}

/// Of the centre of mass of a rod.
Vec3 mean_velocity(TestRod& test, int k) {
  const RodView rod = test.rod(k);
  Vec3 momentum;
  double mass = 0.0;
  for (int i = 0; i < rod.nodes(); ++i) {
    const double of_node = rod.array(field::mass)[i];
    momentum = momentum + of_node * rod.vec3(field::velocity, i);
    mass += of_node;
  }
  return (1.0 / mass) * momentum;
}

std::int64_t steps_in(const MemberSpec& spec, double seconds) {
  return static_cast<std::int64_t>(std::round(seconds / spec.time.step));
}

TEST(SpringFriction, HoldsBelowTheAngleOfFriction) {
  MemberSpec spec = slider(0.99 * rubbing_mu);
  spec.rod.damping = 10.0;
  TestRod test(spec);
  test.advance(steps_in(spec, 2.0));
  const double settled = test.rod(0).vec3(field::position, 3).y;
  test.advance(steps_in(spec, 3.0));
  EXPECT_NEAR(test.rod(0).vec3(field::position, 3).y, settled, 1e-9);
  EXPECT_LT(norm(mean_velocity(test, 0)), 1e-9);
}

TEST(SpringFriction, SlipsBeyondTheAngleOfFriction) {
  for (const double tangent : {1.01 * rubbing_mu, 1.5 * rubbing_mu}) {
    const MemberSpec spec = slider(tangent);
    TestRod test(spec);
    test.advance(steps_in(spec, 0.1));
    const double before = mean_velocity(test, 0).y;
    test.advance(steps_in(spec, 0.1));
    const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
    const double acceleration = rubbing_g * cosine * (tangent - rubbing_mu);
    EXPECT_NEAR((before - mean_velocity(test, 0).y) / 0.1, acceleration, 1e-3 * rubbing_g * cosine)
        << tangent;
  }
}

TEST(SpringFriction, RollsOnRailsDownASlope) {
  // A cylinder on rails that point down the slope: a = g sin/(1 + J/(m r^2)), J = m r^2/2. Where the surfaces
  // meet, arms are shorter by half the overlap.
  const double height = 2.0 * rubbing_radius;
  const double tangent = 0.2;
  MemberSpec spec = rubbing({stiff_rod(7, {0, 0.1, height}, along_x, along_y),
                             rail({0.13, 0, 0}, along_y, along_x), rail({-0.13, 0, 0}, along_y, along_x)});
  spec.load.gravity = gravity_on_slope(tangent);
  TestRod test(spec);
  test.advance(steps_in(spec, 0.1));
  const double before = mean_velocity(test, 0).y;
  test.advance(steps_in(spec, 0.1));
  const double down_slope = rubbing_g * tangent / std::sqrt(1.0 + tangent * tangent);
  EXPECT_NEAR((before - mean_velocity(test, 0).y) / 0.1, down_slope / 1.5, 5e-3 * down_slope);
  const Vec3 spin =
      directors(test.rod(0).quaternion(3)).to_laboratory(test.rod(0).vec3(field::angular_velocity, 3));
  EXPECT_NEAR(spin.x * rubbing_radius, -mean_velocity(test, 0).y, 5e-3 * std::abs(mean_velocity(test, 0).y));
}

/// A damped roller that rolls slowly down a slope, on two rails over whose nodes it comes; where it lies
/// askew it comes over its own too. Its weight pulls it along its axis as well, by half of what friction
/// bears.
struct RollerOverNodes {
  explicit RollerOverNodes(double skew)
      : axis{std::cos(skew), std::sin(skew), 0}, spec(make_spec(axis)), test(spec) {
    test.advance(steps_in(spec, 0.2));
  }

  static MemberSpec make_spec(const Vec3& axis) {
    const Vec3 down = {axis.y, -axis.x, 0};
    std::vector<RodSetup> rods = {stiff_rod(14, {0, 0.2, 2.0 * rubbing_radius}, axis, {0, 0, 1})};
    for (const double x : {-0.135, 0.135}) {
      rods.push_back(stiff_rod(20, {x, 0, 0}, along_y, along_x));
      rods.back().boundary.first = rods.back().boundary.last = EndCondition::clamped;
    }
    for (RodSetup& setup : rods) setup.rod.damping = 10.0;
    MemberSpec spec = rubbing(rods);
    spec.load.gravity = rubbing_g * (0.05 * down - Vec3{0, 0, 1} + 0.5 * rubbing_mu * axis);
    for (RodSetup& setup : spec.further_rods) setup.load.gravity = spec.load.gravity;
    spec.time.step *= 2.0;
    return spec;
  }

  double pull() const {
    const double mass = 1000.0 * M_PI * rubbing_radius * rubbing_radius * 0.5;
    return mass * 0.5 * rubbing_mu * rubbing_g;
  }
  Vec3 middle() { return test.rod(0).vec3(field::position, 7); }

  /// How far it has come along its axis on the rails, which bend a little.
  double along_axis() {
    double of_rails = 0.0;
    for (const int k : {1, 2}) {
      const RodView rail = test.rod(k);
      const double at = (middle().y + 0.25) / 0.025;
      const int i = static_cast<int>(at);
      const double first = rail.vec3(field::position, i).x;
      of_rails += 0.5 * (first + (at - i) * (rail.vec3(field::position, i + 1).x - first));
    }
    return dot(middle() - Vec3{of_rails, 0, 0}, axis);
  }

  /// What the springs bear along the axis, N.
  double held() {
    const ContactView& view = test.contact().view;
    Vec3 stretch;
    for (int p = 0; p < view.list(list_entry::pairs); ++p)
      stretch = stretch + view.shares()[p] * view.springs()(p);
    return spec.contact.tangential_stiffness * std::abs(dot(stretch, axis));
  }

  Vec3 axis;
  MemberSpec spec;
  TestRod test;
};

TEST(SpringFriction, HoldsARollerWhileItPassesNodes) {
  RollerOverNodes roller(0.0);
  double least = 1.0;
  double most = 0.0;
  double at_nodes = 0.0;  // the friction of all pairs where there are two on each rail
  for (int k = 0; k < 1000; ++k) {
    const Sample now = roller.test.advance(steps_in(roller.spec, 1e-3));
    least = std::min(least, roller.held() / roller.pull());
    most = std::max(most, roller.held() / roller.pull());
    if (now.contact.touching < 4.0) continue;
    at_nodes = 0.0;
    for (const Touch& touch : touching(roller.test.contact(), roller.test.view())) at_nodes += touch.friction;
  }
  EXPECT_GT(least, 0.98);
  EXPECT_LT(most, 1.02);
  EXPECT_NEAR(at_nodes, roller.pull(), 0.03 * roller.pull());
}

TEST(SpringFriction, DoesNotCreepAsARollerPassesNodes) {
  for (const double skew : {0.0, 0.1}) {
    RollerOverNodes roller(skew);
    const double before = roller.along_axis();
    const double from = roller.middle().y;
    const double stretch = roller.pull() / (2.0 * roller.spec.contact.tangential_stiffness);
    roller.test.advance(steps_in(roller.spec, 1.5));
    EXPECT_GT(from - roller.middle().y, 2 * 0.025);
    EXPECT_NEAR(roller.along_axis(), before, 0.1 * stretch) << skew;
  }
}

TEST(SpringFriction, AccountsForTheEnergyOfSpringsThatPassNodes) {
  MemberSpec spec = RollerOverNodes::make_spec({std::cos(0.1), std::sin(0.1), 0});
  spec.time.step *= 0.25;
  spec.contact.damping = 0.0;
  spec.rod.damping = 0.0;
  for (RodSetup& setup : spec.further_rods) setup.rod.damping = 0.0;
  spec.rod.velocity = {0, -0.2, 0};
  TestRod test(spec);
  const double before = observe::conserved_energy(spec, test.sample());
  double most = 0.0;
  double held = 0.0;
  Sample now;
  for (int k = 0; k < 500; ++k) {
    now = test.advance(steps_in(spec, 1e-3));
    most = std::max(most, std::abs(observe::conserved_energy(spec, now) + now.friction_loss - before));
    held = std::max(held, now.contact_energy);
  }
  EXPECT_LT(most, 1e-4 * now.friction_loss);
  EXPECT_GT(held, 1e-3);
}

/// Two free rods that meet askew, off their middles, one of them spinning.
MemberSpec oblique_hit(double friction, double damping) {
  RodSetup lower = stiff_rod(10, {0, 0, 0}, along_x, along_y);
  RodSetup upper = stiff_rod(10, {0.06, 0.05, 0.045}, normalized({0.3, 1, 0}), {0, 0, 1});
  upper.rod.velocity = {0.7, 0.4, -1};
  MemberSpec spec = rubbing({lower, upper});
  spec.contact.friction = friction;
  spec.contact.damping = damping;
  return spec;
}

TEST(SpringFriction, ActsAndReacts) {
  const MemberSpec spec = oblique_hit(rubbing_mu, 2.0);
  TestRod test(spec);
  for (int k = 0; k < 200 && test.sample().contact_energy < 1e-3; ++k) test.advance(20);
  const RodView all = test.view();
  cosserat::on_team([&](const auto& team) {
    for (int i = 0; i < all.nodes(); ++i) all.set_vec3(field::external_force, i, {});
    for (int i = 0; i < all.elements; ++i) all.set_vec3(field::external_couple, i, {});
    test.contact().add(team, all, 0.0);
  });
  Vec3 force;
  Vec3 couple;
  double largest = 0.0;
  for (int k = 0; k < 2; ++k) {
    const RodView rod = test.rod(k);
    for (int i = 0; i < rod.nodes(); ++i) {
      const Vec3 on_node = rod.vec3(field::external_force, i);
      force = force + on_node;
      couple = couple + cross(rod.vec3(field::position, i), on_node);
    }
    for (int i = 0; i < rod.elements; ++i) {
      const Vec3 on_element = directors(rod.quaternion(i)).to_laboratory(rod.vec3(field::external_couple, i));
      couple = couple + on_element;
      largest = std::max(largest, norm(on_element));
    }
  }
  EXPECT_LT(norm(force), 1e-12);
  EXPECT_LT(norm(couple), 1e-12);
  EXPECT_GT(largest, 0.01);
}

TEST(SpringFriction, GainsNothingWhereItIsDampedAndSlides) {
  const MemberSpec spec = oblique_hit(0.1, 10.0);
  TestRod test(spec);
  const double before = observe::conserved_energy(spec, test.sample());
  double most = 0.0;
  for (int k = 0; k < 400; ++k)
    most = std::max(most, observe::conserved_energy(spec, test.advance(steps_in(spec, 1e-4))));
  EXPECT_LT(most, (1.0 + 1e-4) * before);
  EXPECT_LT(observe::conserved_energy(spec, test.sample()), 0.9 * before);
}

TEST(SpringFriction, KeepsMomentaAndAccountsForItsEnergy) {
  MemberSpec spec = oblique_hit(rubbing_mu, 0.0);
  spec.time.step *= 0.25;
  TestRod test(spec);
  const Sample before = test.sample();
  const double energy_before = observe::conserved_energy(spec, before);
  Sample now;
  for (int k = 0; k < 40; ++k) {
    now = test.advance(steps_in(spec, 1e-3));
    EXPECT_LT(norm(now.momentum - before.momentum), 1e-12 * norm(before.momentum));
    // Steps turn elements to second order.
    EXPECT_LT(norm(now.angular_momentum - before.angular_momentum), 1e-7 * norm(before.angular_momentum));
    // What friction took is known half a step before the energies.
    EXPECT_NEAR(observe::conserved_energy(spec, now) + now.friction_loss, energy_before,
                3e-5 * energy_before);
  }
  EXPECT_NEAR(observe::conserved_energy(spec, now) + now.friction_loss, energy_before,
              1e-5 * now.friction_loss);
  EXPECT_EQ(now.contact.touching, 0.0);
  EXPECT_GT(now.contact.deepest, 1e-4);
  EXPECT_GT(now.friction_loss, 0.01 * energy_before);
}

TEST(SpringFriction, DoesNotDependOnWhenPairsAreListed) {
  const MemberSpec spec = oblique_hit(rubbing_mu, 2.0);
  TestRod once(spec);
  TestRod often(spec);
  for (int k = 0; k < 200; ++k) {
    once.advance(20);
    often.advance(20);
    often.contact().view.list(list_entry::built) = 0;
  }
  EXPECT_GT(often.contact().view.list(list_entry::builds),
            once.contact().view.list(list_entry::builds) + 100);
  EXPECT_EQ(often.state(), once.state());
  EXPECT_EQ(often.sample().friction_loss, once.sample().friction_loss);
}

TEST(SpringFriction, IsNothingWithoutACoefficient) {
  MemberSpec smooth = oblique_hit(0.0, 0.0);
  MemberSpec rough = oblique_hit(1e-12, 0.0);
  smooth.time.step = rough.time.step;
  TestRod without(smooth);
  TestRod with(rough);
  const std::int64_t steps = steps_in(rough, 0.02);
  EXPECT_EQ(without.advance(steps).friction_loss, 0.0);
  EXPECT_LT(with.advance(steps).friction_loss, 1e-9);
  EXPECT_NEAR(without.rod(1).vec3(field::position, 0).x, with.rod(1).vec3(field::position, 0).x, 1e-9);
}

}  // namespace
}  // namespace rodeo::contact
