#include "rodeo/input/key_effects.hpp"

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::effects_error;
using test::says;

void expect_effect(const std::string& text, const std::vector<std::string>& overrides = {}) {
  EXPECT_NO_THROW(check_effects(Deck::parse(text, "deck.ini", overrides), Deck::parse(text, "deck.ini")));
}

TEST(KeyEffects, AreMissedWithPlaceKeyReasonAndRemedy) {
  EXPECT_EQ(
      effects_error(complete_deck + "[contact]\nstiffness = 3\n"),
      "deck.ini:12: contact.stiffness: has no effect: it needs contact.kind = penalty; contact.kind is none "
      "(deck.ini (not given))");
  EXPECT_EQ(effects_error(complete_deck, {"ground.stiffness=3"}),
            "command line: ground.stiffness: has no effect: it needs ground.kind = plane or ground.planes or "
            "ground.spheres or ground.cylinders or ground.platen");
}

TEST(KeyEffects, AreMissedOfWhatAStateSaysInTheirPlace) {
  const std::string on = complete_deck + "[rod]\nstate = other.h5:0\n";
  EXPECT_TRUE(says(effects_error(on + "velocity = 0, 0, 5\n"),
                   {"rod.velocity: has no effect", "it needs no rod.state"}));
  EXPECT_TRUE(
      says(effects_error(on + "[study]\nkind = sweep\n[sweep]\naxis = rod.velocity[2] : list(0, 5)\n"),
           {"rod.velocity[2] has no effect", "no rod.state"}));
  EXPECT_TRUE(says(effects_error(on + "total_twist = 3\n"), {"rod.total_twist: has no effect"}));
  expect_effect(on + "total_twist = 3\n[boundary]\nlast = clamped\n");
  expect_effect(complete_deck + "[rod]\nvelocity = 0, 0, 5\n", {"rod.state=other.h5:0"});
}

TEST(KeyEffects, AreMissedOfRepeatsWithoutChance) {
  EXPECT_TRUE(says(effects_error(complete_deck + "[study]\nrepeats = 3\n"),
                   {"study.repeats: has no effect", "something random"}));
  expect_effect(complete_deck + "[study]\nrepeats = 3\n[load]\nperturbation = 1e-6\n");
  expect_effect("[study]\nrepeats = 3\n[model]\nkind = noop\n");
  const std::string heard =
      complete_deck + "[study]\nrepeats = 3\n[control]\ninterval = 0.01\nsignal = tip : x(end)";
  EXPECT_TRUE(says(effects_error(heard + "\n"), {"study.repeats: has no effect", "something random"}));
  expect_effect(heard + " noise 0.01\n");
}

