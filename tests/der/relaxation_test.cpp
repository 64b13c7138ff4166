#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/der/static_member.hpp"

#include "member/cantilever_end.hpp"
#include "member/run_members.hpp"

namespace rodeo::der {
namespace {

MemberSpec resting_spec(const std::string& text, std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), {"model.kind=der", "time.method=static"});
  return make_member_spec(Deck::parse(text, "test", overrides));
}

/// A beam of 1 m along x with B = 0.785 N m^2, so stiff in stretch that it is an elastica.
constexpr const char* resting_beam =
    "[rod]\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\npoisson_ratio = 0.3\n"
    "stretch_stiffness = 1e8\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n";

constexpr const char* resting_column =
    "[rod]\nelements = 60\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
    "poisson_ratio = 0.3\n[boundary]\nfirst = pinned\nlast = pinned_sliding\n";

/// Two rods across each other, each held at one end, whose loads press them together.
constexpr const char* pressed_rods =
    "[rod]\ncount = 2\nelements = 20\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\neach = rod.origin[0] : list(0, 0.5)\neach = rod.origin[1] : list(0, 0.045)\n"
    "each = rod.origin[2] : list(0, -0.5)\neach = rod.direction[0] : list(1, 0)\n"
    "each = rod.direction[2] : list(0, 1)\neach = load.end_force[1] : list(0.01, -0.03)\n"
    "normal = 0, 1, 0\n[boundary]\nfirst = clamped\n[contact]\ntolerance = 2e-3\n";

/// Where the end of an elastica of unit length and stiffness is under a force across it.
std::array<double, 2> end_of_elastica(double force) {
  constexpr double rigid = std::numeric_limits<double>::infinity();
  RodSpec rod;
  rod.length = 1.0;
  rod.bend_stiffness = 1.0;
  rod.shear_stiffness = rod.stretch_stiffness = rigid;
  return end_under_force(rod, force);
}

TEST(Relaxation, CantileverIsTheElasticaToTheSecondOrder) {
  const auto [x, y] = end_of_elastica(10.0);
  std::array<double, 3> errors{};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const MemberOutcome outcome =
        run_member(resting_spec(resting_beam, {"rod.elements=" + std::to_string(20 << k),
                                               "load.end_force=0, 7.853981633974483, 0"}));  // F L^2/B = 10
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_LE(value(outcome, "newton_iterations"), 40.0);
    EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
    EXPECT_EQ(value(outcome, "translational_energy"), 0.0);
    errors[k] = std::hypot(value(outcome, "end_x") - x, value(outcome, "end_y") - y);
  }
  EXPECT_LT(errors[0], 1e-2);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.2);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

/// However little what bends them is beside what stretches them, of which rounding alone is more.
TEST(Relaxation, CantileversOfWireAreTheElastica) {
  const auto [x, y] = end_of_elastica(1.0);
  std::array<double, 2> thick{};
  for (const char* const radius : {"1e-3", "1e-5", "1e-6"}) {
    const MemberOutcome outcome = run_member(resting_spec(
        "[rod]\nelements = 100\nlength = 1\ndensity = 7800\nyoung_modulus = 2e11\npoisson_ratio = 0.3\n"
        "direction = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
        "[actuation]\nforce = y, end : rod.young_modulus * pi * rod.radius^4/4\n",
        {std::string("rod.radius=") + radius}));
    ASSERT_EQ(outcome.status, MemberStatus::done) << radius;
    EXPECT_NEAR(value(outcome, "end_x"), x, 1e-4) << radius;
    EXPECT_NEAR(value(outcome, "end_y"), y, 1e-4) << radius;
    if (thick[0] == 0.0) thick = {value(outcome, "end_x"), value(outcome, "end_y")};
    EXPECT_NEAR(value(outcome, "end_x"), thick[0], 1e-6) << radius;
    EXPECT_NEAR(value(outcome, "end_y"), thick[1], 1e-6) << radius;
  }
}

/// A slow vibration that rounding hides is not one without energy.
TEST(Relaxation, WireDoesNotSayHowStiffItIsWhereRoundingHidesThat) {
  const MemberOutcome outcome = run_member(
      resting_spec("[rod]\nelements = 100\nlength = 1\nradius = 1e-6\ndensity = 7800\nyoung_modulus = 2e11\n"
                   "poisson_ratio = 0.3\n[boundary]\nfirst = clamped\n"));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EXPECT_TRUE(std::isnan(value(outcome, "unstable_modes")));
  EXPECT_TRUE(std::isnan(value(outcome, "least_stiffness")));
}

