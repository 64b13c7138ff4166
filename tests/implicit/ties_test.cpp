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

namespace rodeo::implicit {
namespace {

constexpr TiedRods tied = {16, 8, 8, 0.01, 1e6};
const std::string driven_ring = tied.driven_ring() + "[time]\nstep = 1e-5\n";
const std::string jointed_tree = tied.jointed_tree() + "[time]\nstep = 1e-5\n";
const std::string chain = tied.chain() + "[time]\nstep = 1e-5\n";

Vec3 end_of(const Measured& rods) { return {rods["x_end"], rods["y_end"], rods["z_end"]}; }

TEST(ImplicitTies, MoveRodsAsExplicitStepsDoInSecondOrder) {
  for (const std::string& deck : {driven_ring, jointed_tree, chain}) {
    const Vec3 exact = end_of(Measured(deck));
    std::array<double, 3> errors{};
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const Measured rods(deck, {"time.method=implicit", "time.step=" + std::to_string(1e-3 / (1 << k))});
      errors[k] = norm(end_of(rods) - exact);
      EXPECT_LT(rods["newton_iterations_per_step"], 3.5);
    }
    EXPECT_LT(errors[2], 1e-6) << deck;
    EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.5) << deck;
    EXPECT_NEAR(errors[1] / errors[2], 4.0, 0.5) << deck;
  }
}

TEST(ImplicitTies, ConservingStepsMoveRodsAsExplicitOnesDoInSecondOrder) {
  for (const std::string& deck : {driven_ring, jointed_tree, chain}) {
    const Vec3 exact = end_of(Measured(deck));
    std::array<double, 2> errors{};
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const Measured rods(deck, {"time.method=implicit", "time.scheme=energy_momentum",
                                 "time.step=" + std::to_string(1e-3 / (1 << k))});
      errors[k] = norm(end_of(rods) - exact);
    }
    EXPECT_LT(errors[1], 5e-6) << deck;
    EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.5) << deck;
  }
}

/// Nothing acts on a ring after a kick.
TEST(ImplicitTies, AKickedRingKeepsEnergyAndMomenta) {
  const Measured ring(
      "[rod]\nshape = ring\nelements = 24\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.3\n[load]\nmiddle_force = 0.3, 0.1, -0.2\nperturbation_duration = 0.1\n[time]\n"
      "method = implicit\nscheme = energy_momentum\nstep = 0.01\nend = 2\n",
      {});
  EXPECT_LT(std::abs(ring["energy_drift"] / ring["total_energy"]), 1e-9);
  EXPECT_GT(ring["rotational_energy"], 0.0);
  EXPECT_GT(ring["bending_energy"], 1e-3 * ring["total_energy"]);
  EXPECT_LT(ring["momentum_drift"], 1e-11);
  EXPECT_LT(ring["angular_momentum_drift"], 1e-11);
}

/// Where there is ground all rods have one matrix; else a ring alone has its seam taken out of its own.
TEST(ImplicitTies, ARingMovesAsWithGroundThatItDoesNotTouch) {
  const std::vector<std::string> steps = {"time.method=implicit", "time.step=2e-3",
                                          "time.spectral_radius=0.5"};
  std::vector<std::string> above_ground = steps;
  above_ground.insert(above_ground.end(), {"ground.kind=plane", "ground.origin=0, 0, -9",
                                           "ground.normal=0, 0, 1", "ground.stiffness=1"});
  EXPECT_LT(norm(end_of(Measured(driven_ring, steps)) - end_of(Measured(driven_ring, above_ground))), 1e-9);
}

/// Two waves around a ring that neither stretches nor shears: omega^2 = B/(mu R^4) n^2 (n^2 - 1)^2/(n^2 + 1).
/// A sudden load of that shape moves it by 1 - cos(omega t).
TEST(ImplicitTies, ARingVibratesInItsPlane) {
  constexpr double thickness = 1e-3;
  constexpr int elements = 60;
  const double radius = 0.5 / std::numbers::pi;
  const double stiffness_over_mass = 1e9 / 1000.0 * 0.25 * thickness * thickness;
  const double rate = std::sqrt(stiffness_over_mass) / (radius * radius) * 6.0 / std::sqrt(5.0);
  const double quarter = 0.5 * std::numbers::pi / rate;
  const double at_rest = 1.0 / (elements * std::sin(std::numbers::pi / elements));
  const auto grown_after = [&](double end) {
    const Measured ring(
        "[model]\nsection = rigid\n[rod]\nshape = ring\nelements = 60\nlength = 1\ndirection = 0, 0, 1\n"
        "normal = 1, 0, 0\nradius = 1e-3\ndensity = 1000\npoisson_ratio = 0.3\nyoung_modulus = 1e9\n"
        "[actuation]\nforce = d1 : 1e-4 * cos(4 * pi * s)\n[time]\nmethod = implicit\n[measure]\n"
        "define = across [m] : sqrt((last(x(middle)) - last(x(start))) ^ 2 + (last(y(middle)) - "
        "last(y(start))) ^ 2)\n",
        {"time.step=" + std::to_string(end / 400.0), "time.end=" + std::to_string(end)});
    return ring["across"] - at_rest;
  };
  const double first = grown_after(quarter);
  const double second = grown_after(2.0 * quarter);
  EXPECT_GT(std::abs(first), 1e-5);
  EXPECT_NEAR(std::acos(second / (2.0 * first) - 1.0) / (0.5 * std::numbers::pi), 1.0, 3e-3);
}

