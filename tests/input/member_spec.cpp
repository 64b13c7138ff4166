#include "rodeo/input/member_spec.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "messages.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {
namespace {

using std::numbers::pi;
using test::complete_deck;
using test::message_of;
using test::says;

/// complete_deck without the lines of the keys `without`, and with `lines` of section [rod] added.
std::string rod_deck(std::initializer_list<std::string_view> without, const std::string& lines = {}) {
  std::string text = complete_deck;
  for (const std::string_view key : without) {
    const std::size_t begin = text.find(std::string("\n").append(key).append(" =")) + 1;
    text.erase(begin, text.find('\n', begin) + 1 - begin);
  }
  return text + "[rod]\n" + lines;
}

MemberSpec spec_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return make_member_spec(Deck::parse(text, "deck.ini", overrides));
}

std::string spec_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Deck deck = Deck::parse(text, "deck.ini", overrides);
  return message_of([&] { make_member_spec(deck); });
}

TEST(MemberSpec, DerivesTheStiffnessesOfACircularSection) {
  // E = 1 MPa, nu = 1/4, r = 0.1 m: I1 = pi r^4 / 4, I3 = pi r^4 / 2, G = 0.4 MPa.
  const RodSpec rod = spec_of(complete_deck).rod;
  EXPECT_EQ(rod.elements, 50);
  EXPECT_EQ(rod.length, 2.0);
  EXPECT_EQ(rod.radius, 0.1);
  EXPECT_EQ(rod.density, 1000.0);
  EXPECT_NEAR(rod.bend_stiffness, 25.0 * pi, 1e-12 * 25.0 * pi);
  EXPECT_NEAR(rod.twist_stiffness, 20.0 * pi, 1e-12 * 20.0 * pi);
  EXPECT_NEAR(rod.shear_stiffness, 16000.0 / 3.0 * pi, 1e-12 * 16000.0 * pi);
  EXPECT_NEAR(rod.stretch_stiffness, 10000.0 * pi, 1e-12 * 10000.0 * pi);
}

TEST(MemberSpec, TakesTheShearModulusItself) {
  const RodSpec rod = spec_of(rod_deck({"poisson_ratio"}, "shear_modulus = 3e5\n")).rod;
  EXPECT_NEAR(rod.twist_stiffness, 15.0 * pi, 1e-12 * 15.0 * pi);
  EXPECT_NEAR(rod.shear_stiffness, 4000.0 * pi, 1e-12 * 4000.0 * pi);
}

TEST(MemberSpec, PutsGivenStiffnessesInPlaceOfTheirFormulas) {
  const RodSpec rod = spec_of(complete_deck, {"rod.bend_stiffness=1.5", "rod.twist_stiffness=2.5",
                                              "rod.shear_stiffness=3.5", "rod.stretch_stiffness=4.5"})
                          .rod;
  EXPECT_EQ(rod.bend_stiffness, 1.5);
  EXPECT_EQ(rod.twist_stiffness, 2.5);
  EXPECT_EQ(rod.shear_stiffness, 3.5);
  EXPECT_EQ(rod.stretch_stiffness, 4.5);
  const RodSpec ratio = spec_of(complete_deck, {"rod.bend_stiffness=3", "rod.twist_to_bend_ratio=0.5"}).rod;
  EXPECT_EQ(ratio.twist_stiffness, 1.5);
}

TEST(MemberSpec, NeedsNoModuliWhereAllStiffnessesAreGiven) {
  const std::string text =
      rod_deck({"young_modulus", "poisson_ratio"},
               "bend_stiffness = 1\ntwist_to_bend_ratio = 2\nshear_stiffness = 3\nstretch_stiffness = 4\n");
  EXPECT_EQ(spec_of(text).rod.twist_stiffness, 2.0);
}