TEST(Relaxation, ColumnCountsTheWaysInWhichItBuckles) {
  const RodSpec rod = resting_spec(resting_column).rod;
  const double euler = M_PI * M_PI * rod.bend_stiffness / (rod.length * rod.length);
  double half = 0.0;
  for (const double part : {0.5, 0.99, 1.01, 3.9, 4.1}) {
    const MemberOutcome outcome =
        run_member(resting_spec(resting_column, {"load.axial_force=" + std::to_string(part * euler)}));
    const bool stable = part < 1.0;
    EXPECT_EQ(outcome.status, stable ? MemberStatus::done : MemberStatus::unstable) << part;
    // In either plane one, then two half waves.
    EXPECT_EQ(value(outcome, "unstable_modes"), stable ? 0.0 : part < 4.0 ? 2.0 : 4.0) << part;
    EXPECT_EQ(value(outcome, "least_stiffness") > 0.0, stable) << part;
    if (part == 0.5) half = value(outcome, "least_stiffness");
  }
  // Of the first half wave: pi^2/L (P_E - P), if the inertia of sections does not count.
  EXPECT_NEAR(half, M_PI * M_PI * 0.5 * euler, 0.01 * half);
}

TEST(Relaxation, ColumnLeavesASaddleForWhereItIsPushed) {
  const MemberOutcome outcome =
      run_member(resting_spec(resting_column, {"load.axial_force=9", "load.middle_force=1e-3, 0, 0",
                                               "load.perturbation_duration=0.75", "time.step=0.5"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_GT(value(outcome, "theta_max"), 0.5);
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
}

/// The two slowest modes are within 5 % of each other, and from some angles the first has next to no part in
/// where iterations begin.
TEST(Relaxation, LeastStiffnessDoesNotDependOnHowTheSectionIsTurned) {
  for (const char* const across : {"0", "0.3", "0.7", "1.2", "2.5", "20"}) {
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
        "[model]\nkind = der\n[rod]\nelements = 10\nlength = 1\nsection = rectangle\nwidth = "
        "0.0204\nthickness = "
        "0.02\ndensity = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\ndirection = 0, 0, 1\n[boundary]\n"
        "first = clamped\n[time]\nmethod = static\n",
        "test", {std::string("rod.normal=1, ") + across + ", 0"})));
    EXPECT_EQ(outcome.status, MemberStatus::done) << across;
    EXPECT_NEAR(value(outcome, "least_stiffness"), 1.653264, 1e-6) << across;
  }
}

