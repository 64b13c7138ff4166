#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

// What drives a member from one sample of its control to the next: a jump is a step of the load, neither a
// loss nor a gain.

namespace rodeo {
namespace {

using Overrides = std::vector<std::string>;

/// All schemes of implicit steps but backward Euler, in both discretisations.
const std::vector<Overrides> schemes = {
    {"time.scheme=generalized_alpha"},
    {"time.scheme=generalized_alpha", "time.spectral_radius=0.5"},
    {"time.scheme=energy_momentum"},
    {"model.kind=der", "time.method=dynamic", "time.scheme=generalized_alpha"},
    {"model.kind=der", "time.method=dynamic", "time.scheme=midpoint"},
    {"model.kind=der", "time.method=dynamic", "time.scheme=sdirk2"},
};

std::string text(const Overrides& overrides) {
  std::string all;
  for (const std::string& one : overrides) all += one + " ";
  return all;
}

/// The last measure of a deck.
double measured(const Deck& deck) {
  const MemberOutcome outcome = run_member(make_member_spec(deck));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  return outcome.observables.back();
}

double measured(const std::string& name, const Overrides& overrides) {
  return measured(Deck::read(RODEO_SOURCE_DIR "/inputs/validation/faults/" + name, overrides));
}

TEST(SampledDrives, ThatDoNothingTakeNothingFromASwing) {
  for (const Overrides& scheme : schemes) {
    EXPECT_NEAR(measured("control_jump.ini", scheme), 1.0, 1e-4) << text(scheme);
    const bool moves = scheme.back() != "time.scheme=energy_momentum";  // which has no motions
    if (moves) {
      EXPECT_NEAR(measured("control_jump_base.ini", scheme), 1.0, 1e-4) << text(scheme);
    }
  }
}

/// A cantilever that is pushed at its end by a force, or bent by a natural curvature, which jumps every 40
/// ms.
std::string driven_pole(const std::string& actuation, double step) {
  return "[rod]\nelements = 6\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 2e6\n"
         "poisson_ratio = 0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n[boundary]\nfirst = clamped\n"
         "[control]\ninterval = 0.04\noutput = u : sin(70 * t) + 0.3\n[actuation]\n" +
         actuation + "\n[time]\nmethod = implicit\nend = 0.4\nstep = " + std::to_string(step) +
         "\n[measure]\ndefine = at_end [m] : last(x(end))\n";
}

TEST(SampledDrives, ThatJumpLeaveSchemesOfSecondOrder) {
  for (const std::string actuation : {"force = x, end : 0.002 * u", "curvature = d2 : 0.2 * u"}) {
    for (const Overrides& scheme : schemes) {
      std::vector<double> ends;
      for (const double step : {1e-3, 5e-4, 2.5e-4})
        ends.push_back(measured(Deck::parse(driven_pole(actuation, step), "test.ini", scheme)));
      EXPECT_NEAR((ends[0] - ends[1]) / (ends[1] - ends[2]), 4.0, 0.6) << actuation << " " << text(scheme);
    }
  }
}

/// A pole at rest does not know when it began to stand there.
TEST(Drives, MoveARodAsFarAsTheyDidEarlier) {
  const auto pole = [](double from) {
    return "[rod]\nelements = 6\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 2e6\n"
           "poisson_ratio = 0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n[boundary]\nfirst = clamped\n"
           "[newton]\ntolerance = 1e-12\n[actuation]\nforce = x, end : 0.01 * smooth(t - " +
           std::to_string(from) +
           ", 0, 0.05)\n[time]\nmethod = implicit\nstep = 1e-3\nend = " + std::to_string(0.02 + from) +
           "\n[measure]\ndefine = at_end [m] : last(x(end))\n";
  };
  for (const Overrides& scheme : schemes) {
    const double at_once = measured(Deck::parse(pole(0.0), "test.ini", scheme));
    const double later = measured(Deck::parse(pole(0.007), "test.ini", scheme));
    EXPECT_NEAR(later / at_once, 1.0, 1e-7) << text(scheme);
  }
}

TEST(SampledDrives, HaveTheWorkOfTheirJumpsCountedBesideOtherStrains) {
  for (const Overrides& method : std::vector<Overrides>{
           {},
           {"time.scheme=generalized_alpha"},
           {"model.kind=cosserat", "time.scheme=generalized_alpha", "time.method=implicit"},
           {"model.kind=cosserat", "time.scheme=energy_momentum", "time.method=implicit"},
           {"model.kind=cosserat", "time.scheme=energy_momentum", "time.method=implicit",
            "actuation.curvature=d2 : 2 * u",
            "actuation.stretch=d3, s 0.2 to 0.7 : 1 + 0.05 * ramp(t, 0, 0.1)"}}) {
    const MemberOutcome outcome = run_member(
        make_member_spec(Deck::read(RODEO_SOURCE_DIR "/inputs/validation/faults/control_work.ini", method)));
    ASSERT_EQ(outcome.status, MemberStatus::done) << text(method);
    const double worked = outcome.observables[outcome.observables.size() - 2];
    if (method.size() < 4) {
      EXPECT_NEAR(worked, 0.00552, 1e-5) << text(method);
    }
    const double unbalanced =
        outcome.observables.back();  // the scheme's own loss and the work of formulas are known
    EXPECT_LT(std::abs(unbalanced), 2e-3 * worked) << text(method);
  }
}

}  // namespace
}  // namespace rodeo
