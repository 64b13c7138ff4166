#include "rodeo/member/held_pairs.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/start_state.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::cosserat {
namespace {

constexpr double held_radius = 0.02;  // m

/// A stiff rod of 1 m along z and one of half a metre that stands on its middle at an angle, joined there.
MemberSpec tee(double angle) {
  MemberSpec spec = soft_rod(20);
  spec.rod.radius = held_radius;
  spec.rod.bend_stiffness = 20.0;
  spec.rod.twist_stiffness = 15.0;
  spec.rod.shear_stiffness = spec.rod.stretch_stiffness = 1e4;
  spec.contact.kind = ContactKind::penalty;
  spec.contact.stiffness = 1e4;
  RodSetup second{spec.rod, {}, {}, JointKind::none};
  second.rod.elements = 10;
  second.rod.length = 0.5;
  second.rod.direction = {std::sin(angle), 0, std::cos(angle)};
  second.rod.normal = {0, 1, 0};
  second.rod.origin = {0, 0, 0.5};
  spec.further_rods = {second};
  spec.connections = {
      {.kind = ConnectionKind::ball, .ends = {{.rod = 1, .node = 0}, {.rod = 0, .node = 10}}}};
  spec.time.step = 0.3 * cosserat::step_bounds(spec).all.step;
  return spec;
}

/// Two rods side by side, bonded, so far apart in radii.
MemberSpec bonded_pair(double apart) {
  MemberSpec spec = tee(1.0);
  RodSpec& second = spec.further_rods[0].rod;
  second.direction = spec.rod.direction;
  second.origin = {apart * held_radius, 0, 0.25};
  spec.connections = {{.kind = ConnectionKind::bond,
                       .ends = {{.rod = 0, .node = 0}, {.rod = 1, .node = 0}},
                       .stiffness = 1e4}};
  return spec;
}

std::vector<contact::ElementPair> pairs_of(const MemberSpec& spec, const TestRod& test) {
  return held_pairs(spec, test.view().as_const(), connection::build_connections(spec, test.view()));
}

TEST(HeldPairs, AreThoseThatOverlapAtAJointAndTheirNeighboursOnly) {
  for (const double angle : {0.3, 0.8, 1.5}) {
    const MemberSpec spec = tee(angle);
    const TestRod test(spec);
    const std::vector<contact::ElementPair> held = pairs_of(spec, test);
    EXPECT_TRUE(std::ranges::is_sorted(held));
    const int second = rod_places(spec)[1].first;
    const auto segment = [&](int i) {
      const Vec3 begin = test.view().vec3(field::position, i);
      return contact::segment_of(begin, test.view().vec3(field::position, i + 1) - begin);
    };
    int overlapping = 0;
    for (int i = 0; i < 20; ++i) {
      for (int j = second; j < second + 10; ++j) {
        if (norm(contact::closest_points(segment(i), segment(j)).gap) > 2 * held_radius) continue;
        ++overlapping;
        EXPECT_TRUE(std::ranges::binary_search(held, contact::ElementPair{i, j}))
            << angle << " " << i << " " << j;
      }
    }
    EXPECT_GE(overlapping, 2);
    EXPECT_LT(held.size(), angle < 0.5 ? 150u : 40u);
    EXPECT_FALSE(std::ranges::binary_search(held, contact::ElementPair{0, second + 9}));
    EXPECT_EQ(overlap_at_start(spec), std::nullopt);
  }
}

TEST(HeldPairs, OfBondsAreThoseOfRodsThatOverlap) {
  for (const double apart : {1.5, 2.0, 2.5}) {
    const MemberSpec spec = bonded_pair(apart);
    const TestRod test(spec);
    EXPECT_EQ(pairs_of(spec, test).empty(), apart >= 2.0) << apart;
    EXPECT_EQ(overlap_at_start(spec), std::nullopt) << apart;
  }
}

TEST(HeldPairs, DoNotPressWhileOthersStillTouch) {
  const MemberSpec spec = tee(1.5);
  TestRod test(spec);
  const RodView second = test.rod(1);
  for (int i = 0; i <= 10; ++i) {
    const Vec3 r = second.vec3(field::position, i) - second.vec3(field::position, 0);
    second.set_vec3(field::velocity, i, cross({0, -12, 0}, r));
    if (i < 10) {
      second.set_vec3(field::angular_velocity, i, directors(second.quaternion(i)).to_body({0, -12, 0}));
    }
  }
  Sample now = test.advance(1);
  const double start = energy(now) + now.contact_energy;
  const Vec3 momentum = now.momentum;
  EXPECT_EQ(now.contact.touching, 0.0);
  double most = 0.0;
  for (int k = 0; k < 30; ++k) {
    now = test.advance(static_cast<std::int64_t>(0.006 / spec.time.step));
    most = std::max(most, now.contact.touching);
    EXPECT_NEAR((energy(now) + now.contact_energy) / start, 1.0, 0.01) << k;
    EXPECT_LT(norm(now.momentum - momentum), 1e-9 * norm(momentum)) << k;
  }
  EXPECT_GT(most, 0.0);
  // It has met the upper half of the first rod and not gone through.
  const Vec3 across = test.rod(1).vec3(field::position, 10) - test.rod(0).vec3(field::position, 20);
  EXPECT_GT(across.x, 0.0);
}

TEST(HeldPairs, OfImplicitRodsDoNotPressEither) {
  for (const ContactKind kind : {ContactKind::imc, ContactKind::ipc}) {
    MemberSpec spec = tee(1.5);
    RodSetup third = spec.further_rods[0];  // more than explicit rods can leave out
    third.rod.direction = {0, 1, 0};
    third.rod.normal = {1, 0, 0};
    spec.further_rods.push_back(third);
    spec.connections.push_back(
        {.kind = ConnectionKind::rigid, .ends = {{.rod = 2, .node = 0}, {.rod = 0, .node = 10}}});
    EXPECT_TRUE(held_beside_others(spec));
    spec.model = ModelKind::der;
    spec.sections_shrink = 0.0;
    spec.contact = {.kind = kind, .tolerance = 0.1 * held_radius};
    spec.time = {.step = 1e-2, .steps = 20, .slice_steps = 20};
    spec.newton = {.tolerance = 1e-8, .iterations = 50, .halvings = 10};
    const MemberOutcome outcome = run_member(spec);
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "contact_count"), 0.0);
    EXPECT_LT(value(outcome, "translational_energy"), 1e-20);
    spec.connections.clear();
    EXPECT_NE(run_member(spec).status == MemberStatus::done ? value(run_member(spec), "contact_count") : 1.0,
              0.0);
  }
}

}  // namespace
}  // namespace rodeo::cosserat
