#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo::implicit {
namespace {

/// Every method with every law of contact that it has.
struct Rubbing {
  const char* name;
  const char* lines;  ///< of a deck
};
const std::vector<Rubbing> rubbings = {
    {"explicit penalty", "[time]\nstep = 1e-6\n[contact]\nkind = penalty\nstiffness = 2000\n"},
    {"implicit imc", "[time]\nmethod = implicit\nstep = 5e-4\n[contact]\nkind = imc\n"},
    {"implicit ipc", "[time]\nmethod = implicit\nstep = 5e-4\n[contact]\nkind = ipc\n"},
    {"der imc", "[model]\nkind = der\n[time]\nstep = 5e-4\n[contact]\nkind = imc\n"},
    {"der ipc", "[model]\nkind = der\n[time]\nstep = 5e-4\n[contact]\nkind = ipc\n"},
};
bool is_implicit(const Rubbing& rubbing) {
  return std::string(rubbing.lines).find("penalty") == std::string::npos;
}

/// A rod lies crosswise on two rails and starts at 0.3 m/s along them. Its friction turns it until it rolls.
constexpr const char* sliding_rod = R"(
[rod]
count = 3
elements = 6
length = 0.2
radius = 0.002
density = 1000
poisson_ratio = 0.5
each = rod.direction[0] : list(1, 1, 0)
each = rod.direction[1] : list(0, 0, 1)
each = rod.direction[2] : list(0, 0, 0)
each = rod.origin[0] : list(0, 0, 0.053)
each = rod.origin[1] : list(-0.05, 0.05, -0.1)
each = rod.origin[2] : list(0, 0, 0.00401)
each = rod.velocity[0] : list(0, 0, 0.3)
each = boundary.first : list(clamped, clamped, free)
each = boundary.last : list(clamped, clamped, free)
young_modulus = 1e9
[gravity]
acceleration = 0, 0, -9.81
[contact]
friction = 0.3
[observe]
energy_tolerance = 0.2
[time]
end = 0.12
[measure]
define = speed_end [1] : last(mean_along(vx, rod 2))/0.3
define = spin_end [1] : last(mean_along(omega_3, rod 2))*rod.radius/0.3
[output]
frames = 2
)";

TEST(SurfaceFriction, ARodThatSlidesOnRailsRollsAtTwoThirdsOfItsSpeed) {
  for (const Rubbing& rubbing : rubbings) {
    std::vector<std::string> overrides;
    if (is_implicit(rubbing)) overrides = {"contact.tolerance=2e-5", "contact.slip_tolerance=1e-4"};
    const Measured rod(std::string(sliding_rod) + rubbing.lines, overrides);
    EXPECT_NEAR(rod["speed_end"], 2.0 / 3.0, 0.01) << rubbing.name;
    EXPECT_NEAR(rod["spin_end"], 2.0 / 3.0, 0.01) << rubbing.name;
    const double mass = 1000 * M_PI * 0.002 * 0.002 * 0.2;
    const double loss = 0.5 * mass * 0.3 * 0.3 / 3.0;
    EXPECT_GT(rod["friction_loss"], 0.5 * loss) << rubbing.name;  // steps of impacts take some of it
    EXPECT_LT(rod["friction_loss"], 1.03 * loss) << rubbing.name;
  }
}

}  // namespace
}  // namespace rodeo::implicit
