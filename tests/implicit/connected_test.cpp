#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/models/models.hpp"

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo::implicit {
namespace {

/// Three rods that hang on each other and swing: the first is clamped, a ball holds the second on it, a hinge
/// the third on that, and a spring draws the first and the third together.
constexpr const char* hanging_rods = R"(
[model]
section = rigid
[rod]
count = 3
elements = 8
length = 0.4
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
each = rod.origin[0] : list(0, 0.4, 0.8)
each = boundary.first : list(clamped, free, free)
direction = 1, 0, 0
normal = 0, 0, 1
damping = 0.5
damping_law = published
[connection]
ball = rod 0, end to rod 1, start : stiffness 2e4
hinge = rod 1, element -1 to rod 2, element 0 : axis 0 1 0.2 stiffness 2e4 rotational_stiffness 5
spring = rod 0, node 2 to rod 2, s 0.6 : stiffness 20 length 0.3 damping 0.1
[gravity]
acceleration = 0, 0.5, -9.81
[time]
step = 1e-5
end = 0.4
[measure]
define = x_end [m] : last(x(rod 2, end))
define = y_end [m] : last(y(rod 2, end))
define = z_end [m] : last(z(rod 2, end))
)";

std::vector<std::string> implicit_steps(const std::string& step,
                                        const std::string& scheme = "generalized_alpha") {
  return {"time.method=implicit", "time.scheme=" + scheme, "time.step=" + step};
}

TEST(ImplicitConnections, MoveRodsAsExplicitStepsDoInSecondOrder) {
  const Measured exact(hanging_rods);
  EXPECT_LT(exact["z_end"], -0.1) << "it has swung";
  const auto end_of = [](const Measured& rods) { return Vec3{rods["x_end"], rods["y_end"], rods["z_end"]}; };
  for (const std::string scheme : {"generalized_alpha", "energy_momentum"}) {
    const Measured fine(hanging_rods, implicit_steps("2.5e-4", scheme));
    EXPECT_LT(norm(end_of(fine) - end_of(exact)), 1e-4) << scheme;
    std::vector<double> errors;
    for (const char* step : {"4e-3", "2e-3", "1e-3"}) {
      const Measured rods(hanging_rods, implicit_steps(step, scheme));
      errors.push_back(norm(end_of(rods) - end_of(fine)));
      EXPECT_LT(rods["newton_iterations_per_step"], 8.0) << scheme;
      EXPECT_NEAR(rods["connection_energy"], exact["connection_energy"], 0.05 * exact["connection_energy"])
          << scheme;
    }
    EXPECT_GT(errors[0] / errors[2], 8.0)
        << scheme << " " << errors[0] << " " << errors[1] << " " << errors[2];
  }
}

/// Four rods that fly freely: a spring between places within elements, a hinge, a rigid joint and a ball
/// between elements, and a bond, which all store energy.
constexpr const char* flying_rods = R"(
[model]
section = rigid
[rod]
count = 4
elements = 8
length = 0.4
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
each = rod.origin[0] : list(0, 0.4, 0.8, 0)
each = rod.origin[2] : list(0, 0, 0, 0.02)
each = rod.velocity[1] : list(1, -0.5, 2, 0)
each = rod.velocity[2] : list(0, 1, -1, -0.5)
direction = 1, 0, 0
normal = 0, 0, 1
[connection]
ball = rod 0, element -1 to rod 1, element 0
hinge = rod 0, element -1 to rod 1, element 0 : axis 0 1 0.2 rotational_stiffness 0.5
rigid = rod 1, element -1 to rod 2, start
spring = rod 0, s 0.3 to rod 2, s 0.6 : stiffness 20 length 0.3
bond = rod 0 to rod 3 s 0 to 0.5 : stiffness 1e4
[time]
method = implicit
end = 0.5
)";

