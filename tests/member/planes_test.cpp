#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double weight = 1000.0 * pi * 0.01 * 0.01 * 0.5 * 9.81;  // of the rod below, N

/// A rod of 0.5 m that lies along x with its axis at y = 0.01 m, between what `ground` says.
std::string lying(const std::string& ground, const std::string& more) {
  return "[rod]\nelements = 5\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
         "poisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = 0, 0.01, 0\nnormal = 0, 0, 1\n"
         "[gravity]\nacceleration = 0, -9.81, 0\n[ground]\nstiffness = 1e3\n" +
         ground + "[time]\nstep = 5e-5\nend = 0.5\n[measure]\ninterval = 5e-4\n" + more;
}

TEST(Planes, ABoxOfSixKeepsARodThatBouncesInIt) {
  // Frictionless and undamped: the middle goes as a ball between walls, in each direction for itself.
  const Measured box(
      "[rod]\nelements = 1\nlength = 0.1\nradius = 0.05\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\norigin = 0, 0, -0.05\nvelocity = 0.9, 0.5, 0\n[ground]\nplanes = "
      "-0.6, 0, 0, 2, 0, 0, 0.6, 0, 0, -2, 0, 0, 0, -0.6, 0, 0, 1, 0, 0, 0.6, 0, 0, -1, 0, "
      "0, 0, -0.6, 0, 0, 1, 0, 0, 0.6, 0, 0, -1\nstiffness = 1e4\ndamping = 0\n"
      "[time]\nstep = 1e-4\nend = 4\n[measure]\ninterval = 1e-3\n"
      "define = right [m] : max(x(middle))\ndefine = left [m] : min(x(middle))\n"
      "define = up [m] : max(y(middle))\ndefine = down [m] : min(y(middle))\n"
      "define = x [m] : last(x(middle))\ndefine = y [m] : last(y(middle))\ndefine = z [m] : "
      "max(abs(z(middle)))\n"
      "define = gain [1] : max(abs(energy_drift)) / at(0, total_energy)\n");
  const double mass = 1000.0 * pi * 0.05 * 0.05 * 0.1;
  const double touching = pi * std::sqrt(mass / 1e4);  // half a swing on the wall's spring, s
  constexpr double way = 0.55;                         // of the middle, from the centre to a wall
  const auto ball = [&](double speed) {
    const double from_wall = 4.0 + way / speed;
    const double lap = 2.0 * way / speed + touching;
    const int bounces = static_cast<int>(from_wall / lap);
    return (bounces % 2 == 0 ? 1.0 : -1.0) * ((from_wall - bounces * lap) * speed - way);
  };
  EXPECT_NEAR(box["x"], ball(0.9), 1e-3);
  EXPECT_NEAR(box["y"], ball(0.5), 1e-3);
  EXPECT_LT(box["z"], 1e-12);
  const double depth = std::sqrt(mass / 1e4);  // per speed
  EXPECT_NEAR(box["right"], way + 0.9 * depth, 1e-3);
  EXPECT_NEAR(box["left"], -way - 0.9 * depth, 1e-3);
  EXPECT_NEAR(box["up"], way + 0.5 * depth, 1e-3);
  EXPECT_NEAR(box["down"], -way - 0.5 * depth, 1e-3);
  EXPECT_LT(box["gain"], 1e-3);
}

TEST(GroundDepth, OfImplicitStepsIsThatOfAllTheirEnds) {
  // A rod that falls flat on soft springs sinks as deep as a mass on one: v sqrt(m/k).
  const std::string falling =
      "[rod]\nelements = 20\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\norigin = 0, 0, 0.3\nvelocity = 0, 0, -3\n"
      "[ground]\nkind = plane\nnormal = 0, 0, 1\nresponse = springs\nstiffness = 20\ndamping = 0\n"
      "[time]\nstep = 2e-4\nend = 0.2\n";
  const double mass = 1100.0 * pi * 0.004 * 0.004 * 0.2 / 20;
  const double depth = 3.0 * std::sqrt(mass / 20.0) / 0.004;
  for (const char* model : {"time.method=implicit", "model.kind=der"}) {
    const auto with = [&](const char* slices) {
      return Measured(falling, {model, slices})["ground_depth_relative"];
    };
    const double found = with("time.slice_steps=1000");
    EXPECT_NEAR(found, depth, 0.1 * depth) << model;
    EXPECT_NEAR(found, with("time.slice_steps=1"), 1e-6) << model;
  }
}

