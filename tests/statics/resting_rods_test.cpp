#include "statics/resting_rods.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "member/run_members.hpp"
#include "statics/equilibrium.hpp"
#include "statics/standing_member.hpp"

namespace rodeo::statics {
namespace {

struct Load {
  const char* name;
  std::vector<std::string> overrides;
};

class LoadOnRod : public testing::TestWithParam<Load> {};

/// From close to an equilibrium a step with the exact matrix leaves an error that goes with the square of
/// what there was: any term that were not the derivative would leave a share of it.
TEST_P(LoadOnRod, LetsNewtonConvergeQuadratically) {
  std::vector<std::string> overrides = GetParam().overrides;
  overrides.emplace_back("time.method=static");
  const StandingMember member(make_member_spec(
      Deck::parse("[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
                  "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
                  "intrinsic_curvature = 0.3, 0.5\nintrinsic_twist = 0.8\n[boundary]\nfirst = clamped\n",
                  "test", overrides)));
  Equilibrium equilibrium(member.spec(), member.arrays());
  equilibrium.begin(0.0, true);
  ASSERT_TRUE(equilibrium.solve(1.0, 1.0, false).converged);
  RestingRods rods(member.spec(), member.arrays());
  const std::vector<Placement> rest = rods.state();
  std::vector<double> away(rods.unknowns());
  for (std::size_t i = 0; i < away.size(); ++i) away[i] = std::sin(3.0 * static_cast<double>(i * i));
  rods.hold(away);
  const auto step_of = [&](std::vector<double>& step) {
    std::vector<double> pull;
    rods.set_loads(1.0, 1.0);
    rods.linearize(pull, false);
    rods.solve(0.0, pull, step);
    return rods.size(step).largest();
  };
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    rods.restore(rest);
    rods.take(away, k == 0 ? 1e-5 : 5e-6);
    std::vector<double> step;
    ASSERT_GT(step_of(step), 1e-7);
    rods.take(step, 1.0);
    errors[k] = step_of(step);
  }
  EXPECT_GT(errors[1], 1e-12);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.05);
}

INSTANTIATE_TEST_SUITE_P(
    All, LoadOnRod,
    testing::Values(
        Load{"end_force", {"load.end_force=0.03, 0.2, 0.1"}},
        Load{"weight", {"gravity.acceleration=0.3, 1, -0.2"}},
        Load{"end_couple", {"load.end_couple=0.05, -0.1, 0.08"}},
        Load{"spread_force_and_couple",
             {"load.distributed_force=0.05, 0.1, -0.1", "load.distributed_couple=0.05, 0.04, 0.09"}},
        Load{"follower_force", {"load.follower_force=0.2, -0.3, -0.2"}},
        Load{"magnet", {"load.magnetization=1e4", "load.magnetic_flux_density=0.003, 0.01, -0.02"}},
        Load{"weight_on_a_plane_and_a_ball",
             {"gravity.acceleration=0, 0, -2", "ground.kind=plane", "ground.origin=0, 0, -0.1",
              "ground.normal=0, 0.3, 1", "ground.spheres=0.5, 0.1, -0.15, 0.1", "ground.stiffness=20"}},
        Load{"weight_in_a_tube",
             {"gravity.acceleration=0.3, 1, -0.2", "ground.cylinders=0, 0.02, 0, 1, 0.1, 0.1, -0.08",
              "ground.stiffness=20"}},
        Load{"follower_force_against_a_plane",
             {"load.follower_force=0.2, -0.3, -0.2", "ground.kind=plane", "ground.origin=0, 0, -0.03",
              "ground.normal=0, 0.3, 1", "ground.stiffness=20",
              "ground.platen=0, 0, 0.03, 0, 0, -1 : 0, 0, -0.02 * t"}},
        Load{"force_by_formula", {"actuation.force=z : 0.2 * s", "actuation.force=y, end : 0.05 * t"}},
        Load{"force_along_directors",
             {"actuation.force=d2, s 0.2 to 0.9 : 0.3 * s", "actuation.force=d3, end : -0.05",
              "actuation.force=d1, node 4 : 0.04"}},
        Load{"couple_by_formula", {"actuation.couple=z : 0.08 * s", "actuation.couple=x, end : -0.05"}},
        Load{"couple_along_directors",
             {"actuation.couple=d1 : 0.08 * s", "actuation.couple=d2, end : -0.05"}},
        Load{"internal_couple", {"actuation.internal_couple=z : 0.1 * s"}},
        Load{"internal_couple_along_directors",
             {"actuation.internal_couple=d1 : 0.1 * s", "actuation.internal_couple=d3 : 0.05",
              "actuation.internal_couple=d2, start : 0.05", "load.end_force=0.03, 0.1, 0.05"}},
        Load{"muscles_that_bend",
             {"muscle.amplitudes=0.1, 0.2, 0.1", "muscle.period=0.7", "muscle.wave_number=4",
              "load.end_force=0.03, 0.1, 0.05"}},
        Load{"muscles_that_bend_about_an_axis",
             {"muscle.amplitudes=0.1, 0.2, 0.1", "muscle.period=0.7", "muscle.axis=1, 2, 3"}},
        Load{"muscles_that_contract",
             {"muscle.amplitudes=3, 6, 3", "muscle.kind=force", "muscle.period=0.7", "muscle.wave_number=4",
              "load.end_force=0.03, 0.1, 0.05"}},
        Load{"muscles_that_shear",
             {"muscle.amplitudes=0.3, 0.6, 0.3", "muscle.kind=force", "muscle.period=0.7",
              "muscle.direction=d1", "gravity.acceleration=0.3, 1, -0.2"}},
        Load{"muscles_that_pull_along_an_axis",
             {"muscle.amplitudes=0.1, 0.2, 0.1", "muscle.kind=force", "muscle.period=0.7",
              "muscle.axis=1, 2, 3", "load.end_force=0.03, 0.1, 0.05"}},
        Load{"couple_on_a_sliding_end",
             {"boundary.last=pinned_sliding", "load.end_couple=0.05, -0.1, 0.08",
              "load.follower_force=0, 0.1, 0.2"}}),
    [](const auto& of) { return std::string(of.param.name); });

