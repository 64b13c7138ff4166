#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/math/rotation.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::cosserat {
namespace {

ConnectionEnd node_of(int rod, int node) { return {.rod = rod, .node = node}; }
ConnectionEnd element_of(int rod, int element, double fraction = 0.5) {
  return {.rod = rod, .element = element, .fraction = fraction};
}

/// So many stiff rods of half a metre in four elements, from the origin along directions in the x-z plane.
MemberSpec star(const std::vector<double>& angles) {
  MemberSpec spec = soft_rod(4);
  spec.rod.length = 0.5;
  spec.rod.bend_stiffness = 50.0;
  spec.rod.twist_stiffness = 30.0;
  spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 1e5;
  spec.rod.normal = {0, 1, 0};
  for (std::size_t k = 0; k < angles.size(); ++k) {
    RodSetup setup{spec.rod, {}, {}, JointKind::none};
    setup.rod.direction = {std::sin(angles[k]), 0, std::cos(angles[k])};
    if (k == 0) {
      spec.rod = setup.rod;
    } else {
      spec.further_rods.push_back(setup);
    }
  }
  return spec;
}

/// Smooth velocities of every part, as of one body that bends.
void set_off(const TestRod& test) {
  const RodView all = test.view();
  for (int i = 0; i <= all.elements; ++i) {
    const Vec3 r = all.vec3(field::position, i);
    if (std::abs(r.x) > 10) continue;  // between rods
    all.set_vec3(field::velocity, i, {2 * r.z * r.z + 0.3, 3 * r.x + r.z, r.x - 1.5 * r.y});
  }
}

double energy_of(const Sample& s) { return energy(s) + s.connection_energy; }

TEST(Spring, SwingsTwoMassesAtTheirFrequency) {
  MemberSpec spec = star({0.0, 0.0});
  spec.further_rods[0].rod.origin = {0, 0, 0.8};
  spec.further_rods[0].rod.density = 3000.0;
  spec.connections = {
      {.kind = ConnectionKind::spring, .ends = {node_of(0, 4), node_of(1, 0)}, .stiffness = 20.0}};
  spec.time.step = 0.5 * cosserat::step_bounds(spec).all.step;
  TestRod test(spec);
  const double mass = soft_mass * 0.5;
  const double omega = std::sqrt(20.0 * (1 / mass + 1 / (3 * mass)));
  for (int i = 0; i <= 4; ++i) test.rod(0).set_vec3(field::velocity, i, {0, 0, 0.3});
  for (int i = 0; i <= 4; ++i) test.rod(1).set_vec3(field::velocity, i, {0, 0, -0.1});
  const double amplitude = 0.4 / omega;
  const auto centre = [](const RodView& rod) { return rod.vec3(field::position, 2).z; };
  const double apart = centre(test.rod(1)) - centre(test.rod(0));
  for (int k = 1; k <= 20; ++k) {
    test.advance(static_cast<std::int64_t>(0.3 / omega / spec.time.step));
    const double time = static_cast<double>(test.taken()) * spec.time.step;
    EXPECT_NEAR(centre(test.rod(1)) - centre(test.rod(0)) - apart, -amplitude * std::sin(omega * time),
                5e-3 * amplitude);
  }
}

TEST(Spring, OfNoLengthDrawsNodesTogether) {
  MemberSpec spec = star({0.0, 0.0});
  spec.further_rods[0].rod.origin = {0, 0, 0.6};
  spec.connections = {{.kind = ConnectionKind::spring,
                       .ends = {node_of(0, 4), node_of(1, 0)},
                       .stiffness = 200.0,
                       .length = 0.0,
                       .damping = 30.0}};
  spec.time.step = 0.5 * cosserat::step_bounds(spec).all.step;
  TestRod test(spec);
  const Sample before = test.sample();
  const Sample after = test.advance(static_cast<std::int64_t>(3.0 / spec.time.step));
  EXPECT_LT(norm(test.rod(1).vec3(field::position, 0) - test.rod(0).vec3(field::position, 4)), 1e-4);
  EXPECT_NEAR(before.connection_energy, 0.5 * 200.0 * 0.01, 1e-12);
  EXPECT_LT(energy_of(after), 1e-3 * before.connection_energy);
  EXPECT_LT(norm(after.momentum), 1e-12);
}

TEST(BallConnection, OfThreeRodsKeepsOneNodeMomentumAndEnergy) {
  MemberSpec spec = star({0.0, 2.0, 4.1});
  spec.connections = {{.kind = ConnectionKind::ball, .ends = {node_of(0, 0), node_of(1, 0)}},
                      {.kind = ConnectionKind::ball, .ends = {node_of(2, 0), node_of(1, 0)}}};
  spec.time.step = 0.2 * cosserat::step_bounds(spec).all.step;
  EXPECT_TRUE(std::isinf(cosserat::step_bounds(spec).connections.step));
  TestRod test(spec);
  EXPECT_EQ(test.connections().joint_count, 1);
  set_off(test);
  const Sample start = test.sample();
  for (int k = 0; k < 10; ++k) {
    const Sample now = test.advance(2000);
    const Vec3 node = test.rod(0).vec3(field::position, 0);
    for (int rod = 1; rod < 3; ++rod) {
      EXPECT_EQ(norm(test.rod(rod).vec3(field::position, 0) - node), 0.0);
      EXPECT_EQ(norm(test.rod(rod).vec3(field::velocity, 0) - test.rod(0).vec3(field::velocity, 0)), 0.0);
    }
    EXPECT_NEAR(energy_of(now) / energy_of(start), 1.0, 2e-3);
    EXPECT_LT(norm(now.momentum - start.momentum), 1e-10 * norm(start.momentum));
    EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-4 * norm(start.angular_momentum));
  }
  EXPECT_GT(norm(test.rod(0).vec3(field::position, 0)), 0.1);
}

