#include <variant>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

template <class Spec>
Spec filled(const std::vector<std::string>& overrides) {
  Spec spec;
  Deck::parse("", "deck.ini", overrides).fill(spec);
  return spec;
}

TEST(Fill, SetsFieldsOfEveryTypeToTheValuesOfTheirKeys) {
  const auto load = filled<LoadSpec>({"load.axial_force=-7", "load.end_force=1, 2, 3"});
  EXPECT_EQ(load.axial_force, -7.0);
  EXPECT_EQ(load.end_force.z, 3.0);
  const auto newton = filled<NewtonSpec>({"newton.iterations=12"});
  EXPECT_EQ(newton.iterations, 12);
  EXPECT_EQ(newton.tolerance, 1e-6) << "its default";
  EXPECT_EQ(filled<TimeSpec>({"time.slice_steps=900000000"}).slice_steps, 900'000'000);
  EXPECT_EQ(filled<FunctionSpec>({"function.x=1, 2"}).x, (std::vector<double>{1.0, 2.0}));
  const auto ground = filled<GroundSpec>({"ground.static_friction=1, 2, 3", "ground.kind=plane"});
  EXPECT_EQ(ground.static_friction.backward, 2.0);
  EXPECT_TRUE(ground.has_plane);
  EXPECT_FALSE(filled<GroundSpec>({}).has_plane);
  EXPECT_EQ(filled<BoundarySpec>({"boundary.last=pinned_sliding"}).last, EndCondition::pinned_sliding);
  EXPECT_EQ(filled<SharedSpec>({"model.kind=function"}).model, ModelKind::function);
  EXPECT_EQ(filled<SharedSpec>({"convergence.reference=timoshenko"}).reference,
            AnalyticReference::timoshenko);
}

TEST(Fill, LeavesFieldsAloneWhoseKeysHaveNoValue) {
  EXPECT_FALSE(filled<RodSpec>({}).rotational_damping.has_value());
  EXPECT_EQ(filled<RodSpec>({"rod.rotational_damping=2"}).rotational_damping, 2.0);
  MuscleSpec muscle;
  muscle.period = 5.0;
  Deck::parse("", "deck.ini", {"muscle.phase=1"}).fill(muscle);
  EXPECT_EQ(muscle.period, 5.0);
  EXPECT_EQ(muscle.phase, 1.0);
}

TEST(Fill, TakesTheValuesOfARodAndOfACandidate) {
  Deck deck = Deck::parse(test::complete_deck, "deck.ini",
                          {"rod.count=2", "rod.each=boundary.first : list(clamped, pinned)"});
  BoundarySpec boundary;
  deck.for_rod(1).fill(boundary);
  EXPECT_EQ(boundary.first, EndCondition::pinned);
  deck.set({"boundary.twist"_key, -1}, 0.5);
  deck.fill(boundary);
  EXPECT_EQ(boundary.twist, 0.5);
  EXPECT_EQ(boundary.first, EndCondition::free);
}

TEST(Fill, HasAKeyForEveryFieldOnce) {
  // Two keys that fill one field would hide each other: each bound key changes a field of its own.
  const auto setters = [] {
    std::vector<Binding> all;
    for (const KeyInfo& info : key_table()) {
      if (!std::holds_alternative<std::monostate>(info.field)) all.push_back(info.field);
    }
    return all;
  }();
  EXPECT_GT(setters.size(), 60u);
  for (std::size_t a = 0; a < setters.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(setters[a], setters[b]) << a << ' ' << b;
  }
}

}  // namespace
}  // namespace rodeo