/// Nothing holds a ring: with some inertia added its matrix turns a step into what the gradient changes by
/// along it, at a seam as elsewhere.
void expect_matrix_of_ring(const std::string& surroundings) {
  const StandingMember member(make_member_spec(Deck::parse(
      "[rod]\nshape = ring\nrest_shape = straight\nelements = 9\nlength = 1\nradius = 0.02\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.3\ntotal_twist = 1.5\n[load]\nmagnetization = 1e4\n"
      "magnetic_flux_density = 0.3, 0.1, -0.2\n[time]\nmethod = static\n" +
          surroundings,
      "test", {})));
  Equilibrium equilibrium(member.spec(), member.arrays());
  equilibrium.rods().begin_motions(0);
  equilibrium.begin(0.0, true);
  ASSERT_TRUE(equilibrium.solve(1.0, 1.0, false).converged);
  RestingRods rods(member.spec(), member.arrays());
  rods.hold_places(0);
  const std::vector<Placement> rest = rods.state();
  std::vector<double> step(rods.unknowns());
  for (std::size_t i = 0; i < step.size(); ++i) step[i] = std::sin(3.0 * static_cast<double>(i * i));
  rods.hold(step);
  const auto pull_after = [&](double part) {
    std::vector<double> pull;
    rods.restore(rest);
    if (part != 0.0) rods.take(step, part);
    rods.set_loads(1.0, 1.0);
    rods.linearize(pull, false);
    return pull;
  };
  constexpr double h = 1e-5;
  constexpr double added = 1e6;  // 1/s^2
  const std::vector<double> plus = pull_after(h);
  std::vector<double> change = pull_after(-h);
  for (std::size_t i = 0; i < step.size(); ++i)
    change[i] = (change[i] - plus[i]) / (2.0 * h) + added * rods.inertia()[i] * step[i];
  pull_after(0.0);
  std::vector<double> answer;
  rods.solve(added, change, answer);
  for (std::size_t i = 0; i < step.size(); ++i) EXPECT_NEAR(answer[i], step[i], 1e-6) << i;
}

TEST(LoadOnRing, IsInTheMatrixAtTheSeamToo) { expect_matrix_of_ring(""); }

TEST(LoadOnRing, SoIsTheBowlThatItLiesIn) {
  expect_matrix_of_ring("[ground]\nspheres = 0, 0, 0, -0.155\nstiffness = 300\n");
}

TEST(LoadOnRing, SoAreMusclesThatContract) {
  expect_matrix_of_ring("[muscle]\nkind = force\namplitudes = 3, 5\nperiod = 4\n");
}

/// Motions at the seam and on both sides of it.
TEST(LoadOnRing, SoAreThePlacesThatMotionsHold) {
  expect_matrix_of_ring(
      "[motion]\nposition = start : 0, free, 0\nrotation = element 0 about 1 0 0 : 0\n"
      "position = node 8 : 0, 0, free\nrotation = element 8 about 1 0 0 : 0\nposition = node 1 : free, 0, "
      "free\n");
}

}  // namespace
}  // namespace rodeo::statics