TEST(BallConnection, MakesADoublePendulumAnywhereOfARod) {
  // The second rod hangs by its third node on the last of the first, which hangs by its first.
  MemberSpec spec = star({M_PI - 0.4, M_PI + 0.9});
  spec.boundary.first = EndCondition::pinned;
  spec.load.gravity = {0, 0, -9.81};
  RodSpec& second = spec.further_rods[0].rod;
  second.origin = 0.5 * spec.rod.direction - 0.125 * second.direction;
  spec.connections = {{.kind = ConnectionKind::ball, .ends = {node_of(1, 1), node_of(0, 4)}}};
  spec.time.step = 0.3 * cosserat::step_bounds(spec).all.step;
  TestRod test(spec);
  const auto whole = [&](const Sample& s) { return energy_of(s) - dot(spec.load.gravity, s.first_moment); };
  const Sample start = test.sample();
  double most = 0.0;
  for (int k = 0; k < 20; ++k) {
    const Sample now = test.advance(static_cast<std::int64_t>(0.1 / spec.time.step));
    most = std::max(most, now.translational_energy);
    EXPECT_NEAR(whole(now), whole(start), 2e-3 * most) << k;
    EXPECT_EQ(norm(test.rod(1).vec3(field::position, 1) - test.rod(0).vec3(field::position, 4)), 0.0);
  }
  EXPECT_GT(most, 1.0);
}

TEST(BallConnection, FollowsAHeldNodeAndASlidingOne) {
  MemberSpec spec = star({0.0, 1.3});
  spec.boundary.first = EndCondition::pinned;
  spec.load.gravity = {1, 2, -3};
  spec.connections = {{.kind = ConnectionKind::ball, .ends = {node_of(1, 0), node_of(0, 0)}}};
  TestRod held(spec);
  held.advance(500);
  EXPECT_EQ(norm(held.rod(1).vec3(field::position, 0)), 0.0);
  EXPECT_GT(norm(held.rod(1).vec3(field::velocity, 4)), 0.01);
  spec.boundary.first = EndCondition::pinned_sliding;
  TestRod slid(spec);
  slid.advance(500);
  const Vec3 at = slid.rod(1).vec3(field::position, 0);
  EXPECT_NEAR(at.x, 0.0, 1e-15);
  EXPECT_NEAR(at.y, 0.0, 1e-15);
  EXPECT_LT(at.z, -1e-4);
  EXPECT_EQ(norm(at - slid.rod(0).vec3(field::position, 0)), 0.0);
}

