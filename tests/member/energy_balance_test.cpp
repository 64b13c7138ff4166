#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

namespace rodeo {
namespace {

using Methods = std::vector<std::string>;

/// A damped arm that is pushed, bent and stretched by formulas of time and by a control whose outputs are
/// held.
const std::string busy_arm =
    "[rod]\nelements = 8\nlength = 0.4\nradius = 0.01\ndensity = 1000\nyoung_modulus = 2e6\n"
    "poisson_ratio = 0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\ndamping = 0.05\nrotational_damping = 1e-5\n"
    "[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, 1, -9.81\n"
    "[load]\nend_force = 0.02, 0, 0\nramp_time = 0.1\n"
    "[control]\ninterval = 0.02\noutput = u : sin(40 * t)\n"
    "[actuation]\ncurvature = d1 : u * s\ncurvature = d2 : 2 * sin(30 * t) * s\n"
    "force = x, end : 0.01 * cos(25 * t)\n"
    "[time]\nend = 0.4\n"
    "[measure]\ndefine = work [J] : last(work_done)\ndefine = lost [J] : last(damping_loss)\n"
    "define = unbalanced [J] : last(energy_balance)\ndefine = of_scheme [J] : last(scheme_loss)\n";

struct Balance {
  double work;
  double lost;
  double unbalanced;
  double of_scheme;
};

Balance balance_of(Methods method, double step) {
  const std::string text = std::to_string(step);
  method.insert(method.end(), {"time.step=" + text, "measure.interval=" + text});
  const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(busy_arm, "test.ini", method)));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  const double* const last = outcome.observables.data() + outcome.observables.size();
  return {last[-4], last[-3], last[-2], last[-1]};
}

TEST(EnergyBalance, ClosesByEveryMethod) {
  const Methods der = {"model.kind=der", "time.method=dynamic"};
  const auto with = [](Methods methods, const std::string& scheme) {
    methods.push_back("time.scheme=" + scheme);
    return methods;
  };
  const double tolerance = 1e-3;  // of the work
  for (const auto& [method, step] : std::vector<std::pair<Methods, double>>{
           {{"time.method=dynamic"}, 5e-5},
           {{"time.method=implicit"}, 5e-4},
           {{"time.method=implicit", "time.scheme=energy_momentum"}, 5e-4},
           {with(der, "generalized_alpha"), 5e-4},
           {with(der, "midpoint"), 5e-4},
           {with(der, "sdirk2"), 5e-4}}) {
    const Balance found = balance_of(method, step);
    EXPECT_NEAR(found.work, 0.0655, 0.0015) << method.back();
    EXPECT_NEAR(found.lost, 0.0015, 0.0001) << method.back();
    EXPECT_LT(std::abs(found.unbalanced), tolerance * found.work) << method.back();
  }
}

/// Of first order, since loads are those where steps start.
TEST(EnergyBalance, NamesWhatBackwardEulerTakes) {
  for (const Methods& euler : {Methods{"time.method=implicit", "time.scheme=backward_euler"},
                               Methods{"model.kind=der", "time.method=dynamic"}}) {
    const Balance coarse = balance_of(euler, 1e-3);
    const Balance fine = balance_of(euler, 2.5e-4);
    EXPECT_GT(coarse.of_scheme, 0.05 * coarse.work) << euler.back();
    EXPECT_LT(std::abs(coarse.unbalanced), 0.02 * coarse.work) << euler.back();
    EXPECT_LT(std::abs(fine.unbalanced), 0.4 * std::abs(coarse.unbalanced)) << euler.back();
  }
}

/// A rod that falls across a clamped one, on which it slides, and both on a plane.
const std::string crossing_rods =
    "[rod]\nelements = 8\nlength = 0.3\nradius = 0.005\ndensity = 1000\nyoung_modulus = 2e6\npoisson_ratio = "
    "0.5\n"
    "damping = 0.01\nrotational_damping = 1e-6\ncount = 2\neach = rod.direction[0] : list(1, 0)\n"
    "each = rod.direction[1] : list(0, 1)\neach = rod.direction[2] : list(0, 0)\n"
    "each = rod.origin[0] : list(0, 0.1)\neach = rod.origin[1] : list(0, -0.02)\n"
    "each = rod.origin[2] : list(0.06, 0.08)\neach = boundary.first : list(clamped, free)\n"
    "[gravity]\nacceleration = 0, 0, -9.81\n"
    "[contact]\nkind = ipc\ntolerance = 5e-4\nfriction = 0.3\nslip_tolerance = 1e-3\n"
    "[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 100\nstatic_friction = 0.2, 0.2, 0.2\n"
    "kinetic_friction = 0.2, 0.2, 0.2\n[time]\nstep = 5e-4\nend = 0.2\n"
    "[measure]\ninterval = 5e-4\ndefine = share [1] : last(energy_balance_relative)\n"
    "define = rubbed [J] : last(friction_loss)\ndefine = in_ground [J] : last(ground_loss)\n"
    "define = of_scheme [J] : last(scheme_loss)\n";

TEST(EnergyBalance, ClosesWhereRodsTouch) {
  for (const Methods& method :
       {Methods{"time.method=implicit"}, Methods{"time.method=implicit", "time.scheme=backward_euler"},
        Methods{"model.kind=der", "time.method=dynamic"}}) {
    const MemberOutcome outcome =
        run_member(make_member_spec(Deck::parse(crossing_rods, "test.ini", method)));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    const double* const last = outcome.observables.data() + outcome.observables.size();
    EXPECT_LT(last[-4], 0.02) << method.back();
    EXPECT_GT(last[-3], 1e-5) << method.back();
    EXPECT_GT(last[-2], 1e-5) << method.back();
    EXPECT_GT(last[-1], 1e-3) << method.back();
  }
}

/// A couple on an element that a motion turns does nothing, from the first step on.
TEST(EnergyBalance, OfHeldElementsKnowsNothingOfTheirLoads) {
  const auto taken = [](const std::string& couple) {
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
        "[model]\nkind = der\n[rod]\nelements = 2\nlength = 0.15\nradius = 0.007\ndensity = 5800\n"
        "young_modulus = 3.7e4\npoisson_ratio = 0.3\ndirection = 1, 0, 0\n[boundary]\nfirst = clamped\n"
        "[motion]\nrotation = element 0 about 0 1 0 : -0.25 * sin(1.5 * t)\n[time]\nstep = 0.08\nend = 0.56\n"
        "[measure]\ndefine = of_scheme [J] : last(scheme_loss)\n",
        "test.ini", {"actuation.couple=y, element 0 : " + couple})));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return outcome.observables.back();
  };
  EXPECT_NEAR(taken("4e-5"), taken("0"), 1e-9 * std::abs(taken("0")));
}

TEST(EnergyBalance, IsNotKnownWhereItIsNotMeasured) {
  const auto unbalanced = [](const Methods& changes) { return balance_of(changes, 1e-4).unbalanced; };
  EXPECT_TRUE(std::isnan(unbalanced({"load.perturbation=1e-3", "load.perturbation_duration=0.1"})));
}

}  // namespace
}  // namespace rodeo
