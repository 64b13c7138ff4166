#include "rodeo/coupling/mechanisms.hpp"

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/coupling/links.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

#include "member/run_members.hpp"
#include "statics/standing_member.hpp"

namespace rodeo::coupling {
namespace {

constexpr int stride = tangent::node_unknown(1);

constexpr int elements = 3;
constexpr const char* straight = "elements = 3\nlength = 1\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n";
constexpr const char* bent = "shape = file\nshape_nodes = 0, 0, 0, 0.3, 0, 0, 0.5, 0.2, 0, 0.5, 0.4, 0.1\n";

/// Of rods as a deck joins them, which no support holds.
std::size_t mechanisms_of(const std::string& text, const std::string& shape = straight) {
  const statics::StandingMember member(make_member_spec(
      Deck::parse("[rod]\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n" + shape +
                      "[time]\nmethod = static\n" + text,
                  "test", {})));
  const MemberArrays& arrays = member.arrays();
  const connection::Parts parts = connection::build_connections(member.spec(), arrays.all);
  const Ties ties(arrays.rods, parts, arrays.all, stride);
  Mechanisms mechanisms(arrays.rods, arrays.all, stride);
  mechanisms.hold(ties);
  mechanisms.hold(rigid_joints(arrays.rods));
  mechanisms.hold(parts.points);
  mechanisms.hold(parts.turns);
  const auto all = mechanisms.find();
  // Nodes that are one move as one in each.
  for (const auto& motion : all) {
    for (const Ties::Follower& f : ties.followers()) {
      if (f.is_ghost) continue;
      const auto displaced = [&](int unknown) {
        const int of_rod = stride * elements + 3;
        const int rod = unknown / of_rod;
        return mechanisms.displacement(rod, unknown % of_rod / stride, motion[static_cast<std::size_t>(rod)]);
      };
      EXPECT_LT(norm(displaced(f.unknown) - displaced(f.leader)), 1e-9);
    }
  }
  return all.size();
}

TEST(Mechanisms, StraightRodMovesAsABody) { EXPECT_EQ(mechanisms_of(""), 6U); }

TEST(Mechanisms, BentRodRollsToo) { EXPECT_EQ(mechanisms_of("", bent), 7U); }

/// As loads bend it that hold a grid of rods in its plane: the turn about its ends costs what the roll does
/// not.
TEST(Mechanisms, RollOfARodThatIsHardlyBentMovesNoNode) {
  const statics::StandingMember member(
      make_member_spec(Deck::parse("[rod]\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
                                   "poisson_ratio = 0.5\nelements = 3\nshape = file\n"
                                   "shape_nodes = 0, 0, 0, 0.4, 1e-8, 0, 0.8, 1e-8, 0, 1.2, 0, 0\n"
                                   "[time]\nmethod = static\n",
                                   "test", {})));
  const MemberArrays& arrays = member.arrays();
  Mechanisms mechanisms(arrays.rods, arrays.all, stride);
  for (const int end : {0, elements}) {
    std::array<Mechanisms::Parts, 3> rows{};
    for (std::size_t kind = 0; kind < Mechanisms::kinds; ++kind) {
      Mechanisms::Parts unit{};
      unit[kind] = 1.0;
      const Vec3 moved = mechanisms.displacement(0, end, unit);
      rows[0][kind] = moved.x;
      rows[1][kind] = moved.y;
      rows[2][kind] = moved.z;
    }
    for (const Mechanisms::Parts& row : rows) mechanisms.hold(0, row);
  }
  const auto all = mechanisms.find();
  ASSERT_EQ(all.size(), 1U);
  for (int node = 0; node <= elements; ++node)
    EXPECT_LT(norm(mechanisms.displacement(0, node, all[0][0])), 1e-14);
  EXPECT_GT(norm(mechanisms.turn(0, 1, all[0][0])), 0.1);
}

TEST(Mechanisms, ChainOfBallsHasThreeMoreForEachRod) {
  for (const int rods : {2, 5, 30})
    EXPECT_EQ(mechanisms_of("[rod]\ncount = " + std::to_string(rods) + "\n[joint]\nkind = ball\n"),
              static_cast<std::size_t>(3 + 3 * rods));
}

TEST(Mechanisms, RigidChainHasNoneOfItsOwn) {
  for (const int rods : {2, 5, 30, 300})
    EXPECT_EQ(mechanisms_of("[rod]\ncount = " + std::to_string(rods) + "\n[joint]\nkind = rigid\n"), 6U);
}

/// Couples along rods with pinned ends shear them alike and leave them straight. Elements then turn about
/// their edges and roll about their d3, which is enough for their lines to turn at the joint while directors
/// stand. How small the shear is has no say in it.
TEST(Mechanisms, AnyShearPartsRollsFromTurns) {
  for (const double shear : {1e-7, 1e-6, 1e-5, 1e-4}) {
    SCOPED_TRACE(shear);
    const statics::StandingMember member(make_member_spec(Deck::parse(
        std::string("[rod]\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n") +
            straight + "count = 2\n[joint]\nkind = rigid\n[time]\nmethod = static\n",
        "test", {})));
    const MemberArrays& arrays = member.arrays();
    for (const RodData& data : arrays.rods) {
      const RodView rod = data.part(arrays.all);
      for (int i = 0; i < elements; ++i)
        rod.set_quaternion(i, rod.quaternion(i) * Quaternion{1.0, 0.0, 0.5 * shear, 0.0});
    }
    const connection::Parts parts = connection::build_connections(member.spec(), arrays.all);
    Mechanisms mechanisms(arrays.rods, arrays.all, stride);
    mechanisms.hold(Ties(arrays.rods, parts, arrays.all, stride));
    mechanisms.hold(rigid_joints(arrays.rods));
    EXPECT_EQ(mechanisms.find().size(), 8U);
    for (int axis = 0; axis < 3; ++axis) {  // places of the ends
      for (const auto& [rod, end] : {std::pair{0, 0}, std::pair{1, elements}}) {
        Mechanisms::Parts row{};
        for (std::size_t kind = 0; kind < row.size(); ++kind) {
          Mechanisms::Parts unit{};
          unit[kind] = 1.0;
          const Vec3 moved = mechanisms.displacement(rod, end, unit);
          row[kind] = axis == 0 ? moved.x : axis == 1 ? moved.y : moved.z;
        }
        mechanisms.hold(rod, row);
      }
    }
    const auto all = mechanisms.find();
    ASSERT_EQ(all.size(), 3U);
    for (const auto& motion : all) {
      const Vec3 first = mechanisms.turn(0, elements - 1, motion[0]);
      const Vec3 second = mechanisms.turn(1, 0, motion[1]);
      EXPECT_LT(norm(second - first), 1e-10);
    }
  }
}

TEST(Mechanisms, HingeLetsARodTurn) {
  const std::string rods = "[rod]\ncount = 2\neach = rod.origin[0] : list(0, 1)\n[connection]\n";
  EXPECT_EQ(mechanisms_of(rods + "hinge = rod 0, end to rod 1, start : axis 0 1 0\n"), 7U);
  EXPECT_EQ(mechanisms_of(rods + "hinge = rod 0, element -1 to rod 1, element 0 : axis 0 1 0\n"), 7U);
  EXPECT_EQ(mechanisms_of(rods + "rigid = rod 0, element -1 to rod 1, element 0\n"), 6U);
}

TEST(Mechanisms, SpringHoldsItsLength) {
  const std::string rods = "[rod]\ncount = 2\neach = rod.origin[1] : list(0, 0.3)\n[connection]\n";
  EXPECT_EQ(mechanisms_of(rods + "spring = rod 0, end to rod 1, end : stiffness 1e-6\n"), 11U);
  EXPECT_EQ(mechanisms_of(rods + "spring = rod 0, end to rod 1, end : stiffness 1e-6 length 0\n"), 9U);
}

}  // namespace
}  // namespace rodeo::coupling
