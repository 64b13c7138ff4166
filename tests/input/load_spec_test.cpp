#include <cmath>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(LoadKeys, CarriesMotionAndLoadsInTime) {
  const MemberSpec spec =
      spec_of(complete_deck,
              {"boundary.first=clamped", "boundary.last=clamped_sliding", "boundary.twist=-7",
               "boundary.driven=last", "boundary.motion_time=3", "load.ramp_time=4", "load.frequency=5",
               "load.distributed_force=1,2,3", "load.middle_force=6,7,8", "rod.damping_decay_time=9",
               "rod.point_masses=10, 3", "rod.point_mass_positions=2, 0.5"});
  EXPECT_EQ(spec.boundary.last, EndCondition::clamped_sliding);
  EXPECT_EQ(spec.boundary.twist, -7.0);
  EXPECT_EQ(spec.boundary.driven, DrivenEnds::last);
  EXPECT_EQ(spec.boundary.motion_time, 3.0);
  EXPECT_EQ(spec.load.ramp_time, 4.0);
  EXPECT_EQ(spec.load.frequency, 5.0);
  EXPECT_EQ(spec.load.distributed_force.z, 3.0);
  EXPECT_EQ(spec.load.middle_force.y, 7.0);
  EXPECT_EQ(spec.rod.damping_decay_time, 9.0);
  ASSERT_EQ(spec.rod.point_masses.size(), 2);
  EXPECT_EQ(spec.rod.point_masses[0].mass, 10.0);
  EXPECT_EQ(spec.rod.point_masses[0].arc_length, 2.0);
  EXPECT_EQ(spec.rod.point_masses[1].mass, 3.0);
  EXPECT_EQ(spec.rod.point_masses[1].arc_length, 0.5);
  const BoundarySpec slack = spec_of(complete_deck, {"boundary.first=pinned", "boundary.last=clamped",
                                                     "boundary.slack=0.5", "boundary.motion_time=3"})
                                 .boundary;
  EXPECT_EQ(slack.slack, 0.5);
  EXPECT_EQ(slack.driven, DrivenEnds::both);
  EXPECT_EQ(spec_of(complete_deck).rod.damping_decay_time, 0.0);
}

TEST(LoadKeys, RefusesMotionsOfEndsThatAreNotHeld) {
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"boundary.twist=1", "boundary.first=clamped", "boundary.last=pinned",
                                      "boundary.motion_time=1"}),
           {"command line: boundary.twist", "boundary.last = pinned (command line)", "clamped_sliding"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"boundary.slack=1", "boundary.first=clamped_sliding",
                                              "boundary.driven=first", "boundary.motion_time=1"}),
                   {"command line: boundary.slack", "boundary.first = clamped_sliding", "pinned"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"boundary.twist=1", "boundary.last=clamped", "boundary.driven=last"}),
           {"boundary.motion_time is missing", "real > 0, s", "boundary.twist"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"boundary.slack=2", "boundary.last=clamped",
                                              "boundary.driven=last", "boundary.motion_time=1"}),
                   {"command line: boundary.slack", "rod.length = 2 m"}));
}

TEST(LoadKeys, PerturbsThroughoutUnlessADurationIsGiven) {
  EXPECT_TRUE(std::isinf(spec_of(complete_deck, {"load.perturbation=1"}).load.perturbation_duration));
  EXPECT_EQ(spec_of(complete_deck, {"load.perturbation_duration=0"}).load.perturbation_duration, 0.0);
}

TEST(LoadKeys, InclinesGravityAboutTheRod) {
  // The rod of complete_deck lies along z: a quarter turn takes -y to x.
  const Vec3 gravity =
      spec_of(complete_deck, {"gravity.acceleration=0,-9.81,2", "gravity.incline=0.5235987755982988"})
          .load.gravity;
  EXPECT_NEAR(gravity.x, 9.81 / 2.0, 1e-13);
  EXPECT_NEAR(gravity.y, -9.81 * std::sqrt(0.75), 1e-13);
  EXPECT_EQ(gravity.z, 2.0);
  EXPECT_TRUE(says(spec_error(complete_deck, {"gravity.acceleration=0, 0, 9.81", "gravity.incline=0.1"}),
                   {"gravity.incline", "along which"}));
}

TEST(LoadKeys, HoldsWholeElementsOfImplicitRodsOnly) {
  const std::vector<std::string> turned = {"boundary.first=clamped_element", "boundary.twist=1",
                                           "boundary.motion_time=1", "boundary.driven=first"};
  EXPECT_TRUE(
      says(spec_error(complete_deck, turned), {"boundary.first", "clamped_element", "model.kind = der"}));
  std::vector<std::string> with_model = turned;
  with_model.push_back("model.kind=der");
  EXPECT_EQ(spec_of(complete_deck, with_model).boundary.first, EndCondition::clamped_element);
}

}  // namespace
}  // namespace rodeo
