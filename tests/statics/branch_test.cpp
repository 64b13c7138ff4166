#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"
#include "member/run_members.hpp"

namespace rodeo::statics {
namespace {

MemberSpec branch_of(const std::string& text, std::vector<std::string> overrides = {}) {
  overrides.emplace_back("time.method=static");
  return make_member_spec(Deck::parse(text, "test", overrides));
}

/// 1 m long with B = 0.785 N m^2, so slender that it hardly shortens.
constexpr const char* slender_column =
    "[rod]\nelements = 100\nlength = 1\nradius = 0.001\ndensity = 1000\nbend_stiffness = "
    "0.7853981633974483\ntwist_stiffness = 0.7\nstretch_stiffness = 3e6\nshear_stiffness = 1e6\n"
    "[boundary]\nfirst = pinned\nlast = pinned_sliding\n"
    "[branch]\nkey = load.axial_force\nto = 40\n";
const double euler_load = M_PI * M_PI * 0.7853981633974483;

TEST(Branch, FindsTheLoadsAtWhichAColumnBuckles) {
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const MemberSpec spec = branch_of(
        slender_column, {"branch.stop=first_bifurcation", "rod.elements=" + std::to_string(50 << k)});
    const MemberOutcome outcome = run_member(spec);
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "bifurcations"), 1.0);
    EXPECT_EQ(value(outcome, "branch_value"), value(outcome, "critical_value"));
    EXPECT_LT(outcome.steps, 40U);
    // P (1 - P/EA + P/GA) = pi^2 B/L^2 (Haringx)
    const double load = value(outcome, "critical_value");
    errors[k] = load * (1.0 - load / 3e6 + load / 1e6) / euler_load - 1.0;
  }
  EXPECT_LT(std::abs(errors[0]), 1e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.05);
  EXPECT_LT(std::abs(4.0 * errors[1] - errors[0]) / 3.0, 1e-6);
}

