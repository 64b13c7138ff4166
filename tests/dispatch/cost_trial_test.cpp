#include "dispatch/cost_trial.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"

namespace rodeo {
namespace {

using namespace std::chrono_literals;

constexpr const char* elements_sweep =
    "[study]\nkind = sweep\n[sweep]\naxis = rod.elements : list(40, 6, 12, 80)\n"
    "[rod]\nlength = 1\nradius = 0.05\ndensity = 1000\nbend_stiffness = 0.8\ntwist_stiffness = 0.5\n"
    "shear_stiffness = 2000\nstretch_stiffness = 3000\n[time]\nstep = 1e-4\nend = 100\n";

TEST(DispatchCostTrial, TimesTheCheapestAMiddlingAndTheDearestCandidate) {
  Study study(Deck::parse(elements_sweep, "test.ini"));
  EXPECT_EQ(study.representatives(), (std::vector<std::vector<double>>{{40}, {6}, {80}}));
  const CostTrial trial = run_cost_trial(study, 30ms);
  EXPECT_EQ(trial.members, 3u);
  EXPECT_GT(trial.steps, 100);
  EXPECT_GT(trial.slowness, 0.0);
  EXPECT_FALSE(trial.contact);
}

TEST(DispatchCostTrial, SlownessScalesEveryPrediction) {
  Study study(Deck::parse(elements_sweep, "test.ini"));
  const double first = study.cost(0);
  const double all = study.cost();
  study.set_slowness(3.0);
  EXPECT_DOUBLE_EQ(study.cost(0), 3.0 * first);
  EXPECT_DOUBLE_EQ(study.cost(), 3.0 * all);
}

TEST(DispatchCostTrial, EndsWithTheMember) {
  Study study(Deck::parse(elements_sweep, "test.ini", {"time.end=0.25"}));
  const CostTrial trial = run_cost_trial(study, 10s);
  EXPECT_EQ(trial.steps, 3 * 2500);
}

// What a member costs that ends by an event is known once it has: its branch of 401 points stops at the first
// bifurcation, after some 20. An equilibrium of a single step is timed too.
TEST(DispatchCostTrial, CountsMembersThatEndAsAWhole) {
  const std::string column =
      "[rod]\nelements = 20\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.5\ndirection = 0, 0, 1\n[boundary]\nfirst = clamped\n[time]\nmethod = static\n";
  const std::string branch =
      "[branch]\nkey = load.end_force[2]\nto = -1\npoints = 400\nstop = first_bifurcation\n[load]\nend_force "
      "= 0, 0, 0\n";
  Study study(Deck::parse(column + branch, "test.ini"));
  const auto start = std::chrono::steady_clock::now();
  const CostTrial trial = run_cost_trial(study, 100s);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  EXPECT_GT(trial.steps, 2);
  EXPECT_LT(trial.steps, 200);
  EXPECT_LE(1e-9 * trial.slowness * study.cost(), passed.count());  // in which the whole member ran
  Study rest(Deck::parse(column, "test.ini"));
  EXPECT_EQ(run_cost_trial(rest, 100s).steps, 1);
}

TEST(DispatchCostTrial, MembersThatOnlyWaitAreNotTimed) {
  Study study(Deck::parse(
      "[study]\nkind = sweep\n[model]\nkind = noop\n[sweep]\naxis = noop.seconds : list(60)\n", "test.ini"));
  EXPECT_EQ(run_cost_trial(study, 10s).steps, 0);
}

}  // namespace
}  // namespace rodeo
