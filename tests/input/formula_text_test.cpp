#include "input/formula_text.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

#include <gtest/gtest.h>

#include "input/place_text.hpp"
#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::message_of;
using test::says;

/// What a text means in a deck of a rod of 2 m with 50 elements, and 1 s.
struct FormulaReader {
  Deck deck;
  MemberSpec member = make_member_spec(deck);

  explicit FormulaReader(const std::string& more = {})
      : deck(Deck::parse(complete_deck + more, "deck.ini")) {}

  Formula formula(const std::string& text) const {
    LineReader in(text);
    Formula formula = parse_formula(in, {deck, member, true, true});
    expect_end(in);
    return formula;
  }
  double constant(const std::string& text) const {
    LineReader in(text);
    return parse_constant(in, {deck, member, true, true});
  }
  std::string problem(const std::string& text) const {
    return message_of<std::invalid_argument>([&] { formula(text); });
  }
  PlaceText place(const std::string& text, const PlaceRules& rules) const {
    LineReader in(text);
    return parse_place(in, {deck, member}, rules);
  }
};

TEST(FormulaText, ComputesAsOneWrites) {
  const FormulaReader reader;
  const std::pair<const char*, double> cases[] = {
      {"1 + 2 * 3 ^ 2", 19.0},
      {"2*(-3)", -6.0},
      {"-2^2", -4.0},
      {"2^3^2", 512.0},
      {"1 - 2 - 3", -4.0},
      {"8 / 4 / 2", 1.0},
      {"1 < 2 && 2 >= 3 || 1 == 1", 1.0},
      {"1 != 1 ? 2 : 3 > 2 ? 4 : 5", 4.0},
      {"-(1 + 2)", -3.0},
      {"1e-3 * .5", 5e-4},
      {"max(7, 2, 3) - min(1, 7)", 6.0},
      {"hypot(3, 4) + abs(-1) + sign(-2)", 5.0},
      {"atan2(1, -1) + exp(ln(2)) + log10(1e-3)", 0.75 * M_PI - 1.0},
      {"sin(0.5) / cos(0.5) - tan(0.5)", 0.0},
      {"sin(asin(0.5)) + cos(acos(0.25)) + tan(atan(0.125))", 0.875},
      {"cosh(0.5)^2 - sinh(0.5)^2", 1.0},
      {"tanh(0.5) - sinh(0.5) / cosh(0.5)", 0.0},
      {"sqrt(6.25)", 2.5}};
  for (const auto& [text, value] : cases) EXPECT_NEAR(reader.constant(text), value, 1e-15 * 512.0) << text;
}

TEST(FormulaText, KnowsEveryFunctionOfItsList) {
  const FormulaReader reader;
  for (const FormulaFunction& function : formula_functions()) {
    std::string text = std::string(function.name) + "(0.5";
    for (int k = 1; k < std::abs(function.arguments); ++k) text += ", " + std::to_string(k);
    EXPECT_TRUE(std::isfinite(reader.constant(text + ")"))) << text;
  }
}

TEST(FormulaText, KnowsTimePlaceAndTheDeck) {
  const FormulaReader reader("[muscle]\nperiod = 0.25\n");
  EXPECT_DOUBLE_EQ(reader.formula("sin(2*pi*(t/period - s))").value(0.1, 0.3), std::sin(2.0 * M_PI * 0.1));
  EXPECT_DOUBLE_EQ(reader.formula("rod.length * t_end + load.end_force[2]").value(0.0), 2.0);
  EXPECT_DOUBLE_EQ(reader.formula("spline(s, 0, 1, 0)*ramp(t, 0, 2)").value(1.0, 0.5), 0.5);
  // Splines are linear in their values, which may change.
  EXPECT_NEAR(reader.formula("spline(s, t, 1, 2 * t, -1)").value(3.0, 0.4),
              reader.formula("spline(s, 3, 1, 6, -1)").value(0.0, 0.4), 1e-14);
  EXPECT_DOUBLE_EQ(reader.formula("t < 0.5 ? smooth(t, 0, 1) : 1").value(0.5), 1.0);
  EXPECT_DOUBLE_EQ(reader.formula("t > 0.5 ? s > 0.5 ? 1 : 2 : 3").value(0.75, 0.25), 2.0);
}

TEST(FormulaText, KnowsVariablesByTheirNames) {
  const FormulaReader reader("[variable]\nreach = 0.3\ntorque = 1, 2\n");
  EXPECT_DOUBLE_EQ(reader.constant("2 * reach + variable.reach + variable.torque[1]"), 2.9);
  EXPECT_TRUE(says(reader.problem("torque"), {"character 1", "is a list", "variable.torque[0]"}));
}

TEST(FormulaText, TakesArraysForAllTheirNumbers) {
  const FormulaReader reader(
      "[variable]\ntorque = 1, 2, 4\n[control]\ninterval = 0.1\ninput = a[3] : k + 1 in [-8, 8]\n"
      "[actuation]\nforce = x : a[0]\n");
  EXPECT_DOUBLE_EQ(reader.constant("max(torque) + min(3, torque, 2)"), 5.0);
  const std::vector<double> live = reader.member.control.live_at_start();
  for (const char* names : {"spline(s, a)", "spline(s, a[0], a[1], a[2])"})
    EXPECT_NEAR(reader.formula(names).value(0.0, 0.5, live), 2.0, 1e-15) << names;
  EXPECT_DOUBLE_EQ(reader.formula("spline(s, torque, a, 0)").value(0.0, 1.0 / 3.0, live), 4.0);
  EXPECT_TRUE(says(reader.problem("2 * a"), {"character 5", "'a' is an array of 3 numbers", "as in a[0]"}));
}