TEST(BallConnection, ClosesARodThatComesBack) {
  MemberSpec spec = soft_rod(12);
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  RodSetup second{soft_rod(6).rod, {}, {}, JointKind::none};
  second.rod.length = 0.3;
  TestRod alone(spec);
  second.rod.origin = alone.view().vec3(field::position, 0);
  spec.further_rods = {second};
  for (const int end : {0, 12}) {
    spec.connections = {{.kind = ConnectionKind::ball, .ends = {node_of(1, 0), node_of(0, end)}}};
    TestRod test(spec);
    set_off(test);
    test.rod(0).set_vec3(field::velocity, 12, test.rod(0).vec3(field::velocity, 0));
    const Vec3 before = test.sample().momentum;
    const Sample after = test.advance(1000);
    EXPECT_EQ(norm(test.rod(1).vec3(field::position, 0) - test.rod(0).vec3(field::position, 0)), 0.0);
    EXPECT_EQ(norm(test.rod(0).vec3(field::position, 12) - test.rod(0).vec3(field::position, 0)), 0.0);
    EXPECT_LT(norm(after.momentum - before), 1e-10 * norm(before));
  }
}

TEST(HingeConnection, KeepsItsAxisAndTurnsAboutIt) {
  MemberSpec spec = star({0.0, 1.5});
  spec.connections = {{.kind = ConnectionKind::hinge,
                       .ends = {node_of(0, 0), node_of(1, 0)},
                       .rotational_stiffness = 300.0,
                       .axis = Vec3{0, 1, 0}}};
  spec.time.step = 0.2 * cosserat::step_bounds(spec).all.step;
  TestRod test(spec);
  for (int i = 0; i <= 4; ++i) {
    const Vec3 r = test.rod(1).vec3(field::position, i);
    test.rod(1).set_vec3(field::velocity, i, cross({0, 5, 0}, r) + cross({0.2, 0, 0.1}, r));
  }
  for (int i = 0; i < 4; ++i) {
    test.rod(1).set_vec3(field::angular_velocity, i,
                         directors(test.rod(1).quaternion(i)).to_body({0.2, 5, 0.1}));
  }
  const Sample start = test.sample();
  double turned = 0.0;
  Vec3 before = directors(test.rod(1).quaternion(0)).d3;
  for (int k = 0; k < 200; ++k) {
    const Sample now = test.advance(static_cast<std::int64_t>(0.01 / spec.time.step));
    const Directors a = directors(test.rod(0).quaternion(0));
    const Directors b = directors(test.rod(1).quaternion(0));
    EXPECT_GT(dot(a.d1, b.d1), 0.998) << k;
    const Vec3 line = b.d3;
    turned += std::acos(std::min(1.0, dot(before, line)));
    before = line;
    EXPECT_NEAR(energy_of(now) / energy_of(start), 1.0, 5e-3) << k;
    EXPECT_LT(norm(now.angular_momentum - start.angular_momentum), 1e-3 * norm(start.angular_momentum));
  }
  EXPECT_GT(turned, 2 * M_PI);
}

/// A cantilever of 1 m along z with an end force, damped to rest.
MemberSpec cantilever(int elements) {
  MemberSpec spec = soft_rod(elements);
  spec.boundary.first = EndCondition::clamped;
  spec.load.end_force = {0.02, 0, 0};
  spec.rod.damping = 12.0;
  spec.rod.rotational_damping = 0.02;
  spec.time.step = 1e-4;
  return spec;
}

TEST(RigidConnection, OfTwoHalfCantileversIsOneCantilever) {
  MemberSpec whole = cantilever(12);
  MemberSpec halves = cantilever(6);
  halves.rod.length = 0.5;
  RodSetup second{halves.rod, {}, halves.load, JointKind::none};
  halves.load = {};
  second.rod.origin = {0, 0, 0.5};
  second.rod.normal = normalized({1, 1, 0});
  halves.further_rods = {second};
  halves.connections = {{.kind = ConnectionKind::rigid, .ends = {node_of(0, 6), node_of(1, 0)}}};
  EXPECT_LT(halves.time.step, cosserat::step_bounds(halves).all.step);
  TestRod one(whole);
  TestRod two(halves);
  for (int k = 0; k < 5; ++k) {
    const Vec3 expected = one.advance(20000).end;
    EXPECT_LT(norm(two.advance(20000).end - expected), 1e-5);
  }
  const double deflection = two.sample().end.x;
  EXPECT_NEAR(deflection, 0.02 / (3 * 0.8) + 0.02 / 2000, 0.01 * deflection);
}