TEST(Branch, CountsBifurcationsUpToTheEndOfTheRange) {
  const MemberOutcome outcome = run_member(branch_of(slender_column, {"branch.to=32"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_EQ(value(outcome, "bifurcations"), 2.0);  // of one and of two half waves
  EXPECT_EQ(value(outcome, "branch_value"), 32.0);
  EXPECT_EQ(value(outcome, "unstable_modes"), 4.0);
  EXPECT_EQ(value(outcome, "folds"), 0.0);
  EXPECT_NEAR(value(outcome, "critical_value"), euler_load, 1e-2);
}

/// The elastica: an end that slopes by alpha takes a load of (2 K(sin(alpha/2))/pi)^2 times Euler's.
TEST(Branch, TurnsToTheBuckledColumn) {
  const double alpha = 2.0 * M_PI / 3.0;
  const double load = std::pow(2.0 * std::comp_ellint_1(std::sin(0.5 * alpha)) / M_PI, 2) * euler_load;
  for (const char* const side : {"1", "-1"}) {
    const MemberOutcome outcome =
        run_member(branch_of(slender_column, {"rod.elements=200", "branch.to=" + std::to_string(load),
                                              std::string("branch.turns=") + side}));
    ASSERT_EQ(outcome.status, MemberStatus::done) << side;
    EXPECT_NEAR(value(outcome, "branch_value"), load, 1e-4) << side;
    EXPECT_EQ(value(outcome, "unstable_modes"), 0.0) << side;
    EXPECT_NEAR(value(outcome, "theta_max"), alpha, 1e-2) << side;
    // Of all shapes B theta'^2/2 = P (cos theta - cos alpha), so that the energy is P (L' cos alpha' ...).
    EXPECT_GT(value(outcome, "bending_energy"), 0.5 * load) << side;
  }
}

/// A wire that becomes a thousand times thinner on its way, until the plain matrix has no digits of its
/// modes.
TEST(Branch, KnowsTheRoundingOfWhatRodsHaveBecome) {
  const MemberOutcome outcome = run_member(branch_of(
      "[rod]\nlength = 1\nelements = 50\ndensity = 7800\nyoung_modulus = 2e11\npoisson_ratio = 0.3\n"
      "[boundary]\nfirst = clamped\n[modes]\ncount = 1\n"
      "[branch]\nkey = rod.radius\nfrom = 1e-3\nto = 1e-6\n"));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  const double wave = 1.87510407 * 1.87510407;
  const double right = wave / (2.0 * M_PI) * std::sqrt(2e11 * 0.25e-12 / 7800.0);
  EXPECT_NEAR(value(outcome, "frequency_1"), right, 3e-4 * right);
}

TEST(Branch, GoesDownWhereItsEndIsBelow) {
  const MemberOutcome outcome = run_member(
      branch_of("[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
                "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
                "[branch]\nkey = load.end_force[1]\nfrom = 0.1\nto = -3\n"));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_EQ(value(outcome, "branch_value"), -3.0);
  EXPECT_LT(value(outcome, "end_y"), -0.5);
  EXPECT_EQ(value(outcome, "bifurcations"), 0.0);
}

TEST(Branch, EndsWithAStatusWhereItsTurnIsNotThere) {
  const MemberOutcome outcome = run_member(branch_of(slender_column, {"branch.to=5", "branch.turns=1"}));
  EXPECT_EQ(outcome.status, MemberStatus::no_equilibrium);
}

/// A strip that is bent by a force across its stiff side turns over where J(x) of order -1/4 is zero, x = P
/// L^2/(2 sqrt(B2 C)) (Prandtl 1899), if it hardly bends before.
TEST(Branch, FindsTheForceAtWhichAStripTurnsOver) {
  const auto critical = [](const std::string& elements) {
    const MemberOutcome outcome = run_member(branch_of(
        "[rod]\nlength = 1\nradius = 0.05\ndensity = 1000\nbend_stiffness = 1e6\n"
        "second_bend_stiffness = 1\ntwist_stiffness = 0.7\nstretch_stiffness = 1e8\nshear_stiffness = 1e8\n"
        "direction = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n"
        "[branch]\nkey = load.end_force[2]\nto = -10\nstop = first_bifurcation\n",
        {"rod.elements=" + elements}));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return -value(outcome, "critical_value");
  };
  const double expected = 4.0125994 * std::sqrt(0.7);
  const double coarse = critical("40");
  const double fine = critical("80");
  EXPECT_NEAR(fine / expected, 1.0, 1e-3);
  EXPECT_NEAR((fine + (fine - coarse) / 3.0) / expected, 1.0, 1e-5);
}

/// An arch, clamped and pushed together, that a force at its middle snaps through.
constexpr const char* arch =
    "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
    "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
    "[boundary]\nfirst = clamped\nlast = clamped\nslack = 0.02\nmotion_time = 0.5\n"
    "[load]\nmiddle_force = 0, 0.2, 0\n[time]\nend = 1\nstep = 0.25\n"
    "[branch]\nkey = load.middle_force[1]\nfrom = 0.2\nto = -10\n";

TEST(Branch, FindsTheFoldAtWhichAnArchSnaps) {
  std::array<double, 2> folds{};
  for (std::size_t k = 0; k < 2; ++k) {
    const MemberOutcome outcome = run_member(branch_of(
        arch, {"branch.stop=first_fold", std::string("branch.step=") + (k == 0 ? "0.02" : "0.05")}));
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "folds"), 1.0);
    folds[k] = value(outcome, "branch_value");
  }
  EXPECT_LT(folds[0], -0.1);
  EXPECT_NEAR(folds[0], folds[1], 1e-6);
}

/// The stiffness at a fold is zero, which rounding hides of many elements: that is no bad end.
TEST(Branch, EndsWellAtAFoldHoweverManyElements) {
  std::vector<double> folds;
  for (const char* const elements : {"100", "200", "400"}) {
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
        "[variable]\nalpha = 0\n[rod]\nlength = 1\nsection = rectangle\nwidth = 0.05\nthickness = 0.0001\n"
        "density = 1000\nyoung_modulus = 1e9\npoisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
        "[boundary]\nfirst = clamped\n[motion]\nposition = end : -0.01 * ramp(t, 0, 1), 0, 0\n"
        "rotation = end about 0 1 0 : alpha * ramp(t, 1, 2)\n[load]\nmiddle_force = 0, 0, 1e-4\n"
        "perturbation_duration = 0.55\n[time]\nmethod = static\nstep = 0.1\nend = 2\n[branch]\n"
        "key = variable.alpha\nfrom = 0\nto = -0.5\nstop = first_fold\nstep = 0.02\npoints = 400\n",
        "test", {std::string("rod.elements=") + elements})));
    EXPECT_EQ(outcome.status, MemberStatus::done) << elements;
    EXPECT_EQ(value(outcome, "folds"), 1.0) << elements;
    folds.push_back(value(outcome, "critical_value"));
  }
  EXPECT_NEAR(folds[1], -0.178194, 1e-5);
  EXPECT_NEAR(folds[2], folds[1], 1e-4);
}

