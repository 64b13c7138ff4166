#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"
#include "member/saved_state.hpp"

namespace rodeo::der {
namespace {

MemberSpec branch_of(const std::string& text, std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), {"model.kind=der", "time.method=static"});
  return make_member_spec(Deck::parse(text, "test", overrides));
}

/// 1 m long with B = 0.785 N m^2, so slender that it hardly shortens.
constexpr const char* slender_column =
    "[rod]\nelements = 100\nlength = 1\nradius = 0.001\ndensity = 1000\nbend_stiffness = "
    "0.7853981633974483\ntwist_stiffness = 0.7\nstretch_stiffness = 3e6\n"
    "[boundary]\nfirst = pinned\nlast = pinned_sliding\n"
    "[branch]\nkey = load.axial_force\nto = 40\n";
const double euler_load = M_PI * M_PI * 0.7853981633974483;

TEST(DerBranch, FindsTheLoadsAtWhichAColumnBuckles) {
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const MemberOutcome outcome = run_member(branch_of(
        slender_column, {"branch.stop=first_bifurcation", "rod.elements=" + std::to_string(50 << k)}));
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "bifurcations"), 1.0);
    EXPECT_EQ(value(outcome, "branch_value"), value(outcome, "critical_value"));
    // P (1 - P/EA) = pi^2 B/L^2
    const double load = value(outcome, "critical_value");
    errors[k] = load * (1.0 - load / 3e6) / euler_load - 1.0;
  }
  EXPECT_LT(std::abs(errors[0]), 1e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.05);
  EXPECT_LT(std::abs(4.0 * errors[1] - errors[0]) / 3.0, 1e-5);
}

TEST(DerBranch, CountsBifurcationsUpToTheEndOfTheRange) {
  const MemberOutcome outcome = run_member(branch_of(slender_column, {"branch.to=32"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_EQ(value(outcome, "bifurcations"), 2.0);  // of one and of two half waves
  EXPECT_EQ(value(outcome, "branch_value"), 32.0);
  EXPECT_EQ(value(outcome, "unstable_modes"), 4.0);
  EXPECT_EQ(value(outcome, "folds"), 0.0);
  EXPECT_NEAR(value(outcome, "critical_value"), euler_load, 1e-2);
}

/// The elastica: an end that slopes by alpha takes a load of (2 K(sin(alpha/2))/pi)^2 times Euler's.
TEST(DerBranch, TurnsToTheBuckledColumn) {
  const double alpha = 2.0 * M_PI / 3.0;
  const double load = std::pow(2.0 * std::comp_ellint_1(std::sin(0.5 * alpha)) / M_PI, 2) * euler_load;
  for (const char* const side : {"1", "-1"}) {
    const MemberOutcome outcome =
        run_member(branch_of(slender_column, {"rod.elements=200", "branch.to=" + std::to_string(load),
                                              std::string("branch.turns=") + side}));
    ASSERT_EQ(outcome.status, MemberStatus::done) << side;
    EXPECT_NEAR(value(outcome, "branch_value"), load, 1e-4) << side;
    EXPECT_EQ(value(outcome, "unstable_modes"), 0.0) << side;
    EXPECT_NEAR(value(outcome, "theta_max"), alpha, 2e-2) << side;
  }
}

/// A strip that is bent by a force across its stiff side turns over where J(x) of order -1/4 is zero, x = P
/// L^2/(2 sqrt(B2 C)) (Prandtl 1899), if it hardly bends before.
TEST(DerBranch, FindsTheForceAtWhichAStripTurnsOver) {
  const auto critical = [](const std::string& elements) {
    const MemberOutcome outcome =
        run_member(branch_of("[rod]\nlength = 1\nradius = 0.05\ndensity = 1000\nbend_stiffness = 1e6\n"
                             "second_bend_stiffness = 1\ntwist_stiffness = 0.7\nstretch_stiffness = 1e8\n"
                             "direction = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n"
                             "[branch]\nkey = load.end_force[2]\nto = -10\nstop = first_bifurcation\n",
                             {"rod.elements=" + elements}));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return -value(outcome, "critical_value");
  };
  const double expected = 4.0125994 * std::sqrt(0.7);
  const double coarse = critical("40");
  const double fine = critical("80");
  EXPECT_NEAR(fine / expected, 1.0, 1e-2);
  EXPECT_NEAR((fine + (fine - coarse) / 3.0) / expected, 1.0, 1e-3);
}

/// An arch, clamped and pushed together, that a force at its middle snaps through.
constexpr const char* arch =
    "[rod]\nelements = 80\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
    "poisson_ratio = 0.3\nstretch_stiffness = 1e5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
    "[boundary]\nfirst = clamped\nlast = clamped\nslack = 0.02\nmotion_time = 0.5\n"
    "[load]\nmiddle_force = 0, 0.2, 0\n[time]\nend = 1\nstep = 0.25\n"
    "[branch]\nkey = load.middle_force[1]\nfrom = 0.2\nto = -10\nstop = first_fold\n";

TEST(DerBranch, FindsTheFoldAtWhichAnArchSnaps) {
  std::array<double, 2> folds{};
  for (std::size_t k = 0; k < 2; ++k) {
    const MemberOutcome outcome =
        run_member(branch_of(arch, {std::string("branch.step=") + (k == 0 ? "0.02" : "0.05")}));
    ASSERT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "folds"), 1.0);
    folds[k] = value(outcome, "branch_value");
  }
  EXPECT_NEAR(folds[0], folds[1], 1e-5 * std::abs(folds[0]));
  const MemberOutcome cosserat = run_member(
      make_member_spec(Deck::parse(arch, "test", {"time.method=static", "rod.shear_stiffness=1e5"})));
  ASSERT_EQ(cosserat.status, MemberStatus::done);
  EXPECT_NEAR(folds[0], value(cosserat, "branch_value"), 5e-3 * std::abs(folds[0]));
}

/// Half of a truss of two bars that snaps through and back: with h the height of its top and L_0 the length
/// of a bar at rest the load is k h (L_0/L - 1), L^2 = 1 + h^2, and turns round where L^3 = L_0. How long
/// steps are is how near to a fold they come.
TEST(DerBranch, CountsEachFoldOfATrussOnce) {
  const double rest = std::sqrt(1.04);
  const double length = std::cbrt(rest);
  const double fold = 1000.0 / rest * std::sqrt(length * length - 1.0) * (rest / length - 1.0);
  for (const char* const step : {"0.02", "0.017", "0.03", "0.05", "0.0111"}) {
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
        "[rod]\nelements = 10\nlength = 1.019803902718557\nradius = 0.01\ndensity = 1000\nbend_stiffness = "
        "100\n"
        "twist_stiffness = 1\nstretch_stiffness = 1000\ndirection = 1, 0, 0.2\n[model]\nkind = der\n"
        "[boundary]\nfirst = pinned\n[motion]\nposition = end : 0, 0, free\n[actuation]\n"
        "force = z, end : -variable.P\n[variable]\nP = 0\n[time]\nmethod = static\n[branch]\n"
        "key = variable.P\nfrom = -2\nto = 10\npoints = 800\n",
        "test", {std::string("branch.step=") + step})));
    EXPECT_EQ(outcome.status, MemberStatus::done) << step;
    EXPECT_EQ(value(outcome, "folds"), 2.0) << step;
    EXPECT_EQ(value(outcome, "bifurcations"), 0.0) << step;
    EXPECT_NEAR(value(outcome, "critical_value"), fold, 1e-6) << step;
  }
}

