#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo::on_springs {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double g = 9.81;
constexpr double rod_radius = 0.01;
constexpr double mass = 1000.0 * pi * rod_radius * rod_radius * 0.5;  // of the rod below, kg
constexpr double spring = 1e3;                                        // of each of its five elements, N/m

std::string triple(double x, double y, double z) {
  return std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "\n";
}

/// A rod of 0.5 m that lies along x on y = 0, pulled along x and z by parts of its weight.
std::string lying(double along, double across, const std::string& ground, const std::string& more) {
  return "[rod]\nelements = 5\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
         "poisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = 0, 0.01, 0\nnormal = 0, 0, 1\n"
         "[gravity]\nacceleration = " +
         triple(along * g, -g, across * g) +
         "[ground]\nkind = plane\nnormal = 0, 1, 0\nresponse = springs\nstiffness = 1e3\n"
         "velocity_threshold = 1e-4\n" +
         ground + "[time]\nstep = 1e-4\nend = 1\n[measure]\n" + more;
}

const std::string rough = "damping = 2\nstatic_friction = 0.5, 0.5, 0.5\nkinetic_friction = 0.4, 0.4, 0.4\n";
const std::string places =
    "define = x [m] : last(x(middle))\ndefine = y [m] : last(y(middle))\ndefine = z [m] : last(z(middle))\n"
    "define = vx [m/s] : last(vx(middle))\ndefine = vz [m/s] : last(vz(middle))\n";

TEST(SurfaceSprings, CarryARodAtTheDepthOfItsWeight) {
  for (const char* precision : {"double", "single"}) {
    const Measured rest(lying(0.0, 0.0, rough, places), {"model.precision=" + std::string(precision)});
    EXPECT_NEAR(rod_radius - rest["y"], mass * g / (5.0 * spring), 1e-7) << precision;
    const double rounding = std::string(precision) == "single" ? 1e-5 : 1e-12;
    EXPECT_NEAR(rest["vx"], 0.0, rounding);
  }
}

TEST(SurfaceSprings, TellHowDeepElementsStandInThem) {
  const double share = mass * g / (5.0 * spring) / rod_radius;
  for (const std::string model : {"cosserat", "der"}) {
    const Measured rest(lying(0.0, 0.0, "", ""),
                        {"model.kind=" + model, "time.method=static", "time.step=1"});
    EXPECT_NEAR(rest["ground_depth_relative"], share, 1e-6 * share) << model;
  }
  // In steps it falls into them from above, and no farther than without damping.
  const Measured steps(lying(0.0, 0.0, "damping = 2\n", ""));
  EXPECT_GE(steps["ground_depth_relative"], 0.999 * share);
  EXPECT_LE(steps["ground_depth_relative"], 2.001 * share);
  // What stands in the ground at first has been put there.
  const Measured sunk(lying(0.0, 0.0, "", ""),
                      {"rod.origin=0, 0.005, 0", "time.method=static", "time.step=1"});
  EXPECT_EQ(sunk["ground_depth_relative"], 0.0);
}

TEST(SurfaceSprings, AreLoadedByTheWeight) {
  const std::string loads =
      "define = weight [N] : last(plane_load)\ndefine = share [N] : last(plane_load(element 1))\n";
  const Measured rest(lying(0.0, 0.0, rough, loads));
  EXPECT_NEAR(rest["weight"], mass * g, 1e-6);
  EXPECT_NEAR(rest["share"], mass * g / 5.0, 0.1 * mass * g / 5.0);
  const Measured implicit(lying(0.0, 0.0, "damping = 2\n", loads),
                          {"time.method=implicit", "time.step=1e-2", "ground.response=springs"});
  EXPECT_NEAR(implicit["weight"], mass * g, 1e-3 * mass * g);
}

TEST(SurfaceSprings, OfAHollowCylinderAndABallAreLoadedByWhatLiesOnThem) {
  // Between two planes at right angles each bears the weight over the root of two; a hollow cylinder along
  // the rod bears all of it.
  const std::string spread = "damping = 2\n";
  const Measured trough(
      lying(0.0, 0.0, spread,
            "define = bed [N] : last(cylinders_load)\ndefine = sides [N] : last(planes_load)\n"),
      {"ground.kind=none", "ground.planes=0,0,0, 0,1,1, 0,0,0, 0,1,-1", "ground.cylinders=0,0,0,1,0,0,-5",
       "rod.origin=0,0.0141,0"});
  EXPECT_NEAR(trough["sides"], std::sqrt(2.0) * mass * g, 1e-3 * mass * g);
  EXPECT_EQ(trough["bed"], 0.0);
  const Measured bed(lying(0.0, 0.0, spread, "define = bed [N] : last(cylinders_load)\n"),
                     {"ground.kind=none", "ground.cylinders=0,1,0,1,0,0,-1"});
  EXPECT_NEAR(bed["bed"], mass * g, 1e-3 * mass * g);
}

