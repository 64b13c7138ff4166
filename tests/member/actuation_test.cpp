#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// A model with the head of its decks.
struct DrivenModel {
  std::string name;
  std::string deck;
};

const DrivenModel explicit_rods = {"cosserat", "[model]\nkind = cosserat\n[time]\nstep = 5e-5\n"};
const DrivenModel rigid_sections = {"rigid",
                                    "[model]\nkind = cosserat\nsection = rigid\n[time]\nstep = 5e-5\n"};
const DrivenModel single = {"single", "[model]\nkind = cosserat\nprecision = single\n[time]\nstep = 5e-5\n"};
const DrivenModel implicit_rods = {"der", "[model]\nkind = der\n[time]\nstep = 1e-3\n"};
const DrivenModel second_order = {"sdirk2", "[model]\nkind = der\n[time]\nscheme = sdirk2\nstep = 2e-4\n"};

// Of 1 m and 1 kg along x, d1 along y: B = 3.1416 N m^2, C = 2.0944 N m^2, EA = 31416 N.
const std::string driven_rod =
    "[rod]\nelements = 20\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 2.5e7\npoisson_ratio = 0.5\n"
    "direction = 1, 0, 0\nnormal = 0, 1, 0\n";
const double bend_stiffness = 2.5e7 * M_PI * std::pow(0.02, 4) / 4.0;
const double twist_stiffness = bend_stiffness * 2.0 / 3.0;

/// Comes to rest soon.
const std::string fading = "[rod]\ndamping_ratio = 1\n";

/// A deck of such a rod for so many seconds, with lines of [actuation] and of [measure].
std::string driven(const DrivenModel& model, double end, const std::string& actuation,
                   const std::string& measures, const std::string& more = {}) {
  return model.deck + "[time]\nend = " + std::to_string(end) + "\n" + driven_rod + more + "[actuation]\n" +
         actuation + "[measure]\n" + measures;
}

TEST(Actuation, BendsAFreeRodToACircle) {
  for (const DrivenModel& model : {explicit_rods, single, implicit_rods}) {
    const Measured found(driven(model, 3.0, "curvature = d1 : 2 * pi * smooth(t, 0, 1)\n",
                                "define = least [1/m] : min_along(curvature_1 + 100 * (curvature_1 == 0))\n"
                                "define = most [1/m] : max_along(curvature_1)\n"
                                "define = gap [m] : hypot(x(end) - x(start), z(end) - z(start))\n"
                                "define = energy [J] : bending_energy\n",
                                fading));
    EXPECT_NEAR(found["least"], 2.0 * M_PI, 0.03) << model.name;
    EXPECT_NEAR(found["most"], 2.0 * M_PI, 0.03) << model.name;
    EXPECT_LT(found["gap"], 0.03) << model.name;
    EXPECT_LT(found["energy"], 1e-4 * bend_stiffness) << model.name;
  }
}

TEST(Actuation, ActsWhereAFactorOfItsFormulaIsNoNumber) {
  const Measured plain(
      driven(explicit_rods, 0.05, "curvature = d1 : 5\n", "define = e [J] : bending_energy\n"));
  const Measured cut(driven(explicit_rods, 0.05, "curvature = d1 : t < 2 ? 5 : 1 / s\n",
                            "define = e [J] : bending_energy\n"));
  EXPECT_GT(plain["e"], 0.0);
  EXPECT_EQ(cut["e"], plain["e"]);
}

TEST(Actuation, IsMeasuredAsItActs) {
  // A free rod of 1 kg, whose force is a number that goes linearly to 1, then to 2, in 0.1 s each.
  const std::string deck =
      "[rod]\nelements = 2\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
      "direction = 1, 0, 0\n[control]\ninterval = 0.1\nsignal = now : t\noutput = u : 1 + 10 * now\n"
      "[actuation]\nforce = z : u\n[time]\nstep = 5e-4\nend = 0.2\n[measure]\ninterval = 5e-4\n"
      "define = impulse [N s] : integral(u)\ndefine = half [N] : at(0.05, u)\n"
      "define = speed [m/s] : last(mean_along(vz))\n";
  const Measured linear(deck, {"control.hold=linear"});
  EXPECT_NEAR(linear["impulse"], linear["speed"], 1e-3 * linear["speed"]);
  EXPECT_NEAR(linear["half"], 0.5, 1e-9);
  const Measured held(deck, {"control.hold=zero"});
  EXPECT_NEAR(held["impulse"], held["speed"], 3e-3 * held["speed"]);
  EXPECT_EQ(held["half"], 1.0);
}

