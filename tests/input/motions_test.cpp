#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::says;
using test::spec_error;
using test::spec_of;

/// The motions of a rod of 2 m with 50 elements, in steps of 1 ms up to 1 s.
std::vector<MotionSpec> motions_of(const std::string& lines, const std::string& more = {}) {
  return spec_of(complete_deck + more + "[motion]\n" + lines).motions;
}

std::string motion_error(const std::string& lines, const std::string& more = {}) {
  return spec_error(complete_deck + more + "[motion]\n" + lines);
}

TEST(MotionLines, NamePlaces) {
  const auto index = [](const std::string& place) {
    return motions_of("position = " + place + " : 0, 0, 0\n").front().index;
  };
  EXPECT_EQ(index("start"), 0);
  EXPECT_EQ(index("middle"), 25);
  EXPECT_EQ(index("end, rod 0"), 50);
  EXPECT_EQ(index("node -2"), 49);
  EXPECT_EQ(index("s 0.5"), 25);
  EXPECT_EQ(index("s 0.101 m"), 3);  // nodes stand 0.04 m apart
  EXPECT_EQ(index("s 0.099 m"), 2);
  EXPECT_EQ(index("s 0.1 m"), 2);  // of two the one towards the first end
  const auto turned = [](const std::string& place) {
    const MotionSpec motion = motions_of("rotation = " + place + " about 0 0 2 : 0\n").front();
    EXPECT_EQ(motion.axis.z, 1.0);
    return std::pair(motion.kind, motion.index);
  };
  EXPECT_EQ(turned("start"), std::pair(MotionKind::first_end, 0));
  EXPECT_EQ(turned("end"), std::pair(MotionKind::last_end, 49));
  EXPECT_EQ(turned("element 7"), std::pair(MotionKind::element, 7));
  EXPECT_EQ(turned("element -1"), std::pair(MotionKind::element, 49));
  EXPECT_EQ(turned("middle"), std::pair(MotionKind::element, 24));  // towards the first end
  EXPECT_EQ(turned("s 0.505"), std::pair(MotionKind::element, 25));
  const std::vector<MotionSpec> ring = motions_of("position = node 50 : 0, 0, 0\n", "[rod]\nshape = ring\n");
  EXPECT_EQ(ring.front().index, 0);
}

TEST(MotionLines, AreNotRoundedToAnotherTime) {
  // An equilibrium alone has one step, to whose end 0.5 would be rounded.
  const std::string released = complete_deck + "[motion]\nposition = end : 0, 0, 0 until 0.5\n";
  EXPECT_TRUE(says(spec_error(released, {"time.method=static", "time.step=1"}),
                   {"character 21", "no whole number of time steps of 1 s"}));
  EXPECT_EQ(motions_of("position = end : 0, 0, 0 until 0.50004\n").front().last_step, 500);
  EXPECT_TRUE(says(motion_error("position = end : 0, 0, 0 from 0.0024 until 0.005\n"), {"no whole number"}));
}

TEST(MotionLines, HaveWindowsAndComponents) {
  const std::vector<MotionSpec> motions = motions_of(
      "position = end : free, 0.1 * (t - 0.5), 0 from 0.5 until t_end - 0.1\n"
      "rotation = end about 1 0 0 : sin(t)\n");
  ASSERT_EQ(motions.size(), 2U);
  EXPECT_EQ(motions[0].kind, MotionKind::last_end);  // it begins first
  EXPECT_EQ(motions[0].first_step, 0);
  EXPECT_EQ(motions[0].last_step, MotionSpec::forever);
  EXPECT_EQ(motions[1].first_step, 500);
  EXPECT_EQ(motions[1].last_step, 900);
  EXPECT_EQ(motions[1].held, (std::array{false, true, true}));
  EXPECT_DOUBLE_EQ(motions[1].course[1].value(0.7), 0.02);
}

