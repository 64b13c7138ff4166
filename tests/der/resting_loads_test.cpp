#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "der/relaxation.hpp"
#include "member/measured.hpp"
#include "statics/standing_member.hpp"

namespace rodeo::der {
namespace {

struct Load {
  const char* name;
  std::vector<std::string> overrides;
};

class LoadAtRest : public testing::TestWithParam<Load> {};

/// Moves the degrees of freedom of a rod by so much of a direction, from a state.
void move(const RodView& rod, const std::vector<double>& state, const std::vector<double>& way, double part) {
  std::ranges::copy(state, rod.base);
  for (int i = 0; i <= rod.elements; ++i) {
    const double* const w = way.data() + 4 * i;
    rod.set_vec3(field::position, i, rod.vec3(field::position, i) + part * Vec3{w[0], w[1], w[2]});
  }
  for (int i = 0; i < rod.elements; ++i) {
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const double twist = part * way[static_cast<std::size_t>(4 * i + 3)];
    rod.set_quaternion(i, turned_frame(rod.quaternion(i), turned_edge(rod.quaternion(i), edge, twist)));
  }
}

/// The matrix at an equilibrium turns a small move into what the forces change by.
TEST_P(LoadAtRest, IsInTheMatrix) {
  std::vector<std::string> overrides = GetParam().overrides;
  overrides.insert(overrides.end(), {"model.kind=der", "time.method=static"});
  const statics::StandingMember member(make_member_spec(
      Deck::parse("[rod]\nelements = 8\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
                  "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
                  "intrinsic_curvature = 0.3, 0.5\nintrinsic_twist = 0.8\n[boundary]\nfirst = clamped\n",
                  "test", overrides)));
  Relaxation relaxation(member.spec(), member.arrays());
  RodsAtRest& rods = relaxation.rods();
  const RodView& rod = member.arrays().all;
  const auto state = [&] {
    return std::vector<double>(rod.base,
                               rod.base + static_cast<std::ptrdiff_t>(field::state_count) * rod.pitch);
  };
  const auto unbalanced = [&] {
    constexpr double no_share = 1e-12;  // 1/s^2
    std::vector<double> force;
    rods.set_loads(1.0, 1.0);
    EXPECT_TRUE(rods.solver().linearize(no_share, force).has_value());
    return force;
  };
  rods.begin_motions(0);
  relaxation.begin(0.0, true);
  ASSERT_TRUE(relaxation.solve(1.0, 1.0, false).converged);
  const std::vector<double> bent = state();
  std::vector<double> way = rods.solver().inertia();
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = std::cos(2.0 * static_cast<double>(i * i));
  rods.solver().constraints().constrain(way);
  constexpr double part = 1e-6;
  move(rod, bent, way, -part);
  const std::vector<double> before = unbalanced();
  move(rod, bent, way, part);
  std::vector<double> change = unbalanced();
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = (change[i] - before[i]) / (2.0 * part);
  move(rod, bent, way, 0.0);
  unbalanced();
  rods.solver().solve(change);
  for (std::size_t i = 0; i < change.size(); ++i) EXPECT_NEAR(change[i], way[i], 1e-5) << i;
}

INSTANTIATE_TEST_SUITE_P(
    All, LoadAtRest,
    testing::Values(
        Load{"end_couple", {"load.end_couple=0.05, -0.1, 0.08"}},
        Load{"follower_force", {"load.follower_force=0.2, -0.3, -0.2"}},
        Load{"magnet", {"load.magnetization=1e4", "load.magnetic_flux_density=0.003, 0.01, -0.02"}},
        Load{"force_along_directors",
             {"actuation.force=d2, s 0.2 to 0.9 : 0.3 * s", "actuation.force=d3, end : -0.05",
              "actuation.force=d1, node 4 : 0.04"}},
        Load{"couple_by_formula", {"actuation.couple=z : 0.08 * s", "actuation.couple=x, end : -0.05"}},
        Load{"couple_along_directors",
             {"actuation.couple=d1 : 0.08 * s", "actuation.couple=d2, end : -0.05"}},
        Load{"internal_couple", {"actuation.internal_couple=z : 0.1 * s"}},
        Load{"internal_couple_along_directors",
             {"actuation.internal_couple=d1 : 0.1 * s", "actuation.internal_couple=d3 : 0.05"}},
        Load{"muscles_that_bend",
             {"muscle.amplitudes=0.1, 0.2, 0.1", "muscle.period=0.7", "muscle.wave_number=4"}},
        Load{"muscles_that_bend_about_an_axis",
             {"muscle.amplitudes=0.1, 0.2, 0.1", "muscle.period=0.7", "muscle.axis=1, 2, 3"}},
        Load{"muscles_that_contract",
             {"muscle.amplitudes=3, 6, 3", "muscle.kind=force", "muscle.period=0.7", "muscle.wave_number=4"}},
        Load{"muscles_that_pull_along_an_axis",
             {"muscle.amplitudes=0.1, 0.2, 0.1", "muscle.kind=force", "muscle.period=0.7",
              "muscle.axis=1, 2, 3"}}),
    [](const auto& of) { return std::string(of.param.name); });

/// 1 m along x with B = 0.785 N m^2, so slender that it hardly shears or shortens.
constexpr const char* thin_beam =
    "[rod]\nelements = 40\nlength = 1\nradius = 0.001\ndensity = 1000\nbend_stiffness = 0.7853981633974483\n"
    "twist_stiffness = 0.7\nstretch_stiffness = 3e5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
    "[time]\nmethod = static\n[measure]\ninterval = 1\n";
constexpr double beam_stiffness = 0.7853981633974483;

MemberOutcome outcome_of(const std::string& text, std::vector<std::string> overrides) {
  overrides.insert(overrides.begin(), "model.kind=der");
  const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(text, "test", overrides)));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  return outcome;
}

