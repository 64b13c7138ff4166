#include "dispatch/cost_trial.hpp"

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
  // The first slice of a thousand steps is not counted.
  EXPECT_EQ(trial.steps, 3 * 1500);
}

TEST(DispatchCostTrial, MembersThatOnlyWaitAreNotTimed) {
  Study study(Deck::parse(
      "[study]\nkind = sweep\n[model]\nkind = noop\n[sweep]\naxis = noop.seconds : list(60)\n", "test.ini"));
  EXPECT_EQ(run_cost_trial(study, 10s).steps, 0);
}

}  // namespace
}  // namespace rodeo