TEST(Platen, LiftsARodByItsWeightAndByWhatAcceleratesIt) {
  for (const char* precision : {"double", "single"}) {
    const Measured lift(lying(
        "damping = 0.5\nplaten = 0, 0, 0, 0, 1, 0 : 0, variable.rise * smooth(t, 0.1, 0.3), 0\n",
        "define = first [N] : at(0.05, platen_force_y)\n"
        "define = at_rest [N] : last(platen_force_y)\ndefine = shared [N] : last(platen_force_y(element 2))\n"
        "define = height [m] : last(y(middle))\ndefine = work [J] : last(work_platen)\n"
        "define = power [W] : integral(power_platen)\n"
        "define = speed [m/s] : max(vy(middle))\ndefine = potential [J] : last(energy_drift)\n"
        "[variable]\nrise = 0.05\n[model]\nprecision = " +
            std::string(precision) + "\n"));
    const double rounding = std::string(precision) == "single" ? 1e-5 : 1e-9;
    EXPECT_NEAR(lift["first"], -weight, rounding * weight);
    EXPECT_NEAR(lift["at_rest"], -weight, 1e-4 * weight);  // which still swings a little
    EXPECT_NEAR(lift["shared"], -0.2 * weight, 1e-4 * weight);
    EXPECT_NEAR(lift["height"], 0.06, 1e-6);
    EXPECT_NEAR(lift["speed"], 1.875 * 0.05 / 0.2, 2e-3);  // of smooth(), half way
    EXPECT_NEAR(lift["work"], weight * 0.05, 1e-3 * weight * 0.05);
    EXPECT_NEAR(lift["power"], lift["work"], 1e-3 * lift["work"]);
    EXPECT_NEAR(lift["potential"], lift["work"], 1e-3 * lift["work"]);
  }
}

/// By numbers of the control, which come an interval late.
TEST(Platen, GoesWhereControlTakesItAsWhereFormulasDo) {
  const auto lifted = [](const std::string& course, const std::string& more) {
    return Measured(
        lying("damping = 0.5\nresponse = springs\nplaten = 0, 0, 0, 0, 1, 0 : 0, " + course + ", 0\n",
              "define = height [m] : last(y(middle))\ndefine = work [J] : last(work_platen)\n" + more));
  };
  const Measured by_time = lifted("(t > 0.1 ? 0.1*(t - 0.1) : 0)", "");
  for (const char* start : {"", "from = equilibrium\n"}) {
    const Measured driven = lifted(
        "lift",
        std::string("[control]\ninterval = 0.1\nhold = linear\noutput = lift : 0.1*t\n[time]\n") + start);
    EXPECT_NEAR(driven["height"], by_time["height"], 2e-5) << start;
    EXPECT_NEAR(driven["work"], by_time["work"], 1e-2 * by_time["work"]) << start;
    EXPECT_LT(driven["ground_depth_relative"], by_time["ground_depth_relative"] * (1.0 + 1e-4)) << start;
    if (*start != '\0') continue;
    EXPECT_NEAR(driven["ground_depth_relative"], by_time["ground_depth_relative"], 1e-4);
    EXPECT_NEAR(driven["work"], by_time["work"], 1e-4 * by_time["work"]);
  }
}

