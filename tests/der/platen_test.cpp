#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo::der {
namespace {

constexpr double weight = 1000.0 * M_PI * 0.01 * 0.01 * 0.5 * 9.81;  // of the rod below, N
constexpr double stiffness = 1e3;                                    // of the ground, N/m

/// A rod of 0.5 m and five elements that lies along x with its axis at y = 0.01 m.
std::string lying(const std::string& ground, const std::string& measures) {
  return "[model]\nkind = der\n[rod]\nelements = 5\nlength = 0.5\nradius = 0.01\ndensity = 1000\n"
         "young_modulus = 1e6\npoisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = 0, 0.01, 0\nnormal = 0, 0, "
         "1\n[gravity]\nacceleration = 0, -9.81, 0\n[ground]\nstiffness = 1e3\ndamping = 5\n" +
         ground + "[time]\nstep = 1e-3\nend = 1\n[measure]\ninterval = 1e-3\n" + measures;
}

TEST(ImplicitPlanes, CarryARodInTheCornerOfTwo) {
  // Planes that rise by 45 degrees to both sides of the rod carry cos(45 degrees) of its weight each.
  const Measured corner(lying("planes = 0, 0, 0, 0, 1, 1,   0, 0, 0, 0, 1, -1\n",
                              "define = y [m] : y(middle)\ndefine = z [m] : z(middle)\n"));
  const double depth = std::sqrt(0.5) * weight / (5.0 * stiffness);
  EXPECT_NEAR(corner["y"], std::sqrt(2.0) * (0.01 - depth), 1e-6);
  EXPECT_NEAR(corner["z"], 0.0, 1e-9);
}

TEST(ImplicitPlaten, LiftsARodByItsWeight) {
  const Measured lift(
      lying("platen = 0, 0, 0, 0, 1, 0 : 0, 0.05 * smooth(t, 0.3, 0.5), 0\n",
            "define = force [N] : platen_force_y\ndefine = shared [N] : platen_force_y(element 2)\n"
            "define = height [m] : y(middle) - at(0.3, y(middle))\ndefine = sunk [m] : y(middle) - 0.06\n"
            "define = work [J] : work_platen\ndefine = power [J] : integral(power_platen)\n"));
  EXPECT_NEAR(lift["force"], -weight, 1e-5 * weight);
  EXPECT_NEAR(lift["shared"], -0.2 * weight, 1e-3 * weight);
  EXPECT_NEAR(lift["sunk"], -weight / (5.0 * stiffness), 1e-6);
  EXPECT_NEAR(lift["height"], 0.05, 1e-6);
  EXPECT_NEAR(lift["work"], weight * 0.05, 1e-2 * weight * 0.05);  // what accelerates it comes and goes
  EXPECT_NEAR(lift["power"], lift["work"], 1e-2 * lift["work"]);
}

TEST(ImplicitPlaten, PressesARodIntoTheGroundByHalfOfItsWay) {
  const Measured pressed(
      lying("kind = plane\nnormal = 0, 1, 0\n"
            "platen = 0, 0.02, 0, 0, -1, 0 : 0, -4e-3 * smooth(t, 0.1, 0.3), 0\n",
            "define = force [N] : platen_force_y\ndefine = depth [m] : 0.01 - y(middle)\n"));
  // Both springs of each element are as stiff, and the ground's carries the weight too.
  const double force = (4e-3 * 5.0 * stiffness - weight) / 2.0;
  EXPECT_NEAR(pressed["force"], force, 1e-4 * force);
  EXPECT_NEAR(pressed["depth"], (force + weight) / (5.0 * stiffness), 1e-6);
}

TEST(ImplicitPlaten, CarriesARodByFrictionAndSlidesAwayBelowIt) {
  const double greatest = 10.0 / std::sqrt(3.0) * 0.02 / (0.2 * 0.2);  // acceleration of smooth()
  for (const double part : {1.5, 0.3}) {
    const double mu = part * greatest / 9.81;
    const std::string friction = std::to_string(mu) + ", " + std::to_string(mu) + ", 0\n";
    const Measured carried(lying("velocity_threshold = 1e-6\nstatic_friction = " + friction +
                                     "kinetic_friction = " + friction +
                                     "platen = 0, 0, 0, 0, 1, 0 : 0.02 * smooth(t, 0.3, 0.5), 0, 0\n",
                                 "define = way [m] : x(start)\ndefine = most [N] : max(-platen_force_x)\n"));
    if (part > 1.0) {
      EXPECT_NEAR(carried["way"], 0.02, 1e-4);
    } else {
      EXPECT_LT(carried["way"], 0.019);
      EXPECT_NEAR(carried["most"], mu * weight, 1e-2 * mu * weight);
    }
  }
}

TEST(ImplicitPlaten, LosesToFrictionWhatItSlidesBelowARod) {
  // Which is held at one end. It slides when the springs along it bear all that friction does.
  const Measured slid(lying("velocity_threshold = 1e-6\nstatic_friction = 0.3, 0.3, 0\n"
                            "kinetic_friction = 0.3, 0.3, 0\n"
                            "platen = 0, 0, 0, 0, 1, 0 : 0.05 * smooth(t, 0.3, 0.8), 0, 0\n",
                            "define = force [N] : at(0.5, platen_force_x)\n"
                            "define = work [J] : last(work_platen) - at(0.3, work_platen)\n"
                            "define = energy [J] : last(energy_drift) - at(0.3, energy_drift)\n"
                            "[motion]\nposition = start : 0, free, free\n"),
                      {"rod.young_modulus=1e9"});  // it does not give way
  const double friction = 0.3 * weight;
  const double stretch = friction / (5.0 * stiffness);
  EXPECT_NEAR(slid["force"], -friction, 1e-4 * friction);
  EXPECT_NEAR(slid["work"] - slid["energy"], friction * (0.05 - stretch), 1e-3 * friction * 0.05);
}

TEST(ImplicitPlaten, LosesToDashpotsWhatTheyResist) {
  // It rises at one speed into an element that is held.
  const Measured pressed(
      "[model]\nkind = der\n[rod]\nelements = 1\nlength = 0.1\nradius = 0.01\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = 0, 0.01, 0\n"
      "normal = 0, 0, 1\n[motion]\nposition = start : 0, 0, 0\nposition = end : 0, 0, 0\n"
      "[ground]\nstiffness = 1e3\ndamping = 500\nplaten = 0, 0, 0, 0, 1, 0 : 0, 0.01 * t, 0\n"
      "[time]\nstep = 1e-3\nend = 0.1\n[measure]\ninterval = 1e-3\n"
      "define = force [N] : platen_force_y\ndefine = work [J] : work_platen\n"
      "define = energy [J] : energy_drift\n");
  constexpr double way = 1e-3;
  constexpr double resistance = 500.0 * 0.01;
  EXPECT_NEAR(pressed["force"], -(stiffness * way + resistance), 1e-6);
  EXPECT_NEAR(pressed["energy"], 0.5 * stiffness * way * way, 1e-9);
  EXPECT_NEAR(pressed["work"] - pressed["energy"], resistance * way, 2e-3 * resistance * way);
}

/// A cantilever that the platen bends down at its tip, tilted so that it touches nothing else.
constexpr const char* bent_cantilever =
    "[model]\nkind = der\n[rod]\nelements = 10\nlength = 0.2\nradius = 0.01\ndensity = 1000\n"
    "young_modulus = 1e8\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
    "[boundary]\nfirst = clamped\n[ground]\nstiffness = 1e5\ndamping = 0\n"
    "platen = 0.2 + 0.01 * 0.3 / sqrt(1.09), 0.01 / sqrt(1.09), 0, -0.3, -1, 0 : "
    "0, -0.005 * smooth(t, 0, 0.3), 0\n"
    "[time]\nstep = 1e-4\nend = 0.3\n[measure]\ninterval = 1e-2\n"
    "define = force [N] : platen_force_y\ndefine = work [J] : work_platen\n"
    "define = energy [J] : energy_drift\n";

TEST(ImplicitPlaten, WorksAsMuchAsTheEnergyOfACantileverChanges) {
  const Measured bent(bent_cantilever);
  const double cantilever = 3.0 * 1e8 * M_PI * 1e-8 / 4.0 / std::pow(0.2, 3);  // N/m
  EXPECT_NEAR(bent["force"], cantilever * 0.005, 0.03 * cantilever * 0.005);
  EXPECT_NEAR(bent["work"], bent["energy"], 1e-3 * bent["work"]);
}

TEST(ImplicitPlaten, WorksOnceInStepsThatAreTakenAgain) {
  std::vector<std::string> hard = {"time.step=1e-2", "newton.iterations=1"};
  const Measured halved(bent_cantilever, hard);
  EXPECT_NEAR(halved["work"], halved["energy"], 2e-3 * halved["work"]);
  hard.push_back("newton.halvings=0");
  const MemberSpec whole = make_member_spec(Deck::parse(bent_cantilever, "test.ini", hard));
  EXPECT_EQ(run_member(whole).status, MemberStatus::too_stiff) << "so steps were halved";
}

}  // namespace
}  // namespace rodeo::der