TEST(KeyEffects, AreMissedOfEveryKeyThatHasNone) {
  // Each list holds what gives the key its effect, and then the key.
  const std::vector<std::vector<std::string>> cases = {
      {"study.objective=end_x", "study.sense=min"},
      {"rod.count=2", "rod.polygon_side=0.5"},
      {"rod.damping=1", "rod.damping_decay_time=1"},
      {"rod.shape=helix", "rod.helix_pitch=1"},
      {"rod.shape=helix", "rod.helix_radius=1"},
      {"rod.shape=ring", "rod.rest_shape=straight"},
      {"rod.shape=ring", "rod.closed=no"},
      {"rod.shape=file", "rod.shape_nodes=0, 0, 0, 0, 0, 2"},
      {"rod.count=2", "joint.kind=ball"},
      {"boundary.twist=1", "boundary.motion_time=1"},
      {"boundary.slack=1", "boundary.driven=last"},
      {"load.middle_force=1, 0, 0", "load.perturbation_duration=1"},
      {"load.magnetic_flux_density=1, 0, 0", "load.magnetization=1"},
      {"load.end_couple=1, 0, 0", "load.ramp_time=1"},
      {"load.axial_force=1", "load.frequency=1"},
      {"gravity.acceleration=0, 1, 0", "gravity.incline=1"},
      {"ground.kind=plane", "ground.origin=0, 1, 0"},
      {"ground.kind=plane", "ground.normal=0, 0, 1"},
      {"ground.spheres=0, 0, 0, 1", "ground.stiffness=3"},
      {"ground.planes=0, 0, 0, 0, 0, 1", "ground.damping=3"},
      {"ground.platen=0, 0, 0, 0, 0, 1 : 0, 0, t", "ground.damping=3"},
      {"ground.spheres=0, 0, 0, 1", "ground.static_friction=1, 1, 1"},
      {"ground.cylinders=0, 0, 0, 0, 0, 1, 1", "ground.kinetic_friction=1, 1, 1"},
      {"ground.kind=plane", "ground.kinetic_friction=1, 1, 1", "ground.velocity_threshold=1"},
      {"muscle.amplitudes=1, 1", "muscle.kind=force"},
      {"muscle.amplitudes=1, 1", "muscle.wave_number=1"},
      {"muscle.amplitudes=1, 1", "muscle.phase=1"},
      {"muscle.amplitudes=1, 1", "muscle.direction=d2"},
      {"muscle.amplitudes=1, 1", "muscle.axis=0, 1, 0"},
      {"fluid.viscosity=1", "fluid.kind=stokeslets"},
      {"fluid.reynolds=1", "fluid.density=2"},
      {"fluid.viscosity=1", "fluid.kind=stokeslets", "fluid.mobility=lower_triangle"},
      {"fluid.viscosity=1", "fluid.kind=stokeslets", "fluid.regularization=1"},
      {"fluid.viscosity=1", "fluid.kind=stokeslets", "fluid.tolerance=1e-3"},
      {"contact.kind=penalty", "contact.stiffness=1"},
      {"contact.kind=penalty", "contact.damping=1"},
      {"contact.kind=imc", "contact.tolerance=1"},
      {"contact.kind=ipc", "contact.friction=1"},
      {"contact.kind=ipc", "contact.friction=1", "contact.slip_tolerance=1"},
      {"model.kind=der", "newton.tolerance=1"},
      {"model.kind=der", "newton.relative_tolerance=1"},
      {"model.kind=der", "newton.iterations=1"},
      {"model.kind=der", "newton.halvings=1"},
      {"time.method=static", "modes.count=3"},
      {"model.kind=noop", "noop.seconds=1"},
      {"model.kind=function", "function.name=noise"},
      {"model.kind=function", "function.x=1"},
      {"model.kind=function", "function.noise=1"},
      {"model.kind=function", "function.seconds=1"},
      {"model.kind=function", "function.seconds=1", "function.slowest=2"},
      {"output.frames=2", "output.keep=none"},
      {"output.frames=2", "output.fields=velocity"},
      {"rod.count=2", "output.frames=2", "output.rods=0"},
      {"output.frames=2", "output.observables=end_x"},
      {"output.frames=2", "output.precision=float"},
      {"study.kind=sweep", "sweep.axis=rod.mass : list(1)", "sweep.sampler=sobol", "sweep.samples=2"},
      {"study.kind=single", "sweep.axis=rod.mass : list(1)"},
      {"study.kind=single", "sweep.sampler=sobol"},
      {"study.kind=single", "convergence.axis=rod.elements : list(1, 2)"},
      {"study.kind=single", "optimize.parameter=rod.mass : [1, 2] start 1"},
      {"study.kind=single", "optimize.population=20"},
      {"study.kind=single", "optimize.target=1"},
      {"study.kind=single", "optimize.mode=asynchronous", "optimize.ahead=2"},
  };
  for (const std::vector<std::string>& with : cases) {
    expect_effect(complete_deck, with);
    const std::string key = with.back().substr(0, with.back().find('='));
    std::vector<std::string> without = with;
    without.erase(without.end() - 2);
    EXPECT_TRUE(
        says(effects_error(complete_deck, without), {"command line: " + key, "has no effect: it needs "}))
        << key;
  }
}