/// The rod is free to turn about the line between its clamps if its sections turn back: the more it has
/// turned on the way, the more does what leaves that motion out have to follow it.
TEST(Branch, FollowsAHelixThatIsFreeToTurn) {
  constexpr const char* helix =
      "[rod]\nelements = 100\nlength = 100\nradius = 0.35\nmass = 100\nbend_stiffness = 1.345\n"
      "twist_stiffness = 0.789\nshear_stiffness = 1e5\nstretch_stiffness = 1e5\n"
      "[boundary]\nfirst = clamped\nlast = clamped\ntwist = 169.65\nmotion_time = 1\n"
      "[time]\nend = 1\nstep = 1\n";
  const MemberOutcome branch = run_member(
      branch_of(std::string(helix) + "[branch]\nkey = boundary.slack\nfrom = -0.001\nto = 3\nturns = 1\n",
                {"boundary.slack=-0.001"}));
  ASSERT_EQ(branch.status, MemberStatus::done);
  EXPECT_EQ(value(branch, "branch_value"), 3.0);
  const MemberOutcome pushed =
      run_member(branch_of(helix, {"boundary.slack=3", "time.end=2", "load.middle_force=1e-4, 0, 0",
                                   "load.perturbation_duration=1.5"}));
  ASSERT_EQ(pushed.status, MemberStatus::done);
  for (const char* const name : {"theta_max", "end_force", "end_couple", "total_energy"})
    EXPECT_NEAR(value(branch, name) / value(pushed, name), 1.0, 1e-6) << name;
}

/// What a member comes to that is stopped after so many slices and goes on elsewhere.
MemberOutcome resumed(const std::vector<MemberJob>& jobs, int slices) {
  const auto first = make_batch(jobs);
  const auto second = make_batch(jobs);
  for (int k = 0; k < slices; ++k) first->advance();
  StateArchive saved;
  first->visit_state(0, saved);
  const std::vector<std::byte> bytes = saved.take();
  StateArchive restored{bytes};
  second->visit_state(0, restored);
  restored.require_end();
  while (second->advance()) {
  }
  return second->outcomes().front();
}

TEST(Branch, GoesOnAfterARestartAsIfItHadNotEnded) {
  for (const char* const turns : {"0", "1"}) {
    const MemberSpec spec =
        branch_of(slender_column, {"branch.to=32", "time.slice_steps=3", "rod.elements=30",
                                   "rod.direction=0.6, 0.48, 0.64", std::string("branch.turns=") + turns});
    const std::vector<MemberJob> jobs = {{spec, 1}};
    const MemberOutcome whole = run_member(spec);
    ASSERT_EQ(whole.status, MemberStatus::done);
    for (const int slices : {1, 2, 3, 5, 7}) {
      const MemberOutcome other = resumed(jobs, slices);
      EXPECT_EQ(whole.steps, other.steps);
      for (const char* const name : {"branch_value", "critical_value", "least_stiffness", "newton_iterations",
                                     "theta_max", "end_x", "end_y", "end_z", "total_energy"}) {
        EXPECT_EQ(value(whole, name), value(other, name)) << name << " " << turns << " " << slices;
      }
    }
  }
}

