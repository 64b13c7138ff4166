#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::effects_error;
using test::message_of;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(SurroundingsKeys, ReadsTheGround) {
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

TEST(SurroundingsKeys, TakeOneFrictionForBoth) {
  const std::string plane = complete_deck + "[ground]\nkind = plane\n";
  const GroundSpec one = spec_of(plane, {"ground.static_friction=0.1, 0.2, 0.3"}).ground;
  EXPECT_EQ(one.kinetic_friction.forward, 0.1);
  EXPECT_EQ(one.kinetic_friction.rolling, 0.3);
  EXPECT_EQ(spec_of(plane, {"ground.static_friction=0.1, 0.2, 0.3", "ground.kinetic_friction=0, 0, 0"})
                .ground.kinetic_friction.rolling,
            0.0);
  EXPECT_EQ(spec_of(plane, {"ground.kinetic_friction=0.1, 0.2, 0.3"}).ground.static_friction.forward, 0.0);
  // A stored deck keeps what it meant, and one that is stored now means the same when it is read.
  const Deck deck = Deck::parse(plane + "static_friction = 0.1, 0.2, 0.3\n", "deck.ini");
  EXPECT_EQ(make_member_spec(Deck::parse_stored(deck.resolved(), "stored")).ground.kinetic_friction.rolling,
            0.3);
}

TEST(SurroundingsKeys, AskForTheNormalOfAPlaneThatGravityLeaves) {
  const std::string plane = complete_deck + "[ground]\nkind = plane\n";
  EXPECT_TRUE(says(spec_error(plane, {"gravity.acceleration=0, 0, -9.81"}), {"ground.normal", "is needed"}));
  EXPECT_TRUE(says(spec_error(plane, {"gravity.acceleration=0, 9.81, 0"}), {"ground.normal", "is needed"}));
  EXPECT_TRUE(spec_of(plane, {"gravity.acceleration=0, -9.81, 1"}).ground.has_plane);
  EXPECT_TRUE(spec_of(plane, {"gravity.acceleration=0, 0, -9.81", "ground.normal=0, 1, 0"}).ground.has_plane);
}

TEST(SurroundingsKeys, RefuseFrictionThatGrowsAsRodsSlide) {
  EXPECT_TRUE(says(spec_error(complete_deck + "[ground]\nkind = plane\nstatic_friction = 0.4, 0.4, 0.4\n"
                                              "kinetic_friction = 0.3, 0.5, 0.3\n"),
                   {"ground.kinetic_friction", "above ground.static_friction"}));
}

TEST(SurroundingsKeys, ReadsBallsAndCylinders) {
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

TEST(SurroundingsKeys, RefusesBadBallsAndCylinders) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.spheres=1,2,3"}),
                   {"command line: ground.spheres", "3 numbers", "each takes 4"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.spheres=1,2,3,0"}), {"ground.spheres", "radius of 0"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.cylinders=1,2,3,0,0,0,1"}),
                   {"ground.cylinders", "zero vector"}));
  std::string nine = "ground.spheres=0,0,0,1";
  for (int k = 0; k < 8; ++k) nine += ",0,0,0,1";
  EXPECT_TRUE(says(spec_error(complete_deck, {nine}), {"ground.spheres", "at most 8"}));
}

TEST(SurroundingsKeys, ReadsPlanes) {
  const GroundSpec ground =
      spec_of(complete_deck, {"ground.planes=1,2,3,0,0,4,-1,-2,-3,-5,0,0", "ground.spheres=1,2,3,0.5"})
          .ground;
  EXPECT_FALSE(ground.has_plane);
  ASSERT_EQ(ground.planes.size(), 2U);
  EXPECT_EQ(ground.planes[0].point.y, 2.0);
  EXPECT_EQ(ground.planes[0].normal.z, 1.0);
  EXPECT_EQ(ground.planes[1].point.z, -3.0);
  EXPECT_EQ(ground.planes[1].normal.x, -1.0);
  EXPECT_EQ(ground.solid_count, 1);
  EXPECT_TRUE(says(spec_error(complete_deck, {"ground.planes=0,0,0,0,1"}),
                   {"command line: ground.planes", "5 numbers", "each takes 6"}));
  EXPECT_TRUE(
      says(spec_error(complete_deck, {"ground.planes=0,0,0,0,0,0"}), {"ground.planes", "zero vector"}));
  std::string six = "ground.planes=0,0,0,0,0,1";
  for (int k = 0; k < 5; ++k) six += ",0,0,0,0,0,1";
  EXPECT_TRUE(says(spec_error(complete_deck, {six, "ground.spheres=0,0,0,1,0,0,0,1,0,0,0,1"}),
                   {"ground.spheres", "at most 8 planes, balls and cylinders"}));
}