TEST(Actuation, PutsCouplesWhereTheyAre) {
  for (const std::string model : {"cosserat", "der"}) {
    for (const auto& [place, length] :
         {std::pair("end", 1.0), std::pair("s 0.26", 0.26), std::pair("s 0.01", 0.01),
          std::pair("s 0.99", 0.99), std::pair("node 7", 0.35)}) {
      const DrivenModel resting = {model,
                                   "[model]\nkind = " + model + "\n[time]\nmethod = static\nstep = 1\n"};
      const Measured found(driven(resting, 1.0, std::string("couple = x, ") + place + " : 0.01\n", "",
                                  "[boundary]\nfirst = clamped\n"));
      EXPECT_NEAR(found["end_twist"], 0.01 * length / twist_stiffness, 1e-9) << model << " " << place;
    }
  }
}

// As slowly as the rod follows, its curvature is the wave.
TEST(Actuation, LetsAWaveOfCurvatureTravel) {
  for (const DrivenModel& model : {explicit_rods, implicit_rods}) {
    const Measured found(driven(model, 3.0, "curvature = d1 : 0.5 * smooth(t, 0, 2) * sin(2*pi*(t/6 - s))\n",
                                "define = quarter [1/m] : curvature_1(s 0.25)\n"
                                "define = middle [1/m] : curvature_1(middle)\n"
                                "define = other [1/m] : curvature_1(s 0.65)\n"));
    for (const auto& [name, s] :
         {std::pair("quarter", 0.25), std::pair("middle", 0.5), std::pair("other", 0.65)}) {
      EXPECT_NEAR(found[name], 0.5 * std::sin(2.0 * M_PI * (0.5 - s)), 0.01) << model.name << " " << name;
    }
  }
}

TEST(Actuation, TwistsARodAndLoadsItsClamps) {
  for (const DrivenModel& model : {explicit_rods, implicit_rods}) {
    const std::string line = "twist = d3 : 3 * smooth(t, 0, 1)\n";
    const Measured free(driven(model, 2.0, line, "define = twist [rad/m] : mean_along(twist)\n",
                               fading + "[boundary]\nfirst = clamped\n"));
    EXPECT_NEAR(free["twist"], 3.0, 1e-3) << model.name;
    EXPECT_NEAR(free["end_twist"], 3.0, 1e-3) << model.name;
    const Measured held(driven(model, 2.0, line, "define = couple [N m] : couple_3(middle)\n",
                               fading + "[boundary]\nfirst = clamped\nlast = clamped\n"));
    EXPECT_NEAR(held["couple"], -3.0 * twist_stiffness, 1e-4 * twist_stiffness) << model.name;
  }
}

TEST(Actuation, ContractsAFreeRodAndPullsAtHeldEnds) {
  for (const DrivenModel& model : {explicit_rods, rigid_sections, single, implicit_rods}) {
    const std::string line = "stretch = d3, s 0 to 0.5 : 1 - 0.4 * smooth(t, 0, 0.5)\n";
    const Measured free(driven(model, 1.0, line,
                               "define = length [m] : integral_along(dilatation)\n"
                               "define = energy [J] : stretch_energy(rod 0)\n",
                               fading));
    EXPECT_NEAR(free["length"], 0.8, 1e-4) << model.name;
    EXPECT_LT(free["energy"], 1e-3) << model.name;
    EXPECT_NEAR(free["energy"], free["stretch_energy"], 1e-6) << model.name;
    // Held, all elements have the force that stretches the rod by what the natural length lacks.
    const std::string small = "stretch = d3 : 1 - 0.01 * smooth(t, 0, 0.5)\n";
    const Measured held(driven(model, 1.0, small, "define = tension [N] : tension(middle)\n",
                               fading + "[boundary]\nfirst = clamped\nlast = clamped\n"));
    EXPECT_NEAR(held["tension"], 0.01 * 2.5e7 * M_PI * 0.02 * 0.02, 0.02) << model.name;
  }
}