TEST(KeyEffects, AreMissedOfModuliThatStiffnessesReplace) {
  const std::vector<std::string> stiffnesses = {"rod.bend_stiffness=1", "rod.stretch_stiffness=1",
                                                "rod.twist_stiffness=1", "rod.shear_stiffness=1"};
  EXPECT_TRUE(says(effects_error(complete_deck + "[rod]\nbend_stiffness = 1\nstretch_stiffness = 1\n"
                                                 "twist_stiffness = 1\nshear_stiffness = 1\n"),
                   {"deck.ini:7: rod.poisson_ratio", "no rod.twist_stiffness or no rod.shear_stiffness"}));
  expect_effect(complete_deck, stiffnesses);  // which an override may do
  EXPECT_TRUE(says(effects_error(complete_deck, {"model.kind=der", "rod.shear_stiffness=1"}),
                   {"rod.shear_stiffness", "model.kind = cosserat"}));
  const std::string der = test::rod_deck({"young_modulus", "poisson_ratio"},
                                         "bend_stiffness = 1\ntwist_stiffness = 1\nstretch_stiffness = 1\n");
  EXPECT_NO_THROW(test::spec_of(der, {"model.kind=der"}))
      << "rods that do not shear need no stiffness for it";
}

TEST(KeyEffects, OfOneModelAreNoneOfAnother) {
  for (const char* model : {"noop", "function"}) {
    const std::string text = "[model]\nkind = " + std::string(model) + "\n[rod]\nlength = 1\n";
    EXPECT_TRUE(says(effects_error(text), {"deck.ini:4: rod.length", "it needs model.kind = cosserat|der"}));
  }
  EXPECT_TRUE(says(effects_error(complete_deck + "[newton]\niterations = 3\n"),
                   {"deck.ini:12: newton.iterations", "it needs model.kind = der"}));
}

TEST(KeyEffects, OfAnotherShapeAreMissed) {
  EXPECT_TRUE(says(effects_error(complete_deck, {"rod.helix_radius=1"}),
                   {"command line: rod.helix_radius", "it needs rod.shape = helix; rod.shape is straight"}));
  EXPECT_TRUE(says(effects_error(test::file_deck, {"rod.length=1"}),
                   {"command line: rod.length", "it needs rod.shape = straight|ring|helix"}));
}

TEST(KeyEffects, OfDefaultsAreNotMissed) {
  expect_effect(Deck::parse(complete_deck, "deck.ini").resolved());
  expect_effect(complete_deck + "[contact]\ndamping = 0\n[ground]\nnormal = 0, 1, 0\n");
}

TEST(KeyEffects, MayBeThoseOfSomeCandidates) {
  const std::string sweep = complete_deck + "[contact]\nstiffness = 3\n[study]\nkind = sweep\n[sweep]\n";
  expect_effect(sweep + "axis = contact.kind : list(none, penalty)\n");
  EXPECT_TRUE(
      says(effects_error(sweep + "axis = rod.length : list(1, 2)\n"), {"deck.ini:12: contact.stiffness"}));
  expect_effect(sweep + "axis = rod.radius : list(1, 2)\n",
                {"sweep.axis=contact.kind : list(none, penalty)"});
}

TEST(KeyEffects, AreMissedOfAxesParametersAndLines) {
  const std::string sweep = complete_deck + "[study]\nkind = sweep\n[sweep]\n";
  EXPECT_TRUE(says(effects_error(sweep + "axis = contact.stiffness : list(1, 2)\n"),
                   {"deck.ini:14: sweep.axis: contact.stiffness has no effect", "contact.kind = penalty"}));
  EXPECT_TRUE(
      says(effects_error(complete_deck + "[study]\nkind = optimize\n[optimize]\n"
                                         "parameter = gravity.incline : [0, 1] start 0\n"),
           {"deck.ini:14: optimize.parameter: gravity.incline has no effect", "gravity.acceleration"}));
  EXPECT_TRUE(
      says(effects_error(complete_deck, {"rod.count=2", "rod.each=boundary.motion_time : list(1, 2)"}),
           {"command line: rod.each: boundary.motion_time has no effect"}));
  EXPECT_TRUE(
      says(effects_error(complete_deck + "[sweep]\naxis = rod.length : list(1, 2)\n"),
           {"deck.ini:12: sweep.axis", "it needs study.kind = sweep or boundary, or study.kind = single"}));
  EXPECT_TRUE(says(effects_error(complete_deck, {"study.kind=optimize", "sweep.sampler=sobol",
                                                 "optimize.parameter=rod.length : [1, 2] start 1"}),
                   {"command line: sweep.sampler", "it needs study.kind = sweep"}));
}

