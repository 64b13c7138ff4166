#include "rodeo/implicit/implicit_member.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

namespace rodeo::implicit {
namespace {

MemberSpec implicit_spec(const std::string& text, std::vector<std::string> overrides) {
  overrides.emplace_back("model.section=rigid");
  return make_member_spec(Deck::parse(text, "test", overrides));
}

const std::vector<std::string> both_schemes = {"generalized_alpha", "energy_momentum"};

/// A soft beam of 1 m along x that falls from a clamp; its first period is about 5 s.
constexpr const char* falling_beam =
    "[rod]\nelements = 10\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 2e5\n"
    "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
    "[gravity]\nacceleration = 0, 0, -0.3\n[output]\nframes = 2\n[time]\nstep = 0.02\nend = 2\n";

std::vector<double> last_positions(const MemberOutcome& outcome) {
  EXPECT_EQ(outcome.status, MemberStatus::done);
  const std::vector<double>& frames = outcome.fields.front();
  return {frames.begin() + static_cast<std::ptrdiff_t>(frames.size() / 2), frames.end()};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(square / static_cast<double>(a.size()) * 3.0);
}

TEST(ImplicitMember, SchemesAreOfSecondOrder) {
  const std::vector<double> exact =
      last_positions(run_member(implicit_spec(falling_beam, {"time.step=2e-5"})));
  for (const std::string& scheme : both_schemes) {
    std::vector<double> errors;
    for (const char* step : {"0.02", "0.01", "0.005"}) {
      errors.push_back(distance(exact, last_positions(run_member(implicit_spec(
                                           falling_beam, {"time.method=implicit", "time.scheme=" + scheme,
                                                          "time.step=" + std::string(step)})))));
    }
    EXPECT_LT(errors[2], 1e-3) << scheme;
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.25) << scheme;
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.15) << scheme;
  }
}

/// Driven by a control that holds what it gives from sample to sample.
const std::vector<std::string> controlled = {"time.method=implicit", "gravity.acceleration=0, 0, 0",
                                             "control.interval=0.1", "control.output=bend : sin(3 * t)",
                                             "actuation.curvature=d1 : bend * (1 - s)"};

MemberOutcome run_controlled(const std::string& step) {
  std::vector<std::string> overrides = controlled;
  overrides.push_back("time.step=" + step);
  return run_member(implicit_spec(falling_beam, overrides));
}

TEST(ImplicitMember, JumpsOfControlLeaveTheSecondOrder) {
  const std::vector<double> exact = last_positions(run_controlled("3.125e-4"));
  std::vector<double> errors;
  for (const char* step : {"0.02", "0.01", "0.005"})
    errors.push_back(distance(exact, last_positions(run_controlled(step))));
  EXPECT_LT(errors[2], 1e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.25);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.15);
}

/// Two steps from jump to jump have two solves, and one iteration more.
TEST(ImplicitMember, JumpsOfControlAskForOneIteration) {
  const auto iterations = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> all = controlled;
    all.insert(all.end(), {"time.step=0.05", "time.end=10"});
    all.insert(all.end(), overrides.begin(), overrides.end());
    return value(run_member(implicit_spec(falling_beam, all)), "newton_iterations_per_step");
  };
  const double smooth = iterations({"control.hold=linear"});
  EXPECT_GT(iterations({}), smooth);
  EXPECT_LT(iterations({}), smooth + 0.6);
}

/// Of the energy of a swing it takes about the part by which its steps are short, as of der's.
TEST(ImplicitMember, BackwardEulerIsOfTheFirstOrder) {
  const auto swing = [](const std::string& kind, const std::string& step) {
    return run_member(implicit_spec(falling_beam, {kind, "time.scheme=backward_euler", "time.step=" + step}));
  };
  const std::vector<double> exact =
      last_positions(run_member(implicit_spec(falling_beam, {"time.step=2e-5"})));
  std::vector<double> errors;
  for (const char* step : {"0.02", "0.01", "0.005"})
    errors.push_back(distance(exact, last_positions(swing("time.method=implicit", step))));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1.0, 0.1);
  const MemberOutcome cosserat = swing("time.method=implicit", "0.02");
  const MemberOutcome der = swing("model.kind=der", "0.02");
  EXPECT_LT(distance(last_positions(cosserat), last_positions(der)), 5e-3);
  EXPECT_LT(value(cosserat, "energy_drift"), 0.0);
  EXPECT_NEAR(value(cosserat, "energy_drift"), value(der, "energy_drift"),
              0.02 * std::abs(value(der, "energy_drift")));
}

