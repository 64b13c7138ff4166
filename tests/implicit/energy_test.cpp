#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/shape_file.hpp"

#include "member/measured.hpp"

namespace rodeo::implicit {
namespace {

const std::string faults = RODEO_SOURCE_DIR "/inputs/validation/faults/";

MemberOutcome run_deck(const std::string& deck, const std::vector<std::string>& overrides) {
  Deck read = Deck::read(faults + deck, overrides);
  take_files(awaited_files(read, faults + deck), {}, read);
  return run_member(make_member_spec(read));
}

/// So many steps between two, at equal ratios.
std::vector<double> steps_between(double shortest, double longest, int count) {
  std::vector<double> steps;
  for (int k = 0; k < count; ++k) steps.push_back(shortest * std::pow(longest / shortest, k / (count - 1.0)));
  return steps;
}

/// Right within 2 %, at the end and at the highest, or a bad end.
void expect_no_energy_from_nothing(const std::string& deck, double most, double step,
                                   std::vector<std::string> overrides) {
  overrides.push_back("time.step=" + format_real(step));
  const MemberOutcome outcome = run_deck(deck, overrides);
  if (!ended_well(outcome.status)) return;
  EXPECT_LE(value(outcome, "total_energy"), 1.02 * most) << deck << " " << step;
  EXPECT_LE(value(outcome, "energy_gain"), 0.02 * most) << deck << " " << step;
}

/// 1/2 G I_p twist^2/L
constexpr double wire_energy(double twist) {
  constexpr double shear_modulus = 2e11 / 2.6;
  constexpr double radius = 5e-4;
  return 0.25 * std::numbers::pi * radius * radius * radius * radius * shear_modulus * twist * twist / 0.5;
}

TEST(Energy, OfATwistedWireThatIsLetGoDoesNotGrowInStepsOfAnyLength) {
  EXPECT_NEAR(wire_energy(5.0), 0.18722, 0.02 * 0.18722);
  for (const double step : steps_between(1e-5, 1e-2, 20))
    expect_no_energy_from_nothing("twist_release.ini", wire_energy(5.0), step, {});
  expect_no_energy_from_nothing("twist_release.ini", wire_energy(4.3), 1e-4,
                                {"rod.total_twist=4.3", "time.end=0.05"});
}

TEST(Energy, OfATwistedWireIsRightWhereStepsAreHalved) {
  for (const double step : {1e-4, 2e-4, 3e-4}) {
    const MemberOutcome outcome = run_deck("twist_release.ini", {"time.step=" + format_real(step)});
    EXPECT_EQ(outcome.status, MemberStatus::done) << step;
  }
}

/// A rod between clamps that begins 8 mm deep in the ground, whose springs throw it out and stretch it.
TEST(Energy, OfARodThatTheGroundThrowsOutDoesNotGrowInStepsOfAnyLength) {
  const std::string deck =
      "[rod]\nelements = 11\ndensity = 2075.65\nyoung_modulus = 1.484e9\npoisson_ratio = 0.0867\n"
      "length = 0.0596\ndirection = 0.95501, 0.238243, -0.176625\nradius = 0.00111815\n"
      "[boundary]\nfirst = clamped\nlast = clamped\n[ground]\nkind = plane\nnormal = 0, 0, 1\n"
      "origin = 0, 0, -0.00313903\nresponse = springs\nstiffness = 655.646\ndamping = 0.0510537\n"
      "[time]\nmethod = implicit\nend = 0.0029\n";
  for (const char* const modulus : {"1e9", "1.484e9", "2.2e9"}) {
    for (const double step : steps_between(2e-5, 1e-3, 12)) {
      const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
          deck, "test", {"time.step=" + format_real(step), std::string("rod.young_modulus=") + modulus})));
      if (ended_well(outcome.status)) {
        EXPECT_LE(value(outcome, "energy_gain_relative"), 0.02) << modulus << " " << step;
      }
    }
  }
}

TEST(Energy, OfAStressedStartDoesNotGrowInStepsOfAnyLength) {
  for (const double step : steps_between(1e-4, 2e-2, 10))
    expect_no_energy_from_nothing("bump.ini", 0.09835, step, {});
}

TEST(Energy, OfAStressedStartIsKeptInStepsThatResolveTheMotion) {
  const MemberOutcome outcome = run_deck("bump.ini", {"time.step=2.5e-3"});
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EXPECT_GT(value(outcome, "total_energy"), 0.5 * 0.09835);
}

/// Two rods fly at each other crosswise. Contact takes most of their energy, and gives a part of it back.
constexpr const char* rods_that_meet = R"(
[rod]
count = 2
elements = 3
length = 0.03
radius = 0.002
density = 1000
young_modulus = 1e8
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 0, 1
each = rod.direction[0] : list(1, 0)
each = rod.direction[1] : list(0, 1)
each = rod.origin[0] : list(-0.015, 0)
each = rod.origin[1] : list(0, -0.015)
each = rod.origin[2] : list(0, 0.0052)
each = rod.velocity[2] : list(0.1, -0.1)
[time]
method = implicit
step = 1e-5
end = 0.015
[observe]
energy_tolerance = 1e-3
[measure]
define = least [J] : min(kinetic_energy)
define = at_last [J] : last(kinetic_energy)
)";

constexpr double rods_that_meet_energy = 1000 * std::numbers::pi * 0.002 * 0.002 * 0.03 * 0.1 * 0.1;

