#include <memory>

#include <gtest/gtest.h>

#include "member/any_batch.hpp"
#include "standing_member.hpp"
#include "statics/equilibria_in_lanes.hpp"

namespace rodeo::statics {
namespace {

constexpr const char* lane_rod =
    "[rod]\nelements = 13\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\npoisson_ratio = "
    "0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[time]\nmethod = static\n";

MemberSpec lane_spec(std::vector<std::string> overrides) {
  return make_member_spec(Deck::parse(lane_rod, "test", overrides));
}

std::vector<double> numbers_of(const std::vector<Placement>& places) {
  std::vector<double> numbers;
  for (const auto& [x, q] : places) numbers.insert(numbers.end(), {x.x, x.y, x.z, q.w, q.x, q.y, q.z});
  return numbers;
}

std::vector<MemberOutcome> expect_the_same_in_any_batch(const std::vector<std::vector<std::string>>& decks) {
  std::vector<MemberSpec> specs;
  for (const std::vector<std::string>& deck : decks) specs.push_back(lane_spec(deck));
  return rodeo::expect_the_same_in_any_batch(specs);
}

TEST(EquilibriaInLanes, OfSectionsWithTwoStiffnessesAreThoseOfEachMemberAlone) {
  const std::vector<MemberOutcome> alone = expect_the_same_in_any_batch(rising(
      11, {"rod.section=rectangle", "rod.thickness=0.02", "boundary.first=clamped", "load.end_force=0, 2, 3"},
      "rod.width=", 0.01, 0.03));
  for (const MemberOutcome& outcome : alone) EXPECT_EQ(outcome.status, MemberStatus::done);
}

TEST(EquilibriaInLanes, AreThoseOfEachMemberAlone) {
  for (const std::size_t count : {std::size_t{4}, EquilibriaInLanes::lanes}) {
    std::vector<std::unique_ptr<StandingMember>> members;
    std::vector<std::unique_ptr<Equilibrium>> beside;
    std::vector<Equilibrium*> pointers;
    const std::vector<double> times(count, 1.0);
    for (std::size_t k = 0; k < count; ++k) {
      const std::string force = std::to_string(7.0 / static_cast<double>(k + 1));
      members.push_back(std::make_unique<StandingMember>(
          lane_spec({"boundary.first=clamped", "load.end_force=0.1, " + force + ", 0"})));
      beside.push_back(std::make_unique<Equilibrium>(members[k]->spec(), members[k]->arrays()));
      beside[k]->begin(0.0, true);
      pointers.push_back(beside[k].get());
    }
    EquilibriaInLanes lanes(*beside[0]);
    const std::vector<SolveOutcome> outcomes =
        lanes.solve(pointers, times, std::vector<bool>(times.size(), true));
    const std::vector<Stability> stabilities = lanes.stability(pointers);
    for (std::size_t k = 0; k < count; ++k) {
      const StandingMember member(members[k]->spec());
      Equilibrium alone(member.spec(), member.arrays());
      alone.begin(0.0, true);
      const SolveOutcome outcome = alone.solve(1.0, 1.0, true);
      const Stability stability = alone.stability();
      EXPECT_TRUE(outcome.converged);
      EXPECT_EQ(outcomes[k].converged, outcome.converged);
      EXPECT_EQ(outcomes[k].iterations, outcome.iterations);
      expect_same_numbers({stability.least_stiffness, stability.unstable_modes},
                          {stabilities[k].least_stiffness, stabilities[k].unstable_modes});
      expect_same_numbers(numbers_of(alone.rods().state()), numbers_of(beside[k]->rods().state()));
    }
  }
}

TEST(StaticBatch, CantileversAreTheSameInAny) {
  const std::vector<std::string> bent = {"boundary.first=clamped", "output.frames=3", "time.step=0.5"};
  const auto outcomes =
      expect_the_same_in_any_batch(rising(20, bent, "load.end_force=0, ", 0.01, 9.0, ", -0.5"));
  EXPECT_EQ(count_of(outcomes, MemberStatus::done), 20);
}

/// Above the critical force Hessians are indefinite for a while, and steps are halved.
TEST(StaticBatch, ColumnsThatBuckleAreTheSameInAny) {
  const std::vector<std::string> pressed = {"boundary.first=pinned",
                                            "boundary.last=pinned_sliding",
                                            "load.middle_force=0, 1e-3, 0",
                                            "newton.iterations=12",
                                            "output.frames=3",
                                            "time.step=0.25"};
  const auto outcomes = expect_the_same_in_any_batch(rising(20, pressed, "load.axial_force=", 5.0, 12.0));
  EXPECT_GT(count_of(outcomes, MemberStatus::done), 10);
  // Without anything that pulls them sideways they stay straight.
  const std::vector<std::string> straight(pressed.begin(), pressed.begin() + 2);
  const auto still = expect_the_same_in_any_batch(rising(12, straight, "load.axial_force=", 5.0, 12.0));
  EXPECT_GT(count_of(still, MemberStatus::unstable), 3);
  EXPECT_GT(count_of(still, MemberStatus::done), 3);
}

TEST(StaticBatch, MembersThatFindNoEquilibriumDisturbNoOthers) {
  const std::vector<std::string> few = {"boundary.first=clamped", "newton.iterations=8", "newton.halvings=1"};
  const auto outcomes =
      expect_the_same_in_any_batch(rising(20, few, "load.end_force=0, ", 0.01, 60.0, ", 0"));
  EXPECT_GT(count_of(outcomes, MemberStatus::no_equilibrium), 3);
  EXPECT_GT(count_of(outcomes, MemberStatus::done), 3);
  // Some are held and some free, which their weight lets fall; some have other elements.
  std::vector<std::vector<std::string>> mixed;
  for (int k = 0; k < 22; ++k) {
    mixed.push_back({"gravity.acceleration=0, 0, -" + std::to_string(0.1 * k)});
    if (k % 3 > 0) mixed.back().emplace_back("boundary.first=clamped");
    if (k % 3 == 2) mixed.back().emplace_back("rod.elements=" + std::to_string(10 + k % 2));
    if (k % 5 == 0) mixed.back().emplace_back("modes.count=2");
  }
  expect_the_same_in_any_batch(mixed);
}

TEST(StaticBatch, LoadsOfAllKindsThatHaveAnEnergyAreTheSameInAny) {
  const std::vector<std::string> clamped = {"boundary.first=clamped", "time.step=0.5"};
  const auto with = [&](std::vector<std::string> further) {
    further.insert(further.end(), clamped.begin(), clamped.end());
    return further;
  };
  for (const auto& decks :
       {rising(9, with({"load.magnetic_flux_density=-0.01, 0.002, 0"}), "load.magnetization=", 0.0, 7e4),
        rising(9, with({"muscle.kind=force", "muscle.period=4"}), "muscle.amplitudes=50, ", 0.0, 90.0),
        rising(9, with({}), "actuation.curvature=d1 : ", 0.0, 6.0, " * t * (1 - s)"),
        rising(9, with({"newton.iterations=6"}), "actuation.curvature=d1 : ", 0.0, 60.0, " * t * (1 - s)"),
        rising(9,
               with({"boundary.last=clamped", "boundary.motion_time=1", "boundary.slack=0.1",
                     "load.middle_force=0, 0.01, 0"}),
               "boundary.twist=", 0.1, 4.0),
        rising(9, with({"rod.intrinsic_curvature=0.5, 1"}), "gravity.acceleration=0, 0.3, -", 0.0, 9.0)}) {
    const auto outcomes = expect_the_same_in_any_batch(decks);
    EXPECT_GT(count_of(outcomes, MemberStatus::done), 3) << decks.back().back();
  }
}

}  // namespace
}  // namespace rodeo::statics