/// A stiff column beside a soft one, with a spring between their middles that hardly holds it.
TEST(DerBranch, OfRodsThatAreConnected) {
  const MemberOutcome outcome = run_member(
      branch_of(slender_column, {"rod.count=2", "rod.each=rod.origin[0] : list(0, 0.1)", "rod.elements=50",
                                 "rod.each=rod.bend_stiffness : list(0.7853981633974483, 8)",
                                 "connection.spring=rod 0, middle to rod 1, middle : stiffness 1e-3",
                                 "branch.stop=first_bifurcation"}));
  ASSERT_EQ(outcome.status, MemberStatus::done);
  EXPECT_NEAR(value(outcome, "critical_value"), euler_load, 1e-2);
}

TEST(DerBranch, GoesOnAfterARestartAsIfItHadNotEnded) {
  for (const char* const turns : {"0", "1"}) {
    const MemberSpec spec =
        branch_of(slender_column, {"branch.to=12", "time.slice_steps=3", "rod.elements=30",
                                   "rod.direction=0.6, 0.48, 0.64", std::string("branch.turns=") + turns});
    const MemberOutcome whole = run_member(spec);
    ASSERT_EQ(whole.status, MemberStatus::done);
    const std::vector<MemberJob> jobs = {{spec, 1}};
    for (const int slices : {1, 2, 3, 5}) {
      const auto first = make_batch(jobs);
      const auto second = make_batch(jobs);
      for (int k = 0; k < slices; ++k) first->advance();
      restore(*second, 0, saved_state(*first, 0));
      while (second->advance()) {
      }
      const MemberOutcome& other = second->outcomes().front();
      EXPECT_EQ(whole.steps, other.steps);
      for (const char* const name : {"branch_value", "critical_value", "least_stiffness", "newton_iterations",
                                     "theta_max", "end_x", "end_y", "end_z", "total_energy"}) {
        if (std::isnan(value(whole, name))) continue;
        EXPECT_EQ(value(whole, name), value(other, name)) << name << " " << turns << " " << slices;
      }
    }
  }
}

