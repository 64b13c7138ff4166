#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::says;
using test::spec_error;
using test::spec_of;

// A rod of 2 m with 50 elements, and 1 s.
std::string actuated(const std::string& line, const std::string& more = {}) {
  return complete_deck + "[actuation]\n" + line + "\n" + more;
}

const std::string three_rods = "[rod]\ncount = 3\neach = rod.origin[0] : list(0, 5, 10)\n";

ActuationSpec only(const std::string& line) { return spec_of(actuated(line)).actuation.at(0); }

TEST(ActuationSpec, HasAnAxisAPlaceAndAFormula) {
  const ActuationSpec wave = only("curvature = d2 : 3 * sin(2*pi*(t - s)) * rod.length");
  EXPECT_EQ(wave.kind, ActuationKind::curvature);
  EXPECT_EQ(wave.axis.y, 1.0);
  EXPECT_FALSE(wave.in_laboratory);
  EXPECT_EQ(wave.place.kind, Place::Kind::whole);
  EXPECT_NEAR(wave.formula.value(0.25, 0.0), 6.0, 1e-14);
  EXPECT_EQ(only("twist = d3, s 0.2 to 0.5 : t").place.to, 0.5);
  EXPECT_EQ(only("twist = d3 : t").axis.z, 1.0);
  EXPECT_EQ(only("force = z, node -1 : 1").place.index, 50);
  EXPECT_TRUE(only("force = z : 1").in_laboratory);
  EXPECT_DOUBLE_EQ(only("couple = (3, 0, 2^2), s 0.5 m : 1").axis.z, 0.8);
  EXPECT_EQ(only("couple = d3, s 0.5 m : 1").place.arc, 0.25);
  EXPECT_EQ(only("stretch = d3, element 3 : 1 + t").kind, ActuationKind::stretch);
  EXPECT_EQ(only("internal_couple = x : 1").kind, ActuationKind::internal_couple);
}

TEST(ActuationSpec, IsOnAllRodsOrOnOne) {
  const MemberSpec all = spec_of(actuated("force = z, end : 1", three_rods));
  EXPECT_EQ(all.actuation.size(), 1u);
  EXPECT_EQ(all.further_rods[1].actuation.at(0).place.kind, Place::Kind::end);
  const MemberSpec last = spec_of(actuated("force = z, rod -1 : 1\nforce = x : 2", three_rods));
  EXPECT_EQ(last.actuation.size(), 1u);
  EXPECT_EQ(last.further_rods[1].actuation.size(), 2u);
  const MemberSpec own =
      spec_of(actuated("force = z : 1 + phase * t", three_rods + "each = variable.phase : list(1, 2, 3)\n"
                                                                 "[variable]\nphase = 0\n"));
  EXPECT_EQ(own.further_rods[0].actuation.at(0).formula.value(1.0), 3.0);
}

TEST(ActuationSpec, KnowsWhereAPlacementPutsEachRod) {
  const std::string lattice =
      "[rod]\ncount = 3\nplacement = lattice\nlattice = 3, 1, 1\nlattice_spacing = 0.5, 0, 0\n";
  const MemberSpec spec = spec_of(actuated("force = z : 4 * rod.origin[0]", lattice));
  EXPECT_EQ(spec.actuation.at(0).formula.value(0.0), 0.0);
  EXPECT_EQ(spec.further_rods[0].actuation.at(0).formula.value(0.0), 2.0);
  EXPECT_EQ(spec.further_rods[1].actuation.at(0).formula.value(0.0), 4.0);
  EXPECT_TRUE(
      says(spec_error(actuated("force = z : 1", lattice + "[measure]\ndefine = a [m] : rod.origin[0]\n")),
           {"measure.define", "rod.origin differs from rod to rod"}));
}

TEST(ActuationSpec, SaysWhatIsWrong) {
  const auto problem = [](const std::string& line) { return spec_error(actuated(line)); };
  EXPECT_TRUE(says(problem("force = d4 : 1"), {"deck.ini:12: actuation.force: character 1", "an axis"}));
  EXPECT_TRUE(says(problem("force = z 1"), {"character 3", "a : should stand here"}));
  EXPECT_TRUE(says(problem("force = z, tip : 1"), {"character 4", "a place should stand here: node K"}));
  EXPECT_TRUE(says(problem("force = z : 1 + sn(t)"), {"character 9", "did you mean sin?"}));
  EXPECT_TRUE(says(problem("force = z : 2 t"), {"character 7", "an operator should stand here"}));
  EXPECT_TRUE(says(problem("force = (0, 0, 0) : 1"), {"character 1", "a direction has a length"}));
  EXPECT_TRUE(says(problem("force = z : sqrt(-t)"), {"this has no value at t = 0.03125 s, s = 0"}));
  EXPECT_TRUE(says(problem("curvature = d3 : 1"), {"actuation.curvature is about d1 or d2"}));
  EXPECT_TRUE(says(problem("curvature = x : 1"), {"actuation.curvature is about d1 or d2"}));
  EXPECT_TRUE(says(problem("twist = (0, 0, 1) : 1"), {"actuation.twist is about d3"}));
  EXPECT_TRUE(says(problem("curvature = d1, element 3 : 1"), {"actuation.curvature is of nodes"}));
  EXPECT_TRUE(says(problem("stretch = d3, node 3 : 1"), {"actuation.stretch is of elements"}));
  EXPECT_TRUE(says(problem("stretch = d3 : 1 - 2 * t"), {"character 5", "natural length of -1 times"}));
  EXPECT_TRUE(says(problem("internal_couple = d1, node 0 : 1"),
                   {"character 5", "nothing holds the directors of the first end"}));
  EXPECT_NO_THROW(spec_of(actuated("internal_couple = d1, node 0 : 1", "[boundary]\nfirst = clamped\n")));
  EXPECT_TRUE(says(spec_error(actuated("force = z, node 3 : rod.origin[0]",
                                       three_rods + "[measure]\ndefine = a [m] : rod.origin[0]\n")),
                   {"measure.define", "differs from rod to rod"}));
}

}  // namespace
}  // namespace rodeo
