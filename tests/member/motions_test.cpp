#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/math/rotation.hpp"

#include "member/run_members.hpp"

namespace rodeo {
namespace {

/// A member of a deck that ends well, with its measures.
struct Moved {
  explicit Moved(const std::string& text, const std::vector<std::string>& overrides = {})
      : deck(Deck::parse(text, "test.ini", overrides)),
        list(observables_of(deck)),
        spec(make_member_spec(deck)),
        outcome(run_member(spec)) {
    EXPECT_EQ(outcome.status, MemberStatus::done);
  }

  double operator[](std::string_view name) const { return outcome.observables.at(list.index(name)); }

  /// An entry of a stored field at a frame: `k`-th of a node or element, of so many in all.
  Vec3 vector(std::size_t field, std::size_t frame, int entries, int k) const {
    const double* const v =
        &outcome.fields[field][3 * (frame * static_cast<std::size_t>(entries) + static_cast<std::size_t>(k))];
    return {v[0], v[1], v[2]};
  }

  Deck deck;
  ObservableList list;
  MemberSpec spec;
  MemberOutcome outcome;
};

struct Stepping {
  const char* name;
  const char* lines;  ///< of a deck
  double step;        ///< s
};

/// Every way of taking steps there is.
const std::vector<Stepping> steppings = {
    {"cosserat", "[model]\nkind = cosserat\n", 1e-4},
    {"single", "[model]\nkind = cosserat\nprecision = single\n", 1e-4},
    {"der", "[model]\nkind = der\n", 2e-3},
    {"implicit", "[time]\nmethod = implicit\n", 1e-3},
    {"sdirk2", "[model]\nkind = der\n[time]\nscheme = sdirk2\n", 2e-3},
    {"midpoint", "[model]\nkind = der\n[time]\nscheme = midpoint\n", 1e-3},
    {"der_generalized_alpha", "[model]\nkind = der\n[time]\nscheme = generalized_alpha\n", 1e-3}};

std::string with_step(const Stepping& stepping, double end) {
  return std::string(stepping.lines) + "[time]\nstep = " + std::to_string(stepping.step) +
         "\nend = " + std::to_string(end) + "\n";
}

// A rod of 1 m and 1 kg along x, with nothing that holds it.
std::string rod_of(int elements, const std::string& more = {}) {
  return "[rod]\nelements = " + std::to_string(elements) +
         "\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
         "direction = 1, 0, 0\nnormal = 0, 1, 0\n" +
         more;
}
constexpr double soft_bend = 1e6 * M_PI * 0.02 * 0.02 * 0.02 * 0.02 / 4.0;  // of rod_of, N m^2
constexpr double soft_twist = 2.0 * soft_bend / 3.0;                        // N m^2

TEST(Motions, NodesAreWhereFormulasSayWhateverTheDamping) {
  for (const Stepping& stepping : steppings) {
    const Moved moved(rod_of(10, "relaxation_time = 1e-3\n") + with_step(stepping, 0.4) +
                      "[gravity]\nacceleration = 0, 0, -9.81\n[output]\nframes = 9\nfields = velocity\n"
                      "[motion]\nposition = node 3 : 0.01 * sin(20 * t), free, 0.05 * smooth(t, 0, 0.3)\n"
                      "position = node 3 : free, 0, free until 0.2\n");
    const Vec3 start = moved.vector(0, 0, 11, 3);
    for (std::size_t frame = 0; frame < 9; ++frame) {
      const double t = moved.outcome.time[frame];
      const double u = std::min(1.0, t / 0.3);
      const double rise = 0.05 * u * u * u * (10 + u * (6 * u - 15));
      const Vec3 r = moved.vector(0, frame, 11, 3) - start;
      const Vec3 v = moved.vector(1, frame, 11, 3);
      EXPECT_NEAR(r.x, 0.01 * std::sin(20 * t), 1e-15) << stepping.name;
      EXPECT_NEAR(r.z, rise, 1e-15) << stepping.name;
      EXPECT_NEAR(v.x, 0.2 * std::cos(20 * t), 1e-14) << stepping.name;
      EXPECT_NEAR(v.z, 0.05 * 30 * u * u * (1 - u) * (1 - u) / 0.3, 1e-14) << stepping.name;
      if (t <= 0.2) {
        EXPECT_NEAR(r.y, 0.0, 1e-15) << stepping.name;
      }
    }
  }
}

TEST(Motions, ElementsTurnAsFormulasSayWhateverTheDamping) {
  const Vec3 axis = normalized({1, 2, 3});
  for (const Stepping& stepping : steppings) {
    const Moved moved(rod_of(10, "relaxation_time = 1e-2\n") + with_step(stepping, 0.4) +
                      "[gravity]\nacceleration = 0, 0, -9.81\n"
                      "[output]\nframes = 9\nfields = orientation, angular_velocity\n"
                      "[motion]\nrotation = element 4 about 1 2 3 : 0.5 * sin(10 * t)\n");
    const auto orientation = [&](std::size_t frame) {
      const double* const q = &moved.outcome.fields[1][4 * (frame * 11 + 4)];
      return Quaternion{q[0], q[1], q[2], q[3]};
    };
    for (std::size_t frame = 0; frame < 9; ++frame) {
      const double t = moved.outcome.time[frame];
      const Quaternion expected = rotation(0.5 * std::sin(10 * t) * axis) * orientation(0);
      const Quaternion q = orientation(frame);
      EXPECT_NEAR(q.w, expected.w, 1e-14) << stepping.name;
      EXPECT_NEAR(q.x, expected.x, 1e-14) << stepping.name;
      EXPECT_NEAR(q.y, expected.y, 1e-14) << stepping.name;
      EXPECT_NEAR(q.z, expected.z, 1e-14) << stepping.name;
      const Vec3 edge = moved.vector(0, frame, 11, 5) - moved.vector(0, frame, 11, 4);
      const Vec3 spin = 5.0 * std::cos(10 * t) * directors(q).to_body(axis);
      EXPECT_NEAR(moved.vector(2, frame, 11, 4).z, spin.z, 1e-13) << stepping.name;
      if (!moved.spec.shears) {
        EXPECT_NEAR(norm(cross(edge, directors(q).d3)), 0.0, 1e-14) << stepping.name;
      } else {
        EXPECT_NEAR(moved.vector(2, frame, 11, 4).x, spin.x, 1e-13) << stepping.name;
      }
    }
  }
}

TEST(Motions, ARodHeldInItsMiddleIsTwoCantilevers) {
  constexpr double load = 0.2;                                           // weight, N
  const double bend = load * 0.5 * 0.5 * 0.5 * 0.5 / (8.0 * soft_bend);  // w l^4/(8 B), l = 0.5
  const double shear = load * 0.5 * 0.5 / (2.0 * 4.0 / 9.0 * 1e6 * M_PI * 0.02 * 0.02);  // w l^2/(2 S)
  for (const Stepping& stepping : steppings) {
    const Moved moved(rod_of(30, "relaxation_time = 0.1\n") + with_step(stepping, 2) +
                      "[gravity]\nacceleration = 0, 0, -0.2\n[motion]\nposition = middle : 0, 0, 0\n"
                      "[measure]\ndefine = first [m] : z(start)\ndefine = last [m] : z(end)\n"
                      "define = held [N] : reaction_z(node 15)\n");
    const double drop = bend + (moved.spec.shears ? shear : 0.0);
    EXPECT_NEAR(moved["first"], -drop, 0.01 * drop) << stepping.name;
    EXPECT_NEAR(moved["last"], -drop, 0.01 * drop) << stepping.name;
    EXPECT_NEAR(moved["held"], load, 1e-3 * load) << stepping.name;
  }
}

TEST(Motions, APulledStringPullsBack) {
  // Tension T = E A e of a string stretched by e, and 2 T' sin(angle) of its halves at the height h.
  constexpr double area = M_PI * 0.001 * 0.001;
  constexpr double height = 0.05;
  const double half = std::hypot(0.505, height);
  const double force = 2.0 * 1e8 * area * (half / 0.5 - 1.0) * height / half;
  for (const Stepping& stepping : steppings) {
    const Moved moved(
        "[rod]\nelements = 20\nlength = 1\nradius = 0.001\nmass = 0.1\nyoung_modulus = 1e8\n"
        "poisson_ratio = 0.5\ndirection = 1, 0, 0\nrelaxation_time = 0.05\n[model]\nsection = rigid\n"
        "[boundary]\nfirst = pinned\n" +
            with_step(stepping, 2) +
            "[motion]\nposition = end : 0.01 * ramp(t, 0, 0.5), 0, 0\n"
            "position = middle : free, 0, 0.05 * smooth(t, 0.5, 1) from 0.5\n"
            "[measure]\ndefine = force [N] : reaction_z(middle)\ndefine = tension [N] : tension(element 3)\n"
            "define = pull [N] : reaction_x(end)\n",
        {"time.step=" + std::to_string(stepping.step < 1e-3 ? 2e-5 : stepping.step)});
    // Bending at the middle and at the grips stiffens the string by a few per mill.
    EXPECT_NEAR(moved["force"], force, 0.01 * force) << stepping.name;
    EXPECT_NEAR(moved["pull"], moved["tension"] * 0.505 / half, 0.01 * moved["pull"]) << stepping.name;
  }
}

TEST(Motions, ADrivenEndSendsTwistAlongTheRod) {
  // theta_tt + theta_t/tau = c^2 theta_ss with theta(0) = A sin(omega t) and a free end: |theta(L)| =
  // A/|cos(k L)| with (c k)^2 = omega^2 - i omega/tau.
  constexpr double omega = 40.0;
  constexpr double relaxation = 0.02;
  const double speed = std::sqrt(soft_twist / (1.0 * 0.02 * 0.02 / 2.0));
  const std::complex<double> k = std::sqrt(std::complex<double>(omega * omega, -omega / relaxation)) / speed;
  const double amplitude = 0.1 / std::abs(std::cos(k));
  for (const Stepping& stepping : steppings) {
    if (std::string(stepping.name) == "der") continue;  // of first order, which damps waves by itself
    const Moved moved(
        rod_of(40, "relaxation_time = " + std::to_string(relaxation) + "\n") + with_step(stepping, 1.2) +
        "[motion]\nposition = start : 0, 0, 0\nrotation = start about 1 0 0 : 0.1 * sin(40 * t)\n"
        "[measure]\ninterval = 2e-3\ndefine = rate [rad/s] : rms(omega_3(end) over t_end - 2 * pi / 40 * 3 "
        "to "
        "t_end)\n");
    EXPECT_NEAR(moved["rate"] * std::sqrt(2.0) / omega, amplitude, 0.01 * amplitude) << stepping.name;
  }
}

TEST(Motions, AnElementTurnedInTheMiddleTwistsBothHalves) {
  const double couple = 2.0 * soft_twist * 0.6 / 0.5;
  for (const Stepping& stepping : steppings) {
    const Moved moved(rod_of(11, "relaxation_time = 0.05\n") + with_step(stepping, 1.5) +
                      "[boundary]\nfirst = clamped\nlast = clamped\n"
                      "[motion]\nrotation = middle about -1 0 0 : 0.6 * smooth(t, 0, 0.5)\n"
                      "[measure]\ndefine = couple [N m] : reaction_couple_x(middle)\n");
    EXPECT_NEAR(moved["couple"], -couple, 1e-4 * couple) << stepping.name;
  }
}

/// What a motion puts in against what the rod takes up: its energy, and what damping took at the rate 1/tau
/// from each momentum.
double unbalanced_work(const Stepping& stepping, double end, const std::string& more, double relaxation) {
  const Moved moved(
      rod_of(12, relaxation > 0.0 ? "relaxation_time = " + std::to_string(relaxation) + "\n" : "") +
          with_step(stepping, end) + "[model]\nsection = rigid\n" + more +
          "[measure]\ninterval = 1e-3\ndefine = work [J] : work_motions(rod 0)\n"
          "define = sampled [J] : integral(power_motions(rod 0))\n"
          "define = before [J] : at(0, total_energy(rod 0))\ndefine = after [J] : total_energy(rod 0)\n"
          "define = moving [J s] : integral(kinetic_energy(rod 0))\n",
      {"time.step=" + std::to_string(0.25 * stepping.step)});
  const double taken =
      moved["after"] - moved["before"] + (relaxation > 0.0 ? 2.0 * moved["moving"] / relaxation : 0.0);
  EXPECT_GT(moved["work"], 1e-4) << stepping.name;
  EXPECT_NEAR(moved["sampled"], moved["work"], 0.02 * moved["work"]) << stepping.name;
  return (moved["work"] - taken) / moved["work"];
}

TEST(Motions, WorkIsTheChangeOfEnergyAndWhatDampingTakes) {
  const std::string of_node =
      "[boundary]\nfirst = clamped\n[motion]\nposition = end : 0, 0.1 * smooth(t, 0, 0.2), 0\n";
  const std::string of_element = "[motion]\nrotation = element 6 about 1 1 0 : 0.7 * smooth(t, 0, 0.2)\n";
  const std::string of_end =
      "[motion]\nposition = start : 0, 0, 0\nrotation = start about 0 1 0.5 : 0.7 * smooth(t, 0, 0.2)\n";
  for (const Stepping& stepping : steppings) {
    if (std::string(stepping.name) == "der") continue;  // of first order: it loses energy by itself
    for (const std::string& motion : {of_node, of_element, of_end})
      EXPECT_NEAR(unbalanced_work(stepping, 0.25, motion, 0.1), 0.0, 1e-3) << stepping.name << motion;
    EXPECT_NEAR(unbalanced_work(stepping, 0.25, of_element, 0.0), 0.0, 1e-3) << stepping.name;
  }
}

/// What a scheme keeps from step to step does not depend on where slices are cut.
TEST(Motions, SlicesMakeNoDifference) {
  for (const Stepping& stepping : steppings) {
    const auto after_slices_of = [&](const char* steps) {
      return Moved(rod_of(12, "relaxation_time = 0.1\n") + with_step(stepping, 0.15) +
                       "[motion]\nrotation = element 6 about 1 1 0 : 0.7 * smooth(t, 0, 0.2)\n"
                       "[measure]\ndefine = work [J] : work_motions(rod 0)\n"
                       "define = moving [J] : kinetic_energy(rod 0)\n",
                   {std::string("time.slice_steps=") + steps});
    };
    const Moved often = after_slices_of("3");
    const Moved whole = after_slices_of("1000");
    for (const char* name : {"work", "moving"})
      EXPECT_NEAR(often[name], whole[name], 1e-6 * whole[name]) << stepping.name << ' ' << name;
  }
}

TEST(Motions, AReleasedRodKeepsItsMomentum) {
  for (const Stepping& stepping : steppings) {
    const Moved moved(
        rod_of(10) + with_step(stepping, 0.3) +
        "[model]\nsection = rigid\n[motion]\nposition = node 4 : 0.2 * ramp(t, 0, 0.2), 0.1 * sin(10 * t), "
        "free until 0.1\n"
        "rotation = element 7 about 0 0 1 : 2 * t until 0.1\n"
        "[measure]\ndefine = momentum [kg m/s] : at(0.1, vx(node 4))\n"
        "define = pull [N] : reaction_x(node 4)\ndefine = turn [N m] : reaction_couple_z(element 7)\n");
    EXPECT_DOUBLE_EQ(moved["momentum"], 1.0) << stepping.name;
    EXPECT_EQ(moved["pull"], 0.0) << stepping.name;
    EXPECT_EQ(moved["turn"], 0.0) << stepping.name;
    const bool rounded = moved.spec.single_precision || !moved.spec.shears;  // or solved to a tolerance
    EXPECT_LT(moved["momentum_drift"], rounded ? 1e-6 : 1e-12) << stepping.name;
    if (!moved.spec.steps_explicitly()) continue;
    EXPECT_LT(moved["angular_momentum_drift"], 1e-6) << stepping.name;  // of second order in the step
    EXPECT_NEAR(moved["energy_drift"], 0.0, 1e-3 * moved["total_energy"]);
  }
}

TEST(Motions, OfOnePlaceFollowEachOther) {
  for (const Stepping& stepping : steppings) {
    const Moved moved(rod_of(10) + with_step(stepping, 0.4) +
                      "[motion]\nposition = end : 0, 0.1 * ramp(t, 0, 0.1), 0 until 0.1\n"
                      "position = end : 0, 0, 0 from 0.1 until 0.2\n"
                      "position = end : 0, 0, 0.3 * (t - 0.2) from 0.2 until 0.3\n"
                      "[measure]\ndefine = y [m] : at(0.2, y(end))\ndefine = z [m] : at(0.3, z(end))\n"
                      "define = vz [m/s] : at(0.3, vz(end))\ndefine = later [m] : hypot(z(end) - 0.03, 0)\n");
    EXPECT_NEAR(moved["y"], 0.1, 1e-14) << stepping.name;
    EXPECT_NEAR(moved["z"], 0.03, 1e-14) << stepping.name;
    EXPECT_NEAR(moved["vz"], 0.3, 1e-14) << stepping.name;
    EXPECT_GT(moved["later"], 1e-3) << stepping.name;
  }
}

/// Both models of a slender rod that is moved and turned in three places.
TEST(Motions, OfBothModelsGiveTheSameShape) {
  std::vector<Vec3> shapes[2];
  for (const int model : {0, 1}) {
    const Moved moved(
        "[rod]\nelements = 24\nlength = 1\nradius = 0.005\nmass = 0.1\nyoung_modulus = 1e8\n"
        "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\nrelaxation_time = 0.06\n"
        "[model]\nsection = rigid\n[gravity]\nacceleration = 0, 0, -9.81\n" +
        with_step({"", model == 0 ? "[model]\nkind = cosserat\n" : "[model]\nkind = der\n",
                   model == 0 ? 1e-5 : 1e-3},
                  1.5) +
        "[motion]\nposition = start : 0.1 * smooth(t, 0, 0.5), 0, 0\n"
        "rotation = start about 0 1 0 : -0.5 * smooth(t, 0, 0.5)\n"
        "position = node 12 : 0, 0.05 * smooth(t, 0, 0.5), 0.1 * smooth(t, 0, 0.5)\n"
        "rotation = element 18 about 1 0.3 0.2 : 0.8 * smooth(t, 0, 0.5)\n"
        "[output]\nframes = 2\n");
    for (int i = 0; i <= 24; ++i) shapes[model].push_back(moved.vector(0, 1, 25, i));
  }
  for (std::size_t i = 0; i <= 24; ++i) {
    EXPECT_LT(norm(shapes[0][i] - shapes[1][i]), 2e-3) << i;
  }
}

TEST(Motions, MoveAnyNodeOfAClosedRodAndOfSeveral) {
  const Moved ring(
      "[rod]\nelements = 24\nshape = ring\nlength = 1\nradius = 0.01\nmass = 0.1\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\nrelaxation_time = 0.05\n[time]\nstep = 1e-4\nend = 1\n"
      "[motion]\nposition = start : 0.02 * smooth(t, 0, 0.2), 0, 0\n"
      "position = node 12 : -0.02 * smooth(t, 0, 0.2), 0, 0\n"
      "[measure]\ndefine = first [m] : x(start) - at(0, x(start))\ndefine = last [m] : x(end) - at(0, "
      "x(end))\n"
      "define = pull [N] : reaction_x(start)\ndefine = back [N] : reaction_x(node 12)\n"
      "define = seam [N] : tension(element 23) - tension(element 0)\n");
  EXPECT_NEAR(ring["first"], 0.02, 1e-15);
  EXPECT_NEAR(ring["last"], 0.02, 1e-15);
  EXPECT_NEAR(ring["pull"], -ring["back"], 1e-4 * std::abs(ring["pull"]));
  EXPECT_GT(std::abs(ring["pull"]), 1e-3);
  EXPECT_NEAR(ring["seam"], 0.0, 1e-6);

  for (const Stepping& stepping : steppings) {
    const Moved rods(rod_of(10, "count = 2\neach = rod.origin[1] : list(0, 0.5)\n") +
                     with_step(stepping, 0.2) +
                     "[motion]\nposition = rod 1, end : 0, 0, 0.1 * t\n"
                     "[measure]\ndefine = own [m] : z(rod 1, end)\ndefine = other [m] : z(rod 0, end)\n");
    EXPECT_NEAR(rods["own"], 0.02, 1e-15) << stepping.name;
    EXPECT_NEAR(rods["other"], 0.0, 1e-15) << stepping.name;
  }
}

TEST(Motions, OfMembersOfABatchAreTheirOwn) {
  for (const Stepping& stepping : steppings) {
    std::vector<MemberJob> jobs;
    for (const char* motion :
         {"motion.position=end : 0, 0, 0.1 * t", "motion.position=middle : 0, 0.2 * t, 0",
          "motion.rotation=element 2 about 1 0 0 : spline(t, 0, 1, 3)"}) {
      jobs.push_back(
          {make_member_spec(Deck::parse(rod_of(10) + with_step(stepping, 0.1), "test.ini", {motion})), 1});
    }
    const std::vector<MemberOutcome> together = run_members(jobs);
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      const MemberOutcome alone = run_members({jobs[k]}).front();
      EXPECT_EQ(value(together[k], "total_energy"), value(alone, "total_energy")) << stepping.name << k;
      EXPECT_GT(value(alone, "total_energy"), 0.0);
    }
  }
}

TEST(Motions, AHoldDoesNoWork) {
  const Moved moved(
      rod_of(10) +
      "[model]\nsection = rigid\n[time]\nstep = 1e-4\nend = 0.5\n[gravity]\nacceleration = 0, 0, -9.81\n"
      "[motion]\nposition = middle : 0, 0, 0 from 0.1\n"
      "[measure]\ndefine = work [J] : work_motions(rod 0) - at(0.2, work_motions(rod 0))\n");
  EXPECT_EQ(moved["work"], 0.0);
  EXPECT_LT(moved["energy_gain_relative"], 1e-3);
  const Moved driven(rod_of(10) +
                     "[time]\nstep = 1e-4\nend = 0.1\n[motion]\nposition = middle : 0, 0, 0.1 * t\n");
  EXPECT_TRUE(std::isnan(driven["energy_gain"]));
}

/// With the ground, contact and fluid in action a place is where its formula says.
TEST(Motions, HoldAgainstEverythingElse) {
  const std::string check =
      "[measure]\ndefine = off [m] : abs(z(middle) - at(0, z(middle)) + 0.03)\n"
      "define = force [N] : reaction_z(middle)\n";
  const Moved ground(rod_of(10, "origin = 0, 0, 0.03\nrelaxation_time = 0.05\n") +
                     "[time]\nstep = 2e-5\nend = 0.6\n[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = "
                     "1e4\ndamping = 1\n"
                     "kinetic_friction = 0.2, 0.2, 0.2\nstatic_friction = 0.4, 0.4, 0.4\n"
                     "velocity_threshold = 1e-4\n[gravity]\nacceleration = 0, 0, -9.81\n"
                     "[motion]\nposition = middle : 0, 0, -0.03 * smooth(t, 0, 0.3)\n" +
                     check);
  EXPECT_LT(ground["off"], 1e-15);
  EXPECT_LT(ground["force"], -1.0);

  const std::string crossed =
      rod_of(10,
             "count = 2\neach = rod.origin[1] : list(0, -0.5)\neach = rod.origin[0] : list(0, 0.5)\n"
             "each = rod.origin[2] : list(0.05, 0)\neach = rod.direction[0] : list(1, 0)\n"
             "each = rod.direction[1] : list(0, 1)\neach = rod.normal[1] : list(1, 0)\n"
             "each = rod.normal[0] : list(0, 1)\n"
             "relaxation_time = 0.1\n");
  const std::string press =
      "[motion]\nposition = rod 1, start : 0, 0, 0\nposition = rod 1, end : 0, 0, 0\n"
      "position = rod 0, middle : 0, 0, -0.03 * smooth(t, 0, 0.3)\n"
      "rotation = rod 0, element 6 about 1 0 0 : 0\n"
      "[measure]\ndefine = off [m] : abs(z(rod 0, middle) - at(0, z(rod 0, middle)) + 0.03)\n"
      "define = force [N] : reaction_z(rod 0, middle)\n"
      "define = held [N] : reaction_z(rod 1, start) + reaction_z(rod 1, end)\n";
  const Moved pressed(crossed + "[time]\nstep = 1e-4\nend = 4\n[contact]\nkind = penalty\nstiffness = 1e4\n" +
                      press);
  const Moved implicit(
      crossed +
      "[time]\nstep = 2e-3\nend = 4\n[contact]\nkind = imc\ntolerance = 1e-3\n[model]\nkind = der\n" + press);
  for (const Moved* moved : {&pressed, &implicit}) {
    EXPECT_LT((*moved)["off"], 1e-15);
    EXPECT_LT((*moved)["force"], -0.01);
    EXPECT_NEAR((*moved)["force"], -(*moved)["held"], 2e-2 * (*moved)["held"]);
  }

  const std::string swimming = rod_of(10, "rotational_damping = 1e-4\n") + "[fluid]\nviscosity = 1\n";
  const Moved drag(swimming +
                   "[time]\nstep = 1e-4\nend = 0.6\n"
                   "[motion]\nposition = middle : 0, 0, -0.03 * smooth(t, 0, 0.3)\n" +
                   check);
  const Moved fluid(swimming +
                    "kind = stokeslets\n[model]\nkind = der\n[time]\nstep = 2e-3\nend = 0.6\n"
                    "[motion]\nposition = middle : 0, 0, -0.03 * smooth(t, 0, 0.3)\n" +
                    check);
  EXPECT_LT(drag["off"], 1e-15);
  EXPECT_LT(fluid["off"], 1e-15);
}

}  // namespace
}  // namespace rodeo