TEST(SurfaceSprings, HoldWhatPullsLessThanStaticFrictionAllows) {
  const Measured held(
      lying(0.45, 0.0, rough, places + "define = later [m] : last(x(middle)) - at(2, x(middle))\n"),
      {"time.end=100", "measure.interval=1", "rod.relaxation_time=0.02"});
  // Until the springs bear it, and no way further. The couple of friction makes the last element 5 % lighter.
  EXPECT_NEAR(held["x"] - 0.25, 0.45 * mass * g / (5.0 * spring), 1e-4);
  EXPECT_LT(std::abs(held["later"]), 1e-9);
  EXPECT_LT(std::abs(held["vx"]), 1e-10);
}

TEST(SurfaceSprings, LetGoOfWhatPullsMoreAndRubAsKineticFrictionDoes) {
  for (const double pull : {0.55, -0.55}) {
    const Measured sliding(lying(pull, 0.0, rough, places + "define = before [m/s] : at(0.5, vx(middle))\n"));
    const double expected = (pull > 0.0 ? 1.0 : -1.0) * (0.55 - 0.4) * g * 0.5;
    EXPECT_NEAR(sliding["vx"] - sliding["before"], expected, 1e-3 * std::abs(expected));
  }
}

TEST(SurfaceSprings, SlipAtTheAngleOfFriction) {
  for (const double part : {0.94, 1.01}) {
    const Measured test(lying(part * 0.5, 0.0,
                              "damping = 20\nstatic_friction = 0.5, 0.5, 0.5\n"
                              "kinetic_friction = 0.5, 0.5, 0.5\n",
                              places),
                        {"time.end=2", part < 1.0 ? "rod.relaxation_time=0.02" : "rod.damping=0"});
    if (part < 1.0) {
      EXPECT_LT(std::abs(test["vx"]), 1e-9);
    } else {
      EXPECT_NEAR(test["vx"], 0.01 * 0.5 * g * 2.0, 0.05 * 0.01 * g);
    }
  }
}

TEST(SurfaceSprings, RubAgainstTheDirectionOfTheSlip) {
  // Thrown along the plane, too fast to change its direction much: it meets mu g, and each part of the
  // direction its own coefficient where they differ.
  struct Coefficients {
    const char* text;
    double forward, backward, across;
  };
  const double depth = mass * g / (5.0 * spring);
  for (const std::vector<std::string>& method :
       {std::vector<std::string>{"model.kind=cosserat"},
        {"time.method=implicit", "model.section=rigid"},
        {"time.method=implicit", "time.scheme=backward_euler", "model.section=rigid"},
        {"model.kind=der"}}) {
    for (const Coefficients& mu :
         {Coefficients{"0.2, 0.2, 0.2", 0.2, 0.2, 0.2}, Coefficients{"0.05, 0.3, 0.15", 0.05, 0.3, 0.15},
          Coefficients{"0, 0.2, 0.4", 0.0, 0.2, 0.4}}) {
      for (const double angle : {0.0, 0.8, 1.5, 2.6}) {
        const double speed = 3.0;
        const double end = 0.02;
        std::vector<std::string> changed = {
            "rod.velocity=" + triple(speed * std::cos(angle), 0.0, speed * std::sin(angle)),
            "rod.origin=" + triple(0.0, rod_radius - depth, 0.0),
            "time.step=1e-4",
            "time.end=0.02",
            std::string("ground.static_friction=") + mu.text,
            std::string("ground.kinetic_friction=") + mu.text};
        changed.insert(changed.end(), method.begin(), method.end());
        const Measured thrown(lying(0.0, 0.0, "damping = 0.1\n", places), changed);
        const double along = std::cos(angle) > 0.0 ? mu.forward : mu.backward;
        const double slowed = g * end;
        EXPECT_NEAR(speed * std::cos(angle) - thrown["vx"], along * std::cos(angle) * slowed, 0.01 * slowed)
            << method.back() << ", " << mu.text << ", " << angle;
        EXPECT_NEAR(speed * std::sin(angle) - thrown["vz"], mu.across * std::sin(angle) * slowed,
                    0.01 * slowed)
            << method.back() << ", " << mu.text << ", " << angle;
      }
    }
  }
}