TEST(MemberSpec, SaysWhichStiffnessesNeedAModulus) {
  EXPECT_TRUE(says(spec_error(rod_deck({"young_modulus"}, "")),
                   {"deck.ini: rod.young_modulus is missing", "real > 0, Pa",
                    "rod.bend_stiffness and rod.stretch_stiffness"}));
  const std::string stretch_only =
      spec_error(rod_deck({"young_modulus", "poisson_ratio"}, "shear_modulus = 1\nbend_stiffness = 1\n"));
  EXPECT_TRUE(says(stretch_only, {"rod.young_modulus is missing", "needed for rod.stretch_stiffness"}));
  EXPECT_EQ(stretch_only.find("rod.bend_stiffness"), std::string::npos);
  EXPECT_TRUE(says(spec_error(rod_deck({"young_modulus"}, "bend_stiffness = 1\nstretch_stiffness = 1\n")),
                   {"rod.young_modulus is missing", "rod.poisson_ratio"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"poisson_ratio"}, "")),
                   {"rod.shear_modulus is missing", "real > 0, Pa", "or give rod.poisson_ratio",
                    "rod.twist_stiffness and rod.shear_stiffness"}));
  const std::string shear_only = spec_error(rod_deck({"poisson_ratio"}, "twist_to_bend_ratio = 1\n"));
  EXPECT_TRUE(says(shear_only, {"rod.shear_modulus is missing", "needed for rod.shear_stiffness"}));
  EXPECT_EQ(shear_only.find("rod.twist_stiffness"), std::string::npos);
}

TEST(MemberSpec, DerivesDensityRadiusElementsAndStep) {
  const RodSpec mass = spec_of(rod_deck({"density"}, "mass = 3\n")).rod;
  EXPECT_NEAR(mass.density * pi * 0.1 * 0.1 * 2.0, 3.0, 1e-14);
  EXPECT_EQ(spec_of(rod_deck({"radius"}, "radius_per_length = 0.03\n")).rod.radius, 0.06);
  EXPECT_EQ(spec_of(rod_deck({"elements"}, "elements_per_length = 10.3\n")).rod.elements, 21);
  EXPECT_EQ(spec_of(rod_deck({"elements"}, "elements_per_length = 10.2\n")).rod.elements, 20);
  EXPECT_EQ(spec_of(rod_deck({"elements"}, "elements_per_length = 0.01\n")).rod.elements, 1);
  // An element is 2 m / 50 long.
  EXPECT_DOUBLE_EQ(spec_of(rod_deck({"step"}, "[time]\nstep_per_length = 0.01\n")).time.step, 4e-4);
}

TEST(MemberSpec, NamesBothPlacesOfAContradiction) {
  // The second of each pair is the one added on the command line; the first stands in the deck.
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.elements_per_length=10"}),
                   {"command line: rod.elements_per_length", "contradicts rod.elements (deck.ini:2)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.radius_per_length=0.1"}),
                   {"command line: rod.radius_per_length", "contradicts rod.radius (deck.ini:4)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.mass=1"}),
                   {"command line: rod.mass", "contradicts rod.density (deck.ini:5)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.shear_modulus=1"}),
                   {"deck.ini:7: rod.poisson_ratio", "contradicts rod.shear_modulus (command line)"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck + "[rod]\ntwist_stiffness = 1\n", {"rod.twist_to_bend_ratio=1"}),
           {"command line: rod.twist_to_bend_ratio", "contradicts rod.twist_stiffness (deck.ini:12)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.step_per_length=1"}),
                   {"command line: time.step_per_length", "contradicts time.step (deck.ini:9)"}));
}

TEST(MemberSpec, SaysWhatIsMissing) {
  EXPECT_TRUE(says(spec_error(rod_deck({"length"})),
                   {"deck.ini: rod.length is missing (real > 0, m)", "rest length"}));
  EXPECT_TRUE(
      says(spec_error(rod_deck({"elements"})), {"rod.elements is missing", "rod.elements_per_length"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"radius"})), {"rod.radius is missing", "rod.radius_per_length"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"density"})), {"rod.density is missing", "or give rod.mass"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"step"})), {"time.step is missing", "or give time.step_per_length"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"end"})), {"time.end is missing (real > 0, s)"}));
}

TEST(MemberSpec, RefusesExtremesThatOverflow) {
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.radius=1e100"}), {"rod.bend_stiffness", "inf N m^2", "finite"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.radius=1e-100"}), {"rod.bend_stiffness", "0 N m^2", "above 0"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"elements"}, "elements_per_length = 1e300\n")),
                   {"deck.ini:11: rod.elements_per_length", "2e+300 elements", "integer in [1, 1000000]"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"time.step=1e-300"}), {"deck.ini:10: time.end", "time steps", "1e15"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.end=1e308", "time.step=1e-308"}), {"time.end", "1e15"}));
}