TEST(SurroundingsKeys, ReadsThePlaten) {
  const std::string deck = complete_deck + "[variable]\nstroke = 0.02\n[ground]\nplaten = ";
  const PlatenSpec platen =
      spec_of(deck + "0, 0, 2 * stroke, 0, 0, -3 : 0, 0, -stroke * sin(2 * pi * t)\n").ground.platen;
  ASSERT_TRUE(platen.exists());
  EXPECT_EQ(platen.point.z, 0.04);
  EXPECT_EQ(platen.normal.z, -1.0);
  EXPECT_NEAR(platen.course[2].value(0.25), -0.02, 1e-15);
  EXPECT_FALSE(spec_of(complete_deck).ground.platen.exists());
  const auto error = [&](const std::string& line) { return spec_error(deck + line + "\n"); };
  EXPECT_TRUE(says(error("0, 0, 0, 0, 0, 0 : 0, 0, t"), {"ground.platen", "character 10", "no direction"}));
  EXPECT_TRUE(says(error("0, 0, 0, 0, 1 : 0, 0, t"), {"ground.platen", "character 15", "comma"}));
  EXPECT_TRUE(says(error("0, 0, 0, 0, 0, 1 : 0, t"), {"ground.platen", "comma"}));
  EXPECT_TRUE(says(error("0, 0, 0, 0, 0, 1, 0, 0, t"), {"ground.platen", "a : should stand here"}));
  EXPECT_TRUE(says(error("0, 0, 0, 0, 0, 1 : 0, 0, s"), {"ground.platen", "character 26"}));
  EXPECT_TRUE(says(error("0, 0, t, 0, 0, 1 : 0, 0, 0"), {"ground.platen", "character 7"}));
  EXPECT_TRUE(says(error("0, 0, 0, 0, 0, 1 : 0, 0, 0, 0"), {"ground.platen", "the line should end here"}));
}

const std::string gait = complete_deck + "[muscle]\namplitudes = 1, -2, 3\nperiod = 0.5\n";

TEST(SurroundingsKeys, ReadsTheMusclesWave) {
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

TEST(SurroundingsKeys, TakesTheMusclesDirection) {
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

TEST(SurroundingsKeys, RefusesWhatRodsWithoutShearOrRigidGroundCannotFeel) {
  EXPECT_EQ(spec_of(gait, {"model.kind=der", "muscle.kind=force"}).muscle.axis.z, 1.0);
  EXPECT_TRUE(says(spec_error(gait, {"model.kind=der", "muscle.kind=force", "muscle.direction=d1"}),
                   {"muscle.direction", "model.kind = der, which has no shear"}));
  EXPECT_EQ(spec_of(complete_deck, {"ground.kind=plane", "ground.stiffness=0"}).ground.stiffness, 0.0);
  EXPECT_TRUE(says(spec_error(complete_deck, {"model.kind=der", "ground.kind=plane", "ground.stiffness=0"}),
                   {"ground.stiffness", "is 0", "model.kind = der"}));
}

TEST(SurroundingsKeys, RefusesMusclesWithoutAPeriodOrProfile) {
  EXPECT_TRUE(says(spec_error(complete_deck + "[muscle]\namplitudes = 1, 2\n"),
                   {"muscle.period is missing", "real > 0, s", "needed for muscle.amplitudes"}));
  EXPECT_TRUE(says(spec_error(gait, {"muscle.amplitudes=1"}), {"muscle.amplitudes", "holds 1", "2 to 32"}));
  std::string many = "muscle.amplitudes=0";
  for (int k = 0; k < 32; ++k) many += ",0";
  EXPECT_TRUE(says(spec_error(gait, {many}), {"muscle.amplitudes", "holds 33", "2 to 32"}));
}

TEST(SurroundingsKeys, DerivesTheViscosityFromTheReynoldsNumber) {
  // A rod of 2 m that moves by its length in 0.5 s.
  EXPECT_EQ(spec_of(complete_deck).fluid.viscosity, 0.0);
  EXPECT_EQ(spec_of(complete_deck, {"fluid.viscosity=0.7"}).fluid.viscosity, 0.7);
  EXPECT_NEAR(spec_of(gait, {"fluid.reynolds=1e-4"}).fluid.viscosity, 8e4, 1e-9);
  EXPECT_NEAR(spec_of(gait, {"fluid.reynolds=1e-4", "fluid.density=3"}).fluid.viscosity, 24e4, 1e-9);
}

TEST(SurroundingsKeys, RefusesAFluidThatIsNotDefined) {
  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.reynolds=1e-4"}),
                   {"muscle.period is missing", "needed for fluid.reynolds"}));
  EXPECT_TRUE(says(spec_error(gait, {"fluid.reynolds=1e-4", "fluid.viscosity=1"}),
                   {"fluid.reynolds", "contradicts fluid.viscosity"}));
  EXPECT_TRUE(
      says(spec_error(gait, {"fluid.reynolds=1e-4", "rod.count=2", "rod.each=rod.length : list(2, 1)"}),
           {"fluid.reynolds", "rods 0 and 1 differ in rod.length"}));
  EXPECT_NO_THROW(
      spec_of(gait, {"fluid.reynolds=1e-4", "rod.count=2", "rod.each=rod.radius : list(0.1, 0.2)"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"fluid.viscosity=1", "rod.radius=2"}),
                   {"rod.length", "radius 2 m", "fluid.viscosity"}));
}