TEST(Branch, SaysWhereItRanOutOfPoints) {
  const MemberOutcome outcome =
      run_member(branch_of(slender_column, {"branch.stop=first_bifurcation", "branch.points=3"}));
  EXPECT_EQ(outcome.status, MemberStatus::out_of_points);
  EXPECT_FALSE(ended_well(outcome.status));
  EXPECT_TRUE(std::isnan(value(outcome, "critical_value")));
  EXPECT_LT(value(outcome, "branch_value"), euler_load);
  EXPECT_GT(value(outcome, "branch_value"), 0.0);
}

/// Under a force that presses its end and follows it, p B/L^2, a column flutters from p = 20.0509 on (Beck
/// 1952), whatever its steps along the branch.
TEST(Branch, FindsTheLoadAtWhichBecksColumnFlutters) {
  const auto critical = [](const std::string& elements, const std::string& step) {
    const MemberOutcome outcome = run_member(branch_of(
        "[variable]\np = 0\n[rod]\nlength = 1\nradius = 0.0001\ndensity = 7800\nyoung_modulus = 2e11\n"
        "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
        "[actuation]\nforce = d3, end : -p * rod.young_modulus * pi * rod.radius^4/4 / rod.length^2\n"
        "[modes]\ncount = 4\n[branch]\nkey = variable.p\nto = 30\nstop = first_flutter\n",
        {"rod.elements=" + elements, "branch.step=" + step}));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "unstable_modes"), 2.0);  // in both planes
    EXPECT_TRUE(std::isnan(value(outcome, "bifurcations")));
    EXPECT_EQ(value(outcome, "critical_value"), value(outcome, "branch_value"));
    return value(outcome, "critical_value");
  };
  const double coarse = critical("50", "0.05");
  const double fine = critical("100", "0.05");
  EXPECT_NEAR((4.0 * fine - coarse) / 3.0, 20.05095, 1e-4);
  EXPECT_NEAR(critical("50", "0.2"), coarse, 1e-4);
}

/// A ring of B = 1 N m^2 and R = 1 m that is held at node 0, and that a force at its middle pulls apart.
constexpr const char* ring =
    "[rod]\nshape = ring\nelements = 60\nlength = 6.283185307179586\nradius = 0.01\nmass = 6.28\n"
    "bend_stiffness = 1\ntwist_stiffness = 1\nstretch_stiffness = 1e6\nshear_stiffness = 1e6\n"
    "[motion]\nposition = node 0 : 0, 0, 0\n";

TEST(Branch, FollowsARingUnderALoad) {
  const std::string pull = "[branch]\nkey = load.middle_force[0]\nto = ";
  // The energy of a thin ring under two opposite forces P is (pi/8 - 1/pi) P^2 R^3/B.
  const MemberOutcome slight = run_member(branch_of(ring + pull + "-0.01\n"));
  ASSERT_EQ(slight.status, MemberStatus::done);
  EXPECT_NEAR(value(slight, "bending_energy") / ((M_PI / 8.0 - 1.0 / M_PI) * 1e-4), 1.0, 1e-2);
  EXPECT_EQ(value(slight, "bifurcations"), 0.0);
  const MemberOutcome branch = run_member(branch_of(ring + pull + "-5\n"));
  ASSERT_EQ(branch.status, MemberStatus::done);
  EXPECT_LT(branch.steps, 60U);  // the tangent is right, so that steps are long
  const MemberOutcome at_once = run_member(branch_of(ring, {"load.middle_force=-5, 0, 0"}));
  for (const char* const name : {"bending_energy", "total_energy"})
    EXPECT_NEAR(value(branch, name) / value(at_once, name), 1.0, 1e-9) << name;
}