/// Under a force that presses its end and follows it, p B/L^2, from p = 20.0509 on (Beck 1952).
TEST(DerBranch, FindsTheLoadAtWhichAColumnFlutters) {
  const auto critical = [](const std::string& elements) {
    const MemberOutcome outcome = run_member(
        branch_of("[variable]\np = 0\n[rod]\nlength = 1\nradius = 0.001\ndensity = 1000\nbend_stiffness = 1\n"
                  "twist_stiffness = 0.7\nstretch_stiffness = 4e6\n[boundary]\nfirst = clamped\n"
                  "[actuation]\nforce = d3, end : -p\n[modes]\ncount = 4\n"
                  "[branch]\nkey = variable.p\nto = 30\nstop = first_flutter\n",
                  {"rod.elements=" + elements}));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(value(outcome, "unstable_modes"), 2.0);  // in both planes
    return value(outcome, "critical_value");
  };
  const double coarse = critical("40");
  const double fine = critical("80");
  EXPECT_NEAR((4.0 * fine - coarse) / 3.0, 20.05095, 2e-3);
}

/// An arch whose middle slides in a plane snaps through until it meets a ball, and goes on past that kink.
TEST(DerBranch, GoesThroughTheKinkWhereAnArchMeetsABall) {
  const MemberOutcome outcome = run_member(
      branch_of("[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nbend_stiffness = 1\n"
                "twist_stiffness = 10\nstretch_stiffness = 1e4\nnormal = 0, 1, 0\n"
                "[boundary]\nfirst = clamped\nlast = clamped\nslack = 0.03\nmotion_time = 0.5\n[load]\n"
                "middle_force = 20, 0, 0\n[motion]\nposition = middle : free, 0, free\n[ground]\n"
                "spheres = -0.28, 0, 0.485, 0.3\nstiffness = 3000\n[time]\nstep = 0.25\n[branch]\n"
                "key = load.middle_force[0]\nfrom = 20\nto = -60\npoints = 60\nstep = 0.02\n"));
  ASSERT_EQ(outcome.status, MemberStatus::out_of_points);  // well past the ball
  EXPECT_EQ(value(outcome, "folds"), 2.0);
  EXPECT_LT(value(outcome, "branch_value"), -43.0);
  EXPECT_EQ(value(outcome, "unstable_modes"), 6.0);
}

/// A rod that nothing holds has no equilibrium under a force, however little it bends by that.
TEST(DerBranch, EndsWhereLoadsMoveTheRodAsAWhole) {
  const std::string rod =
      "[rod]\nelements = 20\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[branch]\nto = 0.1\nkey = ";
  for (const char* const load : {"load.end_force[0]", "load.end_force[1]", "gravity.acceleration[2]"})
    EXPECT_EQ(run_member(branch_of(rod + load + "\n")).status, MemberStatus::no_equilibrium) << load;
}

/// A branch has the equilibria that are found without one.
TEST(DerBranch, EndsWhereASingleEquilibriumIs) {
  const std::string beam =
      "[rod]\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\nintrinsic_curvature = 0.5, 1\n"
      "[boundary]\nfirst = clamped_element\n";
  const MemberOutcome branch =
      run_member(branch_of(beam + "[branch]\nkey = load.end_force[1]\nfrom = 0.1\nto = -3\n"));
  const MemberOutcome at_once = run_member(branch_of(beam, {"load.end_force=0, -3, 0"}));
  ASSERT_EQ(branch.status, MemberStatus::done);
  ASSERT_EQ(at_once.status, MemberStatus::done);
  for (const char* const name : {"end_x", "end_y", "end_z", "total_energy"})
    EXPECT_NEAR(value(branch, name) / value(at_once, name), 1.0, 1e-7) << name;
}

/// What connects rods is at rest where they stand at the start, not at each equilibrium of the branch.
TEST(DerBranch, ComesToTheEquilibriumOfConnectedRods) {
  constexpr const char* pair =
      "[rod]\ncount = 2\nelements = 20\nlength = 1\ndensity = 1000\nyoung_modulus = 1e7\npoisson_ratio = "
      "0.3\n"
      "direction = 1, 0, 0\nnormal = 0, 0, 1\neach = rod.radius : list(0.01, 0.02)\n"
      "each = rod.origin[1] : list(0, 0.1)\n[boundary]\nfirst = clamped\n[connection]\n"
      "spring = rod 0, end to rod 1, end : stiffness 5\nrigid = rod 0, element 10 to rod 1, element 10\n";
  const MemberOutcome rest = run_member(branch_of(pair, {"load.end_force=0, 0.1, 0.05"}));
  const MemberOutcome end =
      run_member(branch_of(pair, {"load.end_force=0, 0, 0.05", "branch.key=load.end_force[1]",
                                  "branch.to=0.1", "branch.step=0.1"}));
  ASSERT_EQ(rest.status, MemberStatus::done);
  ASSERT_EQ(end.status, MemberStatus::done);
  EXPECT_GT(value(rest, "end_y"), 0.02);
  EXPECT_GT(value(rest, "connection_energy"), 1e-4);
  for (const char* const name : {"end_y", "end_z", "connection_energy"})
    EXPECT_NEAR(value(end, name), value(rest, name), 1e-6 * std::abs(value(rest, name))) << name;
}

}  // namespace
}  // namespace rodeo::der
