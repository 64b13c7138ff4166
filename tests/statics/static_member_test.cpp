#include "rodeo/statics/static_member.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/forces/muscle_profile.hpp"

#include "member/cantilever_end.hpp"
#include "member/run_members.hpp"
#include "statics/equilibrium.hpp"
#include "statics/relaxed.hpp"
#include "statics/standing_member.hpp"

namespace rodeo::statics {
namespace {

MemberSpec spec_of(const std::string& text, std::vector<std::string> overrides = {}) {
  overrides.emplace_back("time.method=static");
  return make_member_spec(Deck::parse(text, "test", overrides));
}

/// A beam of 1 m along x with B = 0.785 N m^2, thick enough that its shear counts.
constexpr const char* cantilever =
    "[rod]\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\npoisson_ratio = 0.3\n"
    "direction = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n";

/// Of the same, pressed by a force between hinges.
constexpr const char* column =
    "[rod]\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\npoisson_ratio = 0.3\n"
    "[boundary]\nfirst = pinned\nlast = pinned_sliding\n";

TEST(StaticMember, CantileverBendsFarInOneStepToTheSecondOrder) {
  const double force = 7.853981633974483;  // F L^2/B = 10
  std::array<double, 3> errors{};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const MemberSpec spec = spec_of(
        cantilever, {"rod.elements=" + std::to_string(20 << k), "load.end_force=0, 7.853981633974483, 0"});
    const MemberOutcome outcome = run_member(spec);
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_LE(value(outcome, "newton_iterations"), 15.0);
    EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
    EXPECT_GT(value(outcome, "least_stiffness"), 0.0);
    EXPECT_LT(value(outcome, "end_force") / force, 1e-8);  // along the rod's first direction there is none
    const auto [x, y] = end_under_force(spec.rod, force);
    errors[k] = std::hypot(value(outcome, "end_x") - x, value(outcome, "end_y") - y);
  }
  EXPECT_LT(errors[0], 2e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.05);
}

TEST(StaticMember, CoupleAtTheEndTurnsWithNothing) {
  // A couple of the laboratory about an axis across a planar rod bends it to an arc, exactly.
  const double angle = 2.0;
  const MemberOutcome outcome =
      run_member(spec_of(cantilever, {"rod.elements=40", "load.end_couple=0, 0, " +
                                                             std::to_string(angle * 0.7853981633974483)}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_TRUE(std::isnan(value(outcome, "unstable_modes")));
  // It acts on the last element, whose outer half stays straight.
  const double arc = 1.0 - 0.5 / 40;
  const double end = angle * arc;
  const double radius = 1.0 / angle;
  EXPECT_NEAR(value(outcome, "end_x"), radius * std::sin(end) + (1.0 - arc) * std::cos(end), 2e-4);
  EXPECT_NEAR(value(outcome, "end_y"), radius * (1.0 - std::cos(end)) + (1.0 - arc) * std::sin(end), 2e-4);
}

TEST(StaticMember, SpreadCouplesWindAnArcUp) {
  // A couple c a length leaves c (L - s) in a section, and so an angle c (L s - s^2/2)/B there.
  const double spread = 3.0 * 0.7853981633974483;
  const MemberOutcome outcome = run_member(
      spec_of(cantilever, {"rod.elements=100", "load.distributed_couple=0, 0, " + std::to_string(spread)}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  Vec3 end;
  constexpr int parts = 1000;
  for (int i = 0; i < parts; ++i) {
    const double s = (i + 0.5) / parts;
    const double angle = 3.0 * (s - 0.5 * s * s);
    end = end + (1.0 / parts) * Vec3{std::cos(angle), std::sin(angle), 0.0};
  }
  EXPECT_NEAR(value(outcome, "end_x"), end.x, 2e-4);
  EXPECT_NEAR(value(outcome, "end_y"), end.y, 2e-4);
  EXPECT_TRUE(std::isnan(value(outcome, "unstable_modes")));
}

TEST(StaticMember, MagnetTurnsRoundInAFieldAgainstIt) {
  // B theta'' + M A F sin(theta) = 0 between a clamp and a free end: the least M A F is B (pi/2L)^2.
  const double magnetization = std::pow(M_PI / 2.0, 2) * 0.7853981633974483 / (M_PI * 1e-4 * 0.01);
  for (const double part : {0.999, 1.001}) {
    const MemberOutcome outcome =
        run_member(spec_of(cantilever, {"rod.elements=60", "load.magnetic_flux_density=-0.01, 0, 0",
                                        "load.magnetization=" + std::to_string(part * magnetization)}));
    EXPECT_EQ(outcome.status, part < 1.0 ? MemberStatus::done : MemberStatus::unstable) << part;
    EXPECT_EQ(value(outcome, "unstable_modes"), part < 1.0 ? 0.0 : 2.0) << part;
  }
}

TEST(StaticMember, HangsAsItsWeightStretchesIt) {
  const MemberSpec spec = spec_of(
      "[rod]\nelements = 16\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e5\n"
      "poisson_ratio = 0.5\ndirection = 0, 0, -1\n[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, "
      "0, "
      "-9.81\n");
  const MemberOutcome outcome = run_member(spec);
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_NEAR(value(outcome, "end_z"), -1.0 - 0.5 * 1000.0 * 9.81 / 1e5, 1e-12);  // rho g L^2/2E
}

/// Euler's load of a column that shears and shortens: P (1 - P/EA + P/GA) = pi^2 B/L^2 (Haringx).
TEST(StaticMember, ColumnCountsTheWaysInWhichItBuckles) {
  const RodSpec rod = spec_of(column, {"rod.elements=60"}).rod;
  const double euler = M_PI * M_PI * rod.bend_stiffness / (rod.length * rod.length);
  double load = euler;
  for (int k = 0; k < 50; ++k) {
    load = euler / (1.0 - load / rod.stretch_stiffness + load / rod.shear_stiffness);
  }
  double stiffness_before = 0.0;
  for (const double part : {0.5, 0.999, 1.001, 3.9, 4.1}) {
    const MemberOutcome outcome =
        run_member(spec_of(column, {"rod.elements=60", "load.axial_force=" + std::to_string(part * load)}));
    const bool stable = part < 1.0;
    EXPECT_EQ(outcome.status, stable ? MemberStatus::done : MemberStatus::unstable) << part;
    // In either plane one, then two half waves.
    EXPECT_EQ(value(outcome, "unstable_modes"), stable ? 0.0 : part < 4.0 ? 2.0 : 4.0) << part;
    EXPECT_EQ(value(outcome, "least_stiffness") > 0.0, stable) << part;
    if (part == 0.5) stiffness_before = value(outcome, "least_stiffness");
    if (part == 0.999) {
      EXPECT_NEAR(value(outcome, "least_stiffness") / stiffness_before, 0.002, 5e-4);
    }
  }
}

TEST(StaticMember, ColumnBuckledByASidewaysForceStaysSo) {
  // The force is gone in the second step.
  const std::vector<std::string> load = {"rod.elements=60", "load.axial_force=9",
                                         "load.middle_force=1e-3, 0, 0", "load.perturbation_duration=0.75",
                                         "time.step=0.5"};
  const MemberOutcome outcome = run_member(spec_of(column, load));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_GT(value(outcome, "theta_max"), 0.5);
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
  // Two rods with the same loads do not disturb each other.
  std::vector<std::string> two = load;
  two.insert(two.end(), {"rod.count=2", "rod.each=rod.origin[0] : list(0, 0.5)"});
  const MemberOutcome both = run_member(spec_of(column, two));
  ASSERT_EQ(both.status, MemberStatus::done);
  EXPECT_NEAR(value(both, "bending_energy"), 2.0 * value(outcome, "bending_energy"), 1e-9);
}

TEST(StaticMember, TwistedRodBucklesToALocalisedHelix) {
  const MemberOutcome outcome =
      run_member(spec_of("[rod]\nelements = 100\nlength = 100\nradius = 0.35\nmass = 100\nbend_stiffness = "
                         "1.345\ntwist_stiffness = "
                         "0.789\nshear_stiffness = 1e5\nstretch_stiffness = 1e5\n[boundary]\nfirst = "
                         "clamped\nlast = clamped\ntwist = "
                         "169.64600329384882\nslack = 3\nmotion_time = 1\n[load]\nmiddle_force = 1e-4, 0, 0\n"
                         "perturbation_duration = 1.5\n[time]\nstep = 1\nend = 2\n"));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_NEAR(value(outcome, "link"), 27.0, 1e-6);
  EXPECT_NEAR(value(outcome, "theta_max"), 0.7980531, 1e-6);  // of second order from 0.8318
  EXPECT_NEAR(value(outcome, "total_energy"), 112.5198, 1e-3);
  // It can turn about its axis as a whole, with its sections rolling back, which costs nothing.
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
  // The helix itself goes along the rod at little cost, since its ends are far away: 4e-8 of 100 elements and
  // 1.4e-8 of 200, where rounding leaves 2e-13.
  EXPECT_GT(value(outcome, "least_stiffness"), 1e-8);
  EXPECT_LT(value(outcome, "least_stiffness"), 1e-6);
}

TEST(StaticMember, RodWithoutSupportsRestsOnlyIfNothingPulls) {
  const char* const rod =
      "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\n";
  const MemberOutcome free = run_member(spec_of(rod));
  EXPECT_EQ(free.status, MemberStatus::done);
  // That of its first free vibration, omega^2 m.
  const double stiffness = std::pow(4.730041 / 1.0, 4) * (1e6 * M_PI * 1e-8 / 4.0) / 1.0;
  EXPECT_NEAR(value(free, "least_stiffness") / stiffness, 1.0, 0.02);
  const MemberOutcome falling = run_member(spec_of(rod, {"gravity.acceleration=0, 0, -9.81"}));
  EXPECT_EQ(falling.status, MemberStatus::no_equilibrium);
}

/// By what pulls them along directions in which nothing holds them, which stays the same wherever they go.
TEST(StaticMember, RodsThatFallForEverAreSeenSoon) {
  const std::string rod =
      "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n";
  const std::string pull = "[load]\nend_force = 0.003, 0, 0.04\n";
  const std::string spring = "[connection]\nspring = rod 0, end to rod 1, start : stiffness 1 length 1\n";
  for (const std::string& deck :
       {rod + pull, rod + pull + "[boundary]\nlast = pinned_sliding\n",
        rod +
            "count = 2\neach = boundary.first : list(clamped, free)\n[gravity]\nacceleration = 0, 0, -9.81\n",
        rod + "count = 2\neach = rod.origin[0] : list(0, 2)\n" + pull + spring}) {
    const StandingMember member(spec_of(deck));
    Equilibrium equilibrium(member.spec(), member.arrays());
    equilibrium.begin(0.0, true);
    const SolveOutcome outcome = equilibrium.solve(1.0, 1.0, false);
    EXPECT_FALSE(outcome.converged) << deck;
    EXPECT_LT(outcome.iterations, 10) << deck;
  }
  // Forces that balance hold it.
  const MemberOutcome pulled =
      run_member(spec_of(rod + pull, {"load.end_force=0.03, 0, 0", "load.distributed_force=-0.03, 0, 0"}));
  EXPECT_EQ(pulled.status, MemberStatus::done);
}

TEST(StaticMember, FollowsNaturalCurvatureAndClampsThatTurn) {
  // Half a ring that a clamp turns by a right angle.
  const MemberOutcome bent =
      run_member(spec_of(cantilever, {"rod.elements=40", "rod.intrinsic_curvature=0, 3.141592653589793"}));
  ASSERT_EQ(bent.status, MemberStatus::done);
  EXPECT_NEAR(value(bent, "bending_energy"), 0.0, 1e-18);
  EXPECT_NEAR(std::hypot(value(bent, "end_y"), value(bent, "end_z")), 2.0 / M_PI, 2e-3);
}

/// A ring bent from a straight rod with B = 1 N m^2 and C = 2 B, whose ends are twisted before they are
/// glued.
constexpr const char* glued_ring =
    "[rod]\nshape = ring\nrest_shape = straight\nlength = 1\nradius = 0.01\nmass = 1\nbend_stiffness = 1\n"
    "twist_to_bend_ratio = 2\nshear_stiffness = 1e5\nstretch_stiffness = 1e5\n";
constexpr double ring_critical_twist = M_PI * 1.7320508075688772;  // 2 pi sqrt(3) B/C

TEST(StaticMember, RingOfAStraightRodIsBentEvenly) {
  const MemberOutcome outcome = run_member(spec_of(glued_ring, {"rod.elements=40"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_NEAR(value(outcome, "bending_energy"), 2.0 * M_PI * M_PI, 1e-11);
  EXPECT_NEAR(value(outcome, "curvature_max"), 2.0 * M_PI, 1e-10);
  EXPECT_NEAR(value(outcome, "total_energy"), 2.0 * M_PI * M_PI, 1e-11);
  // It moves as a whole, and its sections roll: neither costs energy.
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
  EXPECT_GT(value(outcome, "least_stiffness"), 1e3);
}

/// Mitchell's instability, by the stiffness that vanishes there; its error is of second order.
TEST(StaticMember, TwistedRingLosesItsStiffnessAtMitchellsTwist) {
  std::array<double, 2> criticals{};
  for (std::size_t k = 0; k < criticals.size(); ++k) {
    const std::string elements = "rod.elements=" + std::to_string(40 << k);
    std::array<double, 3> stiffness{};
    for (std::size_t i = 0; i < stiffness.size(); ++i) {
      const double twist = (0.97 + 0.01 * static_cast<double>(i)) * ring_critical_twist;
      const MemberOutcome outcome =
          run_member(spec_of(glued_ring, {elements, "rod.total_twist=" + std::to_string(twist)}));
      ASSERT_EQ(outcome.status, MemberStatus::done);
      EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
      stiffness[i] = value(outcome, "least_stiffness");
    }
    // Where the parabola through the three has its zero, in steps from the last.
    const double slope = 0.5 * (stiffness[0] - 4.0 * stiffness[1] + 3.0 * stiffness[2]);
    const double bend = 0.5 * (stiffness[0] - 2.0 * stiffness[1] + stiffness[2]);
    double steps = -stiffness[2] / slope;
    for (int i = 0; i < 20; ++i) steps = -stiffness[2] / (slope + bend * steps);
    criticals[k] = 0.99 + 0.01 * steps;
  }
  EXPECT_NEAR(criticals[0], 1.0, 2e-3);
  EXPECT_NEAR((4.0 * criticals[1] - criticals[0]) / 3.0, 1.0, 1e-5);
  // Nothing pulls a flat ring from its plane.
  const MemberOutcome beyond = run_member(spec_of(glued_ring, {"rod.elements=40", "rod.total_twist=8"}));
  EXPECT_EQ(beyond.status, MemberStatus::unstable);
  EXPECT_EQ(value(beyond, "unstable_modes"), 2.0);
}

TEST(StaticMember, TwistedRingBucklesOutOfItsPlane) {
  // A natural curvature that is gone in the second step.
  const char* const bend = "actuation.curvature=d1 : 0.1 * cos(4 * pi * s) * (1 - ramp(t, 0.5, 1))";
  const MemberOutcome outcome = run_member(
      spec_of(glued_ring, {"rod.elements=60", "rod.total_twist=6", bend, "time.step=0.5", "time.end=1"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
  EXPECT_GT(value(outcome, "least_stiffness"), 1.0);
  EXPECT_NEAR(std::abs(value(outcome, "link")), 6.0 / (2.0 * M_PI), 1e-6);
  EXPECT_GT(std::abs(value(outcome, "writhe")), 0.1);
}

TEST(StaticMember, InternalCouplesInAPlaneBendAsNaturalCurvatureDoes) {
  const MemberOutcome by_couples = run_member(
      spec_of(cantilever, {"rod.elements=30", "actuation.internal_couple=d1 : 2.356194490192345 * (1 - s)"}));
  const MemberOutcome by_curvature =
      run_member(spec_of(cantilever, {"rod.elements=30", "actuation.curvature=d1 : 3 * (1 - s)"}));
  ASSERT_EQ(by_couples.status, MemberStatus::done);
  ASSERT_EQ(by_curvature.status, MemberStatus::done);
  EXPECT_GT(std::abs(value(by_couples, "end_y")), 0.5);
  for (const char* const name : {"end_x", "end_y", "end_z"})
    EXPECT_NEAR(value(by_couples, name), value(by_curvature, name), 1e-10) << name;
  EXPECT_TRUE(std::isnan(value(by_couples, "unstable_modes")));
  EXPECT_EQ(value(by_curvature, "unstable_modes"), 0.0);
}

/// Along the rod they are a tension that no strain goes with: lengths are less by the force over S3.
TEST(StaticMember, MusclesThatContractHaveAnEnergy) {
  const MemberSpec spec = spec_of(
      cantilever, {"rod.elements=30", "muscle.kind=force", "muscle.amplitudes=50, 50", "muscle.period=4"});
  const MemberOutcome outcome = run_member(spec);
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_EQ(value(outcome, "unstable_modes"), 0.0);
  double shorter = 0.0;  // at a quarter of the first period, over which they grow
  for (int i = 0; i < 30; ++i)
    shorter += 0.25 * forces::muscle_profile(std::array{50.0, 50.0}, (i + 0.5) / 30.0) / 30.0;
  EXPECT_NEAR(value(outcome, "end_x"), 1.0 - shorter / spec.rod.stretch_stiffness, 1e-12);
}

TEST(StaticMember, FollowsCouplesAndForcesOfFormulas) {
  const std::vector<std::string> deck = {"rod.elements=12",
                                         "rod.radius=0.03",
                                         "rod.young_modulus=1e6",
                                         "actuation.couple=d1 : 0.3 * ramp(t, 0, 1)",
                                         "actuation.couple=d3, end : 0.2 * ramp(t, 0, 1)",
                                         "actuation.force=d2, end : -0.2 * ramp(t, 0, 1)",
                                         "actuation.internal_couple=d2, s 0.3 to 0.6 : 0.2 * ramp(t, 0, 1)"};
  expect_as_relaxed(cantilever, deck,
                    {"model.section=rigid", "rod.damping_ratio=1", "time.step=2e-4", "time.end=15"}, 1e-6);
}

TEST(StaticMember, IsTheSameInAnyBatch) {
  std::vector<MemberJob> jobs;
  for (const char* const load : {"5", "9", "12"}) {
    jobs.push_back({spec_of(column, {"rod.elements=30", std::string("load.axial_force=") + load,
                                     "load.middle_force=1e-3, 0, 0"}),
                    1});
  }
  const std::vector<MemberOutcome> together = run_members(jobs);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const MemberOutcome alone = run_members({jobs[k]}).front();
    EXPECT_EQ(alone.status, together[k].status);
    for (const char* const name : {"theta_max", "least_stiffness", "total_energy"}) {
      EXPECT_EQ(value(alone, name), value(together[k], name)) << name;
    }
  }
}

/// Two crossed rods, 30 mm apart and 20 mm thick. The ends of the upper one go down by 60 mm.
constexpr const char* pressed_cross =
    "[rod]\ncount = 2\nelements = 9\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\ndirection = 1, 0, 0\neach = rod.direction[0] : list(1, 0)\neach = rod.direction[1] "
    ": list(0, 1)\n"
    "each = rod.origin[0] : list(-0.5, 0)\neach = rod.origin[1] : list(0, -0.5)\n"
    "each = rod.origin[2] : list(0, 0.03)\neach = boundary.first : list(clamped, free)\n"
    "each = boundary.last : list(clamped, free)\n"
    "[motion]\nposition = rod 1, start : 0, 0, -0.06 * t\nposition = rod 1, end : 0, 0, -0.06 * t\n"
    "[contact]\ntolerance = 5e-4\n"
    "[measure]\ndefine = gap [m] : z(rod 1, s 0.5) - z(rod 0, s 0.5)\n";

TEST(StaticMember, RodsThatMotionsMoveRestOnThoseInTheirWay) {
  for (const std::string model : {"cosserat", "der"}) {
    for (const std::string kind : {"imc", "ipc"}) {
      for (const std::string step : {"1", "0.5"}) {
        const MemberOutcome outcome = run_member(
            spec_of(pressed_cross, {"model.kind=" + model, "contact.kind=" + kind, "time.step=" + step}));
        EXPECT_EQ(outcome.status, MemberStatus::done) << model << " " << kind << " " << step;
        // Surfaces are within the tolerance of touching.
        EXPECT_NEAR(outcome.observables.back(), 0.02, 6e-4) << model << " " << kind << " " << step;
      }
    }
  }
}

/// Rods that overlap at the start are pressed apart: what contact held there is not known, and what they bend
/// by is no energy from nothing. Those that come into contact by a motion have an account.
TEST(StaticMember, RodsThatPressAtTheStartHaveNoAccountOfTheirEnergy) {
  const std::string fit =
      "[rod]\ncount = 2\nelements = 14\nlength = 0.22\nradius = 0.004\ndensity = 1200\nyoung_modulus = 2e5\n"
      "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\neach = rod.origin[2] : list(0, 0.0077)\n"
      "[boundary]\nfirst = clamped\nlast = clamped\n[contact]\nkind = imc\ntolerance = 2e-4\n";
  const MemberOutcome pressed = run_member(spec_of(fit));
  EXPECT_EQ(pressed.status, MemberStatus::done);
  EXPECT_GT(value(pressed, "bending_energy"), 0.0);
  EXPECT_TRUE(std::isnan(value(pressed, "energy_gain")));
  const MemberOutcome apart = run_member(spec_of(fit, {"rod.radius=0.003"}));
  EXPECT_EQ(value(apart, "energy_gain"), 0.0);
}

TEST(StaticMember, TwistOfNearlyHalfATurnAnElementIsABadEnd) {
  // A couple M twists a rod by M/B3 per length: ten elements by 3.05 rad each, twenty by half as much.
  for (const int elements : {10, 20}) {
    const MemberOutcome outcome =
        run_member(spec_of(cantilever, {"rod.elements=" + std::to_string(elements),
                                        "rod.twist_stiffness=0.01", "load.end_couple=0.305, 0, 0"}));
    EXPECT_EQ(outcome.status, elements == 10 ? MemberStatus::diverged : MemberStatus::done);
    EXPECT_NEAR(value(outcome, "end_twist"), 30.5, 1e-6);
  }
}

}  // namespace
}  // namespace rodeo::statics
