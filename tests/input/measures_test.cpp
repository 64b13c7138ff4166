#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/listing.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/math/formula.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::message_of;
using test::says;
using test::spec_error;
using test::spec_of;

// A rod of 50 elements and 2 m, of 1000 steps of 1 ms.
std::string with(const std::string& line) { return complete_deck + "[measure]\ndefine = " + line + "\n"; }

std::string with_rods(const std::string& line) {
  return with(line) + "[rod]\ncount = 3\neach = rod.origin[0] : list(0, 1, 2)\n";
}

MeasureSpec measure(const std::string& expression, const std::string& more = {}) {
  return spec_of(with("a [m] : " + expression) + more).measures.at(0);
}

/// The one signal of a measure.
OperandSpec operand(const std::string& expression) {
  return measure(expression).reductions.at(0).operands.at(0);
}

TEST(Measures, HaveNamesUnitsAndDefinitionsBehindTheOthers) {
  const Deck deck =
      Deck::parse(with("a [m] : max(z(end))\ndefine = b_2[m^2/s] :2*last( x(end) )"), "deck.ini");
  const ObservableList list = observables_of(deck);
  ASSERT_EQ(list.size(), observables.size() + 2);
  EXPECT_EQ(list[observables.size()].name, "a");
  EXPECT_EQ(list[observables.size()].unit, "m");
  EXPECT_EQ(list[observables.size()].text, "max(z(end))");
  EXPECT_EQ(list.index("b_2"), observables.size() + 1);
  EXPECT_EQ(list[list.index("b_2")].unit, "m^2/s");
  EXPECT_EQ(list.index("c"), list.size());
  EXPECT_TRUE(says(observable_listing("b_2", list), {"b_2", "2*last( x(end) )", "unit m^2/s"}));
}

TEST(Measures, AreNamedByOutputsAndObjectives) {
  const Deck deck =
      Deck::parse(with("a [m] : x(end)") + "[output]\nframes = 2\nobservables = a, end_x\n", "deck.ini");
  EXPECT_EQ(make_member_spec(deck).frame_observables,
            (std::vector<std::size_t>{observable_index("end_x"), observables.size()}));
}

TEST(Measures, ReduceOverWindowsInSteps) {
  const ReductionSpec all = measure("mean(x(end))").reductions.at(0);
  EXPECT_EQ(all.kind, ReductionKind::mean);
  EXPECT_EQ(all.first_step, 0);
  EXPECT_EQ(all.last_step, 1000);
  const ReductionSpec part = measure("rms(vx(end) over 0.1 to t_end / 2)").reductions.at(0);
  EXPECT_EQ(part.first_step, 100);
  EXPECT_EQ(part.last_step, 500);
  const ReductionSpec at = measure("at(2 * 0.1 + 0.05, x(end))").reductions.at(0);
  EXPECT_EQ(at.kind, ReductionKind::at);
  EXPECT_EQ(at.first_step, 250);
  const ReductionSpec period =
      measure("max(x(end) over period)", "[muscle]\nperiod = 0.2\n").reductions.at(0);
  EXPECT_EQ(period.first_step, 800);
  EXPECT_EQ(spec_of(with("a [m] : x(end)")).measure_steps, 1000);
  EXPECT_EQ(spec_of(with("a [m] : x(end)") + "interval = 0.02\n").measure_steps, 20);
}

TEST(Measures, TakeSignalsAtPlaces) {
  EXPECT_EQ(operand("x(node 3)").at.index, 3);
  EXPECT_EQ(operand("x(node -1)").at.index, 50);
  EXPECT_EQ(operand("dilatation(element -50)").at.index, 0);
  EXPECT_EQ(operand("curvature_1(node 50)").at.index, 50);
  EXPECT_EQ(operand("y(s 0.25)").at.arc, 0.25);
  EXPECT_EQ(operand("y(s 0.5 m)").at.arc, 0.25);
  EXPECT_EQ(operand("y(middle)").at.kind, Place::Kind::middle);
  EXPECT_EQ(operand("kinetic_energy").at.kind, Place::Kind::whole);
  EXPECT_EQ(operand("kinetic_energy(element 7)").at.index, 7);
  EXPECT_EQ(operand("bending_energy").kind, OperandSpec::Kind::observable);
  EXPECT_EQ(operand("bending_energy(rod 0)").kind, OperandSpec::Kind::signal);
  EXPECT_EQ(operand("t").kind, OperandSpec::Kind::time);
  const OperandSpec along = operand("max_along(curvature)");
  EXPECT_EQ(along.kind, OperandSpec::Kind::along);
  EXPECT_EQ(along.at.rod, -1);
  EXPECT_EQ(along.operands.at(0).at.kind, Place::Kind::every);
  const MemberSpec rods = spec_of(with_rods("a [m] : x(rod -1, end) + mean_along(x, rod 1)"));
  EXPECT_EQ(rods.measures.at(0).reductions.at(0).operands.at(0).at.rod, 2);
  EXPECT_EQ(rods.measures.at(0).reductions.at(1).operands.at(0).at.rod, 1);
}