TEST(MemberSpec, CountsTheStepsThatReachTheEnd) {
  const auto steps = [](const std::string& step, const std::string& end) {
    return spec_of(complete_deck, {"time.step=" + step, "time.end=" + end}).time.steps;
  };
  EXPECT_EQ(steps("1e-3", "1"), 1000);
  EXPECT_EQ(steps("0.1", "0.3"), 3) << "0.3 / 0.1 is below 3 in doubles";
  EXPECT_EQ(steps("0.001", "16.1"), 16100) << "16.1 / 0.001 is above 16100 in doubles";
  EXPECT_EQ(steps("1e-5", "120"), 12'000'000);
  EXPECT_EQ(steps("0.3", "1"), 4) << "the last step ends after time.end";
  EXPECT_EQ(steps("0.3", "0.90001"), 4);
  EXPECT_EQ(steps("5", "1"), 1);
  EXPECT_EQ(steps("1e-9", "10"), 10'000'000'000);
}

TEST(MemberSpec, NormalisesDirectionAndNormal) {
  const RodSpec rod = spec_of(complete_deck, {"rod.direction=0,3,4", "rod.normal=1,1,0"}).rod;
  EXPECT_NEAR(rod.direction.y, 0.6, 1e-15);
  EXPECT_NEAR(rod.direction.z, 0.8, 1e-15);
  EXPECT_NEAR(norm(rod.normal), 1.0, 1e-15);
  EXPECT_NEAR(dot(rod.normal, rod.direction), 0.0, 1e-15);
  // (1, 1, 0) without its part along (0, 3, 4)/5 is (1, 0.64, -0.48).
  EXPECT_NEAR(rod.normal.y / rod.normal.x, 0.64, 1e-14);
  EXPECT_NEAR(rod.normal.z / rod.normal.x, -0.48, 1e-14);
  const RodSpec tiny = spec_of(complete_deck, {"rod.direction=0,1e-300,0", "rod.normal=1e300,1e300,0"}).rod;
  EXPECT_EQ(tiny.direction.y, 1.0);
  EXPECT_NEAR(tiny.normal.x, 1.0, 1e-15);
}

TEST(MemberSpec, KeepsANearlyParallelNormalPerpendicular) {
  const RodSpec rod = spec_of(complete_deck, {"rod.direction=1,1,1", "rod.normal=1,1,1.00001"}).rod;
  EXPECT_NEAR(dot(rod.normal, rod.direction), 0.0, 1e-15);
}

TEST(MemberSpec, RefusesDirectionsThatAreNone) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.direction=0,0,0"}),
                   {"command line: rod.direction", "zero vector"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.normal=0,0,0"}), {"command line: rod.normal", "zero vector"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.direction=-2,0,0"}),
                   {"rod.normal", "not given", "parallel to rod.direction", "command line"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.normal=0,1e-7,1"}), {"parallel to rod.direction"}));
}

TEST(MemberSpec, CarriesBoundaryLoadsAndObservation) {
  const MemberSpec spec = spec_of(
      complete_deck,
      {"boundary.first=clamped", "boundary.last=pinned_sliding", "load.end_force=1,2,3",
       "load.end_couple=4,5,6", "load.axial_force=-7", "load.perturbation=8", "load.perturbation_duration=9",
       "gravity.acceleration=0,0,-9.81", "rod.damping=0.5", "rod.origin=1,1,2", "time.slice_steps=77",
       "observe.buckling_energy=0.25", "output.frames=11", "study.seed=18446744073709551615"});
  EXPECT_EQ(spec.model, ModelKind::cosserat);
  EXPECT_EQ(spec.boundary.first, EndCondition::clamped);
  EXPECT_EQ(spec.boundary.last, EndCondition::pinned_sliding);
  EXPECT_EQ(spec.load.end_force.z, 3.0);
  EXPECT_EQ(spec.load.end_couple.x, 4.0);
  EXPECT_EQ(spec.load.axial_force, -7.0);
  EXPECT_EQ(spec.load.perturbation, 8.0);
  EXPECT_EQ(spec.load.perturbation_duration, 9.0);
  EXPECT_EQ(spec.load.gravity.z, -9.81);
  EXPECT_EQ(spec.rod.damping, 0.5);
  EXPECT_EQ(spec.rod.origin.z, 2.0);
  EXPECT_EQ(spec.time.slice_steps, 77);
  EXPECT_EQ(spec.buckling_energy, 0.25);
  EXPECT_EQ(spec.frames, 11);
  EXPECT_EQ(spec.study_seed, 18446744073709551615u);
  EXPECT_EQ(spec_of(complete_deck, {"boundary.last=pinned"}).boundary.last, EndCondition::pinned);
  EXPECT_EQ(spec_of(complete_deck).boundary.last, EndCondition::free);
}

