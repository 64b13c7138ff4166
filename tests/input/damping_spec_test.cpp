#include <cmath>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::says;
using test::spec_error;
using test::spec_of;

TEST(DampingSpec, TurningFadesAsMovingUnlessTheDeckSaysOtherwise) {
  EXPECT_EQ(spec_of(complete_deck).rod.damping, 0.0);
  const RodSpec separate = spec_of(complete_deck, {"rod.damping=0.5"}).rod;
  EXPECT_EQ(separate.damping, 0.5);
  EXPECT_FALSE(separate.rotational_damping);
  EXPECT_EQ(separate.damping_rate, 0.0);
  const RodSpec both = spec_of(complete_deck, {"rod.damping=0.5", "rod.rotational_damping=0.1"}).rod;
  EXPECT_EQ(both.damping, 0.5);
  EXPECT_EQ(both.rotational_damping, 0.1);
  const RodSpec turns = spec_of(complete_deck, {"rod.rotational_damping=0.1"}).rod;
  EXPECT_EQ(turns.damping, 0.0);
  EXPECT_EQ(turns.rotational_damping, 0.1);
  const RodSpec published = spec_of(complete_deck, {"rod.damping=0.5", "rod.damping_law=published"}).rod;
  EXPECT_EQ(published.damping, 0.5);
  EXPECT_EQ(published.rotational_damping, 0.5);
}

TEST(DampingSpec, TimeAndRatioAreRates) {
  EXPECT_EQ(spec_of(complete_deck, {"rod.relaxation_time=0.25"}).rod.damping_rate, 4.0);
  EXPECT_EQ(spec_of(complete_deck, {"rod.damping_ratio=0"}).rod.damping_rate, 0.0);
  // E I = 1e6 pi 1e-4/4, 1000 pi 0.01 kg/m, 2 m.
  const double unit = std::sqrt(1e6 * 1e-2 / 4 / 1000) / 4;
  EXPECT_NEAR(spec_of(complete_deck, {"rod.damping_ratio=0.3", "boundary.first=clamped"}).rod.damping_rate,
              2 * 0.3 * 3.516015 * unit, 1e-5);
  const MemberSpec two = spec_of(
      complete_deck, {"rod.damping_ratio=0.3", "rod.count=2",
                      "rod.each=boundary.first : list(clamped, pinned)", "boundary.last=pinned_sliding"});
  EXPECT_NEAR(two.rod.damping_rate, 2 * 0.3 * 15.418206 * unit, 1e-4);
  EXPECT_NEAR(two.further_rods[0].rod.damping_rate, 2 * 0.3 * M_PI * M_PI * unit, 1e-4);
}

TEST(DampingSpec, RefusesTwoAtOnceAndNamesBoth) {
  const auto error = [](std::vector<std::string> lines) { return spec_error(complete_deck, lines); };
  EXPECT_TRUE(says(error({"rod.relaxation_time=1", "rod.damping_ratio=1"}),
                   {"command line: rod.damping_ratio", "contradicts rod.relaxation_time (command line)"}));
  for (const std::string key : {"rod.relaxation_time", "rod.damping_ratio"}) {
    EXPECT_TRUE(
        says(error({key + "=1", "rod.damping=0.1"}), {key, "contradicts rod.damping (command line)"}));
    EXPECT_TRUE(says(error({key + "=1", "rod.rotational_damping=0.1"}),
                     {key, "contradicts rod.rotational_damping (command line)"}));
    EXPECT_TRUE(says(error({key + "=1", "rod.damping_law=published"}),
                     {key, "contradicts rod.damping_law = published (command line)"}));
  }
  EXPECT_TRUE(says(error({"rod.rotational_damping=1", "rod.damping_law=published"}),
                   {"rod.rotational_damping", "contradicts rod.damping_law = published (command line)"}));
  EXPECT_TRUE(says(error({"rod.damping_ratio=1", "rod.shape=ring", "rod.elements=20"}),
                   {"rod.damping_ratio", "closed", "rod.relaxation_time"}));
  EXPECT_TRUE(says(error({"rod.damping_ratio=1", "rod.count=2", "joint.kind=ball"}),
                   {"rod.damping_ratio", "joined", "rod.relaxation_time"}));
}

TEST(DampingSpec, StoredDecksOfEarlierRevisionsAreAsPublished) {
  const std::string deck = complete_deck + "[rod]\ndamping = 0.5\n";
  EXPECT_EQ(make_member_spec(Deck::parse_stored(deck, "a.h5:/deck")).rod.rotational_damping, 0.5);
  EXPECT_FALSE(make_member_spec(Deck::parse(deck, "deck.ini")).rod.rotational_damping);
  const std::string now = Deck::parse(deck, "deck.ini").resolved();
  EXPECT_FALSE(make_member_spec(Deck::parse_stored(now, "a.h5:/deck")).rod.rotational_damping);
  EXPECT_EQ(Deck::parse_stored(now, "a.h5:/deck").resolved(), now);
}

}  // namespace
}  // namespace rodeo
