#include "rodeo/spec/member_spec.hpp"

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::rod_deck;
using test::says;
using test::spec_error;
using test::spec_of;

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
  EXPECT_TRUE(says(refused("contact.kind=penalty"),
                   {"contact.kind", "has no contact by penalty forces", "model.kind = der",
                    "it has contact.kind = imc, contact.kind = ipc", "model.kind = cosserat has"}));
}

TEST(MemberSpec, TakesADeviceWhereItHasAllThatIsAsked) {
  EXPECT_FALSE(spec_of(complete_deck).on_device);
  const std::string deck = complete_deck + "[model]\ndevice = gpu\n";
  EXPECT_TRUE(spec_of(deck, {"boundary.first=clamped"}).on_device);
  EXPECT_TRUE(says(spec_error(deck, {"contact.kind=penalty", "contact.stiffness=1"}),
                   {"model.device", "contact.kind"}));
  EXPECT_TRUE(
      says(spec_error(deck, {"motion.position=node 0 : 0, 0, t"}), {"model.device", "motion.position"}));
  EXPECT_TRUE(says(spec_error(deck, {"actuation.force=z : t"}), {"model.device", "actuation.force"}));
  EXPECT_TRUE(says(spec_error(deck, {"model.precision=single"}), {"model.device", "model.precision"}));
  EXPECT_TRUE(says(spec_error(deck, {"model.kind=der"}), {"model.device", "model.kind = der", "cosserat"}));
}

TEST(MemberSpec, TakesSinglePrecisionWhereFloatsReach) {
  EXPECT_FALSE(spec_of(complete_deck).single_precision);
  EXPECT_TRUE(spec_of(complete_deck, {"model.precision=single"}).single_precision);
  EXPECT_TRUE(says(spec_error(complete_deck, {"model.precision=single", "rod.radius=1e-9"}),
                   {"model.precision", "moment of inertia", "1e-30"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"model.precision=single", "model.kind=der"}),
                   {"model.precision", "model.kind = der", "cosserat"}));
}

TEST(MemberSpec, PutsRodsOnThePolygonsCorners) {
  const MemberSpec pair =
      spec_of(complete_deck, {"rod.count=2", "rod.polygon_side=0.5", "rod.origin=1, 0, 0"});
  EXPECT_NEAR(norm(pair.rod.origin - (Vec3{1, 0, 0} + 0.25 * pair.rod.normal)), 0.0, 1e-15);
  EXPECT_NEAR(norm(pair.further_rods[0].rod.origin - (Vec3{1, 0, 0} - 0.25 * pair.rod.normal)), 0.0, 1e-15);
  const MemberSpec five = spec_of(complete_deck, {"rod.count=5", "rod.polygon_side=0.5"});
  for (int k = 0; k < 5; ++k) {
    const Vec3 here = rod_alone(five, k).rod.origin;
    EXPECT_NEAR(dot(here, five.rod.direction), 0.0, 1e-15);
    EXPECT_NEAR(norm(here - rod_alone(five, (k + 1) % 5).rod.origin), 0.5, 1e-14);
  }
  EXPECT_EQ(norm(spec_of(complete_deck, {"rod.polygon_side=0.5"}).rod.origin), 0.0);
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.count=2", "rod.polygon_side=0.5", "joint.kind=ball"}),
                   {"rod.polygon_side", "joint.kind"}));
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

}  // namespace
}  // namespace rodeo
