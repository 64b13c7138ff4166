#include "rodeo/input/need.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "rodeo/observe/observables.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;

/// The text of the first clause that a deck cannot meet, or "met".
std::string unmet(const std::string& need, const std::vector<std::string>& overrides,
                  const std::string& text = complete_deck) {
  const Deck deck = Deck::parse(text, "deck.ini", overrides);
  const std::vector<Clause> clauses = parse_need(need);
  const PossibleValues values(deck);
  const Clause* const clause = values.unmet(clauses);
  return clause == nullptr ? "met" : std::string(clause->text);
}

TEST(Need, IsMetByWordsNumbersAndValues) {
  EXPECT_EQ(unmet("", {}), "met");
  EXPECT_EQ(unmet("contact.kind = imc|ipc", {}), "contact.kind = imc|ipc");
  EXPECT_EQ(unmet("contact.kind = imc|ipc", {"contact.kind=ipc"}), "met");
  EXPECT_EQ(unmet("rod.count > 1", {}), "rod.count > 1");
  EXPECT_EQ(unmet("rod.count > 1", {"rod.count=2"}), "met");
  EXPECT_EQ(unmet("boundary.twist or boundary.slack", {"boundary.slack=0"}),
            "boundary.twist or boundary.slack");
  EXPECT_EQ(unmet("boundary.twist or boundary.slack", {"boundary.slack=-1"}), "met");
  EXPECT_EQ(unmet("load.end_force", {"load.end_force=0, 0, 1"}), "met");
  EXPECT_EQ(unmet("muscle.amplitudes", {"muscle.amplitudes=0, 0"}), "met") << "it has no default";
  EXPECT_EQ(unmet("given study.kind", {}), "given study.kind");
  EXPECT_EQ(unmet("given study.kind", {"study.kind=single"}), "met");
  EXPECT_EQ(unmet("no rod.twist_stiffness", {}), "met");
  EXPECT_EQ(unmet("no rod.twist_stiffness", {"rod.twist_stiffness=1"}), "no rod.twist_stiffness");
  EXPECT_EQ(unmet("rod.count > 1 and contact.friction", {"rod.count=2"}), "contact.friction");
}

TEST(Need, IsMetBySomeCandidateOrRod) {
  const std::string sweep = complete_deck + "[study]\nkind = sweep\n[sweep]\n";
  EXPECT_EQ(unmet("contact.kind = penalty", {}, sweep + "axis = contact.kind : list(none, penalty)\n"),
            "met");
  EXPECT_EQ(unmet("contact.kind = imc", {}, sweep + "axis = contact.kind : list(none, penalty)\n"),
            "contact.kind = imc");
  EXPECT_EQ(unmet("fluid.viscosity > 0", {}, sweep + "axis = fluid.viscosity : list(0, 1)\n"), "met");
  EXPECT_EQ(unmet("contact.kind = none", {}, sweep + "axis = contact.kind : list(penalty)\n"),
            "contact.kind = none")
      << "the axis stands in the place of the deck's own";
  EXPECT_EQ(unmet("load.end_force", {}, sweep + "axis = load.end_force[1] : list(0, 1)\n"), "met");
  EXPECT_EQ(unmet("load.end_force", {}, sweep + "axis = load.end_force[1] : list(0)\n"), "load.end_force");
  EXPECT_EQ(unmet("contact.kind = penalty", {"study.kind=single"},
                  sweep + "axis = contact.kind : list(none, penalty)\n"),
            "contact.kind = penalty")
      << "a single run has no candidates";
  EXPECT_EQ(unmet("boundary.twist", {},
                  complete_deck + "[study]\nkind = optimize\nobjective = end_x\n[optimize]\n"
                                  "parameter = boundary.twist : [0, 1] start 0\n"),
            "met");
  EXPECT_EQ(unmet("joint.kind = ball", {"rod.count=2", "rod.each=joint.kind : list(none, ball)"}), "met");
}

TEST(Need, IsReadOnceForAllOfTheTables) {
  for (const KeyNeed& row : key_needs()) {
    EXPECT_NO_THROW(parse_need(row.need)) << row.keys;
    if (!row.keys.ends_with('.')) {
      EXPECT_NE(find_key(row.keys), no_key) << row.keys;
      continue;
    }
    const auto has_key = [&](const KeyInfo& info) { return info.name.starts_with(row.keys); };
    EXPECT_TRUE(std::ranges::any_of(key_table(), has_key)) << row.keys;
  }
  for (const Observable& observable : observables)
    EXPECT_FALSE(need_of(observable).empty()) << observable.name;
  EXPECT_THROW(parse_need("contact.kid"), std::invalid_argument);
  EXPECT_THROW(parse_need("contact.kind = spring"), std::invalid_argument);
  EXPECT_THROW(parse_need("rod.count > many"), std::invalid_argument);
}

}  // namespace
}  // namespace rodeo