TEST(MemberSpec, CarriesMotionAndLoadsInTime) {
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

TEST(MemberSpec, RefusesMotionsOfEndsThatAreNotHeld) {
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

TEST(MemberSpec, TakesTimesInUnitsOfAStretchWavesCrossing) {
  // sqrt(rho/E) L = sqrt(1e-3) 2 s
  const TimeSpec time =
      spec_of(rod_deck({"step", "end"}, "[time]\nstep_per_crossing = 1e-3\nend_per_crossing = 5\n")).time;
  EXPECT_NEAR(time.step, 2e-3 * std::sqrt(1e-3), 1e-18);
  EXPECT_EQ(time.steps, 5000);
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.step_per_crossing=1"}),
                   {"time.step_per_crossing", "contradicts time.step (deck.ini:9)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"time.end_per_crossing=1"}),
                   {"time.end_per_crossing", "contradicts time.end (deck.ini:10)"}));
}

TEST(MemberSpec, PerturbsThroughoutUnlessADurationIsGiven) {
  EXPECT_TRUE(std::isinf(spec_of(complete_deck, {"load.perturbation=1"}).load.perturbation_duration));
  EXPECT_EQ(spec_of(complete_deck, {"load.perturbation_duration=0"}).load.perturbation_duration, 0.0);
}

TEST(MemberSpec, StoresNoFrameOrAtLeastTwo) {
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"output.frames=1"}), {"command line: output.frames", "0", "2"}));
  EXPECT_EQ(spec_of(complete_deck, {"output.frames=2"}).frames, 2);
  EXPECT_EQ(spec_of(complete_deck).frames, 0);
}

TEST(MemberSpec, RefusesWhatDiscreteElasticRodsDoNotHave) {
  const MemberSpec spec = spec_of(complete_deck, {"model.kind=der", "newton.halvings=3"});
  EXPECT_EQ(spec.model, ModelKind::der);
  EXPECT_EQ(spec.newton.halvings, 3);
  const auto refused = [](const std::string& override) {
    return spec_error(complete_deck, {"model.kind=der", override, "muscle.period=1", "contact.stiffness=1"});
  };
  EXPECT_TRUE(says(refused("ground.kind=plane"), {"ground.kind", "model.kind = der", "has no ground"}));
  EXPECT_TRUE(says(refused("ground.cylinders=0, 0, 0, 0, 0, 1, 1"), {"ground.cylinders", "has no ground"}));
  EXPECT_TRUE(says(refused("muscle.amplitudes=1, 2"), {"muscle.amplitudes", "has no muscles"}));
  EXPECT_TRUE(says(refused("fluid.viscosity=1"), {"fluid.viscosity", "has no slender-body drag"}));
  EXPECT_TRUE(says(refused("fluid.reynolds=1"), {"fluid.reynolds", "has no slender-body drag"}));
  EXPECT_TRUE(says(refused("contact.kind=penalty"), {"contact.kind", "has no contact by penalty"}));
}

TEST(MemberSpec, NeedsNoRodToWait) {
  const MemberSpec spec = spec_of("[model]\nkind = noop\n[noop]\nseconds = 0.5\n", {"study.seed=3"});
  EXPECT_EQ(spec.model, ModelKind::noop);
  EXPECT_EQ(spec.noop_seconds, 0.5);
  EXPECT_EQ(spec.study_seed, 3u);
}

TEST(MemberSpec, FollowsWhatAStudySets) {
  Deck deck = Deck::parse(rod_deck({"length", "elements"}, "elements_per_length = 10\n"), "deck.ini");
  for (const double length : {1.0, 2.0, 4.0}) {
    deck.set(parse_parameter_address("rod.length"), length);
    const RodSpec rod = make_member_spec(deck).rod;
    EXPECT_EQ(rod.length, length);
    EXPECT_EQ(rod.elements, static_cast<int>(10.0 * length));
  }
}

