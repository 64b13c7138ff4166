#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

// A rod of 1 m, 1 kg and 20 elements along z, with nothing that holds it.
const std::string free_rod =
    "[rod]\nelements = 20\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
    "direction = 0, 0, 1\nnormal = 1, 0, 0\n[time]\nstep = 1e-4\nend = 0.5\n";

TEST(Measures, FollowAFallingRod) {
  const Measured found(free_rod +
                       "[gravity]\nacceleration = 0, 0, -9.81\n[measure]\ninterval = 1e-3\n"
                       "define = fallen [m] : at(0, z(middle)) - z(middle)\n"
                       "define = speed_then [m/s] : at(0.2, vz(end))\n"
                       "define = highest [m] : max(z(end))\n"
                       "define = lowest [m] : min(z(s 0.25 m))\n"
                       "define = mean_speed [m/s] : mean(vz(node 3))\n"
                       "define = late [m/s] : mean(vz(node 3) over 0.4 to 0.5)\n"
                       "define = rms_speed [m/s] : rms(speed(node -1))\n"
                       "define = work [J] : integral(power_gravity)\n"
                       "define = energy [J] : kinetic_energy\n"
                       "define = passes [s] : first_time(z(start) < -1)\n"
                       "define = never [s] : first_time(z(start) < -100)\n"
                       "define = time [s] : t\n"
                       "define = far [m] : hypot(x(end) - 3, z(end) - 1 + 9.81 * 0.5^2 / 2)\n");
  constexpr double g = 9.81;
  EXPECT_NEAR(found["fallen"], 0.5 * g * 0.25, 1e-9);
  EXPECT_NEAR(found["speed_then"], -0.2 * g, 1e-10);
  EXPECT_DOUBLE_EQ(found["highest"], 1.0);
  EXPECT_NEAR(found["lowest"], 0.25 - 0.5 * g * 0.25, 1e-9);
  EXPECT_NEAR(found["mean_speed"], -0.25 * g, 1e-10);
  EXPECT_NEAR(found["late"], -0.45 * g, 1e-10);
  EXPECT_NEAR(found["rms_speed"], g * 0.5 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(found["work"], g * 0.5 * g * 0.25, 1e-9);
  EXPECT_NEAR(found["energy"], found["work"], 1e-9);
  EXPECT_NEAR(found["passes"], std::ceil(std::sqrt(2.0 / g) * 1e3) / 1e3, 1e-12);
  EXPECT_TRUE(std::isnan(found["never"]));
  EXPECT_DOUBLE_EQ(found["time"], 0.5);
  EXPECT_NEAR(found["far"], 3.0, 1e-9);
}

/// A cantilever let go, with no word on how often it is looked at.
const std::string let_go =
    "[rod]\nelements = 10\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
    "poisson_ratio = 0.5\ndirection = 1, 0, 0\n[boundary]\nfirst = clamped\n"
    "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = 1e-3\nend = 0.5\n[measure]\n"
    "define = lowest [m] : min(z(end))\ndefine = mean [m] : mean(z(end))\n"
    "define = rms [m/s] : rms(vz(end))\ndefine = passes [s] : first_time(z(end) < -0.05)\n"
    "define = most [J] : max(total_energy)\ndefine = couple [N m] : max(max_along(abs(couple_2)))\n";

TEST(Measures, OfImplicitStepsSampleEachStep) {
  for (const std::vector<std::string>& model : {std::vector<std::string>{"time.method=implicit"},
                                                {"time.method=implicit", "time.scheme=backward_euler"},
                                                {"time.method=implicit", "time.scheme=energy_momentum"},
                                                {"model.kind=der"},
                                                {"model.kind=der", "time.scheme=sdirk2"}}) {
    const auto with = [&](const std::string& more) {
      std::vector<std::string> overrides = model;
      overrides.push_back(more);
      return Measured(let_go, overrides);
    };
    const Measured found = with("time.slice_steps=1000");
    EXPECT_LT(found["lowest"], -0.15);
    EXPECT_NEAR(found["passes"], 0.088, 2e-3);
    const Measured looked_at = with("time.slice_steps=1");
    const Measured in_time = with("measure.interval=1e-3");
    for (const char* name : {"lowest", "mean", "rms", "passes", "most", "couple"}) {
      EXPECT_NEAR(found[name], looked_at[name], 1e-6 * std::abs(found[name])) << name;
      EXPECT_DOUBLE_EQ(found[name], in_time[name]) << name;
    }
    // What is seen does not change the motion.
    Deck deck = Deck::parse(let_go.substr(0, let_go.find("[measure]")), "test.ini", model);
    EXPECT_EQ(value(run_member(make_member_spec(deck)), "end_z"), found["end_z"]);
  }
}

TEST(Measures, OfLaddersOfEquilibriaSampleEachStep) {
  const Measured found(
      let_go.substr(0, let_go.find("[gravity]")) +
      "[motion]\nposition = end : free, 0, 0.05 * t until 0.5\n[time]\nmethod = static\nstep = 0.1\nend = 1\n"
      "[measure]\ndefine = highest [m] : max(z(end))\ndefine = passes [s] : first_time(z(end) > 0.012)\n");
  EXPECT_NEAR(found["highest"], 0.025, 1e-9);
  EXPECT_NEAR(found["passes"], 0.3, 1e-12);
}

/// A bent and stretched rod that swings.
std::string swinging(const std::string& model, const std::string& step) {
  return "[model]\nkind = " + model +
         "\n[rod]\nelements = 20\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = "
         "0.5\n"
         "direction = 1, 0, 0\nnormal = 0, 1, 0\n[time]\nstep = " +
         step + "\nend = 0.3\n[gravity]\nacceleration = 0, 1, -9.81\n";
}

const std::string parts =
    "[measure]\n"
    "define = bend [J] : bending_energy(rod 0) - bending_energy\n"
    "define = twist [J] : twist_energy(rod 0) - twist_energy\n"
    "define = shear [J] : shear_energy(rod 0) - shear_energy\n"
    "define = stretch [J] : stretch_energy(rod 0) - stretch_energy\n"
    "define = translation [J] : translational_energy(rod 0) - translational_energy\n"
    "define = rotation [J] : rotational_energy(rod 0) - rotational_energy\n"
    "define = sum [J] : total_energy(rod 0) - total_energy\n"
    "define = whole [J] : total_energy\n"
    "define = worst [1/m] : max_along(curvature) - curvature_max\n"
    "define = tip [m] : hypot(x(end) - end_x, y(end) - end_y) + abs(z(end) - end_z)\n"
    "define = longest [1] : mean_along(dilatation)\n"
    "define = length [m] : integral_along(dilatation)\n";

TEST(Measures, OfRodsAgreeWithTheirObservables) {
  for (const auto& [model, step] : {std::pair("cosserat", "1e-4"), std::pair("der", "1e-3")}) {
    const Measured found(swinging(model, step) + "[boundary]\nfirst = clamped\n" + parts);
    EXPECT_GT(found["whole"], 0.1);
    EXPECT_GT(found["bending_energy"], 0.01);
    for (const char* name : {"bend", "twist", "shear", "stretch", "translation", "rotation", "sum"}) {
      EXPECT_NEAR(found[name], 0.0, 1e-12 * found["whole"]) << model << " " << name;
    }
    EXPECT_NEAR(found["worst"], 0.0, 1e-12 * found["curvature_max"]) << model;
    EXPECT_EQ(found["tip"], 0.0);
    EXPECT_NEAR(found["length"], found["longest"], 1e-12) << model;  // the rest length is 1 m
    EXPECT_GT(found["longest"], 1.0);
  }
}

TEST(Measures, OfClosedRodsAgreeWithTheirObservables) {
  const Measured found(
      "[rod]\nelements = 24\nshape = ring\nlength = 1\nradius = 0.01\nmass = 0.1\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\nrest_shape = straight\ntotal_twist = 3\n[time]\nstep = 1e-4\nend = 0.1\n"
      "[load]\nperturbation = 0.01\n" +
      parts);
  EXPECT_GT(found["bending_energy"], 0.0);
  EXPECT_GT(found["twist_energy"], 0.0);
  for (const char* name : {"bend", "twist", "shear", "stretch", "translation", "rotation", "sum"}) {
    EXPECT_NEAR(found[name], 0.0, 1e-12 * found["whole"]) << name;
  }
  EXPECT_NEAR(found["worst"], 0.0, 1e-12 * found["curvature_max"]);
}

/// Between a model's internal force and couple and what the rod carries at rest.
/// Its one element has no neighbour that it could bend against.
TEST(Measures, OfARodOfOneElementHaveNoCurvature) {
  const Measured rod(
      "[rod]\nelements = 1\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\n[time]\nstep = 1e-5\nend = 1e-4\n[measure]\ndefine = at [1/m] : "
      "last(curvature(end))\ndefine = most [1/m] : last(max_along(curvature))\ndefine = least [1/m] : "
      "min(min_along(3 + curvature))\ndefine = mean [1/m] : last(mean_along(curvature))\ndefine = sum [1] : "
      "last(integral_along(curvature))\n");
  EXPECT_EQ(rod["at"], 0.0);
  EXPECT_EQ(rod["most"], 0.0);
  EXPECT_EQ(rod["least"], 3.0);
  EXPECT_EQ(rod["mean"], 0.0);
  EXPECT_EQ(rod["sum"], 0.0);
}

TEST(Measures, FindTheForceAndCoupleThatAClampCarries) {
  for (const auto& [model, step] : {std::pair("cosserat", "1e-5"), std::pair("der", "2e-3")}) {
    const Measured found(
        "[model]\nkind = " + std::string(model) +
        "\n[rod]\nelements = 20\nlength = 1\nradius = 0.02\nmass = 0.1\nyoung_modulus = 1e8\n"
        "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\ndamping_ratio = 1\n"
        "[boundary]\nfirst = clamped\n[load]\nend_force = 5, 0, 0.1\n[time]\nstep = " +
        step +
        "\nend = 2\n[measure]\ndefine = pull [N] : fx(start)\ndefine = lift [N] : fz(start)\n"
        "define = tension [N] : tension(middle)\n"
        "define = couple [N m] : couple_1(start)\ndefine = other [N m] : couple_1(middle)\n"
        "define = free [N m] : couple_1(end)\ndefine = drop [m] : z(end)\n"
        "define = half [m] : z(end) - z(middle)\n");
    EXPECT_NEAR(found["pull"], 5.0, 1e-3) << model;
    EXPECT_NEAR(found["lift"], 0.1, 1e-4) << model;
    EXPECT_NEAR(found["tension"], 5.0, 0.02) << model;
    // d1 is y: the moment about y of a force along z at the end is -F L, less what the pull takes back.
    EXPECT_NEAR(std::abs(found["couple"]), 0.1 * 1.0 - 5.0 * found["drop"], 2e-3) << model;
    EXPECT_NEAR(std::abs(found["other"]), 0.1 * 0.5 - 5.0 * found["half"], 2e-3) << model;
    EXPECT_EQ(found["free"], 0.0);
  }
}

/// What works on an undamped rod becomes its energy.
void expect_balance(const std::string& deck, const std::string& power, double tolerance) {
  const Measured found(deck + "[measure]\ninterval = 1e-4\ndefine = work [J] : integral(" + power +
                       ")\ndefine = gain [J] : total_energy - at(0, total_energy)\n"
                       "define = by_rods [J] : integral(" +
                       power +
                       "(rod 0))\n"
                       "define = by_elements [J] : integral(integral_along(" +
                       power + "))\n");
  EXPECT_GT(std::abs(found["gain"]), 1e-6) << power;
  EXPECT_NEAR(found["work"] / found["gain"], 1.0, tolerance) << power;
  EXPECT_EQ(found["work"], found["by_rods"]) << power;
  // Elements have the same rest length of 1/20 m.
  EXPECT_NEAR(found["by_elements"] * 20.0 / found["work"], 1.0, 1e-9) << power;
}

TEST(Measures, HaveThePowerOfLoads) {
  expect_balance(free_rod + "[load]\nend_force = 0.3, 0, 0.1\nend_couple = 0, 0.02, 0.001\nramp_time = 0.1\n",
                 "power_loads", 1e-4);
  expect_balance(free_rod +
                     "[load]\ndistributed_force = 0, 1, 0\ndistributed_couple = 0, 0.01, 0.002\n"
                     "follower_force = 0.1, 0, 0.5\nfrequency = 3\n",
                 "power_loads", 1e-4);
  // The energy of stretch is that of the tension to second order only (observe::stretch_energy_excess).
  expect_balance(swinging("cosserat", "1e-4") + "[boundary]\nfirst = clamped\n", "power_gravity", 5e-4);
}

TEST(Measures, HaveThePowerOfMuscles) {
  const std::string wave = "[muscle]\nperiod = 0.1\nwave_number = 6\n";
  for (const char* axis : {"direction = d1\n", "axis = 0, 1, 0\n"}) {
    expect_balance(free_rod + wave + "amplitudes = 2e-2, 3e-2\n" + axis, "power_muscles", 1e-3);
  }
  expect_balance(free_rod + wave + "kind = force\namplitudes = 2, 3\ndirection = d3\n", "power_muscles",
                 2e-3);
}

TEST(Measures, HaveThePowerOfDrag) {
  const Measured found(free_rod +
                           "[fluid]\nviscosity = 0.1\n[measure]\ninterval = 1e-3\n"
                           "define = work [J] : integral(power_drag)\ndefine = gain [J] : total_energy - "
                           "at(0, total_energy)\n",
                       {"rod.velocity=0.3, 0, 0.2"});
  EXPECT_LT(found["gain"], 0.0);
  EXPECT_NEAR(found["work"] / found["gain"], 1.0, 2e-3);
}

TEST(Measures, ReduceOverTheLastPeriod) {
  const Measured found(
      free_rod +
      "[muscle]\nperiod = 0.1\n[gravity]\nacceleration = 0, 0, -10\n[measure]\ninterval = 0.03\n"
      "define = last_period [m/s] : mean(vz(end) over period)\n"
      "define = range [m/s] : max(vz(end) over 0.1 to 0.2) - min(vz(end) over 0.1 to 0.2)\n");
  EXPECT_NEAR(found["last_period"], -4.5, 1e-10);
  EXPECT_NEAR(found["range"], 1.0, 1e-10);  // the ends of windows are samples too
}

TEST(Measures, OfSeveralRodsAreOfEach) {
  const Measured found(free_rod +
                       "[gravity]\nacceleration = 0, 0, -9.81\n"
                       "[rod]\ncount = 2\neach = rod.origin[0] : list(0, 3)\neach = rod.mass : list(1, 2)\n"
                       "[measure]\ndefine = first [J] : kinetic_energy(rod 0)\n"
                       "define = second [J] : kinetic_energy(rod -1)\ndefine = both [J] : kinetic_energy\n"
                       "define = gap [m] : x(rod 1, end) - x(rod 0, end)\n"
                       "define = farthest [m] : max_along(x)\ndefine = own [m] : max_along(x, rod 0)\n"
                       "define = element [J] : kinetic_energy(rod 1, element 4)\n");
  EXPECT_NEAR(found["second"], 2.0 * found["first"], 1e-9);
  EXPECT_NEAR(found["both"], 3.0 * found["first"], 1e-9);
  EXPECT_NEAR(found["element"], found["second"] / 20.0, 1e-9);
  EXPECT_NEAR(found["gap"], 3.0, 1e-12);
  EXPECT_NEAR(found["farthest"], 3.0, 1e-12);
  EXPECT_NEAR(found["own"], 0.0, 1e-12);
}

TEST(Measures, StandInFramesAsIfTheMemberEndedThere) {
  const Measured found(free_rod +
                       "[gravity]\nacceleration = 0, 0, -10\n[measure]\ninterval = 0.01\n"
                       "define = lowest [m] : min(z(start))\ndefine = late [m] : at(0.3, z(start))\n"
                       "define = mean_speed [m/s] : mean(vz(end))\n"
                       "[output]\nframes = 5\nobservables = lowest, late, mean_speed\n");
  for (std::size_t frame = 0; frame < 5; ++frame) {
    const double time = found.outcome.time[frame];
    EXPECT_NEAR(found.outcome.fields[1][frame], -5.0 * time * time, 1e-9);
    EXPECT_EQ(std::isnan(found.outcome.fields[2][frame]), time < 0.3);
    EXPECT_NEAR(found.outcome.fields[3][frame], -5.0 * time, 1e-9);
  }
}

TEST(Measures, DependOnNeitherFramesNorNeighbours) {
  const std::string text = swinging("cosserat", "1e-4") +
                           "[boundary]\nfirst = clamped\n[measure]\ninterval = 3.7e-3\n"
                           "define = a [m] : mean(z(end))\ndefine = b [1/m] : max(max_along(curvature))\n";
  const MemberSpec spec = make_member_spec(Deck::parse(text, "test.ini"));
  MemberSpec other = spec;
  other.time.steps /= 2;
  const MemberOutcome alone = run_member(spec);
  const MemberOutcome among = run_members({{other, 1}, {spec, 1}, {other, 2}})[1];
  for (std::size_t k = observables.size(); k < alone.observables.size(); ++k) {
    EXPECT_TRUE(std::isfinite(alone.observables[k]));
    EXPECT_EQ(alone.observables[k], among.observables[k]);
  }
}

TEST(Measures, OfAMemberThatStopsEarlyEndThere) {
  const Deck deck = Deck::parse(free_rod +
                                    "[gravity]\nacceleration = 0, 0, -10\n[observe]\n"
                                    "buckling_translational_energy = 2\n[measure]\ninterval = 0.07\n"
                                    "define = time [s] : t\ndefine = lowest [m] : min(z(start))\n"
                                    "define = late [m] : at(0.4, z(start))\n",
                                "test.ini", {"time.slice_steps=100"});
  const MemberOutcome outcome = run_member(make_member_spec(deck));
  EXPECT_EQ(outcome.status, MemberStatus::stopped_early);
  const double time = static_cast<double>(outcome.steps) * 1e-4;
  EXPECT_DOUBLE_EQ(outcome.observables[observables.size()], time);
  EXPECT_LT(time, 0.3);
  EXPECT_NEAR(outcome.observables[observables.size() + 1], -5.0 * time * time, 1e-9);
  EXPECT_TRUE(std::isnan(outcome.observables[observables.size() + 2]));
}

}  // namespace
}  // namespace rodeo