TEST(Energy, ThatContactStoresAndGivesBackIsNoGrowth) {
  const double at_first = rods_that_meet_energy;
  for (const std::string law : {"imc", "ipc"}) {
    const std::string tolerance = law == "imc" ? "3e-4" : "1e-4";
    const Measured rods(rods_that_meet, {"contact.kind=" + law, "contact.tolerance=" + tolerance});
    EXPECT_LT(rods["least"], 0.5 * at_first) << law;
    EXPECT_GT(rods["at_last"] - rods["least"], 0.1 * at_first) << law;
  }
}

/// Rods would part with 1.3 times the energy with which they met, and with narrower shells or a barrier do
/// with less.
TEST(Energy, ThatAWideShellOfContactMakesIsGrowth) {
  for (const std::string model : {"cosserat", "der"}) {
    const auto meet = [&](const std::string& law, const std::string& tolerance) {
      std::vector<std::string> overrides = {"contact.kind=" + law, "contact.tolerance=" + tolerance,
                                            "observe.energy_tolerance=0.02", "model.kind=" + model};
      if (model == "der") overrides.emplace_back("time.method=dynamic");
      return run_member(make_member_spec(Deck::parse(rods_that_meet, "meet.ini", overrides)));
    };
    const MemberOutcome wide = meet("imc", "1e-3");
    EXPECT_EQ(wide.status, MemberStatus::gained_energy) << model;
    EXPECT_GT(value(wide, "energy_gain_relative"), 0.02) << model;
    for (const std::string law : {"imc", "ipc"}) {
      const MemberOutcome kept = meet(law, law == "imc" ? "3e-4" : "1e-3");
      EXPECT_EQ(kept.status, MemberStatus::done) << model << " " << law;
      EXPECT_LT(value(kept, "energy_gain_relative"), 1e-9) << model << " " << law;
      EXPECT_LT(value(kept, "total_energy"), 0.9 * rods_that_meet_energy) << model << " " << law;
    }
  }
}

constexpr const char* cable =
    "[model]\nsection = rigid\n[rod]\nelements = 12\nlength = 1\nradius = 0.005\ndensity = 2000\n"
    "young_modulus = 1e6\npoisson_ratio = 0.5\ndirection = 0, 0, -1\nnormal = 0, 1, 0\ndamping_ratio = "
    "0.02\n"
    "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nmethod = implicit\nend = 0.5\n"
    "[measure]\ndefine = work [J] : work_motions\n";

/// A cable whose upper end is taken up to a speed, or stopped, at once, anywhere in a step.
TEST(Energy, ThatAJumpOfADrivenVelocityGivesIsWork) {
  for (const char* const course :
       {"0.5 * max(t - 0.02, 0)", "0.5 * max(t - 0.0225, 0)", "0.5 * max(t - 0.0275, 0)",
        "0.5 * max(t - 0.0301, 0)", "0.5 * min(t, 0.1)", "0.5 * min(t, 0.1275)"}) {
    for (const char* const step : {"0.01", "0.002", "0.05"}) {
      SCOPED_TRACE(std::string(course) + ", step " + step);
      const Measured driven(cable, {std::string("motion.position=start : ") + course + ", 0, 0",
                                    std::string("time.step=") + step});
      EXPECT_GT(driven["work"], 0.0);
    }
  }
}

/// A motion may begin under way with a velocity, which it gives to what it takes hold of.
TEST(Energy, ThatAMotionGivesAsItBeginsIsWork) {
  const std::string rod =
      "[rod]\nelements = 8\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[time]\nmethod = implicit\nend = 0.04\n"
      "slice_steps = 10\n[measure]\ndefine = work [J] : work_motions\n";
  for (const char* const motion :
       {"motion.position=start : 0, 0, 0.01 * sin(100 * (t - 0.02)) from 0.02",
        "motion.rotation=element 3 about 1 0 0 : sin(100 * (t - 0.02)) from 0.02"}) {
    for (const char* const scheme : {"generalized_alpha", "backward_euler"}) {
      for (const char* const step : {"1e-4", "1e-3"}) {
        SCOPED_TRACE(std::string(motion) + scheme + step);
        const Measured driven(
            rod, {motion, std::string("time.scheme=") + scheme, std::string("time.step=") + step});
        EXPECT_GT(driven["work"], 0.0);
      }
    }
  }
}

/// Control that leads a place from sample to sample takes it up to a speed at a sample, as that formula does.
/// Steps begin anew there, which counts where they are long.
TEST(Energy, ThatControlGivesWhereAVelocityJumpsIsWork) {
  const auto work_in_steps_of = [](const char* step, std::vector<std::string> motion) {
    motion.insert(motion.end(), {std::string("time.step=") + step, "time.end=0.3"});
    return Measured(cable, motion)["work"];
  };
  const std::vector<std::string> controlled = {
      "motion.position=start : carriage, 0, 0", "control.interval=0.02", "control.hold=linear",
      "control.state=place : 0, 0.5", "control.output=carriage : place"};
  const std::vector<std::string> plain = {"motion.position=start : 0.5 * max(t - 0.02, 0), 0, 0"};
  EXPECT_NEAR(work_in_steps_of("0.002", controlled) / work_in_steps_of("0.002", plain), 1.0, 0.01);
  EXPECT_GT(work_in_steps_of("0.01", controlled), 0.0);
}

}  // namespace
}  // namespace rodeo::implicit