TEST(FormulaText, EndsWhereItCannotGoOn) {
  const FormulaReader reader;
  const std::string text = "2*3, (1) from -4 (5) : 6";
  LineReader in(text);
  const FormulaScope scope{reader.deck, reader.member, true, false};
  EXPECT_EQ(parse_formula(in, scope).constant(), 6.0);
  EXPECT_TRUE(in.take(','));
  EXPECT_EQ(parse_constant(in, scope), 1.0);
  EXPECT_TRUE(in.take_word("from"));
  EXPECT_EQ(parse_single_number(in, scope), -4.0);
  EXPECT_EQ(parse_single_number(in, scope), 5.0);
  EXPECT_TRUE(in.take(':'));
  EXPECT_EQ(parse_whole_number(in, scope), 6);
  EXPECT_TRUE(in.at_end());
}

TEST(FormulaText, SaysWhichCharacterIsWrong) {
  const FormulaReader reader;
  EXPECT_EQ(reader.problem("1 + sn(t)"), "character 5, 'sn(t)': 'sn' is no function; did you mean sin?");
  EXPECT_TRUE(
      says(reader.problem("2 * x"), {"character 5, 'x'", "t, s, keys and variables of the deck, pi"}));
  EXPECT_TRUE(says(reader.problem("rod.lenght"), {"character 1", "did you mean rod.length?"}));
  EXPECT_TRUE(says(reader.problem("2 $ 3"), {"character 3, '$ 3': an operator should stand here"}));
  EXPECT_TRUE(says(reader.problem("2 = 3"), {"character 3", "write =="}));
  EXPECT_TRUE(says(reader.problem("2 t"), {"character 3, 't': an operator should stand here"}));
  EXPECT_TRUE(says(reader.problem("2)"), {"character 2, ')': this parenthesis closes none"}));
  EXPECT_TRUE(says(reader.problem("(2"), {"character 3, the end: the parenthesis of character 1"}));
  EXPECT_TRUE(says(reader.problem("sin(t"), {"the parenthesis of sin is not closed here"}));
  EXPECT_TRUE(says(reader.problem("t > 1 ? 2"), {"character 7", "a ? needs a :"}));
  EXPECT_TRUE(says(reader.problem("2^-1"), {"character 3", "an exponent with a sign needs parentheses"}));
  EXPECT_TRUE(says(reader.problem("ramp(t, 1)"), {"character 1", "ramp has 2 arguments; it takes 3"}));
  EXPECT_TRUE(says(reader.problem("2 * ramp(t, 1, 0)"),
                   {"character 5", "b is below a here; 1 - ramp(x, b, a) falls from b on down to a"}));
  EXPECT_TRUE(says(reader.problem("smooth(t, rod.length, 1)"), {"1 - smooth(x, b, a) falls"}));
  EXPECT_DOUBLE_EQ(reader.formula("ramp(t, 1, 1)").value(2.0), 1.0);
  EXPECT_TRUE(says(reader.problem("max(t)"), {"max has 1 argument; it takes two or more"}));
  EXPECT_TRUE(
      says(reader.problem("spline(s, 1, s)"), {"character 14", "values of a spline do not depend on s"}));
  EXPECT_TRUE(says(reader.problem("1/0"), {"character 1", "this is no number"}));
  EXPECT_TRUE(says(reader.problem("period"), {"muscle.period, which the deck does not give"}));
  EXPECT_TRUE(says(reader.problem("x(end)"), {"character 1", "a signal is no number"}));
  const std::string number = message_of<std::invalid_argument>([&] { reader.constant("2 * t"); });
  EXPECT_TRUE(
      says(number, {"character 5, 't'", "no number", "keys and variables of the deck, pi, t_end or period"}));
}

TEST(PlaceText, NamesRangesAndAllRods) {
  const FormulaReader one;
  const PlaceRules rules{.of = "a force", .ranges = true, .all_rods = true};
  const PlaceText range = one.place("s 0.1 to rod.length / 4", rules);
  EXPECT_EQ(range.place.kind, Place::Kind::range);
  EXPECT_EQ(range.place.to, 0.5);
  const std::string metres = "s 0.5 m to 1 m";
  LineReader in(metres);
  const PlaceText text = parse_place(in, {one.deck, one.member}, rules);
  EXPECT_EQ(place_on(in, text, one.member, 0).arc, 0.25);
  EXPECT_EQ(place_on(in, text, one.member, 0).to, 0.5);
  const FormulaReader three("[rod]\ncount = 3\neach = rod.elements : list(5, 6, 7)\n");
  EXPECT_EQ(three.place("node -1", rules).place.rod, -1);
  const std::string last = "rod -1, node -1";
  LineReader line(last);
  const PlaceText node = parse_place(line, {three.deck, three.member}, rules);
  EXPECT_EQ(node.place.rod, 2);
  EXPECT_EQ(place_on(line, node, three.member, 2).index, 7);
  EXPECT_EQ(place_on(line, node, three.member, 0).index, 5);
  const auto problem = [&](const std::string& bad) {
    return message_of<std::invalid_argument>([&] {
      LineReader reader(bad);
      place_on(reader, parse_place(reader, {one.deck, one.member}, rules), one.member, 0);
    });
  };
  EXPECT_TRUE(says(problem("s 0.5 to 0.2"), {"character 10", "a range ends after it begins"}));
  EXPECT_TRUE(says(problem("s 0.5 m to 1"), {"both ends of a range"}));
  EXPECT_TRUE(says(problem("s -0.5"), {"character 3", "a fraction from 0 to 1"}));
  EXPECT_TRUE(says(problem("s 1 m to 3 m"), {"character 10", "the rod is 2 m long"}));
}

}  // namespace
}  // namespace rodeo
