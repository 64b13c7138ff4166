#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"
#include "member/run_in_pieces.hpp"
#include "statics/equilibrium.hpp"
#include "statics/relaxed.hpp"
#include "statics/standing_member.hpp"

namespace rodeo::statics {
namespace {

using Overrides = std::vector<std::string>;

/// A cantilever of 0.8 m that its weight bends far, of one rod or of two.
constexpr const char* heavy_halves = R"(
[model]
section = rigid
[rod]
radius = 0.01
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
direction = 1, 0, 0
normal = 0, 0, 1
count = 2
length = 0.4
elements = 20
each = rod.origin[0] : list(0, 0.4)
each = boundary.first : list(clamped, free)
[gravity]
acceleration = 0, 0.5, -2
[time]
method = static
[measure]
define = x_end [m] : last(x(rod 1, end))
define = y_end [m] : last(y(rod 1, end))
define = z_end [m] : last(z(rod 1, end))
)";

TEST(CoupledRods, RigidJointMakesOneRodOfTwo) {
  const MemberOutcome whole = run_member(make_member_spec(Deck::parse(
      "[model]\nsection = rigid\n[rod]\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = "
      "0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\nlength = 0.8\nelements = 40\n[boundary]\nfirst = clamped\n"
      "[gravity]\nacceleration = 0, 0.5, -2\n[time]\nmethod = static\n",
      "test", {})));
  for (const char* joint : {"joint.kind=rigid", "connection.rigid=rod 0, end to rod 1, start"}) {
    const Measured two(heavy_halves, {joint});
    EXPECT_NEAR(two["x_end"], value(whole, "end_x"), 1e-10) << joint;
    EXPECT_NEAR(two["y_end"], value(whole, "end_y"), 1e-10) << joint;
    EXPECT_NEAR(two["z_end"], value(whole, "end_z"), 1e-10) << joint;
    EXPECT_NEAR(two["least_stiffness"] / value(whole, "least_stiffness"), 1.0, 1e-7) << joint;
    EXPECT_LE(two["newton_iterations"], value(whole, "newton_iterations") + 1.0) << joint;
    EXPECT_NEAR(two["bending_energy"] + two["connection_energy"], value(whole, "bending_energy"), 1e-10)
        << joint;
  }
}

/// Straight rods that rest as arcs and helices: joined rods are one rod also where they are joined.
TEST(CoupledRods, HaveTheirNaturalCurvatureAtRigidJoints) {
  const std::string common =
      "[rod]\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\ndirection = 1, 0, 0\n"
      "normal = 0, 0, 1\nintrinsic_curvature = 2, 1\nintrinsic_twist = 0.5\n[time]\nmethod = static\n"
      "step = 1e-6\nend = 1e-6\n";
  const std::string one = "[rod]\nlength = 0.8\nelements = 16\n[boundary]\nfirst = clamped\n[measure]\n";
  const std::string two =
      "[rod]\ncount = 2\nlength = 0.4\nelements = 8\neach = rod.origin[0] : list(0, 0.4)\n"
      "each = boundary.first : list(clamped, free)\n[measure]\n";
  const auto ends = [](const std::string& rod) {
    return "define = x_end [m] : last(x(" + rod + "end))\ndefine = y_end [m] : last(y(" + rod +
           "end))\ndefine = z_end [m] : last(z(" + rod + "end))\n";
  };
  for (const char* const model : {"model.kind=cosserat", "model.kind=der"}) {
    for (const char* const joint : {"joint.kind=rigid", "connection.rigid=rod 0, end to rod 1, start"}) {
      const Measured whole(common + one + ends(""), {model});
      const Measured cut(common + two + ends("rod 1, "), {model, joint});
      for (const char* const name : {"x_end", "y_end", "z_end"})
        EXPECT_NEAR(cut[name], whole[name], 1e-4) << model << ", " << joint;
      EXPECT_NEAR(cut["bending_energy"] + cut["connection_energy"], 0.0, 1e-7) << model << ", " << joint;
    }
  }
  // Explicit steps: what straight rods store.
  for (const char* const joint : {"joint.kind=rigid", "connection.rigid=rod 0, end to rod 1, start"}) {
    const Measured whole(common + one + ends(""), {"time.method=dynamic"});
    const Measured cut(common + two + ends("rod 1, "), {"time.method=dynamic", joint});
    const auto stored = [](const Measured& of) {
      const double links = of["connection_energy"];
      return of["bending_energy"] + of["twist_energy"] + (std::isnan(links) ? 0.0 : links);
    };
    EXPECT_NEAR(stored(cut) / stored(whole), 1.0, 1e-5) << joint;  // turns about two axes
  }
}

/// Nodes that are one, and those that a stiff spring holds together.
TEST(CoupledRods, BallJointLetsARodHangFromAnother) {
  const Measured by_node(heavy_halves, {"joint.kind=ball"});
  const Measured joined(heavy_halves, {"connection.ball=rod 0, end to rod 1, start"});
  const Measured by_spring(heavy_halves, {"connection.ball=rod 0, end to rod 1, start : stiffness 1e5"});
  for (const char* name : {"x_end", "y_end", "z_end"}) {
    EXPECT_NEAR(joined[name], by_node[name], 1e-12) << name;
    EXPECT_NEAR(by_spring[name], by_node[name], 1e-5) << name;
  }
  // The second rod hangs straight down along its weight.
  EXPECT_NEAR(by_node["unstable_modes"], 0.0, 0.0);
  const double along = -by_node["z_end"] / by_node["y_end"];
  EXPECT_GT(along, 3.9);
}

/// Rods, springs and joints of all kinds: where they rest is where damped explicit steps take them.
constexpr const char* many_links = R"(
[model]
section = rigid
[rod]
count = 3
elements = 8
length = 0.4
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.5
each = rod.origin[0] : list(0, 0.4, 0.8)
each = boundary.first : list(clamped, free, free)
direction = 1, 0, 0
normal = 0, 0, 1
[connection]
ball = rod 0, end to rod 1, start
hinge = rod 1, element -1 to rod 2, element 0 : axis 0 1 0.2 stiffness 2e4 rotational_stiffness 5
spring = rod 0, node 2 to rod 2, s 0.6 : stiffness 20 length 0.3
rigid = rod 0, element 5 to rod 1, element 3 : stiffness 300 rotational_stiffness 0.3
[gravity]
acceleration = 0.2, 0.3, -2
[time]
method = static
)";