TEST(SurfaceSprings, LetARodTipOverItsRoundEndInAnyDirection) {
  // It stands on one cap, leans a little and rolls on it: theta'' = g a theta / ((r + a)^2 + k^2), half as
  // long as a.
  const double half = 0.05;
  const double round = 0.02;
  const double gyration = half * half / 3.0 + round * round / 4.0;
  const double rate = std::sqrt(g * half / ((round + half) * (round + half) + gyration));
  for (const std::vector<std::string>& method :
       {std::vector<std::string>{"time.step=5e-6"},
        {"time.step=2e-4", "time.method=implicit", "model.section=rigid"},
        {"time.step=2e-4", "model.kind=der"}}) {
    for (const double azimuth : {0.0, 0.7, 1.5707963}) {
      std::vector<std::string> changed = {"rod.direction=" +
                                          triple(1e-3 * std::cos(azimuth), 1e-3 * std::sin(azimuth), 1.0)};
      changed.insert(changed.end(), method.begin(), method.end());
      const Measured fallen(
          "[rod]\nelements = 6\nlength = 0.1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e9\n"
          "poisson_ratio = 0.5\norigin = 0, 0, 0.02\n[gravity]\nacceleration = 0, 0, -9.81\n"
          "[ground]\nkind = plane\nnormal = 0, 0, 1\nresponse = springs\nstiffness = 2e5\n"
          "damping = 5\nstatic_friction = 5, 5, 5\nkinetic_friction = 5, 5, 5\n[time]\nend = 0.2\n"
          "[measure]\ndefine = x [1] : last(tx(middle))\ndefine = y [1] : last(ty(middle))\n",
          changed);
      const double lean = 1e-3 * std::cosh(0.2 * rate);
      EXPECT_NEAR(fallen["x"], lean * std::cos(azimuth), 0.05 * lean) << method.back() << ", " << azimuth;
      EXPECT_NEAR(fallen["y"], lean * std::sin(azimuth), 0.05 * lean) << method.back() << ", " << azimuth;
    }
  }
}

/// However stiff a rod is beside its weight, and whatever its tolerance of forces comes to then.
TEST(SurfaceSprings, LetAStiffPinSlideDownASlope) {
  const std::string pin =
      "[model]\nkind = der\n[rod]\nelements = 10\nlength = 0.01\nradius = 0.0005\ndensity = 8000\n"
      "poisson_ratio = 0.3\norigin = 0, 0, 0.0005\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[gravity]\n"
      "acceleration = 2.899053, 0, -9.371851\n[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 10\n"
      "damping = 1e-3\nstatic_friction = 0.2, 0.2, 0.2\n[time]\nstep = 1e-4\nend = 0.1\n[measure]\n"
      "define = v [m/s] : last(vx(middle))\n";
  const double speed = (2.899053 - 0.2 * 9.371851) * 0.1;
  for (const std::string modulus : {"1e8", "1e10", "2e11"})
    EXPECT_NEAR(Measured(pin, {"rod.young_modulus=" + modulus})["v"], speed, 1e-3 * speed) << modulus;
}

TEST(SurfaceSprings, LetARodRollAsItsInertiaSays) {
  // Pulled across by half of its weight: a solid cylinder gains 2/3 of that.
  const Measured rolling(lying(0.0, 0.5, rough, places));
  EXPECT_NEAR(rolling["vz"], 2.0 / 3.0 * 0.5 * g, 2e-3 * g);
  EXPECT_NEAR(rolling["x"], 0.25, 1e-4);
}