TEST(SurroundingsKeys, ReadsImplicitContact) {
  const MemberSpec spec = spec_of(
      complete_deck, {"model.kind=der", "contact.kind=ipc", "contact.tolerance=1e-5", "contact.friction=0.3",
                      "contact.slip_tolerance=1e-4", "newton.relative_tolerance=1e-3"});
  EXPECT_EQ(spec.contact.kind, ContactKind::ipc);
  EXPECT_EQ(spec.contact.tolerance, 1e-5);
  EXPECT_EQ(spec.contact.friction, 0.3);
  EXPECT_EQ(spec.contact.slip_tolerance, 1e-4);
  EXPECT_EQ(spec.newton.relative_tolerance, 1e-3);
  EXPECT_TRUE(says(spec_error(complete_deck, {"model.kind=der", "contact.kind=imc"}), {"contact.tolerance"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"model.kind=der", "contact.kind=imc", "contact.tolerance=1e-5",
                                              "contact.friction=0.1"}),
                   {"contact.slip_tolerance", "contact.friction"}));
  EXPECT_TRUE(says(spec_error(complete_deck, {"contact.kind=imc", "contact.tolerance=1e-5"}),
                   {"contact.kind", "imc", "model.kind = cosserat", "penalty"}));
  EXPECT_TRUE(says(effects_error(complete_deck, {"contact.friction=0.1"}), {"contact.friction", "imc|ipc"}));
}

TEST(SurroundingsKeys, ReadsStokeslets) {
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
  EXPECT_TRUE(says(effects_error(complete_deck, {"fluid.viscosity=1", "fluid.mobility=lower_triangle"}),
                   {"fluid.mobility", "needs fluid.kind = stokeslets"}));
  EXPECT_TRUE(says(effects_error(complete_deck, {"fluid.viscosity=1", "fluid.regularization=1e-3"}),
                   {"fluid.regularization", "needs fluid.kind = stokeslets"}));
  EXPECT_TRUE(says(spec_error(complete_deck, with({"rod.elements=10000", "fluid.mobility=lower_triangle"})),
                   {"fluid.mobility", "at most 10000 nodes", "not 10001", "full does without"}));
  EXPECT_TRUE(says(spec_error(complete_deck, with({"rod.elements=10000", "fluid.tolerance=1e-8"})),
                   {"fluid.tolerance", "at most 10000 nodes", "1e-6 does without"}));
  EXPECT_EQ(spec_of(complete_deck, with({"rod.elements=10000"})).rod.elements, 10000);
}

}  // namespace
}  // namespace rodeo