TEST(CoupledRods, RestWhereTheyRestWithoutTheVelocitiesThatTheyStartWith) {
  for (const char* kind : {"cosserat", "der"}) {
    MemberSpec spec = make_member_spec(
        Deck::parse(heavy_halves, "test",
                    {"connection.ball=rod 0, end to rod 1, element 0 : stiffness 1e3 damping 10",
                     "model.kind=" + std::string(kind)}));
    const MemberOutcome still = run_member(spec);
    spec.further_rods.at(0).rod.velocity = {0, 1, 2};
    const MemberOutcome moving = run_member(spec);
    EXPECT_EQ(still.status, MemberStatus::done) << kind;
    for (const char* name : {"end_x", "end_y", "end_z", "bending_energy", "connection_energy"})
      EXPECT_EQ(value(moving, name), value(still, name)) << kind << ": " << name;
    EXPECT_EQ(value(moving, "translational_energy"), 0.0) << kind;
  }
}

TEST(CoupledRods, RestWhereDampedStepsTakeThem) {
  expect_as_relaxed(many_links, {},
                    {"time.method=dynamic", "time.step=5e-5", "time.end=14", "rod.damping=0.8"}, 1e-6);
}

/// At an equilibrium the matrix turns a step into what the gradient changes by along it.
void expect_matrix(const std::string& text, const Overrides& overrides, double h, double tolerance) {
  const StandingMember member(make_member_spec(Deck::parse(text, "test", overrides)));
  Equilibrium equilibrium(member.spec(), member.arrays());
  RestingRods& rods = equilibrium.rods();
  rods.begin_motions(0);
  equilibrium.begin(0.0, true);
  ASSERT_TRUE(equilibrium.solve(1.0, 1.0, false).converged);
  const std::vector<Placement> rest = rods.state();
  std::vector<double> pull;
  rods.set_loads(1.0, 1.0);
  rods.linearize(pull, false);
  std::vector<double> force(rods.unknowns());
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = std::sin(3.0 * static_cast<double>(i * i));
  rods.hold(force);
  std::vector<double> way;
  constexpr double share = 1e2;  // 1/s^2
  rods.solve(share, force, way);
  const double size = rods.size(way).largest();
  const auto pull_after = [&](double part) {
    std::vector<double> after;
    rods.restore(rest);
    rods.take(way, part / size);
    rods.set_loads(1.0, 1.0);
    rods.balance(after);
    return after;
  };
  const std::array<std::vector<double>, 4> pulls = {pull_after(-2.0 * h), pull_after(-h), pull_after(h),
                                                    pull_after(2.0 * h)};
  double largest = 0.0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    const double change =
        size * (8.0 * (pulls[1][i] - pulls[2][i]) - (pulls[0][i] - pulls[3][i])) / (12.0 * h);
    largest = std::max(largest, std::abs(change + share * rods.inertia()[i] * way[i] - force[i]));
  }
  EXPECT_LT(largest, tolerance);
}