TEST(ImplicitMember, GeneralizedAlphaTakesEnergyOnly) {
  const MemberOutcome outcome =
      run_member(implicit_spec(falling_beam, {"time.method=implicit", "time.scheme=generalized_alpha",
                                              "time.step=0.05", "time.end=10"}));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EXPECT_LT(value(outcome, "energy_drift"), 0.0);
  EXPECT_LT(value(outcome, "newton_iterations_per_step"), 6.0);
}

TEST(ImplicitMember, EnergyMomentumConservesTheEnergyOfASwing) {
  const MemberOutcome outcome =
      run_member(implicit_spec(falling_beam, {"time.method=implicit", "time.scheme=energy_momentum",
                                              "time.step=0.05", "time.end=20"}));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EXPECT_LT(std::abs(value(outcome, "energy_drift") / value(outcome, "total_energy")), 1e-9);
  EXPECT_LT(value(outcome, "newton_iterations_per_step"), 8.0);
}

/// A free helix of which one end is kicked: it flies, spins and swings in all directions.
constexpr const char* kicked_helix =
    "[rod]\nelements = 16\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\nshape = helix\nhelix_radius = 0.1\nhelix_pitch = 0.3\n"
    "[load]\nmiddle_force = 3, 1, -2\nperturbation_duration = 0.1\n"
    "[time]\nmethod = implicit\nscheme = energy_momentum\nstep = 0.01\nend = 1\n";

TEST(ImplicitMember, EnergyMomentumConservesEnergyAndMomentaInSpace) {
  const MemberOutcome outcome = run_member(implicit_spec(kicked_helix, {}));
  EXPECT_EQ(outcome.status, MemberStatus::done);
  EXPECT_LT(std::abs(value(outcome, "energy_drift") / value(outcome, "total_energy")), 1e-8);
  EXPECT_GT(value(outcome, "rotational_energy"), 0.0);
  EXPECT_LT(value(outcome, "momentum_drift"), 1e-11);
  EXPECT_LT(value(outcome, "angular_momentum_drift"), 1e-11);
}

/// All that acts on rods, by implicit steps as by explicit ones.
TEST(ImplicitMember, RodsMoveAsByExplicitSteps) {
  const std::string soft =
      "[rod]\nelements = 8\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[output]\nframes = 2\n"
      "[time]\nstep = 2e-5\nend = 0.2\n";
  const std::vector<std::vector<std::string>> decks = {
      {"boundary.first=clamped", "gravity.acceleration=0, 1, -9.81", "load.end_force=0.2, 0, 0.1",
       "load.ramp_time=0.1", "rod.damping=0.5"},
      {"boundary.first=pinned", "gravity.acceleration=0, 1, -9.81", "rod.relaxation_time=0.2"},
      {"boundary.first=clamped", "boundary.last=clamped_sliding", "load.distributed_force=1, 1, 1",
       "load.distributed_couple=0, 0.1, 0", "rod.damping=2", "rod.damping_decay_time=0.1"},
      {"boundary.first=clamped", "boundary.last=clamped", "boundary.twist=2", "boundary.slack=0.1",
       "boundary.motion_time=0.15", "rod.damping=2", "gravity.acceleration=0, 0, -1"},
      {"boundary.first=clamped", "load.follower_force=0.3, 0, 0.1", "load.end_couple=0, 0.02, 0.01"},
      {"boundary.first=clamped", "load.magnetization=1e4", "load.magnetic_flux_density=0, 0, 0.1"},
      {"muscle.period=0.1", "muscle.amplitudes=0.02, 0.05, 0.02", "muscle.wave_number=6", "fluid.viscosity=2",
       "rod.damping=0.1"},
      {"boundary.first=clamped", "actuation.curvature=d2 : 3 * sin(20 * t - 4 * s)",
       "actuation.stretch=d3 : 1 + 0.1 * s * t", "actuation.force=z : 0.2 * sin(9 * t)",
       "actuation.internal_couple=d1 : 0.02 * t", "actuation.couple=d3, end : 0.01 * t"},
      {"rod.count=2", "rod.each=rod.origin[1] : list(0, 1)", "boundary.first=clamped",
       "rod.each=rod.radius : list(0.02, 0.03)", "gravity.acceleration=0, 0, -9.81"},
  };
  for (const std::vector<std::string>& deck : decks) {
    const std::vector<double> exact = last_positions(run_member(implicit_spec(soft, deck)));
    for (const std::string& scheme : both_schemes) {
      std::vector<std::string> steps = deck;
      steps.insert(steps.end(), {"time.method=implicit", "time.scheme=" + scheme, "time.step=2.5e-4"});
      EXPECT_LT(distance(exact, last_positions(run_member(implicit_spec(soft, steps)))), 1e-4)
          << scheme << " " << deck.front() << " " << deck[1];
    }
  }
}