TEST(SurfaceSprings, HaveAnEnergyAndSayWhatTheyLose) {
  // Thrown on to the plane, along itself and across: it bounces, rubs and rolls.
  for (const bool rubs : {false, true}) {
    for (const bool damped : {false, true}) {
      const Measured test(
          lying(0.0, 0.0, damped ? "damping = 0.2\n" : "damping = 0\n",
                "define = kept [J] : last(energy_drift) + last(ground_loss)\n"
                "define = lost [J] : last(ground_loss)\ndefine = thrown [J] : at(0, translational_energy)\n"),
          {"rod.velocity=0.7, -0.4, 0.5", "time.step=2.5e-5",
           rubs ? "ground.static_friction=0.3, 0.3, 0.3" : "ground.static_friction=0, 0, 0",
           rubs ? "ground.kinetic_friction=0.3, 0.3, 0.3" : "ground.kinetic_friction=0, 0, 0"});
      EXPECT_LT(std::abs(test["kept"]), 1e-3 * test["thrown"]) << rubs << damped;
      if (rubs || damped) {
        EXPECT_GT(test["lost"], 0.05 * test["thrown"]) << rubs << damped;
      } else {
        EXPECT_EQ(test["lost"], 0.0);
      }
    }
  }
}

/// A rod that slides to rest loses its motion and what it sinks, in all methods; so does one that falls and
/// bounces, in steps that resolve this.
TEST(SurfaceSprings, SayWhatTheyLoseInImplicitStepsToo) {
  const std::vector<std::vector<std::string>> methods = {
      {"time.method=dynamic"},
      {"model.kind=der"},
      {"time.method=implicit", "time.scheme=generalized_alpha", "model.section=rigid"},
      {"time.method=implicit", "time.scheme=backward_euler", "model.section=rigid"}};
  const std::string loss =
      "define = lost [J] : last(ground_loss)\n"
      "define = kept [J] : last(energy_drift) + last(ground_loss)\n";
  for (const std::vector<std::string>& method : methods) {
    const std::string name = method.front() + " " + method.back();
    std::vector<std::string> sliding = {"rod.velocity=0.5, 0, 0", "time.step=5e-5", "time.end=0.4"};
    sliding.insert(sliding.end(), method.begin(), method.end());
    const Measured slid(lying(0.0, 0.0,
                              "damping = 0.5\nstatic_friction = 0.3, 0.3, 0.3\n"
                              "kinetic_friction = 0.3, 0.3, 0.3\n",
                              loss),
                        sliding);
    const double sunk = mass * g / (5.0 * spring);
    const double expected = 0.5 * mass * (0.25 + g * sunk);
    EXPECT_NEAR(slid["lost"], expected, 0.01 * expected) << name;
    EXPECT_NEAR(slid["kept"], 0.0, 0.01 * expected) << name;
    std::vector<std::string> falling = {"rod.velocity=0, -1, 0", "time.step=2e-5", "time.end=0.05"};
    falling.insert(falling.end(), method.begin(), method.end());
    const Measured fallen(lying(0.0, 0.0, "damping = 2\n", loss), falling);
    EXPECT_GT(fallen["lost"], 0.1 * mass) << name;
    EXPECT_NEAR(fallen["kept"], 0.0, 0.03 * fallen["lost"]) << name;
  }
}

TEST(SurfaceSprings, GainNothingWhereADampedOneSlides) {
  const Measured test(
      lying(0.0, 0.0,
            "damping = 5\nstatic_friction = 0.05, 0.05, 0.05\nkinetic_friction = 0.05, 0.05, 0.05\n",
            "define = kept [J] : last(energy_drift) + last(ground_loss)\n"
            "define = thrown [J] : at(0, translational_energy)\n"),
      {"rod.velocity=3, 0, 1"});
  EXPECT_LT(test["energy_gain_relative"], 1e-3);
  EXPECT_LT(std::abs(test["kept"]), 1e-3 * test["thrown"]);
  // Implicit steps have the same springs. Here friction yields as the rod lands.
  for (const std::vector<std::string>& method :
       {std::vector<std::string>{"model.kind=der"},
        {"time.method=implicit", "time.scheme=generalized_alpha", "model.section=rigid"},
        {"time.method=implicit", "time.scheme=backward_euler", "model.section=rigid"}}) {
    std::vector<std::string> changed = {"rod.velocity=0.3, -0.3, 0", "time.step=1e-4", "time.end=0.2"};
    changed.insert(changed.end(), method.begin(), method.end());
    const Measured landing(lying(0.0, 0.0,
                                 "damping = 4\nstatic_friction = 0.8, 0.8, 0.8\n"
                                 "kinetic_friction = 0.8, 0.8, 0.8\n",
                                 ""),
                           changed);
    EXPECT_LT(landing["energy_gain_relative"], 1e-3) << method.back();
  }
}

