#include <gtest/gtest.h>

#include "rodeo/rod/rod_places.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::message_of;
using test::says;

/// complete_deck with lines put in front of [time] (from line 8 on), each once more a [rod] key.
std::string deck_of_rods(const std::string& lines) {
  std::string deck = test::complete_deck;
  return deck.insert(deck.find("[time]"), lines);
}

TEST(SeveralRods, AreAlikeButForWhatRodEachSays) {
  const MemberSpec spec = make_member_spec(Deck::parse(
      deck_of_rods(
          "count = 3\neach = rod.origin[0] : list(0, 0.5, 1)\neach = rod.elements : list(50, 20, 10)\n"
          "each = boundary.first : list(clamped, free, pinned)\n"
          "each = load.axial_force : list(0, 3, 0)\n"),
      "deck.ini"));
  ASSERT_EQ(spec.rod_count(), 3);
  EXPECT_EQ(array_elements(spec), 50 + 20 + 10 + 2 * elements_between_rods);
  EXPECT_EQ(rod_nodes(spec), (std::vector<int>{51, 21, 11}));
  const MemberSpec second = rod_alone(spec, 1);
  const MemberSpec third = rod_alone(spec, 2);
  EXPECT_EQ(second.rod.origin.x, 0.5);
  EXPECT_EQ(third.rod.origin.x, 1.0);
  EXPECT_EQ(second.rod.elements, 20);
  EXPECT_EQ(second.rod.length, spec.rod.length);
  EXPECT_EQ(spec.boundary.first, EndCondition::clamped);
  EXPECT_EQ(third.boundary.first, EndCondition::pinned);
  EXPECT_EQ(second.load.axial_force, 3.0);
  EXPECT_EQ(third.load.axial_force, 0.0);
  EXPECT_EQ(second.rod_count(), 1);
}

TEST(SeveralRods, StandEndToEndWhereJoined) {
  const MemberSpec spec = make_member_spec(Deck::parse(
      deck_of_rods("count = 3\norigin = 1, 0, 0\neach = rod.length : list(2, 3, 1)\n"
                   "each = rod.direction[0] : list(0, 1, 0)\neach = rod.direction[2] : list(1, 0, 1)\n"
                   "normal = 0, 1, 0\n[joint]\nkind = ball\n"),
      "deck.ini"));
  EXPECT_EQ(array_elements(spec), 150);
  EXPECT_EQ(spec.further_rods[0].joint, JointKind::ball);
  EXPECT_LT(norm(spec.further_rods[0].rod.origin - Vec3{1, 0, 2}), 1e-15);
  EXPECT_LT(norm(spec.further_rods[1].rod.origin - Vec3{4, 0, 2}), 1e-15);
}

TEST(SeveralRods, TakeTheShortestElementForTheStep) {
  std::string deck = deck_of_rods("count = 2\neach = rod.length : list(2, 1)\n");
  deck.replace(deck.find("step = 1e-3"), 11, "step_per_length = 0.1");
  EXPECT_NEAR(make_member_spec(Deck::parse(deck, "deck.ini")).time.step, 0.1 / 50, 1e-15);
}

TEST(SeveralRods, AreTheSameFromTheResolvedDeckAndUnderAStudy) {
  const Deck deck = Deck::parse(
      deck_of_rods("count = 2\neach = rod.length : list(2, 1)\neach = boundary.last : list(free, pinned)\n"),
      "deck.ini");
  Deck again = Deck::parse(deck.resolved(), "resolved");
  EXPECT_EQ(again.resolved(), deck.resolved());
  again.set({"rod.radius"_key, -1}, 0.05);
  const MemberSpec spec = make_member_spec(again);
  EXPECT_EQ(spec.further_rods[0].rod.length, 1.0);
  EXPECT_EQ(spec.further_rods[0].rod.radius, 0.05);
  EXPECT_EQ(spec.further_rods[0].boundary.last, EndCondition::pinned);
}