TEST(MotionLines, ThatCannotBeReadSayWhere) {
  EXPECT_TRUE(says(motion_error("position = end 0, 0, 0\n"),
                   {"deck.ini:12: motion.position: character 5, '0, 0, 0': ", "a : should stand here"}));
  EXPECT_TRUE(says(motion_error("position = end : 0, 0\n"), {"character 11, the end", "a comma"}));
  EXPECT_TRUE(says(motion_error("position = element 3 : 0, 0, 0\n"), {"character 1", "nodes"}));
  EXPECT_TRUE(says(motion_error("position = node 51 : 0, 0, 0\n"), {"no such node", "0 to 50"}));
  EXPECT_TRUE(says(motion_error("position = rod 0 : 0, 0, 0\n"), {"needs a place"}));
  EXPECT_TRUE(says(motion_error("position = end : free, free, free\n"), {"at least one component"}));
  EXPECT_TRUE(says(motion_error("position = end : 0, tt, 0\n"), {"character 10", "tt"}));
  EXPECT_TRUE(says(motion_error("position = end : 0, 0, 0 untill 3\n"), {"character 15", "until T1"}));
  EXPECT_TRUE(says(motion_error("position = end : 0, 0, 0 from 2\n"), {"character 20", "ended, at 1 s"}));
  EXPECT_TRUE(says(motion_error("position = end : 0, 0, 0 from 0.5 until 0.5\n"), {"a step after"}));
  EXPECT_TRUE(says(motion_error("position = end : 0, 0, 0.1 * cos(t)\n"),
                   {"character 13", "is 0.1 m at t = 0 s", "must begin at 0"}));
  EXPECT_TRUE(says(motion_error("rotation = end : 0\n"), {"motion.rotation", "an axis should stand here"}));
  EXPECT_TRUE(says(motion_error("rotation = end about 0 0 0 : 0\n"), {"character 11", "no direction"}));
  EXPECT_TRUE(says(motion_error("rotation = node 3 about 0 0 1 : 0\n"), {"elements"}));
  EXPECT_TRUE(says(motion_error("rotation = end about 1 0 0 : 1 + t\n"), {"is 1 rad at t = 0 s"}));
}

TEST(MotionLines, OfPlacesThatSomethingElseHoldsAreRefused) {
  const std::string clamped = "[boundary]\nfirst = clamped\nlast = pinned_sliding\n";
  EXPECT_TRUE(says(motion_error("position = start : 0, 0, 0\n", clamped),
                   {"deck.ini:15: motion.position", "boundary.first = clamped (deck.ini:12)"}));
  EXPECT_TRUE(says(motion_error("position = node -1 : 0, 0, 0\n", clamped),
                   {"boundary.last = pinned_sliding (deck.ini:13)"}));
  EXPECT_TRUE(says(motion_error("rotation = start about 0 0 1 : 0\n", clamped), {"boundary.first"}));
  EXPECT_EQ(motions_of("rotation = end about 0 0 1 : 0\n", clamped).size(), 1U);  // its directors are free
  EXPECT_EQ(motions_of("position = node 1 : 0, 0, 0\n", clamped).size(), 1U);
  EXPECT_TRUE(says(motion_error("rotation = end about 0 0 1 : 0\n", "[rod]\nshape = ring\n"),
                   {"a closed rod has no end"}));
  const std::string joined = "[rod]\ncount = 2\n[joint]\nkind = ball\n";
  EXPECT_TRUE(says(motion_error("position = rod 0, end : 0, 0, 0\n", joined), {"joint.kind"}));
  EXPECT_TRUE(says(motion_error("position = rod 1, start : 0, 0, 0\n", joined), {"joint.kind"}));
  EXPECT_EQ(motions_of("position = rod 1, end : 0, 0, 0\n", joined).size(), 1U);
  const std::string element = "[model]\nkind = der\n[boundary]\nfirst = clamped_element\n";
  for (const char* line : {"position = node 0 : 0, 0, 0\n", "position = node 1 : 0, 0, 0\n",
                           "rotation = element 0 about 1 0 0 : 0\n", "rotation = start about 1 0 0 : 0\n"}) {
    EXPECT_TRUE(says(motion_error(line, element), {"clamped_element"})) << line;
  }
}

TEST(MotionLines, ThatContradictNameBoth) {
  EXPECT_TRUE(
      says(motion_error("position = end : 0, 0, 0\nposition = node 50 : free, t - 0.5, free from 0.5\n"),
           {"deck.ini:13: motion.position", "at the same time as deck.ini:12"}));
  EXPECT_TRUE(says(motion_error("rotation = end about 0 0 1 : 0\nrotation = end about 0 1 0 : 0\n"),
                   {"deck.ini:13: motion.rotation", "deck.ini:12"}));
  EXPECT_EQ(motions_of("position = end : 0, free, 0\nposition = end : free, t, free\n").size(), 2U);
  EXPECT_EQ(motions_of("position = end : 0, 0, 0 until 0.5\nposition = end : 0, 0, 0 from 0.5\n").size(), 2U);
  const std::string der = "[model]\nkind = der\n";
  EXPECT_TRUE(says(motion_error("position = node 3 : 0, 0, 0\nposition = node 4 : 0, free, free\n"
                                "rotation = element 3 about 0 0 1 : 0\n",
                                der),
                   {"motion.rotation", "both of its nodes", "deck.ini:14", "deck.ini:15"}));
  EXPECT_TRUE(
      says(motion_error("rotation = element 4 about 0 0 1 : 0\nrotation = element 5 about 0 0 1 : 0\n", der),
           {"the element beside it"}));
  EXPECT_EQ(motions_of("rotation = element 4 about 0 0 1 : 0\nrotation = element 5 about 0 0 1 : 0\n").size(),
            2U);
}

}  // namespace
}  // namespace rodeo