TEST(MemberSpec, IsTheSameFromTheResolvedDeck) {
  const Deck deck = Deck::parse(rod_deck({"density"}, "mass = 0.3\n"), "deck.ini", {"rod.normal=1,2,3"});
  const RodSpec rod = make_member_spec(deck).rod;
  const RodSpec again = spec_of(deck.resolved()).rod;
  EXPECT_EQ(again.density, rod.density);
  EXPECT_EQ(again.twist_stiffness, rod.twist_stiffness);
  EXPECT_EQ(again.normal.z, rod.normal.z);
}

TEST(MemberSpec, ReadsTheGround) {
  EXPECT_FALSE(spec_of(complete_deck).ground.has_plane);
  const GroundSpec ground = spec_of(complete_deck +
                                    "[ground]\nkind = plane\nnormal = 0, 0, 2\nstatic_friction = 1, 2, 3\n"
                                    "kinetic_friction = 0.1, 0.2, 0.3\n")
                                .ground;
  EXPECT_TRUE(ground.has_plane);
  EXPECT_EQ(ground.normal.z, 1.0);
  EXPECT_EQ(ground.static_friction.forward, 1.0);
  EXPECT_EQ(ground.static_friction.backward, 2.0);
  EXPECT_EQ(ground.static_friction.rolling, 3.0);
  EXPECT_EQ(ground.kinetic_friction.rolling, 0.3);
  const std::string negative =
      message_of([] { Deck::parse("[ground]\nkinetic_friction = 0.1, -0.2, 0.3\n", "deck.ini"); });
  EXPECT_TRUE(says(negative, {"deck.ini:2", "ground.kinetic_friction", ">= 0"})) << negative;
}

TEST(MemberSpec, ReadsBallsAndCylinders) {
  const GroundSpec ground =
      spec_of(complete_deck, {"ground.spheres=1,2,3,0.5,4,5,6,-7", "ground.cylinders=1,2,3,0,0,4,0.25"})
          .ground;
  EXPECT_FALSE(ground.has_plane);
  ASSERT_EQ(ground.solid_count, 3);
  EXPECT_EQ(ground.solids[1].centre.y, 5.0);
  EXPECT_EQ(ground.solids[1].radius, -7.0);
  EXPECT_EQ(norm(ground.solids[1].axis), 0.0);
  EXPECT_EQ(ground.solids[2].centre.z, 3.0);
  EXPECT_EQ(ground.solids[2].axis.z, 1.0);
  EXPECT_EQ(ground.solids[2].radius, 0.25);
}

TEST(MemberSpec, RefusesBadBallsAndCylinders) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.spheres=1,2,3"}),
                   {"command line: ground.spheres", "3 numbers", "each takes 4"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.spheres=1,2,3,0"}), {"ground.spheres", "radius of 0"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.cylinders=1,2,3,0,0,0,1"}),
                   {"ground.cylinders", "zero vector"}));
  std::string nine = "ground.spheres=0,0,0,1";
  for (int k = 0; k < 8; ++k) nine += ",0,0,0,1";
  EXPECT_TRUE(says(spec_error(complete_deck, {nine}), {"ground.spheres", "at most 8"}));
}

TEST(MemberSpec, InclinesGravityAboutTheRod) {
  // The rod of complete_deck lies along z: a quarter turn takes -y to x.
  const Vec3 gravity =
      spec_of(complete_deck, {"gravity.acceleration=0,-9.81,2", "gravity.incline=0.5235987755982988"})
          .load.gravity;
  EXPECT_NEAR(gravity.x, 9.81 / 2.0, 1e-13);
  EXPECT_NEAR(gravity.y, -9.81 * std::sqrt(0.75), 1e-13);
  EXPECT_EQ(gravity.z, 2.0);
}

const std::string gait = complete_deck + "[muscle]\namplitudes = 1, -2, 3\nperiod = 0.5\n";