TEST(SeveralRods, WithBadValuesAreRefused) {
  const auto reading = [](const std::string& lines) { return test::parse_error(deck_of_rods(lines)); };
  const auto making = [](const std::string& lines) {
    return message_of([&] { make_member_spec(Deck::parse(deck_of_rods(lines), "deck.ini")); });
  };
  EXPECT_TRUE(says(reading("count = 2\neach = rod.length\n"), {"deck.ini:9: rod.each", "KEY : list(v,...)"}));
  EXPECT_TRUE(says(reading("each = rod.lenght : list(1)\n"), {"deck.ini:8", "did you mean rod.length"}));
  EXPECT_TRUE(says(reading("each = rod.length : list(1, -2)\n"), {"rod.length = '-2'", "real > 0"}));
  EXPECT_TRUE(says(reading("each = rod.origin : list(1, 2)\n"), {"rod.origin is a list", "rod.origin[0]"}));
  EXPECT_TRUE(
      says(reading("each = boundary.last : list(held)\n"), {"boundary.last = 'held'", "free|clamped"}));
  EXPECT_TRUE(says(reading("each = time.step : list(1)\n"), {"time.step holds for a member as a whole"}));
  EXPECT_TRUE(says(reading("each = rod.count : list(1)\n"), {"rod.count holds for a member as a whole"}));
  EXPECT_TRUE(says(reading("each = load.perturbation : list(1)\n"), {"holds for a member as a whole"}));
  EXPECT_TRUE(says(reading("each = rod.length : list(1)\neach = rod.length : list(2)\n"),
                   {"deck.ini:9", "has values already, in deck.ini:8"}));
  EXPECT_TRUE(says(making("count = 3\neach = rod.length : list(1, 2)\n"),
                   {"deck.ini:9", "has 2 values for rod.count = 3", "deck.ini:8"}));
  EXPECT_TRUE(
      says(making("count = 2\neach = rod.direction[2] : list(1, 0)\n"), {"rod.direction", "deck.ini:9"}));
  EXPECT_TRUE(says(making("count = 2\neach = rod.direction[2] : list(1, -1)\n[joint]\nkind = rigid\n"),
                   {"joint.kind", "3 rad"}));
  EXPECT_TRUE(says(making("count = 3\neach = rod.elements : list(500000, 400000, 200000)\n"),
                   {"deck.ini:8: rod.count", "more than 1e+06 elements"}));
  EXPECT_TRUE(says(making("count = 2\ndamping = 1\ndamping_decay_time = 1\n[joint]\nkind = ball\n"),
                   {"rod.damping_decay_time", "joined"}));
  EXPECT_TRUE(
      says(making("count = 2\n[convergence]\nreference = hanging\n"), {"convergence.reference", "one rod"}));
}

TEST(SeveralRods, HaveAllEntriesOfAList) {
  const auto error = [](const std::string& lines) {
    return message_of(
        [&] { make_member_spec(Deck::parse(deck_of_rods("count = 2\n" + lines), "deck.ini")); });
  };
  EXPECT_TRUE(says(
      error("each = rod.normal[0] : list(1, 0)\n"),
      {"deck.ini:9: rod.each: rod.normal[0] is an entry of rod.normal, and the deck does not give rod.normal",
       "give rod.normal too", "each of its 3 entries by rod.each"}));
  EXPECT_TRUE(
      says(error("point_masses = 1\npoint_mass_positions = 1\neach = rod.point_masses[1] : list(1, 2)\n"),
           {"deck.ini:11: rod.each: rod.point_masses[1]", "the deck lists 1 of them"}));
  EXPECT_TRUE(
      says(error("each = variable.k : list(1, 2)\n"), {"deck.ini:9: rod.each: the deck has no variable.k"}));
  const MemberSpec spec = make_member_spec(Deck::parse(
      deck_of_rods("count = 2\neach = rod.normal[0] : list(1, 0)\neach = rod.normal[1] : list(0, 1)\n"
                   "each = rod.normal[2] : list(0, 0)\n"),
      "deck.ini"));
  EXPECT_EQ(spec.rod.normal.x, 1.0);
  EXPECT_EQ(spec.further_rods[0].rod.normal.x, 0.0);
  EXPECT_EQ(spec.further_rods[0].rod.normal.y, 1.0);
}