/// Where masses and forces are counted in another unit, rods whose end slides along no axis of the laboratory
/// move the same way, alone and joined.
TEST(ImplicitMember, EndsSlideAlikeInAllUnits) {
  const auto places = [](const std::vector<std::string>& rods, const char* density,
                         const char* young_modulus) {
    std::vector<std::string> overrides = {"time.method=implicit", "rod.direction=1, 0.3, -0.2",
                                          std::string("rod.density=") + density,
                                          std::string("rod.young_modulus=") + young_modulus};
    overrides.insert(overrides.end(), rods.begin(), rods.end());
    return last_positions(run_member(implicit_spec(falling_beam, overrides)));
  };
  const std::vector<std::string> alone = {"boundary.last=clamped_sliding"};
  const std::vector<std::string> joined = {"rod.count=2", "joint.kind=rigid",
                                           "rod.each=boundary.first : list(clamped, free)",
                                           "rod.each=boundary.last : list(free, clamped_sliding)"};
  for (const std::string& scheme : both_schemes) {
    for (std::vector<std::string> rods : {alone, joined}) {
      rods.push_back("time.scheme=" + scheme);
      const std::vector<double> right = places(rods, "1000", "2e5");
      EXPECT_LT(distance(places(rods, "1e23", "2e25"), right), 1e-10) << scheme << ' ' << rods.front();
      EXPECT_LT(distance(places(rods, "1e-17", "2e-15"), right), 1e-10) << scheme << ' ' << rods.front();
    }
  }
}

TEST(ImplicitMember, StepsAreAdaptedToATolerance) {
  // A push begins and ends between steps of any length.
  const std::vector<std::string> deck = {"load.middle_force=0, 0.03, 0.05",
                                         "load.perturbation_duration=0.613", "time.end=2"};
  std::vector<std::string> fine = deck;
  fine.emplace_back("time.step=2e-5");
  const std::vector<double> exact = last_positions(run_member(implicit_spec(falling_beam, fine)));
  double last_error = 1.0;
  double last_iterations = 0.0;
  for (const char* tolerance : {"1e-3", "1e-4", "1e-5"}) {
    std::vector<std::string> steps = deck;
    steps.insert(steps.end(), {"time.method=implicit", "time.scheme=generalized_alpha", "time.step=0.25",
                               "time.tolerance=" + std::string(tolerance)});
    const MemberOutcome outcome = run_member(implicit_spec(falling_beam, steps));
    const double error = distance(exact, last_positions(outcome));
    const double iterations = value(outcome, "newton_iterations");
    EXPECT_LT(error, 0.5 * last_error) << tolerance;
    EXPECT_GT(iterations, 1.5 * last_iterations) << tolerance;
    last_error = error;
    last_iterations = iterations;
  }
  EXPECT_LT(last_error, 2e-3);
}

TEST(ImplicitMember, StepsThatDoNotConvergeAreHalved) {
  for (const std::string& scheme : both_schemes) {
    const std::vector<std::string> few = {"time.method=implicit", "time.scheme=" + scheme, "time.step=0.5",
                                          "newton.iterations=4", "gravity.acceleration=0, 0, -3"};
    const MemberOutcome outcome = run_member(implicit_spec(falling_beam, few));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    std::vector<std::string> none = few;
    none.emplace_back("newton.halvings=0");
    EXPECT_EQ(run_member(implicit_spec(falling_beam, none)).status, MemberStatus::too_stiff);
  }
}

TEST(ImplicitMember, AStepInWhichAnEndTurnsByMoreThanHalfATurnKeepsTheTwist) {
  for (const ModelKind model : {ModelKind::cosserat, ModelKind::der}) {
    const bool is_der = model == ModelKind::der;
    const MemberJob job =
        shipped("validation/faults/twist.ini",
                {is_der ? "time.method=dynamic" : "time.method=implicit",
                 is_der ? "model.kind=der" : "model.kind=cosserat", "rod.elements=50", "rod.damping=0.1",
                 "boundary.motion_time=16", "boundary.driven=last", "time.step=4", "time.end=40"});
    const MemberOutcome outcome = run_members({job}).front();
    ASSERT_EQ(outcome.status, MemberStatus::done) << is_der;
    EXPECT_NEAR(value(outcome, "end_twist"), 13.0, 1e-6) << is_der;
  }
}

}  // namespace
}  // namespace rodeo::implicit
