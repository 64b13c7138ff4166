#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/models/models.hpp"

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"
#include "member/tied_rods.hpp"

// Closed rods, and rods that share nodes.

namespace rodeo::der {
namespace {

constexpr TiedRods tied = {60, 40, 30, 0.005, 1e7};
const std::string driven_ring = tied.driven_ring();
const std::string jointed_tree = tied.jointed_tree();
const std::string chain = tied.chain();

Vec3 end_of(const Measured& rods) { return {rods["x_end"], rods["y_end"], rods["z_end"]}; }

std::vector<std::string> der_steps(double step, const char* scheme) {
  return {"model.kind=der", "time.step=" + std::to_string(step), std::string("time.scheme=") + scheme};
}

/// Cosserat rods shear, and turn their sections with an inertia, which both is little here.
TEST(DerTies, MoveRodsAsCosseratRodsDo) {
  for (const std::string& deck : {driven_ring, jointed_tree, chain}) {
    const Vec3 start = end_of(Measured(deck, {"time.method=implicit", "time.step=1e-4", "time.end=1e-4"}));
    const Vec3 exact = end_of(Measured(deck, {"time.method=implicit", "time.step=5e-4"}));
    const Measured rods(deck, der_steps(5e-4, "sdirk2"));
    EXPECT_LT(norm(end_of(rods) - exact), 2e-3 * norm(exact - start)) << deck;
    std::array<double, 2> errors{};
    for (std::size_t k = 0; k < 2; ++k)
      errors[k] = norm(end_of(Measured(deck, der_steps(4e-3 / (1 << k), "sdirk2"))) - end_of(rods));
    EXPECT_GT(errors[0] / errors[1], 3.0) << deck;
  }
}

/// Waves around a ring that neither stretches nor shears: omega^2 = B/(mu R^4) n^2 (n^2 - 1)^2/(n^2 + 1) in
/// its plane, and with a twist of stiffness C out of it n^2 (n^2 - 1)^2/(n^2 + B/C) (Love, art. 293).
TEST(DerTies, ARingVibratesInItsPlaneAndOutOfIt) {
  constexpr double thickness = 1e-3;
  const double radius = 0.5 / std::numbers::pi;
  const double of_bending = 1e9 / 1000.0 * 0.25 * thickness * thickness / std::pow(radius, 4);
  const auto frequency = [&](int waves, double beside) {
    const double n = waves * waves;
    return std::sqrt(of_bending * n * (n - 1.0) * (n - 1.0) / (n + beside)) / (2.0 * std::numbers::pi);
  };
  const double twist_ratio = 1.3;  // B/C
  std::array<double, 4> right = {frequency(2, twist_ratio), frequency(2, 1.0), frequency(3, twist_ratio),
                                 frequency(3, 1.0)};
  const auto found = [](int elements) {
    return Measured(
        "[model]\nkind = der\nsection = rigid\n[rod]\nshape = ring\nlength = 1\nradius = 1e-3\n"
        "density = 1000\npoisson_ratio = 0.3\nyoung_modulus = 1e9\n[time]\nmethod = static\n[modes]\n"
        "count = 8\n",
        {"rod.elements=" + std::to_string(elements)});
  };
  const Measured coarse = found(100);
  const Measured fine = found(200);
  for (std::size_t k = 0; k < right.size(); ++k) {
    for (std::size_t twin = 0; twin < 2; ++twin) {
      const std::string name = "frequency_" + std::to_string(2 * k + twin + 1);
      const double errors[2] = {coarse[name] - right[k], fine[name] - right[k]};
      EXPECT_LT(std::abs(errors[1]), 2e-3 * right[k]) << name;
      EXPECT_LT(std::abs(4.0 * errors[1] - errors[0]) / 3.0, 1e-4 * right[k]) << name;
    }
  }
}

/// Two forces F across a ring draw it out by (pi/4 - 2/pi) F R^3/B. Places are known to 1e-9 of its size.
TEST(DerTies, ARingIsDrawnOut) {
  const double radius = 0.5 / std::numbers::pi;
  const double right = (0.25 * std::numbers::pi - 2.0 / std::numbers::pi) * std::pow(radius, 3);
  const auto growth = [](int elements) {
    constexpr double force = 1e-3;  // B is 1 N m^2
    const Measured ring(
        "[model]\nkind = der\n[rod]\nshape = ring\nlength = 1\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n"
        "radius = 0.01\nmass = 1\nbend_stiffness = 1\ntwist_stiffness = 1\nstretch_stiffness = 1e6\n"
        "[actuation]\nforce = x, start : 1e-3\nforce = x, middle : -1e-3\n[time]\nmethod = static\n"
        "[measure]\ndefine = across [m] : last(x(start)) - last(x(middle))\n",
        {"rod.elements=" + std::to_string(elements)});
    return (ring["across"] - 1.0 / (elements * std::sin(std::numbers::pi / elements))) / force;
  };
  const double errors[2] = {growth(50) - right, growth(100) - right};
  EXPECT_LT(std::abs(errors[1]), 1e-2 * right);
  EXPECT_LT(std::abs(4.0 * errors[1] - errors[0]) / 3.0, 2e-3 * right);
}

/// A ring bent from a straight rod leaves its plane at the twist 2 pi sqrt(3) B/C (Mitchell 1889).
TEST(DerTies, ATwistedRingLeavesItsPlane) {
  const auto critical = [](int elements) {
    return Measured(
        "[model]\nkind = der\nsection = rigid\n[rod]\nshape = ring\nrest_shape = straight\nlength = 1\n"
        "radius = 0.001\nmass = 1\nbend_stiffness = 1\ntwist_stiffness = 2\nstretch_stiffness = 1e7\n[time]\n"
        "method = static\n[branch]\nkey = rod.total_twist\nto = 8\nstop = first_bifurcation\n",
        {"rod.elements=" + std::to_string(elements)})["critical_value"];
  };
  const double right = std::numbers::pi * std::sqrt(3.0);
  const double errors[2] = {critical(50) - right, critical(100) - right};
  EXPECT_LT(std::abs(errors[1]), 5e-3 * right);
  EXPECT_LT(std::abs(4.0 * errors[1] - errors[0]) / 3.0, 1e-4 * right);
}

/// Two rods in line on a rigid joint are one rod, to second order in the turn of a hinge: its law is that of
/// Cosserat rods.
TEST(DerTies, ARigidJointOfTwoHalvesMakesTheWholeCantilever) {
  const std::string whole =
      "[model]\nkind = der\nsection = rigid\n[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, 0, "
      "-2\n"
      "[time]\nmethod = static\n[rod]\nradius = 0.005\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n";
  const std::string halves =
      whole +
      "count = 2\nelements = 20\nlength = 0.4\neach = rod.origin[0] : list(0, 0.4)\n"
      "each = boundary.first : list(clamped, free)\n[measure]\ndefine = drop [m] : last(z(rod 1, end))\n";
  const Measured one(whole + "elements = 40\nlength = 0.8\n[measure]\ndefine = drop [m] : last(z(end))\n");
  for (const char* const joint : {"joint.kind=rigid", "connection.rigid=rod 0, end to rod 1, start"}) {
    const Measured two(halves, {joint});
    EXPECT_LT(one["drop"], -0.1);
    EXPECT_NEAR(two["drop"], one["drop"], 1e-4 * std::abs(one["drop"])) << joint;
    EXPECT_NEAR(two["bending_energy"] + two["connection_energy"], one["bending_energy"],
                1e-3 * one["bending_energy"])
        << joint;
    EXPECT_EQ(two["unstable_modes"], 0.0) << joint;
  }
}

/// Nothing acts on two rods that fly apart but for a ball between them.
TEST(DerTies, JointedRodsKeepTheirMomenta) {
  const auto flown = [](const char* joint, double step) {
    return Measured(
        "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 10\nlength = 0.5\nradius = 0.01\n"
        "density = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
        "each = rod.origin[0] : list(0, 0.5)\neach = rod.velocity[1] : list(1, -0.3)\n"
        "each = rod.velocity[2] : list(0.2, 0.7)\n[time]\nend = 0.4\n",
        [&] {
          std::vector<std::string> overrides = der_steps(step, "sdirk2");
          overrides.emplace_back(joint);
          return overrides;
        }());
  };
  for (const char* const joint : {"joint.kind=ball", "connection.ball=rod 0, end to rod 1, start"}) {
    const Measured coarse = flown(joint, 2e-3);
    const Measured fine = flown(joint, 1e-3);
    EXPECT_LT(coarse["momentum_drift"], 1e-10) << joint;
    EXPECT_GT(coarse["translational_energy"], 0.0);
    EXPECT_LT(fine["angular_momentum_drift"], 0.35 * coarse["angular_momentum_drift"]) << joint;
  }
}

/// A cross of two rods with a node in common, and a ring, stand on springs as their weights ask.
constexpr const char* lying = R"(
[model]
kind = der
section = rigid
[rod]
count = 3
elements = 12
radius = 0.01
density = 1000
young_modulus = 1e8
poisson_ratio = 0.3
damping = 2
each = rod.shape : list(straight, straight, ring)
each = rod.length : list(0.3, 0.3, 0.6)
each = rod.origin[0] : list(-0.15, 0, 1)
each = rod.origin[1] : list(0, -0.15, 0)
each = rod.origin[2] : list(0.01, 0.01, 0.01)
each = rod.direction[0] : list(1, 0, 0)
each = rod.direction[1] : list(0, 1, 0)
each = rod.direction[2] : list(0, 0, 1)
normal = 1, 1, 0
[connection]
rigid = rod 0, node 6 to rod 1, node 6
[gravity]
acceleration = 0, 0, -9.81
[ground]
kind = plane
origin = 0, 0, 0
normal = 0, 0, 1
stiffness = 500
damping = 2
[time]
step = 2e-3
end = 1
[measure]
define = cross_end [m] : last(z(rod 0, middle))
define = ring_end [m] : last(z(rod 2, middle))
)";

TEST(DerTies, GroundCarriesThem) {
  const double by_length = 1000.0 * std::numbers::pi * 1e-4 * 9.81;
  for (const char* const method : {"time.method=dynamic", "time.method=static"}) {
    const Measured rods(lying, {method});
    EXPECT_NEAR(rods["cross_end"], 0.01 - by_length * 0.3 / (12 * 500.0), 2e-5) << method;
    EXPECT_NEAR(rods["ring_end"], 0.01 - by_length * 0.6 / (12 * 500.0), 2e-5) << method;
  }
}

/// A ring that hangs over a bar, without friction.
TEST(DerTies, ARingComesToRestOverABar) {
  const std::string deck = R"(
[model]
section = rigid
[rod]
count = 2
elements = 48
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.3
each = rod.shape : list(straight, ring)
each = rod.length : list(0.4, 0.6)
each = rod.origin[0] : list(-0.2, 0)
each = rod.origin[2] : list(0, -0.0756)
each = boundary.first : list(clamped, free)
each = boundary.last : list(clamped, free)
direction = 1, 0, 0
normal = 0, 0, 1
[gravity]
acceleration = 0, 0, -9.81
[contact]
kind = imc
tolerance = 5e-4
[measure]
define = top [m] : last(z(rod 1, start))
define = bottom [m] : last(z(rod 1, middle))
)";
  const Measured rest(deck, {"time.method=static"});
  const Measured still(deck, {"model.kind=der", "time.method=static"});
  const Measured hung(deck, {"model.kind=der", "time.step=0.01", "time.end=6", "rod.damping=3"});
  EXPECT_GE(hung["contact_count"], 1.0);
  for (const char* const place : {"top", "bottom"}) {
    EXPECT_NEAR(hung[place], still[place], 2e-5) << place;
    EXPECT_NEAR(still[place], rest[place], 5e-3 * std::abs(rest["bottom"])) << place;
  }
}