TEST(MemberSpec, ReadsTheMusclesWave) {
  const MuscleSpec muscle = spec_of(gait, {"muscle.wave_number=-6", "muscle.phase=0.1"}).muscle;
  EXPECT_EQ(muscle.kind, MuscleKind::couple);
  EXPECT_EQ(muscle.amplitude_count, 3);
  EXPECT_EQ(muscle.amplitudes[1], -2.0);
  EXPECT_EQ(muscle.period, 0.5);
  EXPECT_EQ(muscle.wave_number, -6.0);
  EXPECT_EQ(muscle.phase, 0.1);
  EXPECT_FALSE(muscle.in_laboratory);
  EXPECT_EQ(muscle.axis.x, 1.0) << "couples act about d1";
  EXPECT_EQ(spec_of(complete_deck).muscle.kind, MuscleKind::none);
  EXPECT_EQ(spec_of(complete_deck + "[muscle]\nperiod = 2\n").muscle.kind, MuscleKind::none);
}

TEST(MemberSpec, TakesTheMusclesDirection) {
  EXPECT_EQ(spec_of(gait, {"muscle.kind=force"}).muscle.axis.z, 1.0) << "forces act along d3";
  EXPECT_EQ(spec_of(gait, {"muscle.direction=d2"}).muscle.axis.y, 1.0);
  EXPECT_EQ(spec_of(gait, {"muscle.kind=force", "muscle.direction=d1"}).muscle.axis.x, 1.0);
  const MuscleSpec muscle = spec_of(gait, {"muscle.axis=0,3,4"}).muscle;
  EXPECT_TRUE(muscle.in_laboratory);
  EXPECT_NEAR(muscle.axis.y, 0.6, 1e-15);
  EXPECT_NEAR(muscle.axis.z, 0.8, 1e-15);
  EXPECT_TRUE(says(spec_error(gait, {"muscle.axis=0,0,0"}), {"muscle.axis", "zero vector"}));
  EXPECT_TRUE(says(spec_error(gait, {"muscle.axis=1,0,0", "muscle.direction=d1"}),
                   {"muscle.axis", "contradicts muscle.direction"}));
}

TEST(MemberSpec, RefusesMusclesWithoutAPeriodOrProfile) {
  EXPECT_TRUE(says(spec_error(complete_deck + "[muscle]\namplitudes = 1, 2\n"),
                   {"muscle.period is missing", "real > 0, s", "needed for muscle.amplitudes"}));
  EXPECT_TRUE(says(spec_error(gait, {"muscle.amplitudes=1"}), {"muscle.amplitudes", "holds 1", "2 to 32"}));
  std::string many = "muscle.amplitudes=0";
  for (int k = 0; k < 32; ++k) many += ",0";
  EXPECT_TRUE(says(spec_error(gait, {many}), {"muscle.amplitudes", "holds 33", "2 to 32"}));
}

TEST(MemberSpec, DerivesTheViscosityFromTheReynoldsNumber) {
  // A rod of 2 m that moves by its length in 0.5 s.
  EXPECT_EQ(spec_of(complete_deck).fluid.viscosity, 0.0);
  EXPECT_EQ(spec_of(complete_deck, {"fluid.viscosity=0.7"}).fluid.viscosity, 0.7);
  EXPECT_NEAR(spec_of(gait, {"fluid.reynolds=1e-4"}).fluid.viscosity, 8e4, 1e-9);
  EXPECT_NEAR(spec_of(gait, {"fluid.reynolds=1e-4", "fluid.density=3"}).fluid.viscosity, 24e4, 1e-9);
}

TEST(MemberSpec, RefusesAFluidThatIsNotDefined) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.reynolds=1e-4"}),
                   {"muscle.period is missing", "needed for fluid.reynolds"}));
  EXPECT_TRUE(says(spec_error(gait, {"fluid.reynolds=1e-4", "fluid.viscosity=1"}),
                   {"fluid.reynolds", "contradicts fluid.viscosity"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.viscosity=1", "rod.radius=2"}),
                   {"rod.length", "radius 2 m", "fluid.viscosity"}));
}