TEST(Platen, PressesARodIntoTheGround) {
  // Down on to it and by 1 mm further: what answers all forces does not yield, the ground does.
  const Measured pressed(lying(
      "kind = plane\nnormal = 0, 1, 0\ndamping = 0.5\n"
      "platen = 0, 0.03, 0, 0, -1, 0 : 0, -0.01 * ramp(t, 0, 0.1) - 1e-3 * smooth(t, 0.1, 0.3), 0\n",
      "define = before [N] : max(platen_force_y over 0 to 0.09)\ndefine = force [N] : last(platen_force_y)\n"
      "define = depth [m] : 0.01 - last(y(middle))\n"));
  EXPECT_EQ(pressed["before"], 0.0);
  EXPECT_NEAR(pressed["depth"], 1e-3, 1e-6);
  EXPECT_NEAR(pressed["force"], 5.0 * 1e3 * 1e-3, 1e-3 * 5.0);
}

TEST(Platen, CarriesARodByFrictionAndSlidesAwayBelowIt) {
  // Along the rod, from rest to 0.02 m: 5.77 x / T^2 is the greatest acceleration of smooth().
  const double greatest = 10.0 / std::sqrt(3.0) * 0.02 / (0.2 * 0.2);
  for (const double part : {1.2, 0.5}) {
    const double mu = part * greatest / 9.81;
    const std::string friction = std::to_string(mu) + ", " + std::to_string(mu) + ", 0\n";
    const Measured carried(lying("velocity_threshold = 1e-6\nstatic_friction = " + friction +
                                     "kinetic_friction = " + friction +
                                     "platen = 0, 0, 0, 0, 1, 0 : 0.02 * smooth(t, 0.1, 0.3), 0, 0\n",
                                 "define = way [m] : last(x(start))\n"
                                 "define = most [N] : max(-platen_force_x)\n"
                                 "define = work [J] : last(work_platen)\n"));
    if (part > 1.0) {
      EXPECT_NEAR(carried["way"], 0.02, 1e-5);
      EXPECT_NEAR(carried["most"], greatest / 9.81 * weight, 2e-3 * weight);
      EXPECT_NEAR(carried["work"], 0.0, 1e-3 * weight * 0.02);
    } else {
      EXPECT_LT(carried["way"], 0.0199);
      EXPECT_NEAR(carried["most"], mu * weight, 1e-3 * mu * weight);
    }
  }
}

TEST(Platen, WorksAsMuchAsTheEnergyOfACantileverChanges) {
  // Which it bends down at its tip, tilted so that it touches nothing else, and lets up again.
  const Measured bent(
      "[rod]\nelements = 10\nlength = 0.2\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
      "[ground]\nstiffness = 1e5\ndamping = 0\n"
      "platen = 0.2 + 0.01 * 0.3 / sqrt(1.09), 0.01 / sqrt(1.09), 0, -0.3, -1, 0 : "
      "0, -0.005 * (smooth(t, 0, 0.15) - smooth(t, 0.15, 0.3)), 0\n"
      "[time]\nstep = 1e-5\nend = 0.3\n[measure]\ninterval = 1e-3\n"
      "define = force [N] : at(0.15, platen_force_y)\n"
      "define = work [J] : at(0.15, work_platen)\ndefine = energy [J] : at(0.15, energy_drift)\n"
      "define = back [J] : last(work_platen)\ndefine = left [J] : last(energy_drift)\n");
  const double stiffness = 3.0 * 1e8 * pi * 1e-8 / 4.0 / std::pow(0.2, 3);  // N/m
  EXPECT_NEAR(bent["force"], stiffness * 0.005, 0.03 * stiffness * 0.005);
  EXPECT_NEAR(bent["work"], bent["energy"], 1e-3 * bent["work"]);
  EXPECT_NEAR(bent["back"], bent["left"], 1e-5 * bent["work"]);
  EXPECT_LT(bent["left"], 1e-3 * bent["work"]);
}

}  // namespace
}  // namespace rodeo