/// Places of closed and jointed rods that go where formulas say.
TEST(DerTies, MotionsDoTheWorkThatTheyDoOnCosseratRods) {
  const std::string ring =
      "[rod]\nshape = ring\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.3\nelements = 48\n[time]\nend = 0.3\n[motion]\n"
      "position = end : 0, 0.8 * t ^ 4, 0\n[measure]\ndefine = work [J] : last(work_motions)\n"
      "define = x_end [m] : last(x(middle))\ndefine = y_end [m] : last(y(middle))\n"
      "define = z_end [m] : last(z(middle))\n";
  const std::string tree = jointed_tree +
                           "[motion]\nposition = rod 1, node 20 : free, free, -1.5 * t ^ 4\n"
                           "[measure]\ndefine = work [J] : last(work_motions(rod 1))\n";
  for (const std::string& deck : {ring, tree}) {
    const Measured exact(deck, {"time.method=implicit", "time.step=5e-4"});
    const Measured rods(deck, der_steps(5e-4, "sdirk2"));
    EXPECT_LT(norm(end_of(rods) - end_of(exact)), 5e-4);
    EXPECT_NEAR(rods["work"] / exact["work"], 1.0, 2e-2);
  }
}

TEST(DerTies, GoOnBitByBitInAnotherBatch) {
  const auto expect_same = [](const std::string& deck, std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), {"output.frames=2", "time.slice_steps=7", "time.end=0.3"});
    const MemberJob job{make_member_spec(Deck::parse(deck, "test", overrides)), 1};
    const MemberOutcome whole = run_member(job.spec);
    ASSERT_EQ(whole.status, MemberStatus::done);
    EXPECT_EQ(run_in_pieces(job).fields, whole.fields);
  };
  for (const std::string& deck : {driven_ring, jointed_tree, chain}) {
    for (const char* scheme : {"backward_euler", "sdirk2"}) expect_same(deck, der_steps(4e-3, scheme));
  }
  expect_same(lying, {"time.step=4e-3"});
}

