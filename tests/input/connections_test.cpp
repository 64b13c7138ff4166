#include <gtest/gtest.h>

#include "rodeo/input/key_effects.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::says;
using test::spec_error;
using test::spec_of;

/// Two rods of 50 elements and 2 m, end to end along z, and a line of section [connection].
std::string connected(const std::string& line) {
  return complete_deck + "[rod]\ncount = 2\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n" +
         "each = rod.origin[2] : list(0, 2)\n[connection]\n" + line + "\n";
}

ConnectionSpec connection_of(const std::string& line) { return spec_of(connected(line)).connections.at(0); }

TEST(ConnectionLines, SayPlacesAndNumbers) {
  const ConnectionSpec spring =
      connection_of("spring = rod 0, node -2 to rod 1, s 0.505 : stiffness 2*50 length 0 damping sqrt(4)");
  EXPECT_EQ(spring.kind, ConnectionKind::spring);
  EXPECT_EQ(spring.ends[0].rod, 0);
  EXPECT_EQ(spring.ends[0].node, 49);
  EXPECT_EQ(spring.ends[1].rod, 1);
  EXPECT_EQ(spring.ends[1].node, -1);
  EXPECT_EQ(spring.ends[1].element, 25);
  EXPECT_NEAR(spring.ends[1].fraction, 0.25, 1e-12);
  EXPECT_EQ(spring.stiffness, 100.0);
  EXPECT_EQ(spring.length, 0.0);
  EXPECT_EQ(spring.damping, 2.0);
  const ConnectionSpec ball = connection_of("ball = end, rod 0 to rod 1, start");
  EXPECT_EQ(ball.ends[0].node, 50);
  EXPECT_EQ(ball.ends[1].node, 0);
  EXPECT_FALSE(ball.stiffness);
  const ConnectionSpec hinge =
      connection_of("hinge = rod 0, middle to rod 1, element 3 : axis 0 3 0, rotational_damping 0.5");
  EXPECT_EQ(hinge.ends[0].node, 25);
  EXPECT_EQ(hinge.ends[1].element, 3);
  EXPECT_EQ(hinge.axis->y, 1.0);
  EXPECT_EQ(hinge.rotational_damping, 0.5);
  EXPECT_EQ(connection_of("rigid = rod 0, s 2 m to rod 1, s 0 m").ends[0].node, 50);
}

TEST(ConnectionLines, OfBondsSayRodsAndAnArc) {
  std::string deck = connected("bond = rod 0 to rod -1 s 0.5 m to 0.75 : stiffness 1e5 strength 20");
  deck.replace(deck.find("rod.origin[2] : list(0, 2)"), 26, "rod.origin[0] : list(0, 1)");
  const MemberSpec spec = spec_of(deck);
  const ConnectionSpec& bond = spec.connections.at(0);
  EXPECT_EQ(bond.kind, ConnectionKind::bond);
  EXPECT_EQ(bond.ends[1].rod, 1);
  EXPECT_NEAR(bond.arc[0], 0.25, 1e-12);
  EXPECT_EQ(bond.arc[1], 0.75);
  EXPECT_EQ(bond.strength, 20.0);
}

TEST(ConnectionLines, MayBeMany) {
  const MemberSpec spec = spec_of(connected(
      "ball = rod 0, end to rod 1, start\nspring = rod 0, start to rod 1, end : stiffness 1\nspring = rod "
      "0, node 3 to rod 1, node 5 : stiffness 2"));
  ASSERT_EQ(spec.connections.size(), 3u);
  EXPECT_EQ(spec.connections[0].stiffness, 1.0);
  EXPECT_EQ(spec.connections[1].stiffness, 2.0);
  EXPECT_EQ(spec.connections[2].kind, ConnectionKind::ball);
}

