#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/cosserat/verlet.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "contact/test_shapes.hpp"
#include "member/run_members.hpp"

namespace rodeo::contact {
namespace {

using cosserat::on_team;
using cosserat::TestRod;

/// A rod of half a metre from `origin` on along `direction`, elements much longer than thick.
RodSetup short_rod(int elements, const Vec3& origin, const Vec3& direction, const Vec3& normal) {
  RodSetup setup;
  setup.rod = cosserat::soft_rod(elements).rod;
  setup.rod.length = 0.5;
  setup.rod.radius = 0.02;
  setup.rod.origin = origin;
  setup.rod.direction = direction;
  setup.rod.normal = normal;
  return setup;
}

MemberSpec member_of(const std::vector<RodSetup>& rods) {
  MemberSpec spec = cosserat::soft_rod(1);
  spec.rod = rods.front().rod;
  spec.boundary = rods.front().boundary;
  spec.load = rods.front().load;
  spec.further_rods.assign(rods.begin() + 1, rods.end());
  spec.contact = {ContactKind::penalty, 1e4, 0.0};
  return spec;
}

/// External forces on the nodes of a member by contact alone.
std::vector<Vec3> contact_forces(TestRod& test) {
  const RodView all = test.view();
  std::vector<Vec3> result;
  on_team([&](const auto& team) {
    cosserat::shear_and_stretch(team, all);
    for (int i = 0; i < all.nodes(); ++i) all.set_vec3(field::external_force, i, {});
    test.contact().add(team, all, 0.0);
  });
  for (int i = 0; i < all.nodes(); ++i) result.push_back(all.vec3(field::external_force, i));
  return result;
}

TEST(ContactOfRods, NoPairOfDifferentRodsIsSkipped) {
  // Two rods cross near the end of one and the start of the other: elements that are next to each other in
  // memory. The overlap is 1 mm.
  const Vec3 x = {1, 0, 0};
  const Vec3 y = {0, 1, 0};
  TestRod test(member_of({short_rod(5, {-0.45, 0, 0}, x, y), short_rod(5, {0, -0.05, 0.039}, y, x)}));
  const std::vector<Vec3> forces = contact_forces(test);
  constexpr int second = 5 + elements_between_rods;
  const auto sum = [&](int first, int last) {
    Vec3 total;
    for (int i = first; i <= last; ++i) total = total + forces[static_cast<std::size_t>(i)];
    return total;
  };
  EXPECT_NEAR(sum(0, 5).z, -1e4 * 1e-3, 1e-9);
  EXPECT_NEAR(norm(sum(0, 5) + sum(second, second + 5)), 0.0, 1e-12);
  for (int i = 6; i < second; ++i) EXPECT_EQ(norm(forces[static_cast<std::size_t>(i)]), 0.0);
  EXPECT_NEAR(forces[4].z, -5.0, 1e-9);
  EXPECT_NEAR(forces[second].z, 5.0, 1e-9);
}

TEST(ContactOfRods, NeighboursReachAcrossJoints) {
  // Straight on, two joined halves skip what one rod would; round a corner, what touches there by its shape.
  const Vec3 z = {0, 0, 1};
  for (const bool bent : {false, true}) {
    MemberSpec spec = contact_rod(50);
    RodSetup second{spec.rod, {}, {}, JointKind::ball};
    if (bent) second.rod.direction = {0, std::sin(130 * M_PI / 180), std::cos(130 * M_PI / 180)};
    second.rod.origin = 0.5 * z;
    spec.further_rods = {second};
    TestRod test(spec);
    const int* const first_partner = test.contact().view.first_partner();
    if (!bent) {
      for (int i = 0; i < 100; ++i) EXPECT_EQ(first_partner[i], std::min(i + 9, 100)) << i;
    } else {
      EXPECT_EQ(first_partner[40], 49);
      EXPECT_EQ(first_partner[48], 48 + 13);  // 2 r/sin(25 degrees) = 11.8 elements
      EXPECT_EQ(first_partner[50], 59);
    }
    for (const Vec3& force : contact_forces(test)) EXPECT_EQ(norm(force), 0.0);
  }
}

TEST(ContactOfRods, CrossedRodsOverlapByTheForceOverTheStiffness) {
  const Vec3 x = {1, 0, 0};
  const Vec3 y = {0, 1, 0};
  RodSetup lower = short_rod(5, {-0.25, 0, 0}, x, y);
  RodSetup upper = short_rod(5, {0, -0.25, 0.04}, y, x);
  lower.boundary.first = lower.boundary.last = EndCondition::clamped;
  upper.load.middle_force = {0, 0, -2.0};
  upper.load.perturbation_duration = 1e9;
  lower.rod.damping = upper.rod.damping = 20.0;
  MemberSpec spec = member_of({lower, upper});
  spec.time.step = 5e-5;
  TestRod test(spec);
  const Sample end = test.advance(200000);
  const auto middle = [&](int k) {
    return 0.5 * (test.rod(k).vec3(field::position, 2) + test.rod(k).vec3(field::position, 3));
  };
  const Vec3 gap = middle(1) - middle(0);
  const double* const radius = test.contact().view.lanes(lane_array::radius);
  EXPECT_EQ(end.contact.touching, 1.0);
  EXPECT_NEAR(radius[2] + radius[5 + elements_between_rods + 2] - gap.z, 2.0 / 1e4, 1e-8);
  EXPECT_LT(middle(0).z, -1e-3);  // the lower one bends under the load
}

/// Two parallel rods that fly at each other at 1 m/s each.
MemberSpec head_on(double density_ratio) {
  const Vec3 z = {0, 0, 1};
  RodSetup left = short_rod(20, {-0.025, 0, 0}, z, {1, 0, 0});
  RodSetup right = short_rod(20, {0.025, 0, 0}, z, {1, 0, 0});
  left.rod.velocity = {1, 0, 0};
  right.rod.velocity = {-1, 0, 0};
  for (RodSetup* rod : {&left, &right}) {
    rod->rod.bend_stiffness = 20.0;
    rod->rod.twist_stiffness = 15.0;
    rod->rod.shear_stiffness = 1e5;
    rod->rod.stretch_stiffness = 1e5;
  }
  right.rod.density *= density_ratio;
  MemberSpec spec = member_of({left, right});
  spec.time.step = 0.1 * cosserat::stable_step(spec.rod);
  return spec;
}

TEST(ContactOfRods, HeadOnRodsBounceWithoutLoss) {
  for (const double ratio : {1.0, 3.0}) {
    const MemberSpec spec = head_on(ratio);
    TestRod test(spec);
    const Sample before = test.sample();
    Sample now;
    bool touched = false;
    for (int k = 0; k < 2000; ++k) {
      now = test.advance(100);
      touched = touched || now.contact.touching > 0.0;
      if (touched && test.rod(1).vec3(field::position, 10).x - test.rod(0).vec3(field::position, 10).x > 0.06)
        break;
    }
    EXPECT_GT(now.contact.deepest, 1e-4);
    EXPECT_EQ(now.contact.touching, 0.0);
    EXPECT_LT(norm(now.momentum - before.momentum), 1e-12);
    EXPECT_LT(norm(now.angular_momentum - before.angular_momentum), 1e-10);
    EXPECT_NEAR(observe::sum_of_energies(now), observe::sum_of_energies(before),
                1e-4 * observe::sum_of_energies(before));
    // Mean velocities as of two points: v' = 2 v_cm - v, less what the rods keep as vibration.
    double mass[2] = {0, 0};
    double momentum[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      const RodView rod = test.rod(k);
      for (int i = 0; i < rod.nodes(); ++i) {
        mass[k] += rod.array(field::mass)[i];
        momentum[k] += rod.array(field::mass)[i] * rod.vec3(field::velocity, i).x;
      }
    }
    const double centre = before.momentum.x / (mass[0] + mass[1]);
    EXPECT_NEAR(momentum[0] / mass[0], 2 * centre - 1, 0.02);
    EXPECT_NEAR(momentum[1] / mass[1], 2 * centre + 1, 0.02);
  }
}

TEST(ContactOfRods, DampedRodsBounceByTheRestitutionOfSpringAndDashpot) {
  // Side by side, each as one body of one element, so that the bounce is that of two points on k and gamma,
  // which let go when they no longer press (Schwager & Poschel 2007).
  for (const double ratio : {0.0, 0.05, 0.3, 0.6}) {
    RodSetup left;
    left.rod.elements = 1;
    left.rod.length = 1.0;
    left.rod.radius = 0.02;
    left.rod.density = 1000.0;
    left.rod.direction = {0, 0, 1};
    left.rod.normal = {1, 0, 0};
    left.rod.bend_stiffness = left.rod.twist_stiffness = 1.0;
    left.rod.shear_stiffness = left.rod.stretch_stiffness = 1e4;
    RodSetup right = left;
    left.rod.velocity = {1, 0, 0};
    right.rod.origin = {0.05, 0, 0};
    right.rod.density = 2000.0;
    MemberSpec spec = member_of({left, right});
    spec.sections_shrink = 0.0;
    const double mass = 1000.0 * M_PI * 0.02 * 0.02 / 1.5;  // reduced
    spec.contact.stiffness = 1e4;
    spec.contact.damping = 2.0 * ratio * std::sqrt(spec.contact.stiffness * mass);
    const double swing = std::sqrt(1.0 - ratio * ratio);
    const double half = ratio < std::sqrt(0.5)
                            ? M_PI - std::atan(2.0 * ratio * swing / (1.0 - 2.0 * ratio * ratio))
                            : std::atan(-2.0 * ratio * swing / (1.0 - 2.0 * ratio * ratio));
    const double restitution = std::exp(-ratio / swing * half);
    spec.time.step = 1e-5;
    TestRod test(spec);
    const Sample before = test.sample();
    const Sample now = test.advance(10000);
    EXPECT_EQ(now.contact.touching, 0.0);
    EXPECT_GT(now.contact.deepest, 1e-3);
    const double parting = test.rod(1).vec3(field::velocity, 0).x - test.rod(0).vec3(field::velocity, 0).x;
    EXPECT_NEAR(parting, restitution, 0.01 * restitution) << ratio;
    EXPECT_LT(norm(now.momentum - before.momentum), 1e-9 * norm(before.momentum));
    if (ratio == 0.0) {
      EXPECT_NEAR(observe::sum_of_energies(now), observe::sum_of_energies(before),
                  1e-4 * observe::sum_of_energies(before));
    }
  }
}

TEST(ContactOfRods, AListMayHaveMoreAndMorePairs) {
  // Thirty rods that fly to one place, where no rods that keep apart could be.
  std::vector<RodSetup> pile;
  for (int k = 0; k < 30; ++k) {
    const double angle = 2.0 * M_PI * k / 30;
    const Vec3 out = {std::cos(angle), std::sin(angle), 0};
    pile.push_back(short_rod(16, 0.22 * out, {0, 0, 1}, {1, 0, 0}));
    pile.back().rod.velocity = (-0.22 / (10.0 * cosserat::soft_rod(1).time.step)) * out;
  }
  MemberSpec crowded = member_of(pile);
  crowded.contact.stiffness = 1e-12;
  MemberSpec single = member_of({pile.front()});
  for (MemberSpec* spec : {&crowded, &single}) {
    spec->time.steps = 20;
    spec->time.slice_steps = 10;
    spec->frames = 3;
  }
  const std::vector<MemberJob> jobs{{crowded, 1}, {single, 2}};
  RodBatch<cosserat::Verlet<double>> batch(jobs);
  while (batch.advance()) {
  }
  EXPECT_EQ(batch.outcomes()[0].status, MemberStatus::passed_through);
  EXPECT_EQ(batch.outcomes()[1].status, MemberStatus::done);
  EXPECT_EQ(batch.outcomes()[0].fields[0].size(), 3u * 30u * 17u * 3u);
}

/// Two rods across each other, 20 mm apart and 4 mm thick, of which one flies at the other.
constexpr const char* thrown_rod =
    "[rod]\ncount = 2\nelements = 10\nlength = 0.2\nradius = 0.002\ndensity = 1200\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\nnormal = 0, 0, 1\n"
    "each = rod.direction[0] : list(1, 0)\neach = rod.direction[1] : list(0, 1)\n"
    "each = rod.origin[0] : list(-0.1, 0)\neach = rod.origin[1] : list(0, -0.1)\n"
    "each = rod.origin[2] : list(0.02, 0)\neach = rod.velocity[2] : list(SPEED, 0)\n"
    "[contact]\nkind = penalty\n[time]\nstep = 2e-5\n";

MemberStatus end_of_throw(double speed, double stiffness, double step) {
  std::string text = thrown_rod;
  text.replace(text.find("SPEED"), 5, std::to_string(-speed));
  const double end = 0.06 / speed;
  std::ostringstream stiffness_text;
  stiffness_text << "contact.stiffness=" << stiffness;
  std::ostringstream end_text;
  end_text << "time.end=" << end;
  std::ostringstream step_text;
  step_text << "time.step=" << step;
  return run_member(make_member_spec(
                        Deck::parse(text, "test", {stiffness_text.str(), end_text.str(), step_text.str()})))
      .status;
}

TEST(ContactOfRods, RodsThatPassThroughEachOtherEndBadlyHoweverFastTheyAre) {
  EXPECT_EQ(end_of_throw(1.0, 1e3, 2e-5), MemberStatus::done);
  EXPECT_EQ(end_of_throw(1.0, 0.05, 2e-5), MemberStatus::passed_through);
  // By 0.5, 1.5, 3 and 9 radii a step: in a single step past each other, from where nothing is listed.
  for (const double speed : {50.0, 150.0, 300.0, 900.0})
    EXPECT_EQ(end_of_throw(speed, 1e3, 2e-5), MemberStatus::passed_through) << speed;
  // Where the one that flies misses the other nothing has happened.
  std::string text = thrown_rod;
  text.replace(text.find("SPEED"), 5, "-300");
  text.replace(text.find("list(-0.1, 0)"), 13, "list(0.01, 0)");
  const MemberSpec spec =
      make_member_spec(Deck::parse(text, "test", {"contact.stiffness=1000", "time.end=2e-4"}));
  EXPECT_EQ(run_member(spec).status, MemberStatus::done);
}

}  // namespace
}  // namespace rodeo::contact
