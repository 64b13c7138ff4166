#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "input/value_line.hpp"
#include "messages.hpp"

namespace rodeo {
namespace {

using test::message_of;
using test::says;

const Deck& deck_of_names() {
  static const Deck deck = Deck::parse("[variable]\nreach = 0.5\n[rod]\nradius = 0.25\n", "deck.ini");
  return deck;
}

using Values = std::vector<double>;

SweepAxis axis_of(const std::string& line) { return parse_sweep_line(line, deck_of_names(), 1000).front(); }

std::string axis_error(const std::string& line) {
  return message_of<std::invalid_argument>([&] { axis_of(line); });
}

TEST(ParameterAddress, NamesANumberOrAnEntry) {
  const ParameterAddress number = parse_parameter_address("rod.length");
  EXPECT_EQ(number.key, "rod.length"_key);
  EXPECT_EQ(number.index, -1);
  EXPECT_EQ(number.name(), "rod.length");
  const ParameterAddress entry = parse_parameter_address(" load.end_force[2] ");
  EXPECT_EQ(entry.key, "load.end_force"_key);
  EXPECT_EQ(entry.index, 2);
  EXPECT_EQ(entry.name(), "load.end_force[2]");
}

TEST(ParameterAddress, RefusesWhatCannotBeVaried) {
  const auto error = [](const std::string& text) {
    return message_of<std::invalid_argument>([&] { parse_parameter_address(text); });
  };
  EXPECT_TRUE(says(error("rod.lenght"), {"'rod.lenght'", "did you mean rod.length?"}));
  EXPECT_TRUE(says(error("boundary.first[0]"), {"boundary.first is one word"}));
  EXPECT_TRUE(says(error("model.kind"), {"model.kind", "the study as a whole"}));
  EXPECT_TRUE(says(error("study.objective"), {"study.objective is neither a number nor a choice"}));
  EXPECT_TRUE(says(error("study.seed"), {"study.seed", "the study as a whole"}));
  EXPECT_TRUE(says(error("output.frames"), {"output.frames", "the study as a whole"}));
  EXPECT_TRUE(says(error("sweep.samples"), {"sweep.samples", "the study as a whole"}));
  EXPECT_TRUE(says(error("rod.length[0]"), {"rod.length is one number"}));
  EXPECT_TRUE(says(error("rod.origin"), {"rod.origin is a list", "rod.origin[0]"}));
  EXPECT_TRUE(says(error("rod.origin[0"), {"rod.origin is a list"}));
  for (const char* text : {"rod.origin[3]", "rod.origin[-1]", "rod.origin[]", "rod.origin[x]",
                           "rod.origin[1.0]", "rod.origin[99999999999]", "rod.origin[0][1]"}) {
    EXPECT_TRUE(says(error(text), {"rod.origin has no entry ["})) << text;
  }
  EXPECT_TRUE(says(error(""), {"unknown key ''"}));
}

TEST(SweepAxis, SpacesLinearly) {
  const SweepAxis axis = axis_of("rod.length : linspace(1, 2, 5)");
  EXPECT_EQ(axis.address.key, "rod.length"_key);
  EXPECT_EQ(axis.values, (std::vector<double>{1.0, 1.25, 1.5, 1.75, 2.0}));
  EXPECT_EQ(axis.lower, 1.0);
  EXPECT_EQ(axis.upper, 2.0);
  EXPECT_FALSE(axis.logarithmic);
}

TEST(SweepAxis, SpacesDownwards) {
  const SweepAxis axis = axis_of("load.axial_force:linspace(3,-3,3)");
  EXPECT_EQ(axis.values, (std::vector<double>{3.0, 0.0, -3.0}));
  EXPECT_EQ(axis.lower, -3.0);
  EXPECT_EQ(axis.upper, 3.0);
}

TEST(SweepAxis, GivesTheDoublesNearestToTenths) {
  const SweepAxis axis = axis_of("rod.damping : linspace(0, 1, 11)");
  EXPECT_EQ(axis.values, (std::vector<double>{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}));
}

TEST(SweepAxis, EndsExactlyWhereToldTo) {
  // A logarithm and a power bring none of these back without a rounding error.
  for (const double end : {0.3, 123.4, 3e-5, 5e7}) {
    for (const std::string form : {"linspace", "logspace"}) {
      const SweepAxis up = axis_of("rod.damping : " + form + "(1e-9," + format_real(end) + ",7)");
      EXPECT_EQ(up.values.back(), end) << form;
      EXPECT_EQ(up.upper, end) << form;
      const SweepAxis down = axis_of("rod.damping : " + form + "(" + format_real(end) + ",1e-9,7)");
      EXPECT_EQ(down.values.front(), end) << form;
    }
  }
}

TEST(SweepAxis, SpacesGeometricallyBetweenTheValuesThemselves) {
  const SweepAxis axis = axis_of("rod.young_modulus : logspace(1e3, 1e6, 4)");
  ASSERT_EQ(axis.values.size(), 4u);
  EXPECT_DOUBLE_EQ(axis.values[1], 1e4);
  EXPECT_DOUBLE_EQ(axis.values[2], 1e5);
  EXPECT_TRUE(axis.logarithmic);
  EXPECT_EQ(axis.lower, 1e3);
  EXPECT_EQ(axis.upper, 1e6);
}

TEST(SweepAxis, KeepsWholeNumbersWhole) {
  EXPECT_EQ(axis_of("rod.elements : logspace(8, 128, 5)").values,
            (std::vector<double>{8.0, 16.0, 32.0, 64.0, 128.0}));
  EXPECT_EQ(axis_of("rod.elements : linspace(1, 101, 101)").values[29], 30.0);
  EXPECT_TRUE(
      says(axis_error("rod.elements : linspace(1, 2, 3)"), {"rod.elements = '1.5'", "not a whole number"}));
  EXPECT_TRUE(says(axis_error("rod.elements : logspace(1, 10, 3)"), {"rod.elements", "not a whole number"}));
}

TEST(SweepAxis, ListsValuesInTheOrderGiven) {
  const SweepAxis axis = axis_of("rod.origin[1] : list( 3, -1e-3 ,2 )");
  EXPECT_EQ(axis.address.index, 1);
  EXPECT_EQ(axis.values, (std::vector<double>{3.0, -1e-3, 2.0}));
  EXPECT_EQ(axis.lower, -1e-3);
  EXPECT_EQ(axis.upper, 3.0);
}

TEST(SweepAxis, ListsWordsByTheirPlacesAmongTheChoices) {
  const SweepAxis axis = axis_of("contact.kind : list(ipc, none, imc)");
  EXPECT_EQ(axis.values, (std::vector<double>{3.0, 0.0, 2.0}));
  Deck deck = Deck::parse("", "deck.ini");
  deck.set(axis.address, axis.values[0]);
  EXPECT_EQ(deck.choice("contact.kind"_key), "ipc");
  deck.set(axis.address, axis.values[1]);
  EXPECT_EQ(deck.choice("contact.kind"_key), "none");
  EXPECT_EQ(Deck::parse(deck.resolved(), "resolved").choice("contact.kind"_key), "none");
  EXPECT_TRUE(says(message_of([&] { deck.set(axis.address, 4.0); }), {"contact.kind", "out of range"}));
  EXPECT_TRUE(
      says(axis_error("contact.kind : list(imc, soft)"), {"contact.kind = 'soft'", "no such choice"}));
  EXPECT_TRUE(
      says(axis_error("contact.kind : list(2)"), {"contact.kind = '2'", "one of none|penalty|imc|ipc"}));
  EXPECT_TRUE(
      says(axis_error("contact.kind : linspace(0, 3, 4)"), {"contact.kind takes words: list(none,...)"}));
}

TEST(SweepAxis, ChecksTheRangeOfEveryValue) {
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1, -1, 5)"), {"rod.length = '0'", "real > 0, m"}));
  EXPECT_TRUE(says(axis_error("rod.poisson_ratio : list(0.1, 0.7)"), {"'0.7'", "(-1, 0.5]", "out of range"}));
  EXPECT_TRUE(says(axis_error("load.axial_force : linspace(-1e308, 1.7e308, 9)"), {"not finite"}));
}

TEST(SweepAxis, ExplainsBadGrammar) {
  EXPECT_TRUE(says(axis_error("rod.length"), {"'rod.length'", "KEY : linspace(a,b,n)"}));
  EXPECT_TRUE(says(axis_error("rod.length : 1, 2"), {"'1, 2'", "linspace(a,b,n)"}));
  EXPECT_TRUE(says(axis_error("rod.length :"), {"''", "linspace(a,b,n)"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(1"), {"'list(1'"}));
  EXPECT_TRUE(says(axis_error("rod.length : arange(1,2,3)"), {"'arange'", "none of linspace(a,b,n) | "}));
  EXPECT_TRUE(says(axis_error("rod.length : linspce(1,2,3)"), {"did you mean linspace?"}));
  EXPECT_TRUE(says(axis_error("rod.length : list[1, 2]"), {"'list' is none of", "list(v,...)"}));
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1,2)"), {"linspace(a,b,n) takes three numbers, not 2"}));
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1,2,3,4)"), {"not 4"}));
  EXPECT_TRUE(says(axis_error("rod.length : list()"), {"list(v,...) takes one value or more, not 0"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(1, x)"), {"'x'"}));
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1,2,1)"), {"'1'", "at least 2", "list(v)"}));
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1,2,2.5)"), {"'2.5'", "whole number"}));
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1,2,-5)"), {"'-5'"}));
  EXPECT_TRUE(says(axis_error("rod.damping : logspace(0,2,5)"), {"logspace", "above 0", "not exponents"}));
  EXPECT_TRUE(says(axis_error("rod.damping : logspace(1,-2,5)"), {"logspace", "above 0"}));
  EXPECT_TRUE(says(axis_error("rod.lenght : list(1)"), {"did you mean rod.length?"}));
}

TEST(SweepAxis, HasExpressions) {
  const double pi = std::numbers::pi;
  EXPECT_EQ(axis_of("rod.length : linspace(pi/2, 2*(1 + pi), 2)").values, (Values{pi / 2, 2 * (1 + pi)}));
  EXPECT_EQ(axis_of("rod.length : linspace(0.5, 1.5, 2 + 1)").values, (Values{0.5, 1.0, 1.5}));
  EXPECT_EQ(axis_of("rod.length : list(2*reach, variable.reach + 1, max(rod.radius, 1e-3), 2)").values,
            (Values{1.0, 1.5, 0.25, 2.0}));
  EXPECT_TRUE(says(axis_error("rod.length : list(2*raech)"), {"character 3", "'raech' is no number"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(rod.lenght)"), {"did you mean rod.length?"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(rod.mass)"), {"rod.mass has no value in this deck"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(2, 1 - 1)"), {"rod.length = '1 - 1'", "real > 0, m"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(1, 2 m)"), {"'m'", "an operator should stand here"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(t_end)"), {"t_end is known of members alone", "time.end"}));
  EXPECT_TRUE(says(axis_error("rod.length : list(1/0)"), {"this is no number"}));
  EXPECT_TRUE(says(axis_error("rod.length : list((1, 2)"), {"'list((1, 2)' is not of the form"}));
}

TEST(SweepAxis, BoundsItsLengthBeforeItAllocates) {
  EXPECT_EQ(axis_of("rod.length : linspace(1,2,1000)").values.size(), 1000u);
  EXPECT_TRUE(says(axis_error("rod.length : linspace(1,2,1001)"), {"'1001'", "at most 1000"}));
  EXPECT_TRUE(says(axis_error("rod.length : logspace(1,2,1e300)"), {"'1e300'", "at most 1000"}));
}

Deck sweep_deck(const std::string& lines, const std::vector<std::string>& overrides = {}) {
  return Deck::parse("[study]\nkind = sweep\n[sweep]\n" + lines, "deck.ini", overrides);
}

std::string sweep_error(const std::string& lines, const std::vector<std::string>& overrides = {}) {
  const Deck deck = sweep_deck(lines, overrides);
  return message_of([&] { deck.sweep_axes(); });
}

TEST(SweepAxes, StandInTheOrderOfTheDeck) {
  const auto axes =
      sweep_deck("axis = rod.radius : list(1, 2)\naxis = rod.length : linspace(1,2,3)\n").sweep_axes();
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].address.name(), "rod.radius");
  EXPECT_EQ(axes[1].address.name(), "rod.length");
  EXPECT_EQ(axes[1].values.size(), 3u);
}

TEST(SweepAxes, AreNoneForASingleCandidate) { EXPECT_TRUE(Deck::parse("", "deck.ini").sweep_axes().empty()); }

TEST(SweepAxes, NameTheirOwnLineInErrors) {
  EXPECT_TRUE(says(sweep_error("axis = rod.length : list(1)\naxis = rod.radius : list(-1)\n"),
                   {"deck.ini:5: sweep.axis: ", "rod.radius = '-1'", "real > 0, m"}));
  EXPECT_TRUE(says(sweep_error("", {"sweep.axis=rod.lenght : list(1)"}),
                   {"command line: sweep.axis: ", "did you mean rod.length?"}));
}

TEST(SweepAxes, MayNotVaryANumberTwice) {
  EXPECT_TRUE(says(sweep_error("axis = rod.length : list(1)\naxis = rod.length : list(2)\n"),
                   {"deck.ini:5: ", "rod.length has an axis already", "deck.ini:4"}));
  EXPECT_TRUE(says(sweep_error("axis = rod.origin[1] : list(1)\naxis = rod.origin[1] : list(2)\n"),
                   {"rod.origin[1] has an axis already"}));
  EXPECT_EQ(
      sweep_deck("axis = rod.origin[0] : list(1)\naxis = rod.origin[1] : list(2)\n").sweep_axes().size(), 2u);
}

TEST(SweepAxes, AreRequiredOfASweep) {
  EXPECT_TRUE(says(sweep_error(""), {"deck.ini: sweep.axis is missing", "study.kind = sweep"}));
}

TEST(SweepAxes, NeedSamplesUnlessTheyFormAGrid) {
  for (const std::string sampler : {"latin_hypercube", "sobol"}) {
    const std::string lines = "axis = rod.length : linspace(1,2,2)\nsampler = " + sampler + "\n";
    EXPECT_TRUE(says(sweep_error(lines), {"sweep.samples is missing", "integer in [1, ", sampler}));
    EXPECT_EQ(sweep_deck(lines + "samples = 10\n").sweep_axes().size(), 1u);
  }
}

TEST(SweepAxes, VaryWordsInAGridAlone) {
  const std::string axis = "axis = contact.kind : list(imc, ipc)\n";
  EXPECT_EQ(sweep_deck(axis).sweep_axes().size(), 1u);
  EXPECT_TRUE(says(sweep_error(axis + "sampler = sobol\nsamples = 10\n"),
                   {"deck.ini:4: ", "contact.kind takes words", "sweep.sampler = grid"}));
}

TEST(SweepAxes, OfOneLineMoveTogether) {
  const auto axes = sweep_deck(
                        "axis = rod.length : linspace(1,2,3) with rod.origin[1] : list(3, 1, 2)"
                        "\twith  contact.kind : list(none, imc, ipc)\naxis = rod.radius : list(1, 2)\n")
                        .sweep_axes();
  ASSERT_EQ(axes.size(), 4u);
  EXPECT_EQ(axes[0].values, (std::vector<double>{1.0, 1.5, 2.0}));
  EXPECT_EQ(axes[1].address.name(), "rod.origin[1]");
  EXPECT_EQ(axes[1].values, (std::vector<double>{3.0, 1.0, 2.0}));
  EXPECT_EQ(axes[2].values, (std::vector<double>{0.0, 2.0, 3.0}));
  for (const std::size_t k : {0u, 1u, 2u}) EXPECT_EQ(axes[k].line, 0u);
  EXPECT_EQ(axes[3].line, 1u);
}

TEST(SweepAxes, ThatMoveTogetherHaveAsManyValues) {
  EXPECT_TRUE(
      says(sweep_error("axis = rod.length : linspace(1,2,5) with rod.radius : list(1, 2)\n"),
           {"deck.ini:4: sweep.axis: rod.radius has 2 values, and rod.length, with which it moves, has 5"}));
  EXPECT_TRUE(says(sweep_error("axis = rod.length : list(1, 2) with rod.length : list(1, 2)\n"),
                   {"rod.length has an axis already, in deck.ini:4"}));
  EXPECT_TRUE(
      says(sweep_error("axis = rod.length : list(1, 2) with rod.radius\n"), {"'rod.radius'", "KEY : "}));
  EXPECT_TRUE(
      says(sweep_error("axis = rod.length : list(1, 2) with\n"), {"'with' is left over behind list(v,...)"}));
  EXPECT_TRUE(says(sweep_error("axis = rod.length : list(1, 2) and rod.radius : list(1, 2)\n"),
                   {"'and rod.radius", "is left over behind list(v,...)"}));
  EXPECT_TRUE(says(sweep_error("axis = with rod.radius : list(1, 2)\n"), {"unknown key 'with rod.radius'"}));
}

TEST(SweepAxes, ThatMoveTogetherAreSampledBetweenTheirEnds) {
  const std::string sampler = "sampler = sobol\nsamples = 10\n";
  EXPECT_EQ(sweep_deck("axis = rod.length : linspace(1,2,2) with rod.radius : logspace(2,1,2)\n" + sampler)
                .sweep_axes()
                .size(),
            2u);
  EXPECT_TRUE(
      says(sweep_error("axis = rod.length : linspace(1,2,2) with rod.radius : list(2, 1)\n" + sampler),
           {"deck.ini:4: ", "rod.radius moves together with another key by a list", "sweep.sampler = grid"}));
}

TEST(SweepAxes, OfALadderAreOne) {
  const Deck ladder = Deck::parse(
      "[convergence]\naxis = rod.elements : list(5, 10) with time.step : list(2, 1)\n", "deck.ini");
  EXPECT_TRUE(says(message_of([&] { ladder.convergence_axis(); }),
                   {"deck.ini:2: convergence.axis: refines by one key alone"}));
}

TEST(SweepAxes, AreBoundedTogether) {
  EXPECT_TRUE(says(sweep_error("axis = rod.length : linspace(1,2,10000001)\n"), {"at most 10000000"}));
  EXPECT_TRUE(
      says(sweep_error("axis = rod.length : linspace(1,2,1000)\naxis = rod.radius : linspace(1,2,9999001)\n"),
           {"deck.ini:5: ", "at most 9999000"}));
}

}  // namespace
}  // namespace rodeo