TEST(CoupledRods, MatrixIsTheDerivativeOfWhatPulls) { expect_matrix(many_links, {}, 2e-3, 1e-7); }

constexpr const char* pressing_rods =
    "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 20\nlength = 1\nradius = 0.02\ndensity = 1000\n"
    "young_modulus = 1e6\npoisson_ratio = 0.5\neach = rod.origin[0] : list(0, 0.5)\n"
    "each = rod.origin[1] : list(0, 0.045)\neach = rod.origin[2] : list(0, -0.5)\n"
    "each = rod.direction[0] : list(1, 0)\neach = rod.direction[2] : list(0, 1)\n"
    "each = load.end_force[1] : list(0.01, -0.03)\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n"
    "[contact]\ntolerance = 2e-3\n";

TEST(CoupledRods, MatrixHasTheirContact) {
  expect_matrix(pressing_rods, {"time.method=static", "contact.kind=imc"}, 5e-4, 1e-4);
}

/// A follower force has no energy; the matrix of the ring on which it acts is not symmetric.
TEST(CoupledRods, MatrixOfAClosedRodHasLoadsWithoutEnergy) {
  expect_matrix(
      "[model]\nsection = rigid\n[rod]\nshape = ring\nrest_shape = straight\nelements = 12\nlength = 1\n"
      "radius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.3\n[time]\nmethod = static\n"
      "[motion]\nposition = start : 0, 0, 0\nrotation = element 0 about 1 0 0 : 0\n"
      "[actuation]\ncouple = z, node 5 : 0.02\nforce = d1, element 7 : 0.05\n",
      {}, 5e-4, 1e-6);
}

/// A ring that hangs from a spring pulls at it by its weight: the node at the seam weighs once, and what
/// holds the last element holds that node too.
TEST(CoupledRods, ClosedRodHasItsWeight) {
  const std::string deck =
      "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 20\nlength = 1\nradius = 0.02\ndensity = 1000\n"
      "young_modulus = 1e7\npoisson_ratio = 0.3\neach = rod.shape : list(straight, ring)\n"
      "each = rod.origin[2] : list(0, -0.3)\neach = boundary.first : list(clamped, free)\n"
      "direction = 1, 0, 0\nnormal = 0, 0, 1\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nmethod = static\n";
  const double weight = 1000.0 * std::numbers::pi * 0.02 * 0.02 * 9.81;
  for (const char* place : {"start", "element -1"}) {
    const Measured hanging(deck, {"connection.spring=rod 0, node 10 to rod 1, " + std::string(place) +
                                  " : stiffness 100 length 0.3"});
    EXPECT_NEAR(hanging["connection_energy"] / (weight * weight / 200.0), 1.0, 1e-9) << place;
  }
}

TEST(CoupledRods, ThatPressRestWhereDampedMotionEnds) {
  for (const std::string kind : {"imc", "ipc"}) {
    const auto run = [&](Overrides overrides) {
      overrides.push_back("contact.kind=" + kind);
      return run_member(make_member_spec(Deck::parse(pressing_rods, "test", overrides)));
    };
    const MemberOutcome rest = run({"time.method=static"});
    ASSERT_EQ(rest.status, MemberStatus::done) << kind;
    EXPECT_GE(value(rest, "contact_count"), 1.0) << kind;
    EXPECT_EQ(value(rest, "unstable_modes"), 0.0) << kind;
    const MemberOutcome motion =
        run({"time.method=implicit", "time.scheme=generalized_alpha", "rod.damping=2",
             "rod.rotational_damping=0.1", "time.step=0.2", "time.end=80"});
    ASSERT_EQ(motion.status, MemberStatus::done) << kind;
    for (const char* name : {"end_x", "end_y", "end_z"})
      EXPECT_NEAR(value(rest, name), value(motion, name), 1e-4) << kind << ' ' << name;
    const MemberOutcome der = run({"time.method=static", "model.kind=der"});
    EXPECT_NEAR(value(rest, "end_y"), value(der, "end_y"), 2e-4) << kind << " rods of der do not shear";
  }
}

