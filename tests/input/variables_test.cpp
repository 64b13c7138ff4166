#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/math/formula.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::effects_error;
using test::message_of;
using test::says;

const std::string own_variables = "[variable]\nreach = 0.3\nweights = 1, -2.5\n";

Deck deck_with(const std::string& lines, const std::vector<std::string>& overrides = {}) {
  return Deck::parse(complete_deck + own_variables + lines, "deck.ini", overrides);
}

std::string deck_message(const std::string& lines, const std::vector<std::string>& overrides = {}) {
  return message_of<DeckError>([&] { deck_with(lines, overrides); });
}

double number_at(const Deck& deck, const std::string& address) {
  return deck.number(parse_parameter_address(address));
}

/// The value of a measure that is made of numbers alone.
double constant_measure(const Deck& deck) {
  return Expression(make_member_spec(deck).measures.at(0).formula, 0).value();
}

TEST(Variables, AreNumbersUnderNamesOfTheDeck) {
  const Deck deck = deck_with("", {"variable.weights=3, 4, 5", "variable.later=7"});
  ASSERT_EQ(deck.variables().size(), 3u);
  EXPECT_EQ(number_at(deck, "variable.reach"), 0.3);
  EXPECT_EQ(number_at(deck, "variable.weights[2]"), 5.0);
  EXPECT_EQ(number_at(deck, "variable.later"), 7.0);
  const ParameterAddress entry = parse_parameter_address(" variable.weights[1] ");
  EXPECT_EQ(entry.name(), "variable.weights[1]");
  EXPECT_EQ(parse_parameter_address("variable.reach").name(), "variable.reach");
}

TEST(Variables, OfADampingThatAnotherKeyGivesThereIsNone) {
  EXPECT_EQ(number_at(deck_with(""), "rod.damping"), 0.0);
  for (const std::string other : {"rod.damping_ratio=0.5", "rod.relaxation_time=0.5"}) {
    const Deck deck = deck_with("[measure]\ndefine = q [1] : rod.damping\n", {other});
    EXPECT_TRUE(says(message_of<DeckError>([&] { make_member_spec(deck); }),
                     {"rod.damping has no value in this deck", other.substr(0, other.find('='))}));
  }
}

TEST(Variables, AreInTheResolvedDeck) {
  const Deck deck = deck_with("", {"variable.reach=-1e-9"});
  const Deck again = Deck::parse(deck.resolved(), "again");
  EXPECT_EQ(again.resolved(), deck.resolved());
  EXPECT_EQ(again.first_difference(deck), no_key);
  EXPECT_EQ(number_at(again, "variable.reach"), -1e-9);
  EXPECT_EQ(again.first_difference(deck_with("")), "variable.NAME"_key);
}

TEST(Variables, AreVaried) {
  const Deck deck = deck_with(
      "[sweep]\naxis = variable.weights[1] : list(4, 5)\n"
      "[optimize]\nparameter = variable.weights[0:2] : [0, 1] start 0.5\n");
  EXPECT_EQ(deck.sweep_axes().at(0).address.name(), "variable.weights[1]");
  EXPECT_EQ(deck.search_parameters().at(1).address.name(), "variable.weights[1]");
  Deck member = deck;
  member.set(deck.sweep_axes()[0].address, 4.0);
  EXPECT_EQ(number_at(member, "variable.weights[1]"), 4.0);
  EXPECT_EQ(number_at(member, "variable.weights[0]"), 1.0);
}

TEST(Variables, AreNumbersOfExpressions) {
  const std::string measure = "[measure]\ndefine = a [m] : 2 * variable.reach + variable.weights[1]\n";
  EXPECT_DOUBLE_EQ(constant_measure(deck_with(measure)), -1.9);
  Deck deck = deck_with(measure);
  deck.set(parse_parameter_address("variable.reach"), 1.0);
  EXPECT_DOUBLE_EQ(constant_measure(deck), -0.5);
}