TEST(Measures, AreArithmeticOfReductions) {
  const MeasureSpec m = measure("max(x(end)) - min(x(end)) > 1 ? -sqrt(rod.length) : max(1, t_end, pi)");
  EXPECT_EQ(m.reductions.size(), 2u);
  Expression expression(m.formula, 2);
  expression.variables()[0] = 3.0;
  expression.variables()[1] = 1.0;
  EXPECT_DOUBLE_EQ(expression.value(), -std::sqrt(2.0));
  expression.variables()[1] = 2.5;
  EXPECT_DOUBLE_EQ(expression.value(), M_PI);
  EXPECT_EQ(
      measure("at(0.1, x(end)^2 + rod.length * hypot(y(end), vy(end)))").reductions.at(0).operands.size(),
      3u);
}

TEST(Measures, HaveTheFunctionsOfAllFormulas) {
  const MeasureSpec m = measure("ramp(last(x(end)), 0, 2) + smooth(0.5, 0, 1) + spline(0.5, 1, 3)");
  Expression expression(m.formula, 1);
  expression.variables()[0] = 0.5;
  EXPECT_DOUBLE_EQ(expression.value(), 0.25 + 0.5 + 2.0);
}

TEST(Measures, AreAsLongAsOneWrites) {
  std::string sum = "0";
  for (int k = 0; k < 100; ++k) sum += " + x(end)";
  const MeasureSpec m = measure(sum);
  Expression expression(m.formula, 100);
  std::ranges::fill(expression.variables(), 0.5);
  EXPECT_EQ(expression.value(), 50.0);
}

TEST(Measures, NameMeasuresBeforeThemAndEntriesOfVariables) {
  const MemberSpec spec = spec_of(with("far [m] : max(x(end))\ndefine = near [m] : min(x(end))\n"
                                       "define = both [m] : gain[1] * near - far + last(y(end))") +
                                  "[variable]\ngain = 1, 3\n");
  const MeasureSpec& both = spec.measures.at(2);
  EXPECT_EQ(both.reductions.size(), 1u);
  Expression expression(both.formula, 3);
  std::ranges::copy(std::vector{10.0, 20.0, 30.0}, expression.variables().begin());
  EXPECT_DOUBLE_EQ(expression.value(), 3.0 * 20.0 - 10.0 + 30.0);
}

TEST(Measures, CompileWhateverIsRead) {
  // With all that signals need.
  const std::string contact = "[contact]\nkind = penalty\nstiffness = 100\nfriction = 0.4\n";
  const std::string ground =
      "[ground]\nkind = plane\nresponse = springs\nstiffness = 100\nplanes = 0, 0, 1, 0, 0, -2\n"
      "spheres = 0, 9, 0, 1\ncylinders = 0, 9, 0, 0, 0, 1, 1\n";
  std::string every;
  for (const Signal& signal : signals()) {
    const bool of_node = signal.site == SignalSite::node || signal.site == SignalSite::region;
    every += "+ mean(" + std::string(signal.name) + (of_node ? "(node 1)" : "(element 1)") + ")";
    if (every.size() < 800 && &signal != &signals().back()) continue;
    const MeasureSpec m = measure(every, contact + ground + "[motion]\nposition = end : 0, 0, 0\n");
    EXPECT_NO_THROW(Expression(m.formula, m.reductions.size()).value());
    every.clear();
  }
  for (const char* text : {"-x(end) * -2", "(-x(end))^(-2)", "1e-3*x(end)", "+.5", "((x(end)))",
                           "2 * -1 - -1", "x(end) > 1 ? x(end) > 2 ? 1 : 2 : 3", "sin(cos(mean(t)))"}) {
    const MeasureSpec m = measure(text);
    EXPECT_NO_THROW(Expression(m.formula, m.reductions.size()).value()) << text;
  }
}