/// The end of a clamped beam with such loads beside that of Cosserat rods of as many elements.
void expect_end_of_cosserat(const std::vector<std::string>& loads, double least_way) {
  const std::string beam = std::string(thin_beam) + "[boundary]\nfirst = clamped\n";
  const auto end_of = [&](const char* model, int n) {
    std::vector<std::string> overrides = loads;
    overrides.insert(overrides.end(), {std::string("model.kind=") + model, "rod.shear_stiffness=1e8",
                                       "rod.elements=" + std::to_string(n)});
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(beam, "test", overrides)));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return Vec3{value(outcome, "end_x"), value(outcome, "end_y"), value(outcome, "end_z")};
  };
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3 end = end_of("der", 40 << k);
    EXPECT_LT(end.x, 1.0 - least_way);
    errors[k] = norm(end - end_of("cosserat", 40 << k));
  }
  EXPECT_LT(errors[0], 1e-2);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.2) << errors[0] << ' ' << errors[1];
}

TEST(RestingLoads, FollowerForceBendsAsCosseratRods) {
  expect_end_of_cosserat({"load.follower_force=3, 6, 0"}, 0.5);
}

TEST(RestingLoads, FormulasBendAsCosseratRods) {
  expect_end_of_cosserat({"actuation.couple=d1 : 4 * s", "actuation.force=d2, end : -2",
                          "actuation.internal_couple=d2, s 0.3 to 0.6 : 0.4"},
                         0.3);
}

TEST(RestingLoads, MusclesBendAsCosseratRods) {
  expect_end_of_cosserat({"muscle.amplitudes=15, 20, 15", "muscle.period=4", "muscle.wave_number=3"}, 0.1);
}

/// An internal couple C bends a rod to an arc of curvature C/B, but for the last half element.
TEST(RestingLoads, InternalCoupleBendsAnArc) {
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const int n = 20 << k;
    const MemberOutcome outcome = outcome_of(
        std::string(thin_beam) + "[boundary]\nfirst = clamped\n",
        {"rod.elements=" + std::to_string(n), "actuation.internal_couple=d1 : 2 * 0.7853981633974483"});
    const double half = 0.5 / n;
    const double angle = 2.0 * (1.0 - half);
    errors[k] = std::hypot(
        value(outcome, "end_x") - 0.5 * std::sin(angle) - half * std::cos(angle),
        std::abs(value(outcome, "end_z")) - 0.5 * (1.0 - std::cos(angle)) - half * std::sin(angle));
  }
  EXPECT_NEAR((4.0 * errors[1] - errors[0]) / 3.0, 0.0, 1e-4);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.2);
}