TEST(Bond, MakesTwoRodsABeamOfTheirJointSection) {
  MemberSpec spec = cantilever(16);
  spec.load.end_force = {0.1, 0, 0};
  spec.rod.damping = 60.0;
  RodSetup second{spec.rod, spec.boundary, {}, JointKind::none};
  second.rod.origin = {0.1, 0, 0};
  second.rod.normal = {0, 1, 0};
  spec.further_rods = {second};
  spec.time.step = 1e-4;
  // Between free rods and rods that cannot slide on each other: Steiner's part is two radii apart.
  const double bending = 2 * spec.rod.bend_stiffness;
  const double steiner = spec.rod.stretch_stiffness * 0.1 * 0.1 / 2;
  const double shear = 0.1 / (2 * spec.rod.shear_stiffness);
  spec.connections = {
      {.kind = ConnectionKind::bond, .ends = {node_of(0, 0), node_of(1, 0)}, .stiffness = 4e5}};
  spec.time.step = 0.5 * cosserat::step_bounds(spec).all.step;
  TestRod test(spec);
  const Sample rest = test.advance(static_cast<std::int64_t>(3.0 / spec.time.step));
  EXPECT_LT(energy(rest) - rest.bend_energy - rest.twist_energy - rest.shear_energy, 1e-9);
  const double deflection = test.rod(0).vec3(field::position, 16).x;
  EXPECT_NEAR(deflection, 0.1 / (3 * (bending + steiner)) + shear, 0.05 * deflection);
  EXPECT_NEAR(test.rod(1).vec3(field::position, 16).x - deflection, 0.1, 1e-4);
}

TEST(Bond, BreaksForGoodAtItsStrength) {
  MemberSpec spec = star({0.0, 0.0});
  spec.further_rods[0].rod.origin = {0.1, 0, 0};
  spec.connections = {{.kind = ConnectionKind::bond,
                       .ends = {node_of(0, 0), node_of(1, 0)},
                       .stiffness = 1000.0,
                       .strength = 20.0}};
  TestRod test(spec);
  const auto move = [&](double gap) {
    for (int i = 0; i <= 4; ++i) {
      Vec3 r = test.rod(1).vec3(field::position, i);
      r.x = 0.1 + gap;
      test.rod(1).set_vec3(field::position, i, r);
    }
  };
  const auto load = [&] { test.connections().add(OneThread{}, test.view()); };
  move(0.0199);
  load();
  EXPECT_EQ(test.sample().broken_bonds, 0.0);
  EXPECT_NEAR(test.sample().connection_energy, 0.5 * 1000 * 0.5 * 0.0199 * 0.0199, 1e-12);
  move(0.0201);
  load();
  EXPECT_EQ(test.sample().broken_bonds, 4.0);
  move(0.0);
  load();
  EXPECT_EQ(test.sample().broken_bonds, 4.0);
  EXPECT_EQ(test.sample().connection_energy, 0.0);
}

TEST(Connections, BoundTheStep) {
  MemberSpec spec = star({0.0, 0.0});
  spec.further_rods[0].rod.origin = {0, 0, 0.7};
  spec.connections = {
      {.kind = ConnectionKind::spring, .ends = {node_of(0, 4), node_of(1, 0)}, .stiffness = 1e7}};
  const double end_mass = soft_mass * 0.5 / 8;
  const StepBounds bounds = cosserat::step_bounds(spec);
  EXPECT_NEAR(bounds.connections.step, 2 / std::sqrt(2 * 1e7 / end_mass), 1e-12);
  EXPECT_LT(bounds.all.step, bounds.connections.step);
  EXPECT_EQ(bounds.all.by, "the stiffness of connections");
  for (const double part : {0.98, 1.05}) {
    spec.time.step = part * bounds.connections.step;
    TestRod test(spec);
    test.rod(0).set_vec3(field::velocity, 4, {0, 0, 1e-3});
    EXPECT_EQ(energy_of(test.advance(3000)) < 1e-3, part < 1.0) << part;
  }
  // With dashpots, many links at once and arms.
  MemberSpec bonded = star({0.0, 0.0});
  bonded.further_rods[0].rod.origin = {0.1, 0, 0.05};
  bonded.connections = {{.kind = ConnectionKind::bond,
                         .ends = {node_of(0, 0), node_of(1, 0)},
                         .stiffness = 1e7,
                         .damping = 2e3}};
  bonded.time.step = 0.98 * cosserat::step_bounds(bonded).all.step;
  TestRod test(bonded);
  test.rod(0).set_vec3(field::velocity, 4, {1e-3, 1e-3, 1e-3});
  const double start = energy_of(test.sample());
  EXPECT_LT(energy_of(test.advance(3000)), start);
}