TEST(DerTies, RefuseWhatANodeThatIsOneWithAnotherCannot) {
  const auto problem_of = [](const std::string& deck, std::vector<std::string> overrides) {
    overrides.insert(overrides.end(), {"model.kind=der", "time.step=1e-3"});
    const std::optional<StartProblem> problem =
        refusal_at_start(make_member_spec(Deck::parse(deck, "test", overrides)));
    return problem ? std::string(problem->key) : "none";
  };
  const std::vector<std::string> stokeslets = {"fluid.kind=stokeslets", "fluid.viscosity=1"};
  for (const std::string& deck : {driven_ring, jointed_tree, chain})
    EXPECT_EQ(problem_of(deck, stokeslets), "fluid.kind") << deck;
  const auto held = [](const std::string& place) { return "motion.rotation=" + place + " about 1 0 0 : 0"; };
  EXPECT_EQ(problem_of(driven_ring, {held("element 0")}), "motion.rotation");
  EXPECT_EQ(problem_of(driven_ring, {held("element 5")}), "none");
  for (const std::string& deck : {jointed_tree, chain}) {
    EXPECT_EQ(problem_of(deck, {held("rod 0, element -1")}), "motion.rotation") << deck;
    EXPECT_EQ(problem_of(deck, {held("rod 2, element 0")}), "motion.rotation") << deck;
    EXPECT_EQ(problem_of(deck, {held("rod 2, element 5")}), "none") << deck;
  }
}

}  // namespace
}  // namespace rodeo::der