TEST(MemberSpec, ReadsStokeslets) {
  const std::vector<std::string> stokeslets = {"model.kind=der", "fluid.kind=stokeslets",
                                               "fluid.viscosity=0.1"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = stokeslets;
    all.insert(all.end(), more);
    return all;
  };
  const FluidSpec plain = spec_of(complete_deck, stokeslets).fluid;
  EXPECT_TRUE(plain.acts_by(FluidKind::stokeslets));
  EXPECT_FALSE(plain.acts_by(FluidKind::slender_body));
  EXPECT_EQ(plain.mobility, MobilityKind::full);
  EXPECT_EQ(plain.regularization, 0.0);
  EXPECT_EQ(plain.tolerance, 1e-6);
  const FluidSpec all =
      spec_of(complete_deck,
              with({"fluid.mobility=lower_triangle", "fluid.regularization=1e-3", "fluid.tolerance=1e-9"}))
          .fluid;
  EXPECT_EQ(all.mobility, MobilityKind::lower_triangle);
  EXPECT_EQ(all.regularization, 1e-3);
  EXPECT_EQ(all.tolerance, 1e-9);
  EXPECT_FALSE(spec_of(complete_deck, {"model.kind=der", "fluid.kind=stokeslets"})
                   .fluid.acts_by(FluidKind::stokeslets));  // no viscosity, no fluid

  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.kind=stokeslets", "fluid.viscosity=1"}),
                   {"fluid.kind", "model.kind = cosserat", "has no Stokeslets"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.mobility=lower_triangle"}),
                   {"fluid.mobility", "needs fluid.kind = stokeslets"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.regularization=1e-3"}),
                   {"fluid.regularization", "needs fluid.kind = stokeslets"}));
  EXPECT_TRUE(says(spec_error(complete_deck, with({"rod.elements=10000"})),
                   {"fluid.kind", "at most 10000 nodes", "not 10001"}));
}

/// complete_deck with lines put in front of [time] (from line 8 on), each once more a [rod] key.
std::string deck_of_rods(const std::string& lines) {
  std::string deck = test::complete_deck;
  return deck.insert(deck.find("[time]"), lines);
}

TEST(SeveralRods, AreAlikeButForWhatRodEachSays) {
  const MemberSpec spec = make_member_spec(Deck::parse(
      deck_of_rods(
          "count = 3\neach = rod.origin[0] : list(0, 0.5, 1)\neach = rod.elements : list(50, 20, 10)\n"
          "each = boundary.first : list(clamped, free, pinned)\n"
          "each = load.axial_force : list(0, 3, 0)\n"),
      "deck.ini"));
  ASSERT_EQ(spec.rod_count(), 3);
  EXPECT_EQ(array_elements(spec), 50 + 20 + 10 + 2 * elements_between_rods);
  EXPECT_EQ(rod_nodes(spec), (std::vector<int>{51, 21, 11}));
  const MemberSpec second = rod_alone(spec, 1);
  const MemberSpec third = rod_alone(spec, 2);
  EXPECT_EQ(second.rod.origin.x, 0.5);
  EXPECT_EQ(third.rod.origin.x, 1.0);
  EXPECT_EQ(second.rod.elements, 20);
  EXPECT_EQ(second.rod.length, spec.rod.length);
  EXPECT_EQ(spec.boundary.first, EndCondition::clamped);
  EXPECT_EQ(third.boundary.first, EndCondition::pinned);
  EXPECT_EQ(second.load.axial_force, 3.0);
  EXPECT_EQ(third.load.axial_force, 0.0);
  EXPECT_EQ(second.rod_count(), 1);
}

TEST(SeveralRods, StandEndToEndWhereJoined) {
  const MemberSpec spec = make_member_spec(Deck::parse(
      deck_of_rods("count = 3\norigin = 1, 0, 0\neach = rod.length : list(2, 3, 1)\n"
                   "each = rod.direction[0] : list(0, 1, 0)\neach = rod.direction[2] : list(1, 0, 1)\n"
                   "normal = 0, 1, 0\n[joint]\nkind = ball\n"),
      "deck.ini"));
  EXPECT_EQ(array_elements(spec), 150);
  EXPECT_EQ(spec.further_rods[0].joint, JointKind::ball);
  EXPECT_LT(norm(spec.further_rods[0].rod.origin - Vec3{1, 0, 2}), 1e-15);
  EXPECT_LT(norm(spec.further_rods[1].rod.origin - Vec3{4, 0, 2}), 1e-15);
}

TEST(SeveralRods, TakeTheShortestElementForTheStep) {
  std::string deck = deck_of_rods("count = 2\neach = rod.length : list(2, 1)\n");
  deck.replace(deck.find("step = 1e-3"), 11, "step_per_length = 0.1");
  EXPECT_NEAR(make_member_spec(Deck::parse(deck, "deck.ini")).time.step, 0.1 / 50, 1e-15);
}