/// Michell's instability of a free ring that is twisted, whatever it has of stretch and shear.
TEST(Branch, FollowsARingHoweverSlender) {
  const auto critical = [](const std::string& stiffness) {
    const MemberOutcome outcome = run_member(branch_of(
        "[rod]\nshape = ring\nrest_shape = straight\nelements = 20\nlength = 1\nradius = 0.001\nmass = 1\n"
        "bend_stiffness = 1\ntwist_stiffness = 2\n[branch]\nkey = rod.total_twist\nto = 8\n"
        "stop = first_bifurcation\n",
        {"rod.stretch_stiffness=" + stiffness, "rod.shear_stiffness=" + stiffness}));
    EXPECT_EQ(outcome.status, MemberStatus::done) << stiffness;
    EXPECT_EQ(value(outcome, "bifurcations"), 1.0) << stiffness;
    return value(outcome, "critical_value");
  };
  const double expected = 2.0 * M_PI * std::sqrt(3.0) / 2.0;
  const double thick = critical("1e7");
  EXPECT_NEAR(thick, expected, 0.01 * expected);
  for (const char* const stiffness : {"1e10", "1e12", "1e14"})
    EXPECT_NEAR(critical(stiffness), thick, 1e-5 * thick) << stiffness;
}

/// What a search from far away hides as rounding, which differs with the number of elements, is not looked
/// for on the branch.
TEST(Branch, OfARingHidesNothingWithTheRoundingOfItsStart) {
  const auto critical = [](int elements) {
    const MemberOutcome outcome = run_member(branch_of(
        "[rod]\nshape = ring\nrest_shape = straight\nlength = 5.21253\nradius = 0.00554468\nmass = "
        "3.95406e-4\n"
        "bend_stiffness = 1.25071e-8\ntwist_stiffness = 1.61746e-8\nstretch_stiffness = 1.62729e-3\n"
        "shear_stiffness = 5.55672e-4\n[branch]\nkey = rod.total_twist\nto = 10.9398\n"
        "stop = first_bifurcation\n",
        {"rod.elements=" + std::to_string(elements)}));
    EXPECT_EQ(outcome.status, MemberStatus::done) << elements;
    return value(outcome, "critical_value");
  };
  const double right = critical(142);
  EXPECT_NEAR(right, 2.0 * M_PI * std::sqrt(3.0) * 1.25071 / 1.61746, 1e-4 * right);
  for (const int elements : {143, 144, 145}) EXPECT_NEAR(critical(elements), right, 2e-6 * right) << elements;
}

/// What holds a rod bears its weight, that of the held nodes too, and what a spring does to one of them.
TEST(Branch, ReactionsAreWhatHoldsTheNodes) {
  const Measured beam(
      "[rod]\nelements = 20\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[gravity]\nacceleration = 0, 0, -9.81\n"
      "[variable]\nq = 0\n[motion]\nposition = start : 0, 0, 0\nposition = end : free, 0, q*ramp(t, 0, 1)\n"
      "[branch]\nkey = variable.q\nto = 0.1\n[time]\nmethod = static\n[measure]\n"
      "define = held [N] : last(reaction_z(start)) + last(reaction_z(end))\n"
      "define = across [N] : last(reaction_y(start)) + last(reaction_y(end))\n",
      {"connection.spring=end to middle : stiffness 10, length 0.1"});
  const double weight = 1000 * M_PI * 1e-4 * 9.81;
  EXPECT_NEAR(beam["held"], weight, 1e-6);
  EXPECT_NEAR(beam["across"], 0.0, 1e-9);
}