// A couple at the end, or one that every part exerts on the next, bends to an arc of c/B.
TEST(Actuation, BendsByCouplesToAnArc) {
  const std::string couple = std::to_string(bend_stiffness) + " * smooth(t, 0, 1)\n";
  for (const DrivenModel& model : {explicit_rods, single, implicit_rods}) {
    for (const std::string& line : {"couple = y, end : " + couple, "couple = d1, element -1 : " + couple,
                                    "internal_couple = d1 : " + couple, "internal_couple = y : " + couple}) {
      const Measured found(driven(model, 3.0, line,
                                  "define = early [1/m] : curvature_1(node 2)\n"
                                  "define = late [1/m] : curvature_1(node -3)\n"
                                  "define = tip [m] : z(end)\ndefine = forward [m] : x(end)\n",
                                  fading + "[boundary]\nfirst = clamped\n"));
      EXPECT_NEAR(found["early"], 1.0, 2e-3) << model.name << " " << line;
      EXPECT_NEAR(found["late"], 1.0, 2e-3) << model.name << " " << line;
      EXPECT_NEAR(std::abs(found["tip"]), 1.0 - std::cos(1.0), 2e-3) << model.name << " " << line;
      EXPECT_NEAR(found["forward"], std::sin(1.0), 2e-3) << model.name << " " << line;
    }
  }
}

TEST(Actuation, LoadsACantileverAtAPlace) {
  for (const DrivenModel& model : {explicit_rods, single, implicit_rods}) {
    // F a^2 (3 L - a)/(6 B), where shear adds 1e-4 of it.
    for (const auto& [place, a] :
         {std::pair("node 12", 0.6), std::pair("s 0.63", 0.63), std::pair("end", 1.0)}) {
      const Measured found(driven(model, 3.0,
                                  "force = z, " + std::string(place) + " : 0.25 * smooth(t, 0, 1)\n",
                                  "define = tip [m] : z(end)\n", fading + "[boundary]\nfirst = clamped\n"));
      EXPECT_NEAR(found["tip"] / (0.25 * a * a * (3.0 - a) / (6.0 * bend_stiffness)), 1.0, 0.01)
          << model.name << " " << place;
    }
  }
}

TEST(Actuation, SpreadsForcesOverRestLengths) {
  for (const DrivenModel& model : {explicit_rods, implicit_rods}) {
    const Measured found(driven(model, 0.2, "force = (0, 3, 4), s 0.12 to 0.52 : 10 * t\n",
                                "define = vy [m/s] : mean_along(vy)\ndefine = vz [m/s] : mean_along(vz)\n"));
    const Measured along(driven(model, 0.2,
                                "force = d3 : 2\nforce = x : -2 * (1 - 2 * s)\nforce = x, element 3 : -2\n",
                                "define = vx [m/s] : mean_along(vx)\n"));
    // The integral of F over 0.2 s: 0.4 m times 10 t along (0, 0.6, 0.8).
    const double impulse = 0.4 * 10.0 * 0.02;
    EXPECT_NEAR(found["vy"], 0.6 * impulse, 0.006 * impulse) << model.name;
    EXPECT_NEAR(found["vz"], 0.8 * impulse, 0.006 * impulse) << model.name;
    EXPECT_NEAR(along["vx"], 0.0, 1e-10) << model.name;
  }
}

/// Every quantity, with waves, profiles and pulses.
const std::vector<std::string> all_lines = {
    "force = d1 : 0.2 * sin(2*pi*(2*t - s))\n",
    "force = z, node 3 : 0.1 * sin(9 * t)\n",
    "force = (1, 1, 0), s 0.2 to 0.7 : 0.3 * smooth(t - 0.3 * s, 0, 0.1)\n",
    "couple = z : 0.01 * cos(6 * t) * s\n",
    "couple = d3, end : 0.004 * smooth(t, 0, 0.2)\n",
    "internal_couple = d1 : 0.02 * sin(2*pi*(2*t - s))\n",
    "internal_couple = y, s 0.3 to 0.8 : 0.02 * smooth(t, 0, 0.2)\n",
    "curvature = d1 : 0.3 * sin(2*pi*(2*t - s))\n",
    "curvature = d2 : 0.3 * smooth(t + 0.2 * s, 0.1, 0.4)\n",
    "twist = d3 : 0.5 * spline(t / 0.5, 0, 1, 0.3) * s\n",
    "stretch = d3, s 0.2 to 0.9 : 1 + 0.01 * smooth(t, 0, 0.2) * sin(2*pi*(t / 0.25 + s))\n",
};

std::string all_together() {
  std::string lines;
  for (const std::string& line : all_lines) lines += line;
  return lines;
}

const std::string balance =
    "interval = 2e-4\ndefine = work [J] : integral(power_actuation)\n"
    "define = passed [J] : integral(abs(power_actuation))\n"
    "define = energy [J] : total_energy - at(0, total_energy)\n";

// Nothing takes energy away, so that it changes by the work; of a softer rod, which has no modes that are too
// fast for the samples.
void expect_work_balance(const DrivenModel& model, const std::string& lines, const std::string& more = {}) {
  const Measured found(driven(model, 0.5, lines, balance, more),
                       {"rod.young_modulus=1e6", "rod.elements=10"});
  EXPECT_GT(found["passed"], 1e-6) << model.name << " " << lines << more;
  EXPECT_NEAR(found["energy"], found["work"], 1e-3 * found["passed"]) << model.name << " " << lines << more;
}

