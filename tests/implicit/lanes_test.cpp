#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/any_batch.hpp"

namespace rodeo::implicit {
namespace {

/// Members that differ in the number of a key, from one batch to the next with others beside them.
std::vector<MemberOutcome> expect_the_same_in_any_batch(const std::vector<std::vector<std::string>>& decks) {
  const std::string rod =
      "[rod]\nelements = 13\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[model]\nsection = rigid\n"
      "[time]\nmethod = implicit\nstep = 0.02\nend = 0.4\n[output]\nframes = 3\n";
  std::vector<MemberSpec> specs;
  for (const std::vector<std::string>& deck : decks)
    specs.push_back(make_member_spec(Deck::parse(rod, "test", deck)));
  return rodeo::expect_the_same_in_any_batch(specs);
}

TEST(ImplicitBatch, RodsUnderAllThatActsOnThemAreTheSameInAny) {
  const auto with = [](std::vector<std::string> further) {
    further.emplace_back("boundary.first=clamped");
    return further;
  };
  for (const auto& decks :
       {rising(20, with({"rod.damping_ratio=0.3"}), "gravity.acceleration=0, 1, -", 0.0, 9.0),
        rising(9, {"boundary.first=pinned", "rod.relaxation_time=0.2", "boundary.last=pinned_sliding"},
               "load.distributed_force=1, 0, ", 0.0, 0.2),
        rising(9,
               {"load.tether_stiffness=2", "load.tether_point=0.5, 0.1, 0", "rod.start_velocity=0, 0, 0.5"},
               "load.tether_hardening=", 1.0, 9.0),
        rising(9, {"fluid.viscosity=2", "muscle.period=0.1", "muscle.wave_number=6"},
               "muscle.amplitudes=0.001, 0.002, ", 0.0, 0.003),
        rising(9, with({"load.follower_force=0.01, 0, 0"}), "load.end_couple=0, 0.002, ", 0.0, 0.002),
        rising(9, with({"time.scheme=backward_euler", "gravity.acceleration=0, 0, -1"}), "rod.damping=", 0.0,
               0.5),
        rising(9, with({"time.tolerance=1e-3"}), "gravity.acceleration=0, 0, -", 0.1, 9.0),
        rising(9, with({"control.interval=0.04", "control.output=bend : 2 * sin(20 * t)"}),
               "actuation.curvature=d1 : bend * (1 - s) * ", 0.1, 3.0)}) {
    const std::vector<MemberOutcome> alone = expect_the_same_in_any_batch(decks);
    EXPECT_EQ(count_of(alone, MemberStatus::done), static_cast<int>(alone.size())) << decks.back().back();
  }
}

/// Some steps are halved, and some members end before the others.
TEST(ImplicitBatch, RodsThatFailDisturbNoOthers) {
  const std::vector<std::string> few = {"boundary.first=clamped", "newton.iterations=6", "newton.halvings=2"};
  const std::vector<MemberOutcome> alone =
      expect_the_same_in_any_batch(rising(20, few, "load.end_force=0, 0, ", 0.01, 150.0));
  EXPECT_GT(count_of(alone, MemberStatus::too_stiff), 3);
  EXPECT_GT(count_of(alone, MemberStatus::done), 1);
  EXPECT_GT(count_of(alone, MemberStatus::diverged), 0);  // bent by half a turn
}

/// An element that would turn too far in a step as it comes is turned in halves of it.
TEST(ImplicitBatch, RodsThatSpinTooFastForAStepDisturbNoOthers) {
  const std::vector<MemberOutcome> alone =
      expect_the_same_in_any_batch(rising(20, {"rod.damping=1"}, "rod.start_spin=", 10.0, 400.0, ", 0, 0"));
  EXPECT_EQ(count_of(alone, MemberStatus::done), 20);
  EXPECT_LT(value(alone.front(), "newton_iterations"), value(alone.back(), "newton_iterations"));
}

TEST(ImplicitBatch, RodsOfAllSortsAreTheSameInAny) {
  std::vector<std::vector<std::string>> mixed;
  for (int k = 0; k < 22; ++k) {
    mixed.push_back({"gravity.acceleration=0, 0, -" + std::to_string(0.1 * k)});
    if (k % 3 > 0) mixed.back().emplace_back("boundary.first=clamped");
    if (k % 3 == 2) mixed.back().emplace_back("rod.elements=" + std::to_string(10 + k % 2));
    if (k % 4 == 0) mixed.back().emplace_back("time.step=0.01");
    if (k % 7 == 0) mixed.back().emplace_back("ground.planes=0, 0, -0.1, 0, 0, 1");
  }
  const std::vector<MemberOutcome> alone = expect_the_same_in_any_batch(mixed);
  EXPECT_EQ(count_of(alone, MemberStatus::done), 22);
}

}  // namespace
}  // namespace rodeo::implicit