/// Outputs come an interval late, and time stands still along a branch.
TEST(Branch, KeepsWhatControlDrives) {
  constexpr const char* rod =
      "[rod]\nelements = 8\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[load]\nend_force = 0, 0.0001, "
      "0\n[branch]\n"
      "key = load.end_force[1]\nfrom = 0.0001\nto = 0.0002\n[time]\nmethod = static\nstep = 0.01\nend = 0.1\n"
      "[measure]\ndefine = x [m] : last(x(end))\ndefine = y [m] : last(y(end))\ndefine = z [m] : "
      "last(z(end))\n"
      "define = time [s] : last(t)\n";
  struct Drive {
    const char* lines;
    const char* by_time;
    const char* output;
  };
  const std::vector<Drive> drives = {
      {"[boundary]\nfirst = clamped\n[actuation]\nforce = z, end : ", "-0.1*(t - 0.01)", "-0.1*t"},
      {"[boundary]\nfirst = clamped\n[actuation]\ncurvature = d2 : ", "9*t/t_end", "100*t"},
      {"[motion]\nrotation = element 0 about 0 1 0 : 0\nposition = start : 0, 0, ",
       "(t > 0.01 ? 0.1*(t - 0.01) : 0)", "0.1*t"}};
  for (const char* model : {"cosserat", "der"}) {
    const std::string kind = std::string("model.kind=") + model;
    for (const Drive& drive : drives) {
      const Measured by_time(rod + std::string(drive.lines) + drive.by_time + "\n", {kind});
      for (const char* hold : {"zero", "linear"}) {
        if (hold[0] == 'z' && std::string(drive.lines).starts_with("[motion]"))
          continue;  // they may not jump
        const Measured driven(
            rod + std::string(drive.lines) + "u\n[control]\ninterval = 0.01\nhold = " + hold +
                "\noutput = u : " + drive.output + "\n[measure]\ndefine = u [1] : last(u)\n",
            {kind});
        EXPECT_GT(std::abs(by_time["z"]), 1e-3) << drive.lines;
        for (const char* name : {"x", "y", "z"})
          EXPECT_NEAR(driven[name], by_time[name], 1e-7) << name << model << hold << drive.lines;
        EXPECT_NEAR(driven["time"], 0.1, 1e-12);
        EXPECT_NEAR(std::abs(driven["u"]), 0.09 * std::stod(drive.output + (drive.output[0] == '-' ? 1 : 0)),
                    1e-9);
      }
    }
  }
}

TEST(Branch, RefusesToChangeWhatControlActsBy) {
  const std::string deck =
      "[rod]\nelements = 8\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\n[boundary]\nfirst = clamped\n[variable]\npull = 0.1\n[actuation]\nforce = x, end "
      ": u\n"
      "[control]\ninterval = 0.5\noutput = u : pull*t\n[time]\nstep = 0.5\n[branch]\nfrom = 0.5\nto = 1\nkey "
      "= ";
  for (const char* key : {"variable.pull", "control.interval"}) {
    try {
      branch_of(deck + key + "\n");
      ADD_FAILURE() << key;
    } catch (const DeckError& error) {
      EXPECT_NE(std::string(error.what()).find("time, which stands still"), std::string::npos)
          << error.what();
    }
  }
}

/// A beam on a plane that lifts all of it but the clamp.
TEST(Branch, KnowsHowDeepRodsStandInAGroundThatChanges) {
  const std::string beam =
      "[rod]\nelements = 8\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\norigin = 0, 0, 0.004\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = "
      "clamped\n"
      "[variable]\nlift = 0\n[ground]\nplaten = 0.15, 0, 0, 0, 0, 1 : 0, 0, lift\nstiffness = 10\n[time]\n"
      "method = static\n";
  for (const char* model : {"cosserat", "der"}) {
    const std::string kind = std::string("model.kind=") + model;
    const Measured branch(beam + "[branch]\nkey = variable.lift\nto = 0.002\n", {kind});
    EXPECT_NEAR(branch["ground_depth_relative"], 0.002 / 0.004, 1e-9) << model;
  }
}