TEST(ConnectionLines, NameWhatIsWrongAndWhere) {
  const auto error = [](const std::string& line) { return spec_error(connected(line)); };
  EXPECT_TRUE(says(error("spring = rod 0, end : stiffness 1"),
                   {"deck.ini:17: connection.spring: character 12", "PLACE to PLACE"}));
  EXPECT_TRUE(says(error("spring = rod 0, end to rod 1, start"), {"stiffness K is missing"}));
  EXPECT_TRUE(says(error("spring = rod 0, end to rod 1, start : stifness 3"), {"did you mean stiffness?"}));
  EXPECT_TRUE(says(error("spring = rod 0, end to rod 1, end : stiffness 0"), {"above 0", "N/m"}));
  EXPECT_TRUE(says(error("ball = rod 0, end to rod 1, start : damping -1"), {"0 or more", "kg/s"}));
  EXPECT_TRUE(says(error("ball = rod 0, end to rod 1, start : axis 1 0 0"),
                   {"none of its words", "stiffness NUMBER"}));
  EXPECT_TRUE(says(error("hinge = rod 0, end to rod 1, start : axis 0 0 0"), {"no direction"}));
  EXPECT_TRUE(says(error("rigid = rod 0, end to rod 1, start : damping 1 damping 2"), {"stands twice"}));
  EXPECT_TRUE(says(error("ball = rod 2, end to rod 1, start"), {"no such rod", "0 to 1"}));
  EXPECT_TRUE(says(error("ball = rod 0, node 51 to rod 1, start"), {"no such node", "0 to 50"}));
  EXPECT_TRUE(says(error("ball = end to rod 1, start"), {"of which rod?"}));
  EXPECT_TRUE(says(error("bond = rod 0 to rod 1 s 0.7 to 0.3 : stiffness 1"), {"ends after it begins"}));
}

TEST(ConnectionLines, NameWhatCannotBeHeld) {
  const auto error = [](const std::string& line, const std::string& more = {}) {
    return spec_error(connected(line) + more);
  };
  EXPECT_TRUE(says(error("ball = rod 0, end to rod 1, start\nball = rod 0, start to rod 1, start"),
                   {"deck.ini:18: connection.ball: ", "stand 2 m apart", "connection.spring"}));
  EXPECT_TRUE(
      says(error("spring = rod 0, end to rod 0, node 50 : stiffness 1"), {"both places are the same"}));
  EXPECT_TRUE(says(error("bond = rod 0 to rod 1 : stiffness 1"), {"no element of the first rod faces"}));
  EXPECT_TRUE(says(error("rigid = rod 0, end to rod 1, start", "[boundary]\nfirst = pinned\nlast = pinned\n"),
                   {"deck.ini:17: connection.rigid: ", "two boundary conditions"}));
}

TEST(ConnectionLines, LeaveContactToWhatTheyDoNotHold) {
  const std::string contact = "[contact]\nkind = penalty\nstiffness = 100\n";
  EXPECT_EQ(spec_of(connected("ball = rod 0, end to rod 1, start") + contact).connections.size(), 1u);
  std::string star = connected("ball = rod 0, end to rod 1, start\nball = rod 0, end to rod 2, start");
  star.replace(star.find("count = 2"), 9, "count = 3");
  star.replace(star.find("list(0, 2)"), 10, "list(0, 2, 2)");
  star.insert(star.find("[connection]"),
              "each = rod.direction[0] : list(0, 0, 1)\neach = rod.direction[2] : "
              "list(1, 1, 0)\neach = rod.normal[2] : list(0, 0, 1)\neach = "
              "rod.normal[0] : list(1, 1, 0)\n");
  EXPECT_EQ(spec_of(star).connections.size(), 2u);
  EXPECT_TRUE(says(spec_error(star + contact), {"contact.kind", "in one place only: element",
                                                "of rod 0 is held", "of rod 2", "model.kind = der"}));
}

TEST(ConnectionLines, DoNotMakeAMovedNodeOneWithAnother) {
  const std::string ball = "ball = rod 0, end to rod 1, start";
  const std::string motion = "[motion]\nposition = rod 1, start : 0, 0, t\n";
  EXPECT_TRUE(says(spec_error(connected(ball) + motion),
                   {"deck.ini:17: connection.ball: ", "node 0 of rod 1", "motion.position", "stiffness"}));
  EXPECT_EQ(spec_of(connected(ball + " : stiffness 10") + motion).motions.size(), 1u);
}

}  // namespace
}  // namespace rodeo