TEST(SurfaceSprings, CarryARodInARoundHollowAndOnABall) {
  const std::string round =
      "[rod]\nelements = 1\nlength = 0.1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = -0.05, 0.01, 0\nnormal = 0, 0, 1\n"
      "[gravity]\nacceleration = 0, -9.81, 0\n[ground]\nresponse = springs\nstiffness = 1e3\ndamping = 1\n"
      "static_friction = 0.5, 0.5, 0.5\nkinetic_friction = 0.5, 0.5, 0.5\n"
      "[time]\nstep = 1e-4\nend = 2\n[measure]\n" +
      places;
  const double depth = 0.2 * mass * g / spring;
  for (const std::string surface :
       {"ground.cylinders=0, 0.2, 0, 1, 0, 0, -0.2", "ground.spheres=0, -0.3, 0, 0.3"}) {
    const Measured test(round, {surface});
    EXPECT_NEAR(test["y"], rod_radius - depth, 1e-6) << surface;
    EXPECT_NEAR(test["x"], 0.0, 1e-9);
  }
  // From the side it swings to the bottom of the hollow, and rests there.
  const Measured swung(round, {"ground.cylinders=0, 0.2, 0, 1, 0, 0, -0.2", "rod.origin=-0.05, 0.019, 0.05",
                               "rod.damping=0.5", "time.end=8"});
  EXPECT_NEAR(swung["z"], 0.0, 1e-4);
}

TEST(SurfaceSprings, HaveAPlatenThatWorksAsMuchAsTheEnergyChanges) {
  // It comes down on the rod, presses it, and shears it over the ground.
  const Measured pressed(
      lying(0.0, 0.0,
            "damping = 1\nstatic_friction = 0.3, 0.3, 0.3\nkinetic_friction = 0.3, 0.3, 0.3\n"
            "platen = 0, 0.02, 0, 0, -1, 0 : 0.02 * smooth(t, 0.4, 0.8), -1e-3 * smooth(t, 0, 0.4), 0\n",
            "interval = 1e-3\ndefine = work [J] : last(work_platen)\ndefine = pressing [J] : at(0.4, "
            "work_platen)\n"
            "define = load [N] : at(0.4, platen_force_y)\n"
            "define = rest [J] : last(work_platen) - last(energy_drift) - last(ground_loss)\n"),
      {"time.step=2.5e-5", "rod.damping=0"});
  // Half of the way into the platen, and half, with the weight, into the ground.
  EXPECT_NEAR(pressed["load"], 0.5 * (1e-3 * 5.0 * spring - mass * g), 0.02);
  EXPECT_GT(pressed["work"] - pressed["pressing"], 0.3 * pressed["load"] * 0.01);
  EXPECT_NEAR(pressed["rest"], 0.0, 1e-3 * pressed["work"]);
}

TEST(SurfaceSprings, BringAPileToRest) {
  const Measured pile(
      "[rod]\ncount = 12\nplacement = random\nregion = cylinder\nregion_radius = 0.023\n"
      "region_length = 0.08\nregion_centre = 0, 0, 0.05\nlength = 0.04\nelements = 2\nradius = 0.002\n"
      "density = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\ndamping = 0.2\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[ground]\nkind = plane\nnormal = 0, 0, 1\n"
      "cylinders = 0, 0, 0, 0, 0, 1, -0.028\nresponse = springs\nstiffness = 500\ndamping = 0.05\n"
      "static_friction = 0.5, 0.5, 0.5\nkinetic_friction = 0.5, 0.5, 0.5\n"
      "[contact]\nkind = penalty\nstiffness = 500\nfriction = 0.5\ndamping = 0.05\n"
      "[time]\nstep = 2e-5\nend = 2.6\n[measure]\ninterval = 0.01\n"
      "define = moving [J] : max(translational_energy + rotational_energy over 2.2 to 2.6)\n"
      "define = released [J] : -last(energy_drift)\n");
  EXPECT_GT(pile["contact_count"], 12.0);
  EXPECT_GT(pile["released"], 12.0 * 5e-4 * g * 0.02);
  EXPECT_LT(pile["moving"], 1e-8 * pile["released"]);
}

}  // namespace
}  // namespace rodeo::on_springs
