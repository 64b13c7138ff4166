#include <numbers>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using std::numbers::pi;
using test::complete_deck;
using test::rod_deck;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(RodKeys, DerivesTheStiffnessesOfACircularSection) {
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

TEST(RodKeys, TakesTheShearModulusItself) {
  const RodSpec rod = spec_of(rod_deck({"poisson_ratio"}, "shear_modulus = 3e5\n")).rod;
  EXPECT_NEAR(rod.twist_stiffness, 15.0 * pi, 1e-12 * 15.0 * pi);
  EXPECT_NEAR(rod.shear_stiffness, 4000.0 * pi, 1e-12 * 4000.0 * pi);
}

TEST(RodKeys, PutsGivenStiffnessesInPlaceOfTheirFormulas) {
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

TEST(RodKeys, DerivesTheStiffnessesOfARectangle) {
  // E = 1 MPa, G = 0.4 MPa, 2 by 1 cm
  const std::string text = rod_deck({"radius"}, "section = rectangle\nwidth = 0.02\nthickness = 0.01\n");
  const RodSpec rod = spec_of(text).rod;
  EXPECT_FALSE(rod.circular);
  EXPECT_NEAR(rod.bend_stiffness, 1e6 * 0.02 * 1e-6 / 12, 1e-14);
  EXPECT_NEAR(rod.second_bend_ratio, 4.0, 1e-14);
  EXPECT_NEAR(rod.twist_stiffness, 4e5 * 0.02 * 1e-6 * 0.228681677, 1e-11);
  EXPECT_NEAR(rod.stretch_stiffness, 200.0, 1e-11);
  EXPECT_NEAR(rod.shear_stiffness, 5.0 / 6.0 * 80.0, 1e-11);
  EXPECT_EQ(rod.second_shear_ratio, 1.0);
  EXPECT_NEAR(spec_of(text, {"rod.second_bend_stiffness=5"}).rod.second_bend_ratio * rod.bend_stiffness, 5.0,
              1e-14);
  EXPECT_NEAR(spec_of(text, {"rod.end_width=0.005"}).rod.end_radius_ratio, 0.25, 1e-15);
}

TEST(RodKeys, GivesACircleTwoStiffnessesWhereAsked) {
  EXPECT_TRUE(spec_of(complete_deck).rod.circular);
  const RodSpec rod = spec_of(complete_deck, {"rod.bend_stiffness=2", "rod.second_bend_stiffness=3"}).rod;
  EXPECT_FALSE(rod.circular);
  EXPECT_EQ(rod.second_bend_ratio, 1.5);
  EXPECT_EQ(rod.first_moment, 1.0);
}

TEST(RodKeys, RefusesWhatTakesSectionsToBeCircular) {
  const std::string text = rod_deck({"radius"}, "section = ellipse\nwidth = 0.02\nthickness = 0.01\n");
  const std::string reason = "takes sections to be circular, which those of rod.section = ellipse (deck.ini:";
  EXPECT_TRUE(
      says(spec_error(text, {"contact.kind=penalty", "contact.stiffness=1"}), {"contact.kind", reason}));
  EXPECT_TRUE(says(spec_error(text, {"ground.kind=plane", "ground.stiffness=1"}), {"ground.kind", reason}));
  EXPECT_TRUE(says(spec_error(text, {"fluid.viscosity=1"}), {"fluid.viscosity", reason}));
  EXPECT_TRUE(says(spec_error(text, {"model.precision=single"}), {"model.precision", "two"}));
  EXPECT_TRUE(says(spec_error(rod_deck({"radius"}, "section = ellipse\nwidth = 0.02\n")),
                   {"rod.thickness is missing", "rod.section = ellipse needs it"}));
}

TEST(RodKeys, NeedsNoModuliWhereAllStiffnessesAreGiven) {
  const std::string text =
      rod_deck({"young_modulus", "poisson_ratio"},
               "bend_stiffness = 1\ntwist_to_bend_ratio = 2\nshear_stiffness = 3\nstretch_stiffness = 4\n");
  EXPECT_EQ(spec_of(text).rod.twist_stiffness, 2.0);
}

TEST(RodKeys, SaysWhichStiffnessesNeedAModulus) {
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

TEST(RodKeys, DerivesDensityRadiusElementsAndStep) {
  const RodSpec mass = spec_of(rod_deck({"density"}, "mass = 3\n")).rod;
  EXPECT_NEAR(mass.density * pi * 0.1 * 0.1 * 2.0, 3.0, 1e-14);
  EXPECT_EQ(spec_of(rod_deck({"radius"}, "radius_per_length = 0.03\n")).rod.radius, 0.06);
  EXPECT_EQ(spec_of(rod_deck({"elements"}, "elements_per_length = 10.3\n")).rod.elements, 21);
  EXPECT_EQ(spec_of(rod_deck({"elements"}, "elements_per_length = 10.2\n")).rod.elements, 20);
  EXPECT_EQ(spec_of(rod_deck({"elements"}, "elements_per_length = 0.01\n")).rod.elements, 1);
  // An element is 2 m / 50 long.
  EXPECT_DOUBLE_EQ(spec_of(rod_deck({"step"}, "[time]\nstep_per_length = 0.01\n")).time.step, 4e-4);
}

TEST(RodKeys, NormalisesDirectionAndNormal) {
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

TEST(RodKeys, KeepsANearlyParallelNormalPerpendicular) {
  const RodSpec rod = spec_of(complete_deck, {"rod.direction=1,1,1", "rod.normal=1,1,1.00001"}).rod;
  EXPECT_NEAR(dot(rod.normal, rod.direction), 0.0, 1e-15);
}

TEST(RodKeys, ChooseANormalAcrossWhicheverDirection) {
  EXPECT_EQ(spec_of(complete_deck).rod.normal.x, 1.0);
  EXPECT_EQ(spec_of(complete_deck, {"rod.direction=-2,0,0"}).rod.normal.y, 1.0);
  EXPECT_NEAR(spec_of(complete_deck, {"rod.direction=1,1,0"}).rod.normal.x, std::sqrt(0.5), 1e-15);
}

TEST(RodKeys, RefusesDirectionsThatAreNone) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.direction=0,0,0"}),
                   {"command line: rod.direction", "zero vector"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"rod.normal=0,0,0"}), {"command line: rod.normal", "zero vector"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"rod.normal=0,1e-7,1"}), {"parallel to rod.direction"}));
}

}  // namespace
}  // namespace rodeo
