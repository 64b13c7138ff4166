#include "rodeo/cosserat/stable_step.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "cosserat/test_rod.hpp"

namespace rodeo::cosserat {
namespace {

constexpr double strand_radius = 0.02;
constexpr double density = 1000.0;
constexpr double element_length = 0.1;
constexpr double node_mass = density * std::numbers::pi * strand_radius * strand_radius * element_length;
constexpr double overlap = 1e-6;

/// So soft that contact and ground alone bound the step.
RodSetup soft_strand(int elements) {
  RodSetup setup;
  setup.rod = soft_rod(elements).rod;
  setup.rod.length = elements * element_length;
  setup.rod.radius = strand_radius;
  setup.rod.density = density;
  setup.rod.shear_stiffness = setup.rod.stretch_stiffness = 2.0;
  setup.rod.bend_stiffness = setup.rod.twist_stiffness = 1e-5;
  return setup;
}

MemberSpec member_of(const std::vector<RodSetup>& rods) {
  MemberSpec spec = soft_rod(1);
  static_cast<RodSetup&>(spec) = rods.front();
  spec.further_rods.assign(rods.begin() + 1, rods.end());
  spec.sections_shrink = 0.0;
  return spec;
}

/// Rods laid crosswise, each on the middle of the one below and pressed on it; the outermost two are held.
MemberSpec log_pile(int layers, int elements) {
  std::vector<RodSetup> rods;
  for (int k = 0; k < layers; ++k) {
    const bool along_x = k % 2 == 0;
    const double half = 0.5 * elements * element_length;
    RodSetup rod = soft_strand(elements);
    rod.rod.direction = along_x ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    rod.rod.normal = {0, 0, 1};
    rod.rod.origin = -half * rod.rod.direction + Vec3{0, 0, k * (2.0 * strand_radius - overlap)};
    if (k == 0 || k == layers - 1) rod.rod.density = 1e14 * density;
    rods.push_back(rod);
  }
  return member_of(rods);
}

/// Whether a member that is given small random velocities comes to move with twice the energy that was in
/// these and, `stored`, in its contacts.
bool grows(MemberSpec spec, double step, double stored) {
  spec.time.step = step;
  TestRod test(spec);
  std::mt19937_64 engine(5);
  const double speed = 0.1 * overlap / step;
  std::uniform_real_distribution<double> uniform(-speed, speed);
  const RodView rod = test.view();
  for (int i = 0; i < rod.nodes(); ++i) {
    if (rod.array(field::velocity_gain)[i] == 0.0 || rod.array(field::mass)[i] > 1e3) continue;
    rod.set_vec3(field::velocity, i, {uniform(engine), uniform(engine), uniform(engine)});
  }
  const double before = test.sample().translational_energy;
  const double after = test.advance(3000).translational_energy;
  return !(after < 2.0 * (stored + before));
}

/// A rod on a plane, which carries its weight.
MemberSpec on_ground(int elements) {
  MemberSpec spec = member_of({soft_strand(elements)});
  spec.rod.origin = {0, 0, strand_radius};
  spec.rod.direction = {1, 0, 0};
  spec.rod.normal = {0, 0, 1};
  spec.load.gravity = {0, 0, -9.81};
  spec.ground.has_plane = true;
  spec.ground.normal = {0, 0, 1};
  spec.ground.velocity_threshold = 1e-6;
  return spec;
}

/// Stiffnesses, and dashpots as parts of the critical ones.
constexpr double stiffnesses[] = {1e4, 1e5, 1e6};
constexpr double dampings[] = {0.0, 0.1, 2.0, 10.0};

double dashpot(double part, double stiffness) { return part * std::sqrt(stiffness * node_mass); }

TEST(StepBounds, ContactIsStableBelowAndGrowsNotFarAbove) {
  // Theory says of these piles: crossed at nodes, 16 k/m without dashpots, where the bound has 24 k/m;
  // crossed at middles of elements, which weigh twice as much and touch in one pair, 2 k/m.
  constexpr int layers = 12;
  for (const double k : stiffnesses) {
    for (const double part : dampings) {
      for (const int elements : {2, 3}) {
        MemberSpec spec = log_pile(layers, elements);
        spec.contact = {ContactKind::penalty, k, dashpot(part, k)};
        const StepBounds bounds = cosserat::step_bounds(spec);
        const double stored = (layers - 1) * (elements == 2 ? 4 : 1) * 0.5 * k * overlap * overlap;
        EXPECT_LT(bounds.contact.step, bounds.internal.step);
        EXPECT_EQ(bounds.all.by, part < 1.0 ? "contact.stiffness" : "contact.damping");
        EXPECT_FALSE(grows(spec, 0.98 * bounds.all.step, stored)) << k << ' ' << part << ' ' << elements;
        if (part > 0.0) continue;
        const double most = elements == 2 ? 1.4 : 4.0;
        EXPECT_TRUE(grows(spec, most * bounds.all.step, stored)) << k << ' ' << elements;
      }
    }
  }
}

TEST(StepBounds, GroundIsStableBelowAndGrowsJustAbove) {
  for (const double k : stiffnesses) {
    for (const double part : dampings) {
      for (const int elements : {1, 2, 5}) {
        MemberSpec spec = on_ground(elements);
        spec.ground.stiffness = k;
        spec.ground.damping = dashpot(part, k);
        const StepBounds bounds = cosserat::step_bounds(spec);
        EXPECT_LT(bounds.ground.step, bounds.internal.step);
        EXPECT_EQ(bounds.all.by, part < 1.0 ? "ground.stiffness" : "ground.damping");
        EXPECT_FALSE(grows(spec, 0.98 * bounds.all.step, 0.0)) << k << ' ' << part << ' ' << elements;
        if (part < 1.0) {
          EXPECT_TRUE(grows(spec, 1.05 * bounds.ground.step, 0.0)) << k << ' ' << part << ' ' << elements;
        }
      }
    }
  }
}

TEST(StepBounds, AllIsBelowEachAndWithoutContactAndGroundTheRodsOwn) {
  MemberSpec spec = on_ground(4);
  spec.ground = {};
  const StepBounds alone = cosserat::step_bounds(spec);
  EXPECT_DOUBLE_EQ(alone.all.step, stable_step(spec.rod));
  EXPECT_EQ(alone.all.by, "the rods' elasticity");
  EXPECT_TRUE(std::isinf(alone.contact.step));
  EXPECT_TRUE(std::isinf(alone.ground.step));
  spec = on_ground(4);
  spec.ground.stiffness = 1e4;
  spec.contact = {ContactKind::penalty, 1e3, 0.2};
  const StepBounds bounds = cosserat::step_bounds(spec);
  for (const StepBound& bound : {bounds.internal, bounds.contact, bounds.ground}) {
    EXPECT_LT(bounds.all.step, bound.step);
  }
  EXPECT_GT(bounds.all.step, 0.5 * std::min(bounds.contact.step, bounds.ground.step));
}

}  // namespace
}  // namespace rodeo::cosserat