/// B theta'' + M A F sin(theta) = 0 between a clamp and a free end: the least M A F is B (pi/2L)^2.
TEST(RestingLoads, MagnetTurnsRoundInAFieldAgainstIt) {
  const double magnetization = std::pow(M_PI / 2.0, 2) * beam_stiffness / (M_PI * 1e-6 * 0.01);
  for (const double part : {0.998, 1.002}) {
    const MemberOutcome outcome = run_member(
        make_member_spec(Deck::parse(std::string(thin_beam) + "[boundary]\nfirst = clamped\n", "test",
                                     {"model.kind=der", "load.magnetic_flux_density=-0.01, 0, 0",
                                      "load.magnetization=" + std::to_string(part * magnetization)})));
    EXPECT_EQ(outcome.status, part < 1.0 ? MemberStatus::done : MemberStatus::unstable) << part;
    EXPECT_EQ(value(outcome, "unstable_modes"), part < 1.0 ? 0.0 : 2.0) << part;
  }
}

/// Contact bounds their way in a step, so that they would fall for long.
TEST(RestingLoads, RodsThatFallForEverAreSeenSoon) {
  const statics::StandingMember member(make_member_spec(Deck::parse(
      "[rod]\ncount = 2\nelements = 10\nlength = 0.2\nradius = 0.004\ndensity = 200\nyoung_modulus = 4e4\n"
      "poisson_ratio = 0\ndirection = 1, 0, 0\nnormal = 0, 0, 1\neach = rod.origin[2] : list(0, 0.01)\n"
      "[gravity]\nacceleration = 0, 0, -0.7\n[contact]\nkind = ipc\ntolerance = 2e-4\n",
      "test", {"model.kind=der", "time.method=static"})));
  Relaxation relaxation(member.spec(), member.arrays());
  relaxation.rods().begin_motions(0);
  relaxation.begin(0.0, true);
  const SolveOutcome outcome = relaxation.solve(1.0, 1.0, false);
  EXPECT_FALSE(outcome.converged);
  EXPECT_LT(outcome.iterations, 100);
}

TEST(RestingPlaces, MiddleOfABeamIsHeldByItsStiffness) {
  const double way = 1e-4;
  const double force = 48.0 * beam_stiffness * way;
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Measured beam(std::string(thin_beam) +
                            "define = force [N] : reaction_y(middle)\ndefine = work [J] : work_motions\n"
                            "define = power [W] : power_motions\n"
                            "[boundary]\nfirst = pinned\nlast = pinned_sliding\n[motion]\n"
                            "position = middle : free, 1e-4 * t, free\n",
                        {"model.kind=der", "time.step=0.25", "rod.elements=" + std::to_string(20 << k)});
    errors[k] = beam["force"] / force - 1.0;
    EXPECT_NEAR(beam["work"], 0.5 * beam["force"] * way, 1e-6 * force * way);
    EXPECT_NEAR(beam["power"], beam["force"] * way, 1e-6 * force * way);
    EXPECT_EQ(value(beam.outcome, "unstable_modes"), 0.0);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.1);
  EXPECT_NEAR((4.0 * errors[1] - errors[0]) / 3.0, 0.0, 2e-5);
}

TEST(RestingPlaces, EndsThatTurnBendARodToAnArc) {
  const double angle = 2.4;
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string last = std::to_string((20 << k) - 1);
    const Measured arc(
        std::string(thin_beam) + "define = couple [N m] : reaction_couple_z(element " + last +
            ")\ndefine = back [N m] : reaction_couple_z(element 0)\ndefine = work [J] : work_motions\n"
            "[boundary]\nfirst = pinned\n[motion]\nrotation = start about 0 0 1 : -1.2 * t\n"
            "rotation = end about 0 0 1 : 1.2 * t\n",
        {"model.kind=der", "time.step=0.125", "rod.elements=" + std::to_string(20 << k)});
    errors[k] = arc["couple"] / (beam_stiffness * angle) - 1.0;
    EXPECT_NEAR(arc["back"], -arc["couple"], 1e-9);
    EXPECT_NEAR(arc["work"], value(arc.outcome, "bending_energy"), 1e-4 * arc["work"]);
    EXPECT_NEAR(value(arc.outcome, "end_x"), std::sin(1.2) / 1.2, 1e-3);
    EXPECT_NEAR(value(arc.outcome, "end_y"), 0.0, 1e-9);
  }
  EXPECT_LT(std::abs(errors[0]), 1e-2);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.3);
}