TEST(Actuation, WorksByWhatTheEnergyGains) {
  for (const std::string& line : all_lines) {
    expect_work_balance(explicit_rods, line);
    expect_work_balance(second_order, line);
  }
  expect_work_balance(rigid_sections, all_together());
  expect_work_balance(second_order, all_together());
}

TEST(Actuation, WorksOnClampedTaperedAndClosedRods) {
  for (const std::string more : {"[rod]\nend_radius = 0.01\n", "[boundary]\nfirst = clamped\n",
                                 "[boundary]\nfirst = clamped\nlast = clamped\n",
                                 "[rod]\nintrinsic_curvature = 1, 0.5\nintrinsic_twist = 2\n"}) {
    expect_work_balance(rigid_sections, all_together(), more);
    expect_work_balance(second_order, all_together(), more);
  }
  const std::string periodic =
      "internal_couple = d1 : 0.01 * sin(2*pi*(2*t - s))\ncurvature = d1 : 0.3 * sin(2*pi*(2*t - s))\n"
      "stretch = d3 : 1 + 0.01 * sin(2*pi*(2*t - s))\nforce = z : 0.2 * sin(2*pi*(2*t - s))\n"
      "couple = d2 : 0.003 * t\ntwist = d3 : t\n";
  const Measured ring(
      "[model]\nsection = rigid\n[time]\nstep = 1e-4\nend = 0.5\n[rod]\nelements = 24\nshape = ring\nlength "
      "= "
      "1\nradius = 0.01\nmass = 0.1\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n[actuation]\n" +
      periodic + "[measure]\n" + balance);
  EXPECT_GT(ring["passed"], 1e-4);
  EXPECT_NEAR(ring["energy"], ring["work"], 1e-3 * ring["passed"]);
}

// A closed rod knows no first element: what drives all of it alike keeps it a circle.
TEST(Actuation, GrowsARingToALargerOne) {
  const Measured ring(
      "[time]\nstep = 1e-4\nend = 1\n[rod]\nelements = 24\nshape = ring\nlength = 1\nradius = 0.01\nmass = "
      "0.1\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\nrelaxation_time = 0.05\n[actuation]\n"
      "stretch = d3 : 1 + 0.2 * smooth(t, 0, 0.5)\n[measure]\n"
      "define = least [1] : min_along(dilatation)\ndefine = most [1] : max_along(dilatation)\n");
  EXPECT_NEAR(ring["least"], 1.2, 2e-3);
  EXPECT_NEAR(ring["most"], 1.2, 2e-3);
}

// Its first node is like any other, and its last one.
TEST(Actuation, BendsARingAtItsFirstNodeAsAtOthers) {
  const std::string ring =
      "[rod]\nshape = ring\nlength = 0.62831853\nradius = 0.004\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.3\nelements = 12\nrelaxation_time = 0.05\n[measure]\n"
      "define = turns [m^2/s] : integral_along(x * vy - y * vx)\ndefine = bent [J] : bending_energy\n";
  const std::string implicit = "time.method=implicit";
  const std::string discrete = "model.kind=der";
  const auto bent_at = [&](const std::string& place, const std::string& drive, const std::string& method) {
    const std::size_t colon = drive.find(':');
    const std::string line =
        "actuation." + drive.substr(0, colon) + ", " + place + " :" + drive.substr(colon + 1);
    std::vector<std::string> overrides = {line, "time.end=0.1"};
    overrides.push_back(method.empty() ? "time.step=2e-5" : "time.step=1e-3");
    if (!method.empty()) overrides.push_back(method);
    const Measured found(ring, overrides);
    EXPECT_LT(std::abs(found["turns"]), 1e-9) << line << " " << method;
    return found["bent"];
  };
  for (const std::string& method : {std::string(), implicit, discrete}) {
    for (const std::string drive : {"internal_couple=z: 1e-2", "curvature=d1: 50"}) {
      const double energy = bent_at("node 6", drive, method);
      EXPECT_GT(energy, 1e-5) << drive << method;
      for (const std::string place : {"start", "node 0"})
        EXPECT_NEAR(bent_at(place, drive, method), energy, 1e-6 * energy) << drive << " " << place << method;
    }
  }
}

