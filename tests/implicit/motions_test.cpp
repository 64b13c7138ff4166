#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo::implicit {
namespace {

constexpr const char* driven_rod = R"(
[model]
section = rigid
[rod]
elements = 20
length = 1
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.3
direction = 1, 0, 0
normal = 0, 0, 1
damping = 0.3
[time]
method = implicit
end = 0.8
[measure]
interval = 1
define = force [N] : reaction_y(middle)
define = couple [N m] : reaction_couple_z(end)
define = work [J] : work_motions
)";

/// From rest, so smoothly that waves are resolved.
const std::vector<std::string> held_and_turned = {"boundary.first=clamped",
                                                  "motion.position=middle : free, 0.2 * t ^ 4, free",
                                                  "motion.rotation=end about 0 0 1 : 1.2 * t ^ 4"};

Measured driven(std::vector<std::string> overrides, const std::vector<std::string>& motions) {
  overrides.insert(overrides.end(), motions.begin(), motions.end());
  return Measured(driven_rod, overrides);
}

TEST(ImplicitMotions, AreOfTheSecondOrder) {
  for (const char* const name : {"force", "couple", "work"}) {
    std::array<double, 4> found{};
    for (std::size_t k = 0; k < found.size(); ++k) {
      found[k] =
          driven({"rod.young_modulus=1e5", "rod.elements=8", "time.step=" + std::to_string(0.008 / (1 << k))},
                 held_and_turned)[name];
    }
    EXPECT_NEAR((found[1] - found[0]) / (found[2] - found[1]), 4.0, 0.2) << name;
    EXPECT_NEAR((found[2] - found[1]) / (found[3] - found[2]), 4.0, 0.1) << name;
  }
}

TEST(ImplicitMotions, AreThoseOfExplicitSteps) {
  const Measured here = driven({"time.step=0.001"}, held_and_turned);
  const Measured by_explicit = driven({"time.method=dynamic", "time.step=1e-5"}, held_and_turned);
  EXPECT_NEAR(here["force"] / by_explicit["force"], 1.0, 2e-3);
  EXPECT_NEAR(here["couple"] / by_explicit["couple"], 1.0, 2e-3);
  EXPECT_NEAR(here["work"] / by_explicit["work"], 1.0, 2e-3);
  EXPECT_NEAR(value(here.outcome, "end_y"), value(by_explicit.outcome, "end_y"), 2e-5);
}

/// What moves a free rod as a whole has its mass to accelerate, or its moment of inertia.
TEST(ImplicitMotions, HaveTheInertiaOfWhatTheyMove) {
  const Measured towed(driven_rod,
                       {"time.step=2e-3", "rod.damping=0", "rod.young_modulus=1e9",
                        "measure.define=along [N] : last(reaction_x(end))",
                        "measure.define=work [J] : work_motions", "motion.position=end : 0.5 * t * t, 0, 0"});
  const double mass = 1000.0 * M_PI * 1e-4;
  EXPECT_NEAR(towed["along"], mass, 2e-3 * mass);
  EXPECT_NEAR(towed["work"], 0.5 * mass * 0.64, 2e-3 * mass);
  const Measured spun(
      driven_rod,
      {"time.step=2e-3", "rod.damping=0", "rod.young_modulus=1e12", "rod.elements=21",
       "measure.define=torque [N m] : last(reaction_couple_z(element 10))",
       "measure.define=work [J] : work_motions", "motion.rotation=element 10 about 0 0 1 : 0.5 * t * t"});
  EXPECT_NEAR(spun["torque"], mass / 12.0, 0.02 * mass / 12.0);
  EXPECT_NEAR(spun["work"], 0.5 * mass / 12.0 * 0.64, 0.02 * mass / 12.0);
}

TEST(ImplicitMotions, LetGoARodSwingsBack) {
  const std::vector<std::string> pulled = {"boundary.first=clamped",
                                           "motion.position=end : free, 0.2 * smooth(t, 0, 0.3), free "
                                           "until 0.4",
                                           "rod.damping=0"};
  const Measured here = driven({"time.step=5e-4", "time.spectral_radius=0.9"}, pulled);
  const Measured by_explicit = driven({"time.method=dynamic", "time.step=1e-5"}, pulled);
  EXPECT_EQ(here["force"], 0.0);
  EXPECT_NEAR(here["work"] / by_explicit["work"], 1.0, 5e-3);
  EXPECT_NEAR(value(here.outcome, "total_energy") / here["work"], 1.0, 0.02);
  EXPECT_NEAR(value(here.outcome, "end_y"), value(by_explicit.outcome, "end_y"), 5e-3);
}

/// What a motion presses onto the ground, it bears: its force is that of the ground's springs and the weight.
TEST(ImplicitMotions, PressOnTheGround) {
  const Measured pressed(driven_rod,
                         {"time.step=2e-3", "rod.origin=0, 0, 0.01", "rod.elements=4", "rod.damping=20",
                          "gravity.acceleration=0, 0, -9.81", "ground.kind=plane", "ground.origin=0, 0, 0",
                          "ground.normal=0, 0, 1", "ground.stiffness=2500", "rod.young_modulus=1e13",
                          "measure.define=down [N] : last(reaction_z(middle))",
                          "motion.position=middle : 0, 0, -0.001 * smooth(t, 0, 0.3)", "time.end=4"});
  const double weight = 1000.0 * M_PI * 1e-4 * 9.81;
  EXPECT_NEAR(pressed["down"], weight - 4.0 * 2500.0 * 0.001, 1e-2 * weight);
}

/// A spring between two rods pulls at what holds them.
TEST(ImplicitMotions, PullAtWhatIsConnected) {
  const Measured pulled(
      driven_rod,
      {"time.step=2e-3", "rod.count=2", "rod.each=rod.origin[0] : list(0, 1.1)", "rod.elements=4",
       "rod.damping=5", "connection.spring=rod 0, end to rod 1, start : stiffness 3 length 0.1",
       "measure.define=near [N] : last(reaction_x(rod 0, start))", "motion.position=rod 0, start : 0, 0, 0",
       "motion.position=rod 1, end : 0.2 * smooth(t, 0, 0.4), 0, 0", "time.end=4"});
  EXPECT_NEAR(pulled["near"], -3.0 * 0.2, 2e-3);
}

TEST(ImplicitMotions, GoOnBitByBitInAnotherBatch) {
  std::vector<std::string> overrides = held_and_turned;
  overrides.insert(overrides.end(),
                   {"time.step=0.004", "time.slice_steps=17", "time.tolerance=1e-3",
                    "motion.position=node 5 : free, free, 0.02 * smooth(t, 0.2, 0.3) from 0.2 until 0.408"});
  const MemberSpec spec = make_member_spec(Deck::parse(driven_rod, "test", overrides));
  EXPECT_EQ(run_in_pieces({spec, 1}).fields, run_member(spec).fields);
}

}  // namespace
}  // namespace rodeo::implicit