/// The message that a line gets, without what all have in common.
std::string problem(const std::string& line, const std::string& more = {}) {
  const std::string text = spec_error(with(line) + more);
  const std::string common = "deck.ini:12: measure.define: ";
  EXPECT_EQ(text.substr(0, common.size()), common);
  return text.substr(std::min(text.size(), common.size()));
}

TEST(Measures, SayWhichCharacterIsWrong) {
  EXPECT_TRUE(says(spec_error(with("a [m] : 1\ndefine = b [m] : max(x(end) - a)")),
                   {"deck.ini:13: measure.define: character 22, 'a)': 'a' is a measure", "stands outside"}));
  EXPECT_TRUE(says(problem("a [m] : b\ndefine = b [m] : 1"), {"'b' is no signal"}));
  EXPECT_EQ(problem("a [m] : lst(x(end))"),
            "character 9, 'lst(x(end))': 'lst' is no signal, observable, reduction or function; did you mean "
            "last?");
  EXPECT_EQ(
      problem("a [m] : mean(spede(end))"),
      "character 14, 'spede(end))': 'spede' is no signal, observable, reduction or function; did you mean "
      "speed?");
  EXPECT_TRUE(
      says(problem("a [m] : 2 * (x(end) + 1"), {"character 24, the end: the parenthesis of character 13"}));
  EXPECT_TRUE(says(problem("a [m] : x(end))"), {"character 15, ')': this parenthesis closes none"}));
  EXPECT_TRUE(
      says(problem("a [m] : x(end) +"), {"character 17, the end: a number, a name or a parenthesis"}));
  EXPECT_TRUE(says(problem("a [m] : 2 x(end)"), {"character 11, 'x(end)': an operator should stand here"}));
  EXPECT_TRUE(says(problem("a [m] : x(end) = 2"), {"character 16", "write =="}));
  EXPECT_TRUE(says(problem("a [m] : x(end) $ 2"), {"character 16, '$ 2': an operator"}));
  EXPECT_TRUE(says(problem("a [m] : x(end) > 1 ? 2"), {"character 20", "a ? needs a :"}));
  EXPECT_TRUE(says(problem("a [m] : x(end) : 2"), {"character 16", "needs a ?"}));
  EXPECT_TRUE(says(problem("a [m] : 2^-1"), {"character 11", "an exponent with a sign needs parentheses"}));
  EXPECT_TRUE(says(problem("a [m] : 1.5.2"), {"character 9", "a number"}));
  EXPECT_TRUE(says(problem("a [m] : sin(1, 2)"), {"character 9", "sin has 2 arguments; it takes 1"}));
  EXPECT_TRUE(says(problem("a [m] : atan2(1)"), {"character 9", "atan2 has 1 argument; it takes 2"}));
  EXPECT_TRUE(
      says(problem("a [m] : mean(x(end), 2)"), {"character 20", "this reduction takes one argument"}));
  EXPECT_TRUE(says(problem("a [m] : at(x(end))"), {"character 12", "a signal is no number"}));
  EXPECT_TRUE(says(problem("a [m] : at(1)"), {"character 13", "at(T, X)"}));
  EXPECT_TRUE(says(problem("a [m] : at(1.1, x(end))"),
                   {"character 12", "1.1 s is not in the time of the member, [0, 1] s"}));
  EXPECT_TRUE(says(problem("a [m] : mean(max(x(end)))"), {"character 14", "cannot stand inside another"}));
  EXPECT_TRUE(
      says(problem("a [m] : max(x(end) over 0.5 to 0.2)"), {"character 32, '0.2)': the window ends"}));
  EXPECT_TRUE(says(problem("a [m] : max(x(end) over 0.5)"), {"character 28", "over A to B"}));
  EXPECT_TRUE(says(problem("a [m] : max(x(end) over period)"), {"character 20", "muscle.period"}));
  EXPECT_TRUE(says(problem("a [m] : last(x(end) over 0 to 1)"), {"no window"}));
}

