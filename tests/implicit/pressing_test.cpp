#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/models/models.hpp"

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo::implicit {
namespace {

constexpr double gravity = 9.81;

/// A stiff rod of 1 kg along x that lies on the plane z = 0, on springs of 1e4 N/m in all.
constexpr const char* lying_rod = R"(
[model]
section = rigid
[rod]
elements = 4
length = 1
radius = 0.02
mass = 1
young_modulus = 1e9
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 0, 1
origin = 0, 0, 0.019
[gravity]
acceleration = 0, 0, -9.81
[ground]
kind = plane
origin = 0, 0, 0
normal = 0, 0, 1
stiffness = 2500
damping = 10
[time]
method = implicit
step = 1e-3
end = 1
[measure]
define = x_end [m] : last(x(middle))
define = y_end [m] : last(y(middle))
define = z_end [m] : last(z(middle))
define = speed_end [m/s] : last(speed(middle))
)";

/// As on an incline of such an angle along x or y, at rest on the springs, with such friction.
std::vector<std::string> inclined(double angle, char downhill, const std::string& coefficients) {
  const std::string along = std::to_string(gravity * std::sin(angle));
  const double down = gravity * std::cos(angle);
  return {"gravity.acceleration=" + (downhill == 'x' ? along + ", 0, " : "0, " + along + ", ") +
              std::to_string(-down),
          "rod.origin=0, 0, " + std::to_string(0.02 - down / 1e4), "ground.static_friction=" + coefficients,
          "ground.kinetic_friction=" + coefficients, "ground.velocity_threshold=1e-6"};
}

TEST(ImplicitGround, CarriesARodAtTheDepthOfItsWeight) {
  for (const std::string start : {"0.02", "0.04"}) {  // it falls the second time
    for (const std::string scheme : {"generalized_alpha", "backward_euler"}) {
      const Measured rod(
          lying_rod, {"rod.origin=0, 0, " + start, "time.end=3", "rod.damping=1", "time.scheme=" + scheme});
      EXPECT_NEAR(rod["z_end"], 0.02 - gravity / 1e4, 1e-7) << start << scheme;
      EXPECT_NEAR(rod["speed_end"], 0.0, 1e-6) << start << scheme;
      EXPECT_NEAR(rod["translational_energy"], 0.0, 1e-12) << start << scheme;
    }
  }
}

TEST(ImplicitGround, HoldsOnASlopeAndSlipsOnASteeperOne) {
  constexpr double mu = 0.4;
  const auto on = [&](double part, const char* seconds) {
    std::vector<std::string> overrides = inclined(std::atan(part * mu), 'x', "0.4, 0.4, 0.4");
    overrides.push_back("time.end=" + std::string(seconds));
    return Measured(lying_rod, overrides);
  };
  EXPECT_NEAR(on(0.99, "20")["x_end"], on(0.99, "5")["x_end"], 1e-7) << "no creep";
  const double angle = std::atan(1.5 * mu);
  const double way = 0.5 * gravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(on(1.5, "1")["x_end"] - 0.5, way, 0.02 * way);
}

/// What rolls without slipping falls at two thirds of the slope's acceleration, and needs a third of it as
/// friction.
TEST(ImplicitGround, ARodRollsDownASlopeAndSlipsOnASteeperOne) {
  constexpr double mu = 0.1;
  for (const double tangent : {0.2, 0.6}) {
    const double angle = std::atan(tangent);
    const double expected = tangent < 3.0 * mu ? 2.0 / 3.0 * gravity * std::sin(angle)
                                               : gravity * (std::sin(angle) - mu * std::cos(angle));
    const Measured rod(lying_rod, inclined(angle, 'y', "0, 0, 0.1"));
    EXPECT_NEAR(rod["speed_end"], expected, 0.01 * expected) << tangent;
    EXPECT_NEAR(rod["y_end"], 0.5 * expected, 0.01 * expected) << tangent;
  }
}

/// A rod hangs askew over a ball and a cylinder, so that its elements turn about more than their tangents.
TEST(ImplicitGround, RestsAcrossBallsAndCylindersWhereDerDoes) {
  const std::string deck =
      R"(
[rod]
elements = 20
length = 1
radius = 0.01
mass = 0.3
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0.1, 0
normal = 0, 0, 1
origin = -0.5, -0.05, 0.011
damping = 3
[gravity]
acceleration = 0, 0, -9.81
[ground]
spheres = 0.25, 0.02, -0.1, 0.1
cylinders = -0.3, 0, -0.05, 0, 1, 0, 0.05
stiffness = 1e4
damping = 1
static_friction = 0.5, 0.5, 0.5
kinetic_friction = 0.5, 0.5, 0.5
velocity_threshold = 1e-5
[time]
step = 2e-3
end = 1
[measure]
define = first_end [m] : last(z(start))
define = last_end [m] : last(z(end))
define = y_end [m] : last(y(end))
)";
  const Measured cosserat(deck,
                          {"model.section=rigid", "time.method=implicit", "time.scheme=generalized_alpha"});
  const Measured der(deck, {"model.kind=der"});
  for (const char* name : {"first_end", "last_end", "y_end"})
    EXPECT_NEAR(cosserat[name], der[name], 2e-3) << name;
  EXPECT_LT(cosserat["last_end"], -0.01) << "it hangs";
}