/// Nothing acts on two rods that fly apart but for a ball between them.
TEST(ImplicitTies, JointedRodsKeepTheirMomenta) {
  const auto flown = [](const char* scheme, const char* step) {
    return Measured(
        "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 10\nlength = 0.5\nradius = 0.01\n"
        "density = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
        "each = rod.origin[0] : list(0, 0.5)\neach = rod.velocity[1] : list(1, -0.3)\n"
        "each = rod.velocity[2] : list(0.2, 0.7)\n[connection]\nball = rod 0, end to rod 1, start\n"
        "[time]\nmethod = implicit\nend = 0.4\n",
        {"time.step=" + std::string(step), scheme});
  };
  const Measured coarse = flown("time.spectral_radius=0.9", "2e-3");
  const Measured fine = flown("time.spectral_radius=0.9", "1e-3");
  EXPECT_LT(coarse["momentum_drift"], 1e-13);
  EXPECT_GT(coarse["rotational_energy"], 0.0);
  EXPECT_LT(fine["angular_momentum_drift"], 1e-6);
  EXPECT_LT(fine["angular_momentum_drift"], 0.35 * coarse["angular_momentum_drift"]);
  const Measured conserved = flown("time.scheme=energy_momentum", "2e-3");
  EXPECT_LT(std::abs(conserved["energy_drift"] / conserved["total_energy"]), 1e-9);
  EXPECT_LT(conserved["momentum_drift"], 1e-11);
  EXPECT_LT(conserved["angular_momentum_drift"], 1e-11);
}

/// A ring that hangs over a bar, without friction.
TEST(ImplicitTies, ARingComesToRestOverABarWhereItsEquilibriumIs) {
  const std::string deck = R"(
[model]
section = rigid
[rod]
count = 2
elements = 24
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
  const Measured hung(deck, {"time.method=implicit", "time.step=0.01", "time.end=6", "rod.damping=3"});
  EXPECT_GE(hung["contact_count"], 1.0);
  EXPECT_NEAR(hung["top"], rest["top"], 2e-5);
  EXPECT_NEAR(hung["bottom"], rest["bottom"], 2e-5);
}

/// A cross of two rods with a node in common, and a ring, stand on springs as their weights ask, though
/// gravity draws them along the ground a little.
constexpr const char* lying = R"(
[model]
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
acceleration = 0.5, 0, -9.81
[ground]
kind = plane
origin = 0, 0, 0
normal = 0, 0, 1
stiffness = 500
damping = 2
static_friction = 0.3, 0.3, 0.3
kinetic_friction = 0.3, 0.3, 0.3
velocity_threshold = 1e-4
[time]
method = implicit
step = 2e-3
end = 1
[measure]
define = cross_end [m] : last(z(rod 0, middle))
define = ring_end [m] : last(z(rod 2, middle))
define = cross_x [m] : last(x(rod 1, end))
define = ring_x [m] : last(x(rod 2, end)) - 1
)";

TEST(ImplicitTies, GroundCarriesThem) {
  const Measured rods(lying);
  const double by_length = 1000.0 * std::numbers::pi * 1e-4 * 9.81;
  EXPECT_NEAR(rods["cross_end"], 0.01 - by_length * 0.3 / (12 * 500.0), 2e-5);
  EXPECT_NEAR(rods["ring_end"], 0.01 - by_length * 0.6 / (12 * 500.0), 2e-5);
  EXPECT_NEAR(rods["cross_x"], Measured(lying, {"time.end=2"})["cross_x"], 1e-7) << "no creep";
}

/// Places of closed and jointed rods that go where formulas say.
TEST(ImplicitTies, MotionsBearWhatTheyDoInExplicitSteps) {
  const std::string ring = driven_ring +
                           "[motion]\nposition = start : free, 0.8 * t ^ 4, free\n"
                           "rotation = element 0 about 1 0 0 : 0\n"
                           "[measure]\ndefine = force [N] : last(reaction_y(start))\n";
  const std::string tree = jointed_tree +
                           "[motion]\nposition = rod 1, node 4 : free, free, -1.5 * t ^ 4\n"
                           "[measure]\ndefine = force [N] : last(reaction_z(rod 1, node 4))\n";
  for (const std::string& deck : {ring, tree}) {
    const Measured exact(deck);
    const Measured rods(deck, {"time.method=implicit", "time.step=5e-4"});
    EXPECT_LT(norm(end_of(rods) - end_of(exact)), 1e-5);
    EXPECT_NEAR(rods["force"] / exact["force"], 1.0, 2e-3);
  }
}

TEST(ImplicitTies, GoOnBitByBitInAnotherBatch) {
  const std::vector<std::string> steps = {"time.method=implicit", "time.step=4e-3", "time.slice_steps=7",
                                          "time.end=0.3"};
  const auto expect_same = [](const std::string& deck, std::vector<std::string> overrides) {
    overrides.emplace_back("output.frames=2");
    const MemberJob job{make_member_spec(Deck::parse(deck, "test", overrides)), 1};
    const MemberOutcome whole = run_member(job.spec);
    ASSERT_EQ(whole.status, MemberStatus::done);
    EXPECT_EQ(run_in_pieces(job).fields, whole.fields);
  };
  for (const std::string& deck : {driven_ring, jointed_tree, chain}) expect_same(deck, steps);
  expect_same(lying, {"time.step=4e-3", "time.slice_steps=7", "time.end=0.3"});
}

}  // namespace
}  // namespace rodeo::implicit