/// Two cantilevers side by side, whose ends a spring ties: k_1 u_1 + k (u_1 - u_2) is the force on the first,
/// k (u_1 - u_2) = k_2 u_2.
TEST(CoupledRods, StiffnessesOfCantileversAdd) {
  const Measured tied(
      "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 40\nlength = 1\nradius = 0.01\ndensity = 1000\n"
      "young_modulus = 1e7\npoisson_ratio = 0.5\neach = rod.origin[2] : list(0, 0.2)\n"
      "each = load.end_force[2] : list(1e-4, 0)\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
      "[boundary]\nfirst = clamped\n[connection]\nspring = rod 0, end to rod 1, end : stiffness 0.5\n"
      "[time]\nmethod = static\n[measure]\ndefine = first [m] : last(z(rod 0, end))\n"
      "define = second [m] : last(z(rod 1, end)) - 0.2\n");
  const double bend = 1e7 * M_PI * 1e-8 / 4.0;
  const double own = 3.0 * bend;
  const double spring = 0.5;
  const double first = 1e-4 / (own + spring * own / (own + spring));
  EXPECT_NEAR(tied["first"], first, 1e-3 * first);
  EXPECT_NEAR(tied["second"], first * spring / (own + spring), 1e-3 * first);
}

/// Two columns that are clamped at their feet and a beam on them, all of the same length and section.
constexpr const char* portal_frame = R"(
[model]
section = rigid
[rod]
count = 3
radius = 0.01
density = 1000
young_modulus = 1e7
poisson_ratio = 0.3
length = 1
elements = 20
normal = 0, 1, 0
each = rod.origin[0] : list(0, 0, 1)
each = rod.origin[2] : list(0, 1, 1)
each = rod.direction[0] : list(0, 1, 0)
each = rod.direction[2] : list(1, 0, -1)
each = boundary.first : list(clamped, free, free)
each = boundary.last : list(free, free, clamped)
[connection]
rigid = rod 0, end to rod 1, start
rigid = rod 1, end to rod 2, start
[time]
method = static
[measure]
define = sway [m] : last(x(rod 1, start))
)";
constexpr double portal_bend = 1e7 * M_PI * 1e-8 / 4.0;

/// H h^3/(24 B) (4 + 6 k)/(1 + 6 k) with k = 1, if columns neither stretch nor shear.
TEST(CoupledRods, PortalFrameSwaysToTheSecondOrder) {
  constexpr double force = 1e-4;
  const double exact = force / (16.8 * portal_bend);
  std::array<double, 3> sways{};
  for (std::size_t k = 0; k < sways.size(); ++k) {
    const Measured frame(portal_frame,
                         {"rod.elements=" + std::to_string(10 << k), "rod.shear_stiffness=1e7",
                          "rod.stretch_stiffness=1e7", "actuation.force=x, rod 1, start : 1e-4"});
    sways[k] = frame["sway"];
  }
  EXPECT_NEAR(sways[2] / exact, 1.0, 2e-3);
  EXPECT_NEAR(std::log2((sways[0] - sways[1]) / (sways[1] - sways[2])), 2.0, 0.02);
  EXPECT_NEAR((4.0 * sways[2] - sways[1]) / (3.0 * exact), 1.0, 1e-5);
}

/// It buckles sideways at u^2 B/h^2 on each column, where u cot u = -6; by then it is unstable across its
/// plane.
TEST(CoupledRods, PortalFrameBucklesSidewaysAtItsCriticalLoad) {
  const auto unstable_modes = [](double part) {
    const std::string load = std::to_string(part * 7.379154 * portal_bend);
    const MemberOutcome outcome = run_member(
        make_member_spec(Deck::parse(portal_frame + ("[actuation]\nforce = z, rod 0, end : -" + load +
                                                     "\nforce = z, rod 1, end : -" + load + "\n"),
                                     "test", {"rod.elements=60"})));
    EXPECT_EQ(outcome.status, MemberStatus::unstable);
    return value(outcome, "unstable_modes");
  };
  EXPECT_EQ(unstable_modes(0.997), 2.0);
  EXPECT_EQ(unstable_modes(1.003), 3.0);
}