/// Two rods askew of which the upper falls on the lower, which is clamped.
constexpr const char* falling_on_each_other =
    R"(
[model]
section = rigid
[rod]
count = 2
elements = 20
length = 1
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
each = rod.origin[0] : list(0, 0.55)
each = rod.origin[1] : list(0, -0.47)
each = rod.origin[2] : list(0, 0.03)
each = rod.direction[0] : list(1, 0)
each = rod.direction[1] : list(0, 1)
direction = 1, 0, 0
normal = 0, 0, 1
each = boundary.first : list(clamped, free)
each = boundary.last : list(clamped, free)
damping = 0.5
damping_law = published
[gravity]
acceleration = 0, 0, -9.81
[contact]
kind = imc
tolerance = 1e-4
[time]
method = implicit
step = 2e-3
end = 0.3
[measure]
define = z_end [m] : last(z(rod 1, s 0.5))
define = lower_end [m] : last(z(rod 0, s 0.5))
)";

TEST(ImplicitContact, RodsMeetAsInShortExplicitSteps) {
  std::string deck = falling_on_each_other;
  const auto replace = [&](const std::string& text, const std::string& by) {
    deck.replace(deck.find(text), text.size(), by);
  };
  replace("method = implicit\nstep = 2e-3", "step = 1e-5");
  replace("kind = imc\ntolerance = 1e-4", "kind = penalty\nstiffness = 1e4\ndamping = 3");
  const Measured explicit_steps(deck);
  for (const auto& [kind, scheme] :
       {std::pair{"imc", "generalized_alpha"}, {"ipc", "generalized_alpha"}, {"imc", "backward_euler"}}) {
    const Measured rods(falling_on_each_other,
                        {"contact.kind=" + std::string(kind), "time.scheme=" + std::string(scheme)});
    EXPECT_NEAR(rods["z_end"], explicit_steps["z_end"], 2e-3) << kind;
    EXPECT_NEAR(rods["lower_end"], explicit_steps["lower_end"], 2e-3) << kind;
    EXPECT_GT(rods["z_end"], rods["lower_end"]) << kind;
    EXPECT_GT(rods["contact_steps"], 50.0) << kind;
  }
}

/// A rod on two others that stand askew to gravity sticks, slides or rolls by Coulomb's law.
TEST(ImplicitContact, SticksSlidesOrRollsByCoulombsLaw) {
  constexpr const char* rails =
      R"(
[model]
section = rigid
[rod]
count = 3
each = rod.origin[0] : list(0, 0, 0.02009)
each = rod.origin[1] : list(-0.12, 0.12, -0.25)
each = rod.origin[2] : list(0, 0, 0.1)
each = rod.direction[1] : list(0, 0, 1)
each = rod.direction[2] : list(1, 1, 0)
each = boundary.first : list(clamped, clamped, free)
each = boundary.last : list(clamped, clamped, free)
direction = 0, 0, 1
normal = 1, 0, 0
elements = 10
length = 0.5
radius = 0.01
density = 1000
shear_stiffness = 1e6
bend_stiffness = 1e4
twist_stiffness = 1e4
stretch_stiffness = 1e7
[gravity]
acceleration = -8.774331, 0, 4.387165
[contact]
kind = imc
tolerance = 1e-4
slip_tolerance = 1e-3
[time]
method = implicit
step = 1e-3
end = 0.2
[measure]
define = z_end [m] : last(z(rod 2, s 0.25))
)";
  const auto moved = [&](const char* laws, const char* friction) {
    return Measured(rails, {"model.laws=" + std::string(laws),
                            "contact.friction=" + std::string(friction)})["z_end"] -
           0.1;
  };
  const auto slides = [](double friction) { return 0.5 * 0.2 * 0.2 * (4.387165 - friction * 8.774331); };
  EXPECT_NEAR(moved("published", "0.3"), slides(0.3), 0.01 * slides(0.3));
  EXPECT_NEAR(moved("published", "0.6"), 0.0, 1e-3 * 0.2) << "it creeps below the slip tolerance";
  // At its surface friction turns the rod, which rolls where that takes less than Coulomb's limit.
  EXPECT_NEAR(moved("consistent", "0.1"), slides(0.1), 0.01 * slides(0.1));
  for (const char* friction : {"0.3", "0.6"})
    EXPECT_NEAR(moved("consistent", friction), slides(0.0) * 2.0 / 3.0, 0.01 * slides(0.0));
}