/// What is reported at the end of a branch is what the member with the number there reports by itself: what
/// observables and measures are told of it must not stay as it was at the beginning.
TEST(Branch, ReportsWhatTheMemberReportsThatItHasBecome) {
  constexpr const char* rod =
      "[variable]\na = 0.01\n[rod]\nelements = 10\nlength = 0.2\nradius = 0.004\ndensity = 1100\n"
      "young_modulus = 2e6\nshear_modulus = 7e5\ndirection = 1, 0.1, 0\nnormal = 0, 0, 1\n"
      "[boundary]\nfirst = clamped\n"
      "[load]\nend_force = 0, 0.004, 0\nend_couple = 2e-4, 0, 0\n[actuation]\nforce = z, end : a\n"
      "[time]\nmethod = static\nstep = 0.5\nend = 1\n"
      "[measure]\ndefine = q [N] : a\ndefine = slope [1] : z(end)/rod.length\n"
      "define = work [J] : 0.5*load.end_force[1]*y(end)\ndefine = energy [J] : work + bending_energy\n";
  struct Change {
    const char* key;
    const char* from;
    const char* to;
    const char* alone;
  };
  for (const char* const model : {"model.kind=cosserat", "model.kind=der"}) {
    for (const Change& change : {Change{"variable.a", "0.001", "0.02", "variable.a=0.02"},
                                 Change{"rod.length", "0.15", "0.2", "rod.length=0.2"},
                                 Change{"rod.direction[1]", "0.1", "1", "rod.direction=1, 1, 0"},
                                 Change{"rod.origin[2]", "0", "0.1", "rod.origin=0, 0, 0.1"},
                                 Change{"rod.intrinsic_twist", "0.1", "5", "rod.intrinsic_twist=5"},
                                 Change{"rod.shear_modulus", "2e5", "3e6", "rod.shear_modulus=3e6"},
                                 Change{"load.end_couple[0]", "1e-5", "4e-4", "load.end_couple=4e-4, 0, 0"},
                                 Change{"rod.end_radius", "0.004", "0.0032", "rod.end_radius=0.0032"}}) {
      const std::string key = change.key;
      const Measured branch(rod, {model, "branch.key=" + key, std::string("branch.from=") + change.from,
                                  std::string("branch.to=") + change.to});
      const Measured alone(rod, {model, change.alone});
      EXPECT_EQ(branch["branch_value"], std::stod(change.to)) << key;
      for (const char* const name : {"q", "slope", "work", "energy", "theta_max", "end_twist",
                                     "tip_deflection", "end_force", "end_couple", "end_z", "total_energy"}) {
        EXPECT_NEAR(branch[name], alone[name], 1e-6 * std::abs(alone[name]) + 1e-12)
            << model << " " << key << " " << name;
      }
    }
  }
}

/// At each point, as frames have it; time stands still there.
TEST(Branch, MeasuresItsPointsWithTheNumberThatTheyStandFor) {
  const MemberSpec spec = branch_of(
      "[variable]\na = 0\n[rod]\nelements = 6\nlength = 0.2\nradius = 0.004\ndensity = 1100\n"
      "young_modulus = 2e6\npoisson_ratio = 0.5\n[boundary]\nfirst = clamped\n[actuation]\nforce = x, end : "
      "a\n"
      "[time]\nstep = 0.5\nend = 1\n[branch]\nkey = variable.a\nto = 0.02\n"
      "[measure]\ndefine = q [N] : a\ndefine = now [s] : t\n"
      "[output]\nframes = 103\nobservables = branch_value, q, now\n");
  const MemberOutcome outcome = run_member(spec);
  ASSERT_EQ(outcome.status, MemberStatus::done);
  const std::size_t values = outcome.fields.size() - 3;
  double last = 0.0;
  for (std::size_t frame = 3; frame < outcome.time.size() && std::isfinite(outcome.time[frame]); ++frame) {
    const double value = outcome.fields[values][frame];
    EXPECT_EQ(outcome.fields[values + 1][frame], value);
    EXPECT_EQ(outcome.fields[values + 2][frame], 1.0);
    EXPECT_EQ(outcome.time[frame], 0.5 * static_cast<double>(frame));
    EXPECT_GT(value, last);
    last = value;
  }
  EXPECT_EQ(last, 0.02);
}

}  // namespace
}  // namespace rodeo::statics