/// A triangle of bars on balls, one of its corners pulled: sum N n L/S of the bars.
TEST(CoupledRods, TrussGivesAsItsBarsStretch) {
  const Measured truss(
      "[model]\nsection = rigid\n[rod]\ncount = 3\nelements = 10\nlength = 1\nradius = 0.01\n"
      "density = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\nnormal = 0, 1, 0\n"
      "each = rod.origin[0] : list(0, 0, 1)\neach = rod.direction[0] : list(1, 1, -1)\n"
      "each = rod.direction[2] : list(0, -1.7320508075688772, -1.7320508075688772)\n"
      "each = boundary.first : list(pinned, free, free)\n"
      "each = boundary.last : list(pinned_sliding, free, free)\n[connection]\n"
      "ball = rod 0, start to rod 1, start\nball = rod 0, end to rod 2, start\n"
      "ball = rod 1, end to rod 2, end\n[actuation]\nforce = z, rod 1, end : -0.01\n"
      "[time]\nmethod = static\n[measure]\ndefine = corner [m] : last(z(rod 1, end)) + sqrt(3)/2\n");
  const double exact = 0.75 * 0.01 / (1e6 * M_PI * 1e-4);
  EXPECT_NEAR(-truss["corner"], exact, 1e-3 * exact);
  EXPECT_EQ(truss["unstable_modes"], 0.0);
}

/// Two rods and a hinge between them: nothing holds them, and they turn about it at no cost.
TEST(CoupledRods, MechanismRestsOnlyIfNothingPulls) {
  const auto run = [](const Overrides& overrides) {
    return run_member(make_member_spec(Deck::parse(
        "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 10\nlength = 0.4\nradius = 0.01\n"
        "density = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\neach = rod.origin[0] : list(0, 0.4)\n"
        "direction = 1, 0, 0\nnormal = 0, 0, 1\n[connection]\n"
        "hinge = rod 0, end to rod 1, start : axis 0 1 0\n[time]\nmethod = static\n",
        "test", overrides)));
  };
  const MemberOutcome free = run({});
  ASSERT_EQ(free.status, MemberStatus::done);
  EXPECT_EQ(value(free, "unstable_modes"), 0.0);
  EXPECT_GT(value(free, "least_stiffness"), 10.0);
  EXPECT_EQ(run({"gravity.acceleration=0, 0, -9.81"}).status, MemberStatus::no_equilibrium);
  const MemberOutcome hung =
      run({"gravity.acceleration=0, 0, -9.81", "rod.each=boundary.first : list(pinned, free)"});
  ASSERT_EQ(hung.status, MemberStatus::done);
  EXPECT_NEAR(value(hung, "bending_energy"), 0.0, 1e-12);
}

TEST(CoupledRods, OverloadedBondsBreak) {
  const auto deck = [](const std::string& strength) {
    return "[model]\nsection = rigid\n[rod]\ncount = 2\nelements = 10\nlength = 0.5\nradius = 0.01\n"
           "density = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\neach = rod.origin[2] : list(0, -0.02)\n"
           "direction = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
           "[connection]\nbond = rod 0 to rod 1 : stiffness 1e4 strength " +
           strength +
           "\n[gravity]\nacceleration = 0, 0, -9.81\n[load]\nramp_time = 1\n[time]\nmethod = static\n"
           "step = 0.125\nend = 1\nslice_steps = 1\n";
  };
  EXPECT_EQ(Measured(deck("1000"))["broken_bonds"], 0.0);
  const MemberSpec spec = make_member_spec(Deck::parse(deck("20"), "test", {}));
  const MemberOutcome whole = run_member(spec);
  EXPECT_EQ(value(whole, "broken_bonds"), 10.0) << "where one breaks the next ones bear more";
  EXPECT_EQ(run_in_pieces({spec, 1}).fields, whole.fields);
}