TEST(Relaxation, CouplesHaveNoEnergyAndBendAnArc) {
  const MemberOutcome outcome = run_member(
      resting_spec(resting_beam,
                   {"rod.elements=40", "load.end_couple=0, 0, " + std::to_string(2.0 * 0.7853981633974483)}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_TRUE(std::isnan(value(outcome, "unstable_modes")));
  const double arc = 1.0 - 0.5 / 40;  // it acts on the last element, whose outer half stays straight
  const double end = 2.0 * arc;
  EXPECT_NEAR(value(outcome, "end_x"), 0.5 * std::sin(end) + (1.0 - arc) * std::cos(end), 1e-3);
  EXPECT_NEAR(value(outcome, "end_y"), 0.5 * (1.0 - std::cos(end)) + (1.0 - arc) * std::sin(end), 1e-3);
}

TEST(Relaxation, WhatNothingHoldsHasNoEquilibriumUnderItsWeight) {
  const std::vector<std::string> free = {"rod.elements=40", "boundary.first=free"};
  std::vector<std::string> heavy = free;
  heavy.emplace_back("gravity.acceleration=0, 0, -9.81");
  EXPECT_EQ(run_member(resting_spec(resting_beam, heavy)).status, MemberStatus::no_equilibrium);
  const MemberOutcome light = run_member(resting_spec(resting_beam, free));
  EXPECT_EQ(light.status, MemberStatus::done);
  EXPECT_EQ(value(light, "unstable_modes"), 0.0);
  // The least but those of moves as a whole is that of the first bending, (4.730)^4 B/L^3.
  EXPECT_NEAR(value(light, "least_stiffness"), 500.56 * 0.7853981633974483, 0.01 * 393.0);
}

/// The end of a long run that damping brings to rest.
TEST(Relaxation, RodsThatPressRestWhereDampedMotionEnds) {
  for (const std::string kind : {"imc", "ipc"}) {
    const std::string contact = "contact.kind=" + kind;
    const MemberOutcome rest = run_member(resting_spec(pressed_rods, {contact}));
    ASSERT_EQ(rest.status, MemberStatus::done) << kind;
    EXPECT_GE(value(rest, "contact_count"), 1.0) << kind;
    EXPECT_EQ(value(rest, "unstable_modes"), 0.0) << kind;
    const MemberOutcome motion = run_member(
        make_member_spec(Deck::parse(pressed_rods, "test",
                                     {contact, "model.kind=der", "rod.damping=2", "rod.rotational_damping=2",
                                      "time.step=0.5", "time.end=300", "newton.tolerance=1e-9"})));
    ASSERT_EQ(motion.status, MemberStatus::done) << kind;
    for (const char* name : {"end_x", "end_y", "end_z"})
      EXPECT_NEAR(value(rest, name), value(motion, name), 1e-7) << kind << ' ' << name;
    const double energy = value(motion, "bending_energy");
    EXPECT_NEAR(value(rest, "bending_energy"), energy, 1e-6 * energy) << kind;
  }
}

/// Rods side by side that are pulled together touch all along; one equilibrium or four on the way are the
/// same.
TEST(Relaxation, ManyPairsInContactDoNotDependOnTheWay) {
  const std::string pair =
      "[rod]\ncount = 2\nelements = 30\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
      "each = rod.origin[1] : list(0, 0.03)\neach = load.distributed_force[1] : list(0.2, -0.2)\n"
      "each = load.distributed_force[2] : list(0.02, 0)\n[boundary]\nfirst = clamped\nlast = clamped\n"
      "[contact]\nkind = imc\ntolerance = 1e-3\n[load]\nramp_time = 1\n";
  const MemberOutcome once = run_member(resting_spec(pair));
  const MemberOutcome four = run_member(resting_spec(pair, {"time.step=0.25", "time.end=1"}));
  ASSERT_EQ(once.status, MemberStatus::done);
  ASSERT_EQ(four.status, MemberStatus::done);
  EXPECT_GE(value(once, "contact_count"), 15.0);
  EXPECT_EQ(value(once, "contact_count"), value(four, "contact_count"));
  const double energy = value(once, "bending_energy");
  EXPECT_NEAR(value(four, "bending_energy"), energy, 1e-8 * energy);
}

/// Pushed together and twisted, a rod winds round itself.
TEST(Relaxation, TwistedRodWindsRoundItself) {
  const MemberOutcome outcome = run_member(resting_spec(
      "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
      "last = clamped\ntwist = 25\nslack = 0.4\nmotion_time = 1\ndriven = last\n[load]\n"
      "middle_force = 0, 0, 0.01\nperturbation_duration = 0.5\n[contact]\nkind = imc\ntolerance = 1e-3\n",
      {"time.step=0.05", "time.end=1"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_GT(value(outcome, "contact_count"), 0.0);
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
  EXPECT_NEAR(value(outcome, "link"), 25.0 / (2.0 * M_PI), 1e-6);
}

/// What counts as none of the loads on a soft rod is not what would of a stiff one.
TEST(Relaxation, StiffRodTakesNothingFromASoftOne) {
  const std::string two =
      "[rod]\ncount = 2\nradius = 0.005\ndensity = 1000\ntwist_to_bend_ratio = 0.7\n"
      "stretch_stiffness = 1e5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\nelements = 20\n"
      "each = rod.origin[1] : list(1, 0)\neach = boundary.first : list(clamped, clamped)\n"
      "each = load.end_force[2] : list(0, 0.5)\n";
  const MemberOutcome alike = run_member(
      resting_spec(two + "each = rod.length : list(1, 1)\neach = rod.bend_stiffness : list(1, 1)\n"));
  const MemberOutcome unlike = run_member(
      resting_spec(two + "each = rod.length : list(0.01, 1)\neach = rod.bend_stiffness : list(1000, 1)\n"));
  ASSERT_EQ(alike.status, MemberStatus::done);
  ASSERT_EQ(unlike.status, MemberStatus::done);
  EXPECT_NEAR(value(alike, "end_z"), 0.16233, 2e-4);
  EXPECT_NEAR(value(unlike, "end_z"), value(alike, "end_z"), 1e-8);
}

constexpr const char* steel_rod =
    "[rod]\nelements = 10\nlength = 0.1\nradius = 0.005\ndensity = 8000\nyoung_modulus = 2e11\n"
    "poisson_ratio = 0.5\norigin = 0, 0, 0.005\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n";

/// Its weight is far less than what bends it.
TEST(Relaxation, SteelRodSlidesDownASlope) {
  const std::string slope =
      std::string(steel_rod) + "[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 1e3\n[gravity]\n";
  const MemberOutcome level = run_member(resting_spec(slope + "acceleration = 0, 0, -9.81\n"));
  EXPECT_EQ(level.status, MemberStatus::done);
  EXPECT_NEAR(value(level, "least_stiffness"), 1e4, 1.0);
  for (const char* modulus : {"2e11", "1e9"}) {
    const MemberOutcome sloping = run_member(resting_spec(slope + "acceleration = 0.0980998, 0, -9.80951\n",
                                                          {std::string("rod.young_modulus=") + modulus}));
    EXPECT_EQ(sloping.status, MemberStatus::no_equilibrium) << modulus;
  }
}

/// A string is far softer than what bends it: the rod hangs from it and its pin, all but upright.
TEST(Relaxation, SteelRodHangsFromASoftString) {
  const std::string hanging = std::string(steel_rod) +
                              "[boundary]\nfirst = pinned\n[gravity]\nacceleration = 0, 0, -9.81\n"
                              "[load]\ntether_point = 0.1, 0, 0.2\ntether_length = 0.1\n"
                              "tether_stiffness = 1\ntether_place = 0.5\n";
  const MemberOutcome der = run_member(resting_spec(hanging));
  const MemberOutcome cosserat =
      run_member(make_member_spec(Deck::parse(hanging, "test", {"time.method=static"})));
  ASSERT_EQ(der.status, MemberStatus::done);
  ASSERT_EQ(cosserat.status, MemberStatus::done);
  EXPECT_NEAR(value(der, "end_x"), value(cosserat, "end_x"), 3e-5);
  EXPECT_NEAR(value(der, "end_z"), value(cosserat, "end_z"), 3e-6);
}

}  // namespace
}  // namespace rodeo::der
