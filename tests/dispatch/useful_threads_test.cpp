#include <string>

#include <gtest/gtest.h>

#include "rodeo/dispatch/machine.hpp"
#include "rodeo/plan/plan.hpp"

namespace rodeo {
namespace {

int threads_for(const std::string& text, int ranks, int threads) {
  const Deck deck = Deck::parse(text, "a.ini");
  EXPECT_NO_THROW(make_plan(deck));
  return useful_threads(deck, ranks, threads);
}

/// A rod of so many elements for a few steps.
std::string rod_of(int elements) {
  return "[rod]\nelements = " + std::to_string(elements) +
         "\nlength = 1\nradius = 0.01\nyoung_modulus = 1e6\npoisson_ratio = 0.3\ndensity = 1000\n[time]\n"
         "step = 1e-9\nend = 1e-8\n";
}

const std::string rod = rod_of(20);
const std::string three = "[study]\nkind = sweep\n[sweep]\naxis = rod.length : list(1, 2, 3)\n";

TEST(UsefulThreads, AreNoMoreThanMembers) {
  EXPECT_EQ(threads_for(rod, 1, 8), 1);
  EXPECT_EQ(threads_for(rod + three, 1, 8), 3);
  EXPECT_EQ(threads_for(rod + three, 2, 8), 2);
  EXPECT_EQ(threads_for(rod + three, 1, 2), 2);
  EXPECT_EQ(threads_for(rod + three + "[study]\nrepeats = 4\n", 1, 8), 8);
}

TEST(UsefulThreads, AreAllOfThemWhereAMemberSharesItsLoops) {
  EXPECT_EQ(threads_for(rod_of(200000), 1, 8), 8);
}

TEST(UsefulThreads, AreAllOfThemWhereTheStudyAsksForMoreLater) {
  EXPECT_EQ(threads_for(rod + "[study]\nkind = optimize\nobjective = end_x\n[optimize]\n"
                              "parameter = rod.length : [1, 2] start 1.5 scale 0.2\n",
                        1, 8),
            8);
}

// What is wrong with a member is said where the study is made.
TEST(UsefulThreads, AreAllOfThemForADeckThatCannotRun) {
  EXPECT_EQ(threads_for(rod + "[model]\nkind = der\nprecision = single\n", 1, 8), 8);
}

}  // namespace
}  // namespace rodeo
