#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/member/build_rod.hpp"

#include "cosserat/test_rod.hpp"
#include "member/measured.hpp"

namespace rodeo {
namespace {

/// Two cantilevers side by side that hang on each other, of which one bears a load; or two halves in line.
constexpr const char* side_by_side =
    "[rod]\ncount = 2\nelements = 10\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
    "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\neach = rod.origin[2] : list(0, 0.05)\n"
    "each = boundary.first : list(clamped, clamped)\neach = load.end_force[2] : list(-0.05, 0)\n";
constexpr const char* in_line =
    "[rod]\ncount = 2\nelements = 10\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
    "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\neach = rod.origin[0] : list(0, 0.5)\n"
    "each = boundary.first : list(clamped, free)\neach = load.end_force[2] : list(0, -0.05)\n";

constexpr const char* from_rest =
    "[time]\nmethod = implicit\nstep = 2e-3\nend = 0.1\nfrom = equilibrium\n[measure]\ninterval = 2e-3\n"
    "define = hi [m] : max(z(rod 1, end))\ndefine = lo [m] : min(z(rod 1, end))\n";

struct Case {
  const char* rods;
  const char* connection;
};
constexpr std::array cases = {
    Case{side_by_side, "[connection]\nspring = rod 0, end to rod 1, end : stiffness 1\n"},
    Case{side_by_side, "[connection]\nball = rod 0, element 7 to rod 1, element 7\n"},
    Case{side_by_side, "[connection]\nbond = rod 0 to rod 1 : stiffness 1e4\n"},
    Case{in_line, "[connection]\nrigid = rod 0, end to rod 1, start : rotational_stiffness 0.5\n"},
    Case{in_line, "[connection]\nhinge = rod 0, end to rod 1, start : axis 0 0 1 rotational_stiffness 0.5\n"},
    Case{in_line, "[joint]\nkind = rigid\n"}};

TEST(OwnShape, KeepsConnectionsUnderStressWhereMotionStartsFromAnEquilibrium) {
  for (const Case& c : cases) {
    for (const char* model : {"cosserat", "der"}) {
      const Measured run(
          std::string(c.rods) + c.connection + from_rest,
          {std::string("model.kind=") + model,
           std::string("time.method=") + (model == std::string("der") ? "dynamic" : "implicit")});
      EXPECT_LT(run["lo"], (c.rods == side_by_side ? 0.05 : 0.0) - 1e-3) << c.connection;
      EXPECT_NEAR(run["hi"], run["lo"], 2e-6) << model << " " << c.connection;
    }
  }
}

/// What the arrays and the links have of a member whose rods start elsewhere.
TEST(OwnShape, MeasuresWhatAStateHasMoved) {
  const auto spec_of = [](const Case& c) {
    return make_member_spec(
        Deck::parse(std::string(c.rods) + c.connection + "[time]\nstep = 1e-5\nend = 1\n", "test.ini", {}));
  };
  for (const Case& c : cases) {
    MemberSpec spec = spec_of(c);
    const cosserat::TestRod made(spec);
    RodSpec& last = spec.further_rods[0].rod;
    auto start = std::make_shared<RodStart>();
    for (int i = 0; i <= last.elements; ++i) {
      const double x = 0.1 * i * last.length;
      start->positions.push_back(last.origin + Vec3{x, 0, -0.2 * x * x});
    }
    for (int i = 0; i < last.elements; ++i) {
      const double x = 0.1 * (i + 0.5) * last.length;
      start->orientations.push_back(rotation({0, 0.4 * x, 0}) * initial_shape(last).frames[1]);
    }
    last.start = start;
    const cosserat::TestRod moved(spec);
    const connection::Connections own = made.connections();
    const connection::Connections there = moved.connections();
    ASSERT_EQ(own.point_count, there.point_count);
    for (int k = 0; k < own.point_count; ++k) {
      EXPECT_EQ(own.points[k].length, there.points[k].length);
      EXPECT_EQ(norm(own.points[k].sites[1].arm - there.points[k].sites[1].arm), 0.0);
      EXPECT_EQ(own.points[k].sites[1].entry, there.points[k].sites[1].entry);
    }
    for (int k = 0; k < own.turn_count; ++k) {
      EXPECT_EQ(norm(own.turns[k].axes[1] - there.turns[k].axes[1]), 0.0);
      EXPECT_EQ(own.turns[k].rest.y, there.turns[k].rest.y);
    }
    EXPECT_EQ(make_rod_data(spec)[1].joint.rest.y, make_rod_data(spec_of(c))[1].joint.rest.y);
  }
}

TEST(OwnShape, BreaksBondsThatAStateOverloads) {
  const std::string bonded =
      std::string(side_by_side) + "[connection]\nbond = rod 0 to rod 1 : stiffness 1e4 strength 20\n";
  MemberSpec spec = make_member_spec(Deck::parse(bonded + "[time]\nstep = 1e-5\nend = 1\n", "test.ini", {}));
  auto start = std::make_shared<RodStart>();
  RodSpec& last = spec.further_rods[0].rod;
  for (int i = 0; i <= 10; ++i)
    start->positions.push_back(last.origin + Vec3{0.1 * i, 0, i > 5 ? 1e-3 * (i - 5) : 0});
  last.start = start;
  const cosserat::TestRod test(spec);
  int broken = 0;
  for (int k = 0; k < test.connections().point_count; ++k) broken += test.connections().points[k].broken;
  EXPECT_EQ(broken, 3) << "those drawn by more than 2 mm";
}

}  // namespace
}  // namespace rodeo