TEST(Variables, HaveNamesThatExist) {
  const auto axis_message = [](const std::string& line) {
    return message_of<DeckError>([&] { deck_with("[sweep]\naxis = " + line + "\n").sweep_axes(); });
  };
  EXPECT_TRUE(says(axis_message("variable.raech : list(1, 2)"),
                   {"deck.ini:", "sweep.axis", "no variable.raech", "did you mean variable.reach?"}));
  EXPECT_TRUE(says(axis_message("variable.weights : list(1, 2)"), {"is a list", "variable.weights[0]"}));
  EXPECT_TRUE(says(axis_message("variable.weights[2] : list(1, 2)"), {"lists 2 numbers"}));
  EXPECT_TRUE(says(message_of<DeckError>(
                       [] { make_member_spec(deck_with("[measure]\ndefine = a [m] : variable.raech\n")); }),
                   {"character", "did you mean variable.reach?"}));
}

TEST(Variables, HaveNamesAndNumbers) {
  EXPECT_TRUE(says(deck_message("reach = 1\n"), {"variable.reach is given twice", "deck.ini:"}));
  EXPECT_TRUE(says(deck_message("", {"variable.x=1", "variable.x=2"}), {"given twice", "command line"}));
  EXPECT_TRUE(says(deck_message("2nd = 1\n"), {"'variable.2nd'", "letters, digits and _"}));
  EXPECT_TRUE(says(deck_message("a.b = 1\n"), {"'variable.a.b'", "letters, digits and _"}));
  EXPECT_TRUE(says(deck_message("a = 1, x\n"), {"deck.ini:", "variable.a", "not a finite decimal number"}));
  EXPECT_TRUE(says(deck_message("a = 1e999\n"), {"variable.a"}));
}

TEST(Variables, AreUsed) {
  const auto check = [](const std::string& expression) {
    const std::string measure = "[measure]\ndefine = a [m] : " + expression + "\n";
    check_effects_of_overrides(deck_with(measure, {"variable.later=7"}));
  };
  EXPECT_TRUE(says(message_of<DeckError>([&] { check("x(end) - variable.later2"); }),
                   {"command line: variable.later: has no effect", "no expression"}));
  EXPECT_NO_THROW(check("x(end) - variable.later"));
  EXPECT_NO_THROW(check_effects_of_overrides(
      deck_with("[motion]\nposition = end : 0, 0, later * t\n", {"variable.later=7"})));
  const auto study = [](const std::string& line) {
    check_effects_of_overrides(deck_with("", {"study.kind=sweep", "variable.later=1", line}));
  };
  EXPECT_NO_THROW(study("sweep.axis=rod.length : list(1, 2) with rod.radius : list(0.1, later / 9)"));
  EXPECT_TRUE(says(message_of<DeckError>([&] { study("sweep.axis=variable.later : list(1, 2)"); }),
                   {"command line: variable.later: has no effect", "no expression"}));
}

TEST(Variables, HaveNamesOfTheirOwn) {
  const auto message = [](const std::string& name) {
    const std::string expression = "[measure]\ndefine = a [m] : 2 * " + name + "\n";
    return effects_error(complete_deck + "[variable]\n" + name + " = 3\n" + expression);
  };
  for (const std::string name :
       {"pi", "t", "t_end", "s", "period", "end_z", "x", "total_energy", "frequency_7", "a"}) {
    EXPECT_TRUE(
        says(message(name), {"deck.ini:12: variable." + name + ": ", "give the variable another name"}));
  }
  EXPECT_TRUE(says(message("pi"), {"pi is built into expressions, as a constant"}));
  EXPECT_TRUE(says(message("a"), {"measure.define defines a too (deck.ini:14)"}));
  const std::string own = complete_deck + "[variable]\nsin = 3\n[measure]\ndefine = a [m] : sin\n";
  const Deck deck = Deck::parse(own, "deck.ini");
  EXPECT_NO_THROW(check_effects(deck, deck)) << "a function has its parenthesis";
  // What is stored goes on, and takes no such name on the command line.
  const std::string stored = complete_deck + "[variable]\npi = 3\n[measure]\ndefine = a [m] : pi\n";
  EXPECT_NO_THROW(check_effects_of_overrides(Deck::parse_stored(stored, "stored")));
  EXPECT_TRUE(says(message_of<DeckError>(
                       [&] { check_effects_of_overrides(Deck::parse(stored, "stored", {"variable.pi=4"})); }),
                   {"command line: variable.pi: pi is built into expressions"}));
}

}  // namespace
}  // namespace rodeo