TEST(SeveralRods, TakeExpressions) {
  const MemberSpec spec = make_member_spec(Deck::parse(
      deck_of_rods("count = 2\neach = rod.length : list(rod.length / 2, k * 2^2)\n[variable]\nk = 0.75\n"),
      "deck.ini"));
  EXPECT_EQ(spec.rod.length, 1.0);
  EXPECT_EQ(spec.further_rods[0].rod.length, 3.0);
}

TEST(SeveralRods, TakeListsOfTheCommandLineForTheirKeys) {
  const std::string text =
      deck_of_rods("count = 2\neach = rod.length : list(1, 2)\neach = rod.radius : list(0.1, 0.2)\n");
  const Deck replaced = Deck::parse(text, "deck.ini", {"rod.each=rod.length : list(3, 4)"});
  const MemberSpec spec = make_member_spec(replaced);
  EXPECT_EQ(spec.rod.length, 3.0);
  EXPECT_EQ(spec.further_rods[0].rod.length, 4.0);
  EXPECT_EQ(spec.further_rods[0].rod.radius, 0.2) << "another key keeps its list";
  EXPECT_EQ(replaced.texts("rod.each"_key).size(), 2u);
  EXPECT_EQ(Deck::parse(replaced.resolved(), "again").resolved(), replaced.resolved());
  const MemberSpec added = test::spec_of(text, {"rod.each=rod.density : list(5, 6)"});
  EXPECT_EQ(added.further_rods[0].rod.length, 2.0);
  EXPECT_EQ(added.further_rods[0].rod.density, 6.0);
  EXPECT_TRUE(says(
      test::parse_error(text, {"rod.each=rod.density : list(5, 6)", "rod.each=rod.density : list(5, 7)"}),
      {"command line", "has values already"}));
}

TEST(SeveralRods, HaveListsOfAnyLengthOfWhichRodEachGivesAllEntries) {
  const std::string masses = "each = rod.point_masses[0] : list(0.1, 0.2)\n";
  const auto deck = [](const std::string& lines) {
    return deck_of_rods("count = 2\npoint_mass_positions = 0.5, 1\n" + lines);
  };
  const MemberSpec spec = test::spec_of(deck(masses + "each = rod.point_masses[1] : list(0.3, 0.4)\n"));
  ASSERT_EQ(spec.rod.point_masses.size(), 2u);
  EXPECT_EQ(spec.rod.point_masses[1].mass, 0.3);
  EXPECT_EQ(spec.further_rods[0].rod.point_masses[0].mass, 0.2);
  EXPECT_TRUE(says(test::effects_error(deck(masses + "point_masses = 0.1\n")), {"leave it out"}));
  EXPECT_TRUE(says(test::spec_error(deck("each = rod.point_masses[1] : list(0.1, 0.2)\n")),
                   {"give rod.point_masses too", "or each of its entries by rod.each"}));
}

TEST(SeveralRods, HaveNoAxisOverWhatEachHasItsOwnOf) {
  const std::string lines = "count = 2\neach = rod.length : list(1, 2)\n[sweep]\naxis = ";
  const auto axes = [&](const std::string& axis) {
    return Deck::parse(deck_of_rods(lines + axis + "\n"), "deck.ini").sweep_axes();
  };
  EXPECT_EQ(axes("rod.radius : list(0.1, 0.2)").size(), 1u);
  EXPECT_TRUE(says(message_of([&] { axes("rod.length : list(1, 2)"); }),
                   {"deck.ini:11", "rod.length has a value for each rod", "deck.ini:9"}));
  const Deck search = Deck::parse(deck_of_rods("count = 2\neach = rod.length : list(1, 2)\n[optimize]\n"
                                               "parameter = rod.length : [1, 2] start 1\n"),
                                  "deck.ini");
  EXPECT_TRUE(says(message_of([&] { search.search_parameters(); }),
                   {"deck.ini:11", "rod.length has a value for each rod", "deck.ini:9"}));
}

}  // namespace
}  // namespace rodeo