TEST(ImplicitContact, RodsDoNotPassThroughEachOtherInOneStep) {
  const Measured rods(falling_on_each_other,
                      {"rod.each=rod.velocity[2] : list(0, -20)", "time.step=0.01", "time.end=0.03"});
  EXPECT_GT(rods["contact_gap_min"], -1.0);
  EXPECT_GT(rods["contact_steps"], 0.0);
}

TEST(ImplicitContact, TheSchemeThatConservesEnergyIsRefused) {
  try {
    make_member_spec(Deck::parse(falling_on_each_other, "test", {"time.scheme=energy_momentum"}));
    ADD_FAILURE();
  } catch (const DeckError& error) {
    EXPECT_NE(std::string(error.what()).find("contact.kind: time.scheme = energy_momentum"),
              std::string::npos)
        << error.what();
  }
}

/// What carries a rod at rest carries it in the first step too.
TEST(ImplicitGround, ARodThatRestsOnItIsNotThrownUp) {
  const std::string resting =
      "[rod]\nelements = 10\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\norigin = 0, 0, 0.0039\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 500\n"
      "damping = 0\n[time]\nmethod = implicit\nfrom = equilibrium\nend = 0.05\nslice_steps = 1\n"
      "[measure]\ninterval = 2e-3\ndefine = speed [m/s] : max(max_along(speed))\n"
      "define = least [N] : min(plane_load)\ndefine = most [N] : max(plane_load)\n";
  const double weight = 1100.0 * 3.14159265358979 * 0.004 * 0.004 * 0.2 * gravity;
  for (const std::string step : {"2e-3", "2.5e-4"}) {
    for (const std::string friction : {"0, 0, 0", "0.3, 0.3, 0.3"}) {
      const Measured rod(resting, {"time.step=" + step, "ground.static_friction=" + friction});
      EXPECT_LT(rod["speed"], 1e-7) << step;
      EXPECT_NEAR(rod["least"], weight, 1e-5 * weight) << step;
      EXPECT_NEAR(rod["most"], weight, 1e-5 * weight) << step;
    }
  }
}

/// Springs of the ground, forces of contact in the last step and what the scheme remembers are part of the
/// state.
TEST(ImplicitContact, GoesOnBitByBitInAnotherBatch) {
  const std::vector<std::string> overrides = {
      "ground.kind=plane",     "ground.origin=0, 0, -0.01",
      "ground.normal=0, 0, 1", "ground.stiffness=1e3",
      "ground.damping=1",      "ground.static_friction=0.3, 0.3, 0.3",
      "time.slice_steps=7",    "ground.kinetic_friction=0.3, 0.3, 0.3",
      "contact.friction=0.3",  "contact.slip_tolerance=1e-3",
      "time.end=0.15",         "ground.velocity_threshold=1e-5",
      "output.frames=2",
  };
  const MemberSpec spec = make_member_spec(Deck::parse(falling_on_each_other, "test", overrides));
  const MemberJob job{spec, 1};
  const MemberOutcome whole = run_member(spec);
  ASSERT_EQ(whole.status, MemberStatus::done);
  EXPECT_EQ(run_in_pieces(job).fields, whole.fields);
  EXPECT_GT(value(whole, "contact_steps"), 10.0);
}

}  // namespace
}  // namespace rodeo::implicit