/// Three rods with a connection of every kind, of which the bond breaks bit by bit.
MemberSpec everything() {
  MemberSpec spec = star({0.0, 0.0, 1.2});
  spec.further_rods[0].rod.origin = {0.1, 0, 0};
  spec.load.gravity = {0.5, 0.2, -2};
  spec.further_rods[0].load.end_force = {6, 1, 0};
  spec.boundary.first = EndCondition::clamped;
  using enum ConnectionKind;
  spec.connections = {
      {.kind = bond,
       .ends = {node_of(0, 0), node_of(1, 0)},
       .stiffness = 2e4,
       .damping = 1.0,
       .strength = 60.0},
      {.kind = ball, .ends = {node_of(0, 0), node_of(2, 0)}},
      {.kind = hinge, .ends = {element_of(1, 3), node_of(2, 4)}, .rotational_damping = 0.1},
      {.kind = spring, .ends = {node_of(0, 2), element_of(2, 2, 0.7)}, .stiffness = 30.0, .damping = 0.5}};
  spec.time.step = 0.3 * cosserat::step_bounds(spec).all.step;
  spec.time.steps = 4000;
  spec.time.slice_steps = 100;
  return spec;
}

TEST(Connections, GoOnBitwiseAfterARestartWithWhatBroke) {
  const std::vector<MemberJob> jobs = {{everything(), 1}};
  const auto whole = make_batch(jobs);
  const auto cut = make_batch(jobs);
  for (int slice = 0; slice < 20; ++slice) cut->advance();
  StateArchive saved;
  cut->visit_state(0, saved);
  const std::vector<std::byte> bytes = saved.take();
  const auto resumed = make_batch(jobs);
  StateArchive archive(bytes);
  resumed->visit_state(0, archive);
  archive.require_end();
  while (whole->advance()) {
  }
  while (resumed->advance()) {
  }
  EXPECT_EQ(whole->outcomes()[0].status, MemberStatus::done);
  for (std::size_t k = 0; k < observables.size(); ++k) {
    const double expected = whole->outcomes()[0].observables[k];
    if (std::isnan(expected)) continue;
    EXPECT_EQ(resumed->outcomes()[0].observables[k], expected) << observables[k].name;
  }
  EXPECT_GT(value(whole->outcomes()[0], "broken_bonds"), 0.0);
  EXPECT_LT(value(whole->outcomes()[0], "broken_bonds"), 4.0);
}

TEST(Connections, DoTheSameInAnyBatchAndNearlyTheSameInSinglePrecision) {
  MemberSpec spec = everything();
  const MemberOutcome alone = run_member(spec);
  MemberSpec other = star({0.3});
  other.time = spec.time;
  const std::vector<MemberOutcome> three = run_members({{spec, 1}, {other, 1}, {spec, 1}});
  for (const char* const name : {"end_x", "connection_energy", "total_energy", "broken_bonds"}) {
    EXPECT_EQ(value(three[0], name), value(alone, name)) << name;
    EXPECT_EQ(value(three[2], name), value(alone, name)) << name;
  }
  EXPECT_EQ(value(three[1], "connection_energy"), 0.0);
  spec.single_precision = true;
  const MemberOutcome single = run_member(spec);
  EXPECT_NEAR(value(single, "end_x"), value(alone, "end_x"), 1e-4);
  EXPECT_EQ(value(single, "broken_bonds"), value(alone, "broken_bonds"));
}

TEST(Connections, GainNoEnergyWhileBondsBreak) {
  const MemberOutcome outcome = run_member(everything());
  EXPECT_LT(value(outcome, "energy_gain_relative"), 2e-3);
  EXPECT_GT(value(outcome, "connection_energy"), 0.0);
}

}  // namespace
}  // namespace rodeo::cosserat