TEST(SeveralRods, AreTheSameFromTheResolvedDeckAndUnderAStudy) {
  const Deck deck = Deck::parse(
      deck_of_rods("count = 2\neach = rod.length : list(2, 1)\neach = boundary.last : list(free, pinned)\n"),
      "deck.ini");
  Deck again = Deck::parse(deck.resolved(), "resolved");
  EXPECT_EQ(again.resolved(), deck.resolved());
  again.set({Key::rod_radius, -1}, 0.05);
  const MemberSpec spec = make_member_spec(again);
  EXPECT_EQ(spec.further_rods[0].rod.length, 1.0);
  EXPECT_EQ(spec.further_rods[0].rod.radius, 0.05);
  EXPECT_EQ(spec.further_rods[0].boundary.last, EndCondition::pinned);
}

TEST(SeveralRods, WithBadValuesAreRefused) {
  const auto reading = [](const std::string& lines) { return test::parse_error(deck_of_rods(lines)); };
  const auto making = [](const std::string& lines) {
    return message_of([&] { make_member_spec(Deck::parse(deck_of_rods(lines), "deck.ini")); });
  };
  EXPECT_TRUE(says(reading("count = 2\neach = rod.length\n"), {"deck.ini:9: rod.each", "KEY : list(v,...)"}));
  EXPECT_TRUE(says(reading("each = rod.lenght : list(1)\n"), {"deck.ini:8", "did you mean rod.length"}));
  EXPECT_TRUE(says(reading("each = rod.length : list(1, -2)\n"), {"rod.length = '-2'", "real > 0"}));
  EXPECT_TRUE(says(reading("each = rod.origin : list(1, 2)\n"), {"rod.origin is a list", "rod.origin[0]"}));
  EXPECT_TRUE(
      says(reading("each = boundary.last : list(held)\n"), {"boundary.last = 'held'", "free|clamped"}));
  EXPECT_TRUE(says(reading("each = time.step : list(1)\n"), {"time.step holds for a member as a whole"}));
  EXPECT_TRUE(says(reading("each = rod.count : list(1)\n"), {"rod.count holds for a member as a whole"}));
  EXPECT_TRUE(says(reading("each = load.perturbation : list(1)\n"), {"holds for a member as a whole"}));
  EXPECT_TRUE(says(reading("each = rod.length : list(1)\neach = rod.length : list(2)\n"),
                   {"deck.ini:9", "has values already, in deck.ini:8"}));
  EXPECT_TRUE(says(making("count = 3\neach = rod.length : list(1, 2)\n"),
                   {"deck.ini:9", "has 2 values for rod.count = 3", "deck.ini:8"}));
  EXPECT_TRUE(
      says(making("count = 2\neach = rod.direction[2] : list(1, 0)\n"), {"rod.direction", "deck.ini:9"}));
  EXPECT_TRUE(says(making("count = 2\neach = rod.direction[2] : list(1, -1)\n[joint]\nkind = rigid\n"),
                   {"joint.kind", "3 rad"}));
  EXPECT_TRUE(says(making("count = 3\neach = rod.elements : list(500000, 400000, 200000)\n"),
                   {"deck.ini:8: rod.count", "more than 1e+06 elements"}));
  EXPECT_TRUE(says(making("count = 2\ndamping = 1\ndamping_decay_time = 1\n[joint]\nkind = ball\n"),
                   {"rod.damping_decay_time", "joined"}));
  EXPECT_TRUE(
      says(making("count = 2\n[convergence]\nreference = hanging\n"), {"convergence.reference", "one rod"}));
}

TEST(SeveralRods, HaveNoAxisOverWhatEachHasItsOwnOf) {
  const std::string lines = "count = 2\neach = rod.length : list(1, 2)\n[sweep]\naxis = ";
  const auto axes = [&](const std::string& axis) {
    return Deck::parse(deck_of_rods(lines + axis + "\n"), "deck.ini").sweep_axes();
  };
  EXPECT_EQ(axes("rod.radius : list(0.1, 0.2)").size(), 1u);
  EXPECT_TRUE(says(message_of([&] { axes("rod.length : list(1, 2)"); }),
                   {"deck.ini:11", "rod.length has a value for each rod", "deck.ini:9"}));
}

}  // namespace
}  // namespace rodeo
