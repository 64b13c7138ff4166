#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "member/measured.hpp"
#include "statics/relaxed.hpp"

namespace rodeo::statics {
namespace {

/// 1 m along x with B = 0.785 N m^2, so slender that it hardly shears or shortens.
constexpr const char* thin_beam =
    "[rod]\nelements = 40\nlength = 1\nradius = 0.001\ndensity = 1000\nbend_stiffness = 0.7853981633974483\n"
    "twist_stiffness = 0.7\nstretch_stiffness = 3e5\nshear_stiffness = 1e5\ndirection = 1, 0, 0\n"
    "normal = 0, 1, 0\n[time]\nmethod = static\n[measure]\ninterval = 1\n";
constexpr double beam_stiffness = 0.7853981633974483;

TEST(RestingMotions, MiddleOfABeamIsHeldByItsStiffness) {
  const double way = 1e-4;
  const double force = 48.0 * beam_stiffness * way / (1.0 + 12.0 * beam_stiffness / 1e5);
  std::array<double, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Measured beam(std::string(thin_beam) +
                            "define = force [N] : reaction_y(middle)\ndefine = work [J] : work_motions\n"
                            "define = power [W] : power_motions\n"
                            "[boundary]\nfirst = pinned\nlast = pinned_sliding\n[motion]\n"
                            "position = middle : free, 1e-4 * t, free\n",
                        {"time.step=0.25", "rod.elements=" + std::to_string(20 << k)});
    errors[k] = beam["force"] / force - 1.0;
    EXPECT_NEAR(beam["work"], 0.5 * beam["force"] * way, 1e-6 * force * way);
    EXPECT_NEAR(beam["power"], beam["force"] * way, 1e-6 * force * way);
    EXPECT_EQ(value(beam.outcome, "unstable_modes"), 0.0);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.05);
  EXPECT_NEAR((4.0 * errors[1] - errors[0]) / 3.0, 0.0, 1e-5);
}

TEST(RestingMotions, EndsThatTurnBendARodToAnArc) {
  const Measured arc(std::string(thin_beam) +
                     "define = couple [N m] : reaction_couple_z(element 39)\n"
                     "define = back [N m] : reaction_couple_z(element 0)\ndefine = work [J] : work_motions\n"
                     "[boundary]\nfirst = pinned\n[motion]\nrotation = start about 0 0 1 : -1.2 * t\n"
                     "rotation = end about 0 0 1 : 1.2 * t\n");
  const double angle = 2.4;
  EXPECT_NEAR(arc["couple"], beam_stiffness * angle, 1e-9);
  EXPECT_NEAR(arc["back"], -beam_stiffness * angle, 1e-9);
  EXPECT_NEAR(arc["work"], 0.5 * beam_stiffness * angle * angle, 1e-9);
  EXPECT_NEAR(value(arc.outcome, "bending_energy"), arc["work"], 1e-9);
  EXPECT_NEAR(value(arc.outcome, "end_x"), std::sin(1.2) / 1.2, 1e-3);
  EXPECT_NEAR(value(arc.outcome, "end_y"), 0.0, 1e-9);
  EXPECT_LT(value(arc.outcome, "newton_iterations"), 8.0);
}

TEST(RestingMotions, AFrameTakesAFreeRodWithIt) {
  const Measured rod(std::string(thin_beam) +
                     "[motion]\nposition = start : 0, 0.1 * t, 0\nrotation = start about 0 0 1 : 2 * t\n");
  EXPECT_NEAR(value(rod.outcome, "end_x"), std::cos(2.0), 1e-9);
  EXPECT_NEAR(value(rod.outcome, "end_y"), 0.1 + std::sin(2.0), 1e-9);
  EXPECT_NEAR(value(rod.outcome, "bending_energy"), 0.0, 1e-12);
}

TEST(RestingMotions, LetGoARodGoesBack) {
  const std::string deck = std::string(thin_beam) + "[boundary]\nfirst = clamped\n";
  const Measured held(deck, {"time.step=1", "motion.position=end : free, 0.6 * t, 0.2 * t"});
  EXPECT_GT(value(held.outcome, "bending_energy"), 0.3);
  const Measured released(
      deck, {"time.step=1", "time.end=2", "motion.position=end : free, 0.6 * t, 0.2 * t until 1"});
  EXPECT_NEAR(value(released.outcome, "bending_energy"), 0.0, 1e-15);
  EXPECT_NEAR(value(released.outcome, "end_x"), 1.0, 1e-10);
  const Measured later(deck, {"time.step=1", "time.end=3", "load.end_force=0, 1, 0",
                              "motion.position=end : 0, 0, 0 from 1 until 2",
                              "motion.rotation=element 20 about 1 0 0 : 0.5 * (t - 2) from 2"});
  EXPECT_GT(value(later.outcome, "bending_energy"), 0.1);
  EXPECT_GT(value(later.outcome, "twist_energy"), 0.05);
}

/// Held at its middle a column buckles in two half waves.
TEST(RestingMotions, HeldMiddleMakesAColumnFourTimesAsStrong) {
  const Measured column(std::string(thin_beam) +
                        "[boundary]\nfirst = pinned\nlast = pinned_sliding\n[motion]\n"
                        "position = middle : free, 0, 0\n[branch]\nkey = load.axial_force\nto = 60\n"
                        "stop = first_bifurcation\n");
  EXPECT_NEAR(value(column.outcome, "critical_value") / (4.0 * M_PI * M_PI * beam_stiffness), 1.0, 5e-3);
}

/// By displacement instead of force.
TEST(RestingMotions, BranchGoesAlongACourse) {
  const std::string bow =
      "[variable]\nh = 0.1\n[rod]\nelements = 20\nlength = 1\nradius = 0.005\ndensity = 1000\n"
      "young_modulus = 1e7\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\n"
      "first = clamped\nlast = clamped_sliding\n[motion]\nposition = middle : free, h * t, free\n"
      "rotation = s 0.25 about 0 0 1 : 5 * h * t\n[time]\nmethod = static\n[measure]\ninterval = 1\n"
      "define = force [N] : reaction_y(middle)\ndefine = height [m] : y(middle)\n";
  const Measured branch(bow + "[branch]\nkey = variable.h\nfrom = 0.01\nto = 0.1\n");
  EXPECT_EQ(value(branch.outcome, "branch_value"), 0.1);
  EXPECT_NEAR(branch["height"], 0.1, 1e-15);
  const Measured alone(bow);
  EXPECT_GT(std::abs(alone["force"]), 1e-3);
  EXPECT_NEAR(branch["force"], alone["force"], 1e-9);
}

/// Castigliano: two forces that part opposite places of a ring move them by (pi/4 - 2/pi) P R^3/B.
TEST(RestingMotions, RingIsHeldAtItsSeamToo) {
  const double way = 1e-5;
  for (const char* const places : {"position = start : 0, 0, 0\nposition = middle : -1e-5 * t, 0, 0\n",
                                   "position = start : 1e-5 * t, 0, 0\nposition = middle : 0, 0, 0\n"}) {
    const Measured ring(std::string("[rod]\nshape = ring\nelements = 80\nlength = 1\nradius = 0.001\n"
                                    "density = 1000\nbend_stiffness = 1\ntwist_stiffness = 0.7\n"
                                    "stretch_stiffness = 1e7\nshear_stiffness = 1e7\ndirection = 0, 0, 1\n"
                                    "normal = 1, 0, 0\n[time]\nmethod = static\n[measure]\n"
                                    "interval = 1\ndefine = first [N] : reaction_x(start)\n"
                                    "define = middle [N] : reaction_x(middle)\n"
                                    "define = apart [m] : x(start) - x(middle)\n[motion]\n") +
                        places);
    const double radius = 0.5 / M_PI;
    const double force = way / ((M_PI / 4.0 - 2.0 / M_PI) * std::pow(radius, 3));
    EXPECT_NEAR(ring["apart"], 2.0 * radius + way, 1e-3 * radius) << places;
    EXPECT_NEAR(ring["first"] / force, 1.0, 5e-3) << places;
    EXPECT_NEAR(ring["middle"] / force, -1.0, 5e-3) << places;
  }
}

TEST(RestingMotions, PlacesOfARingMayTurn) {
  const char* const ring =
      "[rod]\nshape = ring\nelements = 30\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n";
  expect_as_relaxed(ring,
                    {"motion.position=start : 0, 0, 0", "motion.rotation=element 0 about 1 0 0 : 0",
                     "motion.rotation=element 29 about 0 1 0 : 0.1 * smooth(t, 0, 1)",
                     "motion.rotation=element 14 about 1 0 1 : 0.8 * smooth(t, 0, 1)"},
                    {"model.section=rigid", "rod.relaxation_time=0.1", "time.step=1e-4", "time.end=8"}, 1e-6);
}

TEST(RestingMotions, PlacesThatMoveAndTurnAreWhereDampedStepsTakeThem) {
  const char* const cord =
      "[rod]\nelements = 16\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n[gravity]\n"
      "acceleration = 0, 0, -1\n";
  expect_as_relaxed(cord,
                    {"motion.position=s 0.6 : -0.1 * smooth(t, 0, 1), 0.2 * smooth(t, 0, 1), free",
                     "motion.rotation=element 12 about 1 1 0 : 1.5 * smooth(t, 0, 1)"},
                    {"model.section=rigid", "rod.relaxation_time=0.45", "time.step=2e-4", "time.end=12"},
                    1e-6);
}

}  // namespace
}  // namespace rodeo::statics