TEST(RestingPlaces, AFrameTakesAFreeRodWithIt) {
  const Measured rod(std::string(thin_beam) +
                         "[motion]\nposition = start : 0, 0.1 * t, 0\nrotation = start about 0 0 1 : 2 * t\n",
                     {"model.kind=der"});
  EXPECT_NEAR(value(rod.outcome, "end_x"), std::cos(2.0), 1e-7);
  EXPECT_NEAR(value(rod.outcome, "end_y"), 0.1 + std::sin(2.0), 1e-7);
  EXPECT_NEAR(value(rod.outcome, "bending_energy"), 0.0, 1e-9);
}

TEST(RestingPlaces, LetGoARodGoesBack) {
  const std::string deck = std::string(thin_beam) + "[boundary]\nfirst = clamped\n";
  const std::vector<std::string> common = {"model.kind=der", "time.step=1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return Measured(deck, more).outcome;
  };
  EXPECT_GT(value(with({"motion.position=end : free, 0.6 * t, 0.2 * t"}), "bending_energy"), 0.3);
  const MemberOutcome released = with({"time.end=2", "motion.position=end : free, 0.6 * t, 0.2 * t until 1"});
  EXPECT_NEAR(value(released, "bending_energy"), 0.0, 1e-12);
  EXPECT_NEAR(value(released, "end_x"), 1.0, 1e-8);
  const MemberOutcome later =
      with({"time.end=3", "load.end_force=0, 1, 0", "motion.position=end : 0, 0, 0 from 1 until 2",
            "motion.rotation=element 20 about 1 0 0 : 0.5 * (t - 2) from 2"});
  EXPECT_GT(value(later, "bending_energy"), 0.1);
  EXPECT_GT(value(later, "twist_energy"), 0.05);
}

/// Where two places of a heavy cord are held and turned it rests as Cosserat rods do.
TEST(RestingPlaces, ThatMoveAndTurnAreThoseOfCosseratRods) {
  const auto end_of = [](const std::string& model, int n) {
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
        std::string(thin_beam) + "[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, 0, -300\n",
        "test",
        {"model.kind=" + model, "rod.shear_stiffness=1e8", "rod.elements=" + std::to_string(n),
         "motion.position=s 0.5 : -0.1 * t, 0.2 * t, free",
         "motion.rotation=element " + std::to_string(3 * n / 4) + " about 1 1 0 : 1.5 * t"})));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return Vec3{value(outcome, "end_x"), value(outcome, "end_y"), value(outcome, "end_z")};
  };
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const int n = 40 << k;
    errors[k] = norm(end_of("der", n) - end_of("cosserat", n));
  }
  EXPECT_LT(errors[0], 1e-2);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.3);
}

/// Between the ground and the platen each element is pushed by k (u - d) from below and k d from above, u the
/// overlap of both: weight and force above are what is below.
TEST(RestingPlaten, PressesAndTellsWhatItTakes) {
  const double weight = 1000.0 * M_PI * 1e-4 * 9.81;
  const Measured pressed(
      "[model]\nkind = der\n[rod]\nelements = 10\nlength = 1\nradius = 0.01\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
      "origin = 0, 0, 0.01\n[gravity]\nacceleration = 0, 0, -9.81\n"
      "[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 1e3\n"
      "platen = 0, 0, 0.025, 0, 0, -1 : 0, 0, -0.01 * t\n[time]\nmethod = static\n"
      "step = 0.0625\n[measure]\ninterval = 0.0625\ndefine = force [N] : platen_force_z\n"
      "define = element [N] : platen_force_z(element 3)\ndefine = work [J] : work_platen\n");
  const double force = 0.5 * (10.0 * 1e3 * 0.005 - weight);  // N
  EXPECT_NEAR(pressed["force"], force, 1e-6 * force);
  EXPECT_NEAR(pressed["element"], 0.1 * force, 1e-6 * force);
  // It goes against springs of 10 k/2 from where they touch on.
  EXPECT_NEAR(pressed["work"], 0.5 * force * force / 5e3, 0.02 * 0.5 * force * force / 5e3);
}

}  // namespace
}  // namespace rodeo::der