TEST(CoupledRods, AreTheSameInAnyBatchAndAfterARestart) {
  const std::string ramp = "load.ramp_time=1";
  for (const Overrides& overrides :
       {Overrides{"contact.kind=imc", ramp}, Overrides{"contact.kind=ipc", ramp},
        Overrides{"contact.kind=imc", ramp,
                  "connection.spring=rod 0, end to rod 1, end : stiffness 0.01 length 0.5"}}) {
    Overrides all = {"time.method=static", "time.step=0.125", "time.end=1", "time.slice_steps=1",
                     "output.frames=3"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    const MemberJob job{make_member_spec(Deck::parse(pressing_rods, "test", all)), 1};
    const std::vector<MemberOutcome> batch = run_members({job, job, job});
    ASSERT_EQ(batch[0].status, MemberStatus::done);
    const MemberOutcome pieces = run_in_pieces(job);
    for (const MemberOutcome& other : {batch[1], batch[2], pieces}) {
      EXPECT_EQ(other.fields, batch[0].fields);
      EXPECT_EQ(other.observables[observable_index("least_stiffness")],
                batch[0].observables[observable_index("least_stiffness")]);
    }
  }
}

/// The first critical load of a column of two rods is that of one.
TEST(CoupledRods, BranchFindsTheCriticalLoadOfAJointedColumn) {
  const auto critical = [](const std::string& rods) {
    const MemberOutcome outcome = run_member(make_member_spec(
        Deck::parse("[model]\nsection = rigid\n[rod]\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
                    "poisson_ratio = 0.3\ndirection = 0, 0, 1\nnormal = 0, 1, 0\n[branch]\nkey = "
                    "load.axial_force\nto = 10\n"
                    "[time]\nmethod = static\n" +
                        rods,
                    "test", {})));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return value(outcome, "critical_value");
  };
  const double one =
      critical("[rod]\nlength = 1\nelements = 40\n[boundary]\nfirst = pinned\nlast = pinned_sliding\n");
  const double two = critical(
      "[rod]\ncount = 2\nlength = 0.5\nelements = 20\neach = rod.origin[2] : list(0, 0.5)\n"
      "each = boundary.first : list(pinned, free)\neach = boundary.last : list(free, pinned_sliding)\n"
      "[joint]\nkind = rigid\n");
  EXPECT_NEAR(two, one, 1e-7 * one);
}

/// A column on a stub whose elements are so small and stiff that their rounding hides how slowly it swings:
/// with u tan u = K L/B at P = u^2 B/L^2 it falls over, for K = 0.5 at 0.427.
TEST(CoupledRods, SlowSwingOnAStubIsNoMotionWithoutCost) {
  const auto column = [](const std::string& stiffness, double load) {
    return run_member(make_member_spec(
        Deck::parse("[rod]\ncount = 2\nradius = 0.005\ndensity = 1000\ntwist_to_bend_ratio = 0.7\n"
                    "stretch_stiffness = 1e5\nshear_stiffness = 1e5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n"
                    "each = rod.length : list(0.01, 1)\neach = rod.elements : list(4, 40)\n"
                    "each = rod.bend_stiffness : list(1000, 1)\neach = rod.origin[0] : list(-0.01, 0)\n"
                    "each = boundary.first : list(clamped, free)\neach = load.axial_force : list(0, " +
                        std::to_string(load) +
                        ")\n[connection]\nrigid = rod 0, end to rod 1, start : rotational_stiffness " +
                        stiffness + "\n[modes]\ncount = 2\n[time]\nmethod = static\n",
                    "test", {})));
  };
  const auto square = [](const MemberOutcome& outcome) {
    const double rate = 2.0 * M_PI * outcome.observables.at(observables.size());
    return std::copysign(rate * rate, rate);
  };
  const double mass = 1000.0 * M_PI * 0.005 * 0.005 * 1.01;
  const MemberOutcome falling = column("0.5", 0.6);
  EXPECT_EQ(falling.status, MemberStatus::unstable);
  EXPECT_EQ(value(falling, "unstable_modes"), 2.0);
  EXPECT_NEAR(value(falling, "least_stiffness"), mass * square(falling), 2e-3);
  const MemberOutcome standing = column("0.8", 0.6);
  EXPECT_EQ(standing.status, MemberStatus::done);
  EXPECT_EQ(value(standing, "unstable_modes"), 0.0);
  EXPECT_GT(square(standing), 0.0);
  EXPECT_NEAR(value(standing, "least_stiffness"), mass * square(standing), 2e-3);
}

}  // namespace
}  // namespace rodeo::statics