TEST(Measures, SayWhichPlaceIsWrong) {
  EXPECT_TRUE(says(problem("a [m] : x"), {"character 9, 'x': 'x' needs a place: node K, s FRACTION"}));
  EXPECT_TRUE(says(problem("a [m] : x(node 51)"),
                   {"character 16, '51)': there is no such node: this rod has 0 to 50"}));
  EXPECT_TRUE(says(problem("a [m] : stretch(element -51)"), {"no such element: this rod has 0 to 49"}));
  EXPECT_TRUE(says(problem("a [m] : x(element 1)"), {"x is of nodes"}));
  EXPECT_TRUE(says(problem("a [m] : tension(node 1)"), {"tension is of elements"}));
  EXPECT_TRUE(says(problem("a [m] : x(node 1.5)"), {"character 16", "a whole number"}));
  EXPECT_TRUE(says(problem("a [m] : x(s 1.5)"), {"a fraction from 0 to 1"}));
  EXPECT_TRUE(says(problem("a [m] : x(s 2.5 m)"), {"the rod is 2 m long"}));
  EXPECT_TRUE(says(problem("a [m] : x(tip)"), {"character 11, 'tip)': a place should stand here"}));
  EXPECT_TRUE(says(problem("a [m] : x(start, end)"), {"character 18", "a second place"}));
  EXPECT_TRUE(says(problem("a [m] : x(rod 1, end)"), {"character 15", "rod 0 is the only one"}));
  EXPECT_TRUE(says(problem("a [m] : max_along(x(end))"), {"character 9", "nothing in it goes along"}));
  EXPECT_TRUE(
      says(problem("a [m] : max_along(x + tension)"), {"character 23", "is of elements", "of nodes"}));
  EXPECT_TRUE(says(problem("a [m] : max_along(end_x)"), {"character 19", "of the member as a whole"}));
  EXPECT_TRUE(says(spec_error(with_rods("a [m] : x(end)")), {"of which rod? This deck has 3"}));
  EXPECT_TRUE(says(spec_error(with_rods("a [m] : x(rod 3, end)")), {"they are 0 to 2"}));
  EXPECT_TRUE(says(spec_error(with_rods("a [m] : x(rod 1 end)")), {"'end)': a comma should stand here"}));
}

TEST(Measures, SayWhichNumberOfTheDeckIsWrong) {
  EXPECT_TRUE(says(problem("a [m] : x(end) / rod.lenght"), {"character 18", "rod.lenght", "rod.length"}));
  EXPECT_TRUE(says(problem("a [m] : rod.mass * x(end)"), {"rod.mass has no value in this deck"}));
  EXPECT_TRUE(says(problem("a [m] : boundary.first"), {"is no number"}));
  EXPECT_TRUE(
      says(spec_error(with_rods("a [m] : rod.origin[0]")), {"differs from rod to rod (deck.ini:15)"}));
  EXPECT_NO_THROW(measure("load.end_force[2] * x(end)"));
}

TEST(Measures, RefuseNamesAndUnits) {
  const auto refused = [](const std::string& line) {
    const Deck deck = Deck::parse(with(line), "deck.ini");
    return message_of([&] { observables_of(deck); });
  };
  EXPECT_TRUE(says(refused("2a [m] : 1"), {"deck.ini:12", "character 1", "a name"}));
  EXPECT_TRUE(says(refused("end_x [m] : 1"), {"every study has an observable end_x"}));
  EXPECT_TRUE(says(refused("end_distance_max [m] : 1"), {"every study has an observable"}));
  EXPECT_TRUE(says(refused("a : 1"), {"character 3", "a unit in brackets"}));
  EXPECT_TRUE(says(refused("a [] : 1"), {"character 4", "[1] for a pure number"}));
  EXPECT_TRUE(says(refused("a [m : 1"), {"character 3", "not closed"}));
  EXPECT_TRUE(says(refused("a [m{] : 1"), {"character 5", "no such character"}));
  EXPECT_TRUE(says(refused("a [m] 1"), {"character 7", "a : should stand here"}));
  EXPECT_TRUE(says(refused("a [m] :"), {"an expression should stand here"}));
  EXPECT_TRUE(says(refused("a [m] : 1\ndefine = a [s] : 2"), {"deck.ini:13", "a is defined twice"}));
}

TEST(Measures, NeedASampleAStepAtMost) {
  EXPECT_TRUE(says(spec_error(with("a [m] : x(end)") + "interval = 1e-4\n"),
                   {"deck.ini:13: measure.interval: is less than a time step of 0.001 s"}));
}

}  // namespace
}  // namespace rodeo