TEST(KeyEffects, OfTheFileMayBeSwitchedOffByTheCommandLine) {
  const std::string contact = complete_deck + "[contact]\nkind = penalty\nstiffness = 3\n";
  expect_effect(contact, {"contact.kind=none"});
  EXPECT_TRUE(says(effects_error(contact, {"contact.kind=none", "contact.stiffness=4"}),
                   {"command line: contact.stiffness"}));
  expect_effect(complete_deck + "[contact]\nstiffness = 3\n", {"contact.kind=penalty"});
  // A file that is no study without its overrides has no effects of its own.
  expect_effect("[study]\nkind = sweep\n" + complete_deck, {"sweep.axis=rod.length : list(1, 2)"});
}

TEST(KeyEffects, OfTheCommandLineAreNotThoseOfWhatIsVaried) {
  const std::string sweep =
      complete_deck + "[study]\nkind = sweep\n[sweep]\naxis = rod.length : list(1, 2)\n";
  expect_effect(sweep);  // the length of rod.length = 2 is that of a single run
  EXPECT_TRUE(says(effects_error(sweep, {"rod.length=3"}),
                   {"command line: rod.length: has no effect: sweep.axis (deck.ini:14) varies it"}));
  expect_effect(sweep, {"rod.length=3", "study.kind=single"});
}

TEST(KeyEffects, OfRodEachReplaceTheKeyItself) {
  const std::string each = complete_deck + "[rod]\ncount = 2\neach = rod.length : list(1, 3)\n";
  EXPECT_TRUE(
      says(effects_error(each), {"deck.ini:3: rod.length", "rod.each (deck.ini:13) gives each rod its own"}));
  const std::string entries =
      complete_deck + "[rod]\ncount = 2\norigin = 0, 1, 0\neach = rod.origin[0] : list(1, 3)\n";
  const std::string others = "each = rod.origin[1] : list(2, 4)\neach = rod.origin[2] : list(1, 1)\n";
  expect_effect(entries);
  EXPECT_TRUE(says(effects_error(entries + others),
                   {"deck.ini:13: rod.origin: has no effect", "rod.each (deck.ini:14) gives each rod its own",
                    "list(rod.origin[0], 2*rod.origin[0])"}));
  expect_effect(entries +
                "each = rod.origin[1] : list(rod.origin[1], 4)\neach = rod.origin[2] : list(1, 1)\n");
}

TEST(KeyEffects, OfEndsThatAreJoinedAreNone) {
  const std::string joined = complete_deck + "[rod]\ncount = 3\n[joint]\nkind = ball\n";
  expect_effect(joined, {"rod.origin=1, 0, 0"});  // of the first rod
  expect_effect(joined, {"rod.each=rod.origin[0] : list(1, 0, 0)"});
  EXPECT_TRUE(says(effects_error(joined, {"rod.each=rod.origin[0] : list(0, 0.1, 0.2)"}),
                   {"command line: rod.each: rod.origin[0] has no effect",
                    "joint.kind (deck.ini:14) joins the first end of rod 1"}));
  expect_effect(joined,
                {"rod.each=rod.origin[0] : list(0, 0, 0.2)", "rod.each=joint.kind : list(none, ball, none)"});
  EXPECT_TRUE(says(effects_error(joined, {"rod.each=load.axial_force : list(1, 0, 0)"}),
                   {"load.axial_force has no effect", "the last end of rod 0"}));
  expect_effect(joined, {"rod.each=load.axial_force : list(0, 0, 1)"});
  EXPECT_TRUE(says(effects_error(joined, {"rod.each=boundary.first : list(clamped, clamped, free)"}),
                   {"boundary.first has no effect", "the first end of rod 1"}));
}

TEST(KeyEffects, OfOverridesAloneAreLookedAtInStoredDecks) {
  const std::string old = complete_deck + "[contact]\nstiffness = 3\n";
  EXPECT_NO_THROW(check_effects_of_overrides(Deck::parse(old, "deck.ini", {"rod.length=3"})));
  EXPECT_TRUE(says(test::message_of([&] {
                     check_effects_of_overrides(Deck::parse(old, "deck.ini", {"contact.damping=3"}));
                   }),
                   {"command line: contact.damping"}));
}

}  // namespace
}  // namespace rodeo