TEST(Actuation, AddsLinesOnOnePlaceAndKeepsRodsApart) {
  const std::string deck =
      "[time]\nstep = 5e-5\nend = 3\n" + driven_rod + fading +
      "[rod]\ncount = 3\neach = rod.origin[1] : list(0, 1, 2)\neach = variable.part : list(1, 2, 3)\n"
      "[variable]\npart = 1\n[actuation]\nstretch = d3, rod 0 : 1 + 0.1 * ramp(t, 0, 0.5)\n"
      "stretch = d3, rod 0 : 1 + 0.05 * ramp(t, 0, 0.5)\ncurvature = d1 : part * ramp(t, 0, 0.5)\n"
      "[measure]\ndefine = first [m] : mean_along(dilatation, rod 0)\n"
      "define = second [m] : mean_along(dilatation, rod 1)\n"
      "define = bent [1/m] : curvature_1(rod 1, middle)\ndefine = more [1/m] : curvature_1(rod 2, middle)\n";
  const Measured found(deck);
  EXPECT_NEAR(found["first"], 1.15, 1e-3);
  EXPECT_NEAR(found["second"], 1.0, 1e-4);
  EXPECT_NEAR(found["bent"], 2.0, 0.02);
  EXPECT_NEAR(found["more"], 3.0, 0.03);
}

TEST(Actuation, IsNoSourceWhereItStays) {
  const std::string steady = "curvature = d1 : 3 * s\nstretch = d3 : 1.1\n";
  const Measured found(driven(explicit_rods, 0.2, steady, "define = a [1] : 1\n"));
  EXPECT_LT(found["energy_gain_relative"], 1e-3);
  const Measured changing(driven(explicit_rods, 0.2, "curvature = d1 : 3 * s * t\n", "define = a [1] : 1\n"));
  EXPECT_TRUE(std::isnan(changing["energy_gain"]));
  const Measured pushed(driven(explicit_rods, 0.2, "force = x : 1\n", "define = a [1] : 1\n"));
  EXPECT_TRUE(std::isnan(pushed["energy_gain"]));
}

TEST(Actuation, ThatDoesNothingLeavesTheTwistOfItsRod) {
  for (const DrivenModel& model : {explicit_rods, implicit_rods}) {
    const std::string natural = "[rod]\nintrinsic_twist = 2\n";
    const Measured idle(driven(model, 0.01, "force = z : 0\n", "define = a [1] : 1\n", natural));
    const Measured none(driven(model, 0.01, "curvature = d1 : 0\n", "define = a [1] : 1\n", natural));
    EXPECT_NEAR(idle["end_twist"], none["end_twist"], 1e-12) << model.name;
  }
}

// Values that stay are found once, and are those of a formula that only seems to change.
TEST(Actuation, StaysAsItIsWhereItsFormulaDoes) {
  for (const DrivenModel& model : {explicit_rods, single, implicit_rods}) {
    const auto energy = [&](const std::string& more) {
      const std::string lines = "force = y : 0.2 * s + 0.1" + more + "\ncouple = z : 0.01 * s^2" + more +
                                "\ncurvature = d2 : 3 * s" + more + "\nstretch = d3 : 1.02" + more + "\n";
      return Measured(driven(model, 0.1, lines, "define = e [J] : total_energy\n"))["e"];
    };
    EXPECT_GT(energy(""), 0.0) << model.name;
    EXPECT_EQ(energy(""), energy(" + (t > 10)")) << model.name;
  }
}

// Batches, slices and the length of slices change nothing.
TEST(Actuation, IsTheSameInBatchesAndSlices) {
  const std::string together = all_together();
  for (const DrivenModel& model : {explicit_rods, single, implicit_rods}) {
    const auto spec = [&](const std::string& lines, const std::string& slice) {
      return make_member_spec(Deck::parse(
          driven(model, 0.1, lines, "interval = 0.1\ndefine = e [J] : total_energy\n", slice), "a.ini"));
    };
    const MemberOutcome alone = run_member(spec(together, ""));
    const std::vector<MemberOutcome> outcomes =
        run_members({{spec(all_lines[0], ""), 1}, {spec(together, ""), 1}, {spec(all_lines[9], ""), 1}});
    EXPECT_EQ(value(outcomes[1], "end_x"), value(alone, "end_x")) << model.name;
    EXPECT_EQ(value(outcomes[1], "end_z"), value(alone, "end_z")) << model.name;
    if (model.name == "cosserat") {
      const MemberOutcome cut = run_member(spec(together, "[time]\nslice_steps = 170\n"));
      EXPECT_NEAR(value(cut, "end_z"), value(alone, "end_z"), 1e-12);
    }
  }
}

}  // namespace
}  // namespace rodeo