TEST(ImplicitConnections, OfStepsThatConserveKeepEnergyAndMomenta) {
  for (const char* step : {"1e-3", "5e-3"}) {
    const Measured rods(flying_rods, {"time.scheme=energy_momentum", "time.step=" + std::string(step)});
    EXPECT_GT(rods["connection_energy"], 0.01 * rods["total_energy"]) << step;
    EXPECT_LT(std::abs(rods["energy_drift"] / rods["total_energy"]), 1e-9) << step;
    EXPECT_LT(rods["momentum_drift"], 1e-11) << step;
    EXPECT_LT(rods["angular_momentum_drift"], 1e-11) << step;
  }
}

/// Dashpots leave momenta as they are, and take as much energy as in explicit steps.
TEST(ImplicitConnections, DashpotsOfStepsThatConserveTakeEnergyAlone) {
  const std::string deck =
      std::string(flying_rods) +
      "[connection]\nspring = rod 1, s 0.4 to rod 3, s 0.5 : stiffness 1 damping 0.5\n"
      "hinge = rod 1, node 4 to rod 3, element 4 : axis 0 0 1 stiffness 5 damping 0.02\n";
  const Measured rods(deck, {"time.scheme=energy_momentum", "time.step=2e-4"});
  const Measured exact(deck, {"time.method=dynamic", "time.step=1e-5"});
  EXPECT_LT(exact["energy_drift"], -0.05 * exact["total_energy"]);
  EXPECT_NEAR(rods["energy_drift"] / exact["energy_drift"], 1.0, 0.005);
  EXPECT_LT(rods["momentum_drift"], 1e-11);
  EXPECT_LT(rods["angular_momentum_drift"], 1e-11);
}

/// A joint of two rods in line makes one of them, to second order in the length of elements.
TEST(ImplicitConnections, TwoRodsThatARigidJointHoldsSwingAsOne) {
  const std::string deck = R"(
[model]
section = rigid
[rod]
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 0, 1
[gravity]
acceleration = 0, 0, -2
[time]
method = implicit
scheme = generalized_alpha
step = 2e-3
end = 0.5
)";
  const Measured one(deck +
                     "[rod]\nlength = 0.8\nelements = 40\n[boundary]\nfirst = clamped\n[measure]\n"
                     "define = tip [m] : last(z(end))\n");
  const Measured two(deck +
                     "[rod]\ncount = 2\nlength = 0.4\nelements = 20\neach = rod.origin[0] : list(0, 0.4)\n"
                     "each = boundary.first : list(clamped, free)\n[connection]\n"
                     "rigid = rod 0, end to rod 1, start\n[measure]\n"
                     "define = tip [m] : last(z(rod 1, end))\n");
  EXPECT_LT(one["tip"], -0.1);
  EXPECT_NEAR(two["tip"], one["tip"], 0.01 * std::abs(one["tip"]));
}

TEST(ImplicitConnections, BondsBreakAsInExplicitSteps) {
  const auto deck = [](const std::string& strength, const std::string& steps) {
    return R"(
[model]
section = rigid
[rod]
count = 2
elements = 10
length = 0.5
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
each = rod.origin[2] : list(0, -0.02)
each = boundary.first : list(clamped, free)
direction = 1, 0, 0
normal = 0, 0, 1
[connection]
bond = rod 0 to rod 1 : stiffness 1e4 strength )" +
           strength + R"(
[gravity]
acceleration = 0, 0, -9.81
[time]
end = 0.2
slice_steps = 7
[output]
frames = 2
)" + steps;
  };
  const std::string implicit = "[time]\nmethod = implicit\nscheme = generalized_alpha\nstep = 1e-3\n";
  EXPECT_EQ(Measured(deck("1000", implicit))["broken_bonds"], 0.0);
  EXPECT_EQ(Measured(deck("10", implicit))["broken_bonds"], 10.0);
  EXPECT_EQ(Measured(deck("10", "[time]\nstep = 1e-5\n"))["broken_bonds"], 10.0);
  // What is broken is part of the state.
  const MemberSpec spec = make_member_spec(Deck::parse(deck("10", implicit), "test", {}));
  const MemberJob job{spec, 1};
  const MemberOutcome whole = run_member(spec);
  EXPECT_EQ(run_in_pieces(job).fields, whole.fields);
}

}  // namespace
}  // namespace rodeo::implicit
