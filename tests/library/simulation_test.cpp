#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "rodeo/rodeo.hpp"

#include "library/library_support.hpp"

namespace rodeo {
namespace {

/// A rod of 1 kg without ends held, which a force of the control pushes along z as a whole.
std::string pushed_rod(const std::string& control, double end) {
  return "[rod]\nlength = 1\nradius = 0.02\nmass = 1\nbend_stiffness = 1\ntwist_stiffness = 1\n"
         "shear_stiffness = 1000\nstretch_stiffness = 1000\nelements = 4\ndirection = 1, 0, 0\n"
         "start_velocity = 0, 0, 1\n"
         "[time]\nstep = 0.001\nend = " +
         std::to_string(end) +
         "\n[actuation]\nforce = z : push\n"
         "[control]\ninterval = 0.01\n" +
         control;
}

/// An arm that bends by a natural curvature from outside, watched at its tip.
const std::string arm =
    "[rod]\nlength = 0.5\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\nshear_modulus = 4e5\nelements "
    "= 12\n"
    "direction = 0, 0, 1\nrelaxation_time = 0.5\n"
    "[boundary]\nfirst = clamped\n"
    "[time]\nstep = 2e-4\nend = 0.4\n"
    "[actuation]\ncurvature = d1 : bend * (1 - s)\n"
    "[control]\ninterval = 0.02\n"
    "input = bend : 0 in [-5, 5]\n"
    "signal = tip[3] [m] : k == 0 ? x(end) : k == 1 ? y(end) : z(end)\n"
    "signal = noisy [m] : x(end) noise 0.01\n"
    "signal = late [m/s] : vy(end) delay 0.04\n"
    "state = phase : 0, 2 * pi + bend\n"
    "[measure]\ndefine = tip_y [m] : last(y(end))\ndefine = phase_at_end [1] : last(phase)\n";

double norm_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

// A point mass under sampled proportional and derivative control: each interval h is
//   x1 = x0 + h v0 + (h^2/2) u,  v1 = v0 + h u,  u = -Kp x0 - Kd v0,
// which position Verlet takes exactly. The eigenvalues of that give 4.9922118 rad/s and 0.4394253 1/s for
// Kp = 25, Kd = 1, h = 0.01, where continuous control has 4.9749 and 0.5.
TEST(Control, SampledFeedbackIsThatOfItsRecursion) {
  const std::string deck = pushed_rod(
      "signal = height [m] : mean_along(z)\nsignal = rise [m/s] : mean_along(vz)\n"
      "output = push : -25 * height - 1 * rise\n",
      2.0);
  Simulation simulation(Problem::parse(deck));
  ASSERT_EQ(simulation.signals().size(), 2U);
  double x = 0.0;
  double v = 1.0;
  for (int n = 0; n <= 200; ++n) {
    EXPECT_NEAR(simulation.signals()[0], x, 1e-12) << n;
    EXPECT_NEAR(simulation.signals()[1], v, 1e-11) << n;
    const double u = -25.0 * x - v;
    x += 0.01 * v + 0.5e-4 * u;
    v += 0.01 * u;
    simulation.advance(0.01);
  }
  const double trace = (1.0 - 25.0 * 0.5e-4) + (1.0 - 0.01);
  const double determinant = (1.0 - 25.0 * 0.5e-4) * 0.99 + 25.0 * 0.01 * (0.01 - 0.5e-4);
  const std::complex<double> pole =
      0.5 * (trace + std::sqrt(std::complex<double>(trace * trace - 4.0 * determinant)));
  EXPECT_NEAR(std::arg(pole) / 0.01, 4.9922118, 1e-6);
  EXPECT_NEAR(-std::log(std::abs(pole)) / 0.01, 0.4394253, 1e-6);
}

// v' = -g v(t - 5 h), sampled and held, grows where g h > 2 cos(5 pi/11) = 0.2846297.
TEST(Control, DelayHasItsBorderOfStability) {
  const auto growth = [](double gain) {
    const std::string deck = pushed_rod("signal = rise [m/s] : mean_along(vz) delay 0.05\noutput = push : -" +
                                            std::to_string(100.0 * gain) + " * rise\n",
                                        100.0);
    Simulation simulation(Problem::parse(deck));
    const auto largest = [&](double until) {
      double most = 0.0;
      for (int k = 0; k < 200; ++k) {
        simulation.advance(0.01);
        most = std::max(most, std::abs(simulation.signals()[0]));
      }
      simulation.advance(until - simulation.time()[0]);
      return most;
    };
    const double early = largest(60.0);
    return largest(80.0) / early;
  };
  const double border = 2.0 * std::cos(5.0 * std::numbers::pi / 11.0);
  EXPECT_NEAR(border, 0.2846297, 1e-7);
  EXPECT_GT(growth(1.001 * border), 1.0);
  EXPECT_LT(growth(0.999 * border), 1.0);
}

// Two phases with coupling w stay asin(dw/2w) apart if |dw| < 2w, and drift apart else.
TEST(Control, OscillatorsLock) {
  const auto apart = [](double difference) {
    const std::string deck =
        pushed_rod(
            "state = a : 0, 3 + 1.0 * sin(b - a)\nstate = b : 1, 3 + " + std::to_string(difference) +
                " + 1.0 * sin(a - b)\nsignal = rise [m/s] : mean_along(vz)\noutput = push : 0 * rise * a\n",
            40.0) +
        "[measure]\ndefine = apart [rad] : last(b - a)\n";
    return Problem::parse(deck).evaluate({.observables = {"apart"}}).observables.front();
  };
  EXPECT_NEAR(apart(1.0), std::asin(0.5), 1e-9);
  EXPECT_NEAR(apart(1.99), std::asin(0.995), 1e-4);
  EXPECT_GT(apart(2.2), 10.0);
}

// What swings at 0.9 of the sampling rate is seen at 0.1 of it.
TEST(Control, SignalsAlias) {
  const std::string deck =
      pushed_rod("signal = fast : sin(2 * pi * 90 * t)\noutput = push : 0 * fast\n", 1.0);
  Simulation simulation(Problem::parse(deck));
  for (int n = 0; n < 50; ++n) {
    EXPECT_NEAR(simulation.signals()[0], std::sin(2.0 * std::numbers::pi * -10.0 * 0.01 * n), 1e-9);
    simulation.advance(0.01);
  }
}

TEST(Control, DelaysAndNoiseAreWhatTheySay) {
  const std::string deck = pushed_rod(
      "signal = now [s] : t\nsignal = then [s] : t delay 0.03\nsignal = noise : 0 noise 2\n"
      "output = push : 0 * (now + then + noise)\n",
      20.0);
  Simulation simulation(Problem::parse(deck));
  double sum = 0.0;
  double squares = 0.0;
  constexpr int samples = 1900;
  for (int n = 0; n < samples; ++n) {
    EXPECT_NEAR(simulation.signals()[0], 0.01 * n, 1e-12);
    EXPECT_NEAR(simulation.signals()[1], std::max(0.0, 0.01 * (n - 3)), 1e-12);
    sum += simulation.signals()[2];
    squares += simulation.signals()[2] * simulation.signals()[2];
    simulation.advance(0.01);
  }
  EXPECT_NEAR(sum / samples, 0.0, 4.0 * 2.0 / std::sqrt(samples));
  EXPECT_NEAR(std::sqrt(squares / samples), 2.0, 4.0 * 2.0 / std::sqrt(2.0 * samples));
}

TEST(Control, OutputsKeepTheirRangeAndRate) {
  const std::string deck = pushed_rod(
                               "input = wish : 0 in [-10, 10]\noutput = bounded : wish in [-1, 2]\noutput = "
                               "slow : wish rate 100 from 3\n"
                               "output = push : 0 * (bounded + slow)\nsignal = seen : wish\n",
                               1.0) +
                           "[measure]\ndefine = b [1] : last(bounded)\ndefine = s [1] : last(slow)\n";
  const Problem problem = Problem::parse(deck);
  const auto last = [&](double wish, int intervals) {
    Simulation simulation(problem);
    simulation.inputs()[0] = wish;
    simulation.advance(0.01 * intervals);
    simulation.advance(1.0 - 0.01 * intervals);
    const std::vector<double> all = simulation.observables(0);
    return std::array{all[all.size() - 2], all[all.size() - 1]};
  };
  EXPECT_DOUBLE_EQ(last(7.0, 100)[0], 2.0);
  EXPECT_DOUBLE_EQ(last(-7.0, 100)[0], -1.0);
  EXPECT_DOUBLE_EQ(last(-70.0, 100)[1], -10.0);  // inputs keep theirs too
}

// tanh of sums and then a sum, by hand.
TEST(Control, NetworkIsThatOfItsWeights) {
  const std::string deck = "[variable]\nw = 0.5, -1, 0.25, 2, 0.75, -0.5, 1, -2, 0.1\n" +
                           pushed_rod(
                               "input = a : 0.3 in [-1, 1]\ninput = b : -0.7 in [-1, 1]\n"
                               "network = u[1] : tanh 2, linear of a, b with variable.w\n"
                               "signal = seen : a\noutput = push : 0 * u[0]\n",
                               0.1) +
                           "[measure]\ndefine = u_now [1] : last(u[0])\n";
  const double first = std::tanh(0.5 * 0.3 + 1.0 * 0.7 + 0.25);
  const double second = std::tanh(2.0 * 0.3 - 0.75 * 0.7 - 0.5);
  const double expected = first - 2.0 * second + 0.1;
  const Evaluation found = Problem::parse(deck).evaluate({.observables = {"u_now"}});
  ASSERT_EQ(found.problems[0], "");
  EXPECT_NEAR(found.observables[0], expected, 1e-15);
}

class ControlledMotion : public ::testing::TestWithParam<std::string> {};

const std::string swing =
    "[rod]\nlength = 0.5\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\nshear_modulus = 4e5\nelements "
    "= 10\ndirection = 1, "
    "0, 0\n"
    "[boundary]\nfirst = clamped\n[control]\ninterval = 0.005\nsignal = z_tip [m] : z(end)\n"
    "output = bend : 2 * sin(9 * t) - 20 * z_tip\noutput = pull : 0.02 * cos(7 * t)\n"
    "[actuation]\ncurvature = d1 : bend\nforce = z : pull\n"
    "[measure]\ndefine = worked [J] : last(control_work)\n"
    "define = energy [J] : last(total_energy)\n";

// What the rod has at the end is what the control has put into it: jumps of its natural curvature and the
// work of the forces between them.
TEST_P(ControlledMotion, EnergyIsTheWorkOfTheControl) {
  for (const std::string hold : {"zero", "linear"}) {
    const std::string deck = swing + "[control]\nhold = " + hold + "\n" + GetParam();
    const Evaluation found = Problem::parse(deck).evaluate({.observables = {"worked", "energy"}});
    ASSERT_EQ(status_text(found.status[0]), "done") << found.problems[0];
    EXPECT_GT(found.observables[1], 1e-3);
    EXPECT_NEAR(found.observables[0], found.observables[1], 1e-3 * found.observables[1]) << hold;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ControlledMotion,
    ::testing::Values("[time]\nstep = 1e-4\nend = 0.5\n",
                      "[time]\nmethod = implicit\nspectral_radius = 1\nstep = 5e-4\nend = 0.5\n",
                      "[time]\nmethod = implicit\nscheme = energy_momentum\nstep = 1e-3\nend = 0.5\n"));

TEST(LiveMembers, HaveTheBitsOfARun) {
  const Problem problem = Problem::parse(arm, "arm", {"control.input=bend : 1.5 in [-5, 5]"});
  const Evaluation run = problem.evaluate();
  Simulation live(problem);
  const std::vector<bool> unused;
  while (live.status()[0] == 0) live.advance(live.interval());
  EXPECT_EQ(bits(live.observables(0)), bits(run.observables));
  EXPECT_EQ(live.status()[0], run.status[0]);
  EXPECT_EQ(live.seed(0), run.seeds[0]);
}

using Overrides = std::vector<std::string>;
class LiveMethods : public ::testing::TestWithParam<Overrides> {};

/// Drives a member by what it sees; gives all that it has seen.
std::vector<double> drive(Simulation& simulation, std::size_t member, int intervals) {
  const std::size_t inputs = simulation.inputs().size() / simulation.members();
  const std::size_t signals = simulation.signals().size() / simulation.members();
  std::vector<double> seen;
  const auto mask = std::make_unique<bool[]>(simulation.members());
  mask[member] = true;
  for (int k = 0; k < intervals; ++k) {
    const std::span<const double> own = simulation.signals().subspan(member * signals, signals);
    simulation.inputs()[member * inputs] = 2.0 - 20.0 * own[1] + own[3];
    simulation.advance(simulation.interval(), {mask.get(), simulation.members()});
    seen.insert(seen.end(), own.begin(), own.end());
  }
  return seen;
}

TEST_P(LiveMethods, GoOnFromAnyInstantBitByBit) {
  const Problem problem = Problem::parse(arm, "arm", GetParam());
  Simulation simulation(problem);
  const std::vector<double> whole = drive(simulation, 0, 15);
  EXPECT_GT(norm_of(simulation.field(0, "velocity")), 1e-3);
  Simulation again(problem);
  const std::vector<double> begin = drive(again, 0, 6);
  const std::vector<std::byte> state = again.save(0);
  const std::vector<double> rest = drive(again, 0, 9);
  const auto whole_rest = std::span(whole).subspan(begin.size());
  EXPECT_EQ(bits(begin), bits(std::span(whole).first(begin.size())));
  EXPECT_EQ(bits(rest), bits(whole_rest));
  again.restore(0, state);
  EXPECT_NEAR(again.time()[0], 0.12, 1e-12);
  EXPECT_EQ(bits(drive(again, 0, 9)), bits(whole_rest));
  again.restore(0, state);
  Simulation clones = again.clone(0, 3);
  drive(clones, 1, 4);
  EXPECT_EQ(bits(drive(clones, 2, 9)), bits(whole_rest));
  EXPECT_EQ(bits(drive(clones, 0, 9)), bits(whole_rest));
  again.reset();
  EXPECT_EQ(again.time()[0], 0.0);
  EXPECT_EQ(bits(drive(again, 0, 15)), bits(whole));
}

// What is set between two samples is taken at the next one, by a copy as by the original.
TEST_P(LiveMethods, TakeInputsWithThemThatWereSetAndNotSampled) {
  const Problem problem = Problem::parse(arm, "arm", GetParam());
  const auto go_on = [](Simulation& simulation) {
    simulation.advance(6 * simulation.interval());
    return bits(simulation.field(0, "position"));
  };
  Simulation original(problem);
  original.advance(original.interval());
  original.inputs()[0] = 3.0;
  const std::vector<std::byte> state = original.save(0);
  Simulation copy = original.clone(0);
  EXPECT_EQ(copy.inputs()[0], 3.0);
  const auto right = go_on(original);
  EXPECT_EQ(go_on(copy), right);
  original.inputs()[0] = -1.0;
  original.restore(0, state);
  EXPECT_EQ(original.inputs()[0], 3.0);
  EXPECT_EQ(go_on(original), right);
}

TEST(LiveMembers, RefuseADamagedState) {
  Simulation simulation(Problem::parse(arm));
  simulation.advance(0.1);
  std::vector<std::byte> state = simulation.save(0);
  const std::vector<double> before = simulation.field(0, "position");
  for (std::size_t at = 0; at < state.size(); ++at) {
    state[at] ^= std::byte{1} << (at % 8);
    ASSERT_NE(error_of([&] { simulation.restore(0, state); }), "") << "byte " << at << " of " << state.size();
    state[at] ^= std::byte{1} << (at % 8);
  }
  EXPECT_NE(error_of([&] { simulation.restore(0, std::span(state).first(state.size() - 1)); }), "");
  state.push_back(std::byte{0});
  EXPECT_NE(error_of([&] { simulation.restore(0, state); }), "");
  EXPECT_EQ(bits(simulation.field(0, "position")), bits(before));
  state.pop_back();
  simulation.restore(0, state);
}

TEST_P(LiveMethods, HaveMembersThatDoNotDependOnEachOther) {
  const Problem problem = Problem::parse(arm, "arm", GetParam());
  const std::vector<std::string> keys = {"rod.radius"};
  const std::vector<double> points = {0.02, 0.025, 0.03, 0.02};
  Simulation many(problem, keys, points, {.repeats = 2});
  ASSERT_EQ(many.members(), 8U);
  EXPECT_EQ(many.inputs().size(), 8U);
  ASSERT_EQ(many.signals().size(), 8U * 5U);
  std::vector<std::vector<double>> seen(8);
  for (int k = 0; k < 12; ++k) {
    for (std::size_t m = 0; m < 8; ++m)
      many.inputs()[m] = 1.0 + 0.3 * static_cast<double>(m) - 5.0 * many.signals()[m * 5 + 1];
    many.advance(0.02);
    for (std::size_t m = 0; m < 8; ++m)
      seen[m].insert(seen[m].end(), many.signals().begin() + static_cast<std::ptrdiff_t>(m * 5),
                     many.signals().begin() + static_cast<std::ptrdiff_t>(m * 5 + 5));
  }
  for (const std::size_t m : {0U, 3U, 7U}) {
    Simulation alone(problem, keys, std::span(points).subspan(m / 2, 1),
                     {.repeats = 2, .first_candidate = m / 2});
    const std::size_t own = m % 2;
    std::vector<double> found;
    for (int k = 0; k < 12; ++k) {
      alone.inputs()[own] = 1.0 + 0.3 * static_cast<double>(m) - 5.0 * alone.signals()[own * 5 + 1];
      alone.advance(0.02);
      found.insert(found.end(), alone.signals().begin() + static_cast<std::ptrdiff_t>(own * 5),
                   alone.signals().begin() + static_cast<std::ptrdiff_t>(own * 5 + 5));
    }
    EXPECT_EQ(bits(found), bits(seen[m])) << m;
  }
  // Noise tells repeats apart.
  EXPECT_NE(many.signals()[3], many.signals()[8]);
  // Members go back alone, also to other points.
  const bool mask[8] = {false, true, false, false, false, false, true, false};
  const std::vector<double> later = {many.time().begin(), many.time().end()};
  many.reset(mask, std::vector<double>{0.04, 0.05}, std::vector<std::uint64_t>{11, 12});
  EXPECT_EQ(many.time()[1], 0.0);
  EXPECT_EQ(many.time()[0], later[0]);
  EXPECT_EQ(many.seed(6), 12U);
  many.advance(0.02);
  EXPECT_NEAR(many.time()[6], 0.02, 1e-12);
  EXPECT_NEAR(many.time()[0], later[0] + 0.02, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, LiveMethods,
    ::testing::Values(Overrides{}, Overrides{"time.method=implicit", "time.step=4e-3"},
                      Overrides{"time.method=implicit", "time.scheme=backward_euler", "time.step=4e-3"},
                      Overrides{"model.kind=der", "time.step=1e-3"},
                      Overrides{"model.kind=der", "time.scheme=generalized_alpha", "time.step=1e-3"},
                      Overrides{"model.precision=single"}, Overrides{"control.hold=linear"}));

TEST(LiveMembers, TakeStepsBetweenSamplesToo) {
  Simulation simulation(Problem::parse(arm));
  simulation.inputs()[0] = 1.0;
  simulation.advance(0.002);
  EXPECT_NEAR(simulation.time()[0], 0.002, 1e-15);
  EXPECT_EQ(simulation.signals()[1], 0.0);  // of t = 0
  EXPECT_NE(simulation.field(0, "position")[3 * 12 + 1], 0.0);
  simulation.advance(0.018);
  EXPECT_NE(simulation.signals()[1], 0.0);
}

TEST(LiveMembers, AreAdvancedToTheEndByAnyNumberOfSeconds) {
  const Problem problem = Problem::parse(arm);
  for (const double seconds : {1e15, 1e16, 1e300, std::numeric_limits<double>::infinity()}) {
    Simulation simulation(problem);
    simulation.advance(0.02);
    simulation.advance(seconds);
    EXPECT_EQ(status_text(simulation.status()[0]), "done") << seconds;
    EXPECT_NEAR(simulation.time()[0], 0.4, 1e-12) << seconds;
  }
}

TEST(LiveMembers, ThatNoMachineHoldsAreRefused) {
  const Problem problem = Problem::parse(arm);
  const auto wants = [](const std::string& text) { return text.find("members take") != text.npos; };
  EXPECT_TRUE(wants(error_of([&] { Simulation(problem, {}, {}, {.repeats = 4'000'000'000}); })));
  EXPECT_TRUE(wants(error_of([&] { Simulation(problem).clone(0, std::size_t{1} << 40); })));
  EXPECT_NE(error_of([&] { problem.evaluate({.repeats = 4'000'000'000}); }).find("results take"),
            std::string::npos);
}

/// An arm with goals, which only signals, a state, an output and a measure name, and a variable of its load.
const std::string reaching =
    "[variable]\ngoal = 0.1, 0.4\nkeen = 2\nweight = 0.01\n" + arm +
    "[control]\nsignal = off[2] [m] : k == 0 ? x(end) - goal[0] : z(end) - variable.goal[1]^2\n"
    "state = sum : 0, keen * off[0] + goal[1]\noutput = pull : 0.01 * keen * off[1] + 1e-3 * sum\n"
    "[actuation]\nforce = y : pull\nforce = z : -weight\n"
    "[measure]\ndefine = reached [m] : min(hypot(x(end) - goal[0], z(end) - goal[1])) + goal[0]\n";

// What nothing else names is set without building a member anew: it then is the member that a deck with these
// numbers makes, in signals at t = 0, in measures and in what control makes of it.
TEST_P(LiveMethods, TakeGoalsAnewAsIfTheirDeckHadThem) {
  const std::vector<std::string> keys = {"variable.goal[0]", "variable.goal[1]", "variable.keen",
                                         "rod.radius"};
  const Problem problem = Problem::parse(reaching, "reaching", GetParam());
  Simulation simulation(problem, keys, std::vector{0.1, 0.4, 2.0, 0.02}, {.repeats = 2});
  ASSERT_EQ(simulation.inputs().size(), 2U);
  const auto seen = [&](Simulation& live, const std::vector<double>& point, std::size_t member) {
    std::vector<double> all(live.signals().begin(), live.signals().end());
    live.inputs()[member] = 1.5;
    for (int k = 0; k < 5; ++k) {
      live.advance(0.02);
      all.insert(all.end(), live.signals().begin(), live.signals().end());
    }
    live.advance(1.0);
    const std::vector<double> end = live.observables(member);
    all.insert(all.end(), end.begin(), end.end());
    EXPECT_EQ(status_text(live.status()[member]), "done") << point[0];
    return all;
  };
  const std::vector<double> first = seen(simulation, {0.1}, 1);
  for (const std::vector<double>& point : {std::vector{0.3, -0.2, 0.5, 0.02},
                                           {-0.1, 0.0, 3.0, 0.02},
                                           {0.2, 0.1, 1.0, 0.025},
                                           {0.1, 0.4, 2.0, 0.02}}) {
    std::vector<double> both = point;
    both.insert(both.end(), point.begin(), point.end());
    simulation.reset({}, both);
    Simulation made(problem, keys, point, {.repeats = 2});
    const std::vector<std::byte> state = made.save(1);
    const std::vector<double> wanted = seen(made, point, 1);
    simulation.restore(1, state);
    EXPECT_EQ(bits(seen(simulation, point, 1)), bits(wanted)) << point[0];
    simulation.reset();
    EXPECT_EQ(bits(seen(simulation, point, 1)), bits(wanted)) << point[0];
  }
  EXPECT_EQ(bits(seen(simulation, {0.1}, 1)).size(), first.size());
  // Those of a run, whose formulas have the numbers themselves.
  const Overrides own = {"variable.goal=0.3, -0.2", "variable.keen=0.5",
                         "control.input=bend : 1.5 in [-5, 5]"};
  Overrides all = GetParam();
  all.insert(all.end(), own.begin(), own.end());
  const Evaluation run = Problem::parse(reaching, "reaching", all).evaluate();
  Overrides driven = GetParam();
  driven.push_back(own.back());
  Simulation live(Problem::parse(reaching, "reaching", driven), keys, std::vector{0.1, 0.4, 2.0, 0.02}, {});
  live.advance(0.1);
  live.reset({}, std::vector{0.3, -0.2, 0.5, 0.02});
  live.advance(1.0);
  EXPECT_EQ(bits(live.observables(0)), bits(run.observables));
}

TEST(LiveMembers, TakeWhatTheirRodsAreMadeOfAnewToo) {
  const std::vector<std::string> keys = {"variable.weight", "variable.keen"};
  const Problem problem = Problem::parse(reaching);
  const auto bent = [&](Simulation& live) {
    live.advance(0.1);
    return live.field(0, "position");
  };
  Simulation simulation(problem, keys, std::vector{0.01, 2.0}, {});
  const std::vector<double> light = bent(simulation);
  simulation.reset({}, std::vector{0.05, 2.0});
  Simulation heavy(problem, keys, std::vector{0.05, 2.0}, {});
  const std::vector<double> wanted = bent(heavy);
  EXPECT_EQ(bits(bent(simulation)), bits(wanted));
  EXPECT_NE(bits(light), bits(wanted));
}

TEST(LiveMembers, BeginWithInputsThatAreGiven) {
  const Problem problem = Problem::parse(arm, "arm", {"control.signal=bent [1/m] : bend"});
  Simulation simulation(problem, {}, {}, {.repeats = 2});
  Simulation other(problem, {}, {}, {.repeats = 2});
  simulation.advance(0.1);
  const bool second[2] = {false, true};
  for (const std::vector<std::uint64_t>& seeds :
       {std::vector<std::uint64_t>{}, {12}}) {  // as built, and anew
    simulation.reset(second, {}, seeds, std::vector{3.0});
    EXPECT_EQ(simulation.signals()[1], 3.0);
    EXPECT_EQ(simulation.inputs()[1], 3.0);
    other.reset(second);
    other.inputs()[1] = 3.0;
    simulation.advance(0.02, second);
    other.advance(0.02, second);
    EXPECT_EQ(bits(simulation.field(1, "position")), bits(other.field(1, "position")));
  }
  simulation.reset(second);
  EXPECT_EQ(simulation.signals()[1], 0.0);
  EXPECT_EQ(simulation.signals()[0], 0.0);
  EXPECT_NEAR(simulation.time()[0], 0.1, 1e-12);
  const std::vector<double> none = {std::nan("")};
  EXPECT_NE(error_of([&] { simulation.reset(second, {}, {}, none); }).find("finite"), std::string::npos);
  const std::vector<double> two = {1.0, 2.0};
  EXPECT_NE(error_of([&] { simulation.reset(second, {}, {}, two); }).find("2 inputs for 1 members of 1"),
            std::string::npos);
}

TEST(LiveMembers, WithAnInputThatIsNoNumberFailAlone) {
  const Problem problem = Problem::parse(arm);
  Simulation simulation(problem, {}, {}, {.repeats = 3});
  Simulation alone(problem, {}, {}, {.repeats = 3});
  simulation.inputs()[1] = std::nan("");
  simulation.advance(0.02);
  alone.advance(0.02);
  EXPECT_EQ(status_text(simulation.status()[1]), "failed");
  EXPECT_EQ(simulation.problem(1), "input bend is no finite number");
  EXPECT_EQ(simulation.time()[1], 0.0);
  for (const std::size_t k : {0U, 2U}) {
    EXPECT_EQ(simulation.status()[k], 0);
    EXPECT_EQ(simulation.problem(k), "");
    EXPECT_EQ(bits(simulation.field(k, "position")), bits(alone.field(k, "position")));
  }
  simulation.inputs()[1] = 0.0;
  simulation.advance(0.02);
  EXPECT_EQ(simulation.time()[1], 0.0);  // it has ended
  EXPECT_NE(error_of([&] { simulation.save(1); }).find("has ended (failed)"), std::string::npos);
  const bool second[3] = {false, true, false};
  simulation.reset(second);
  simulation.advance(0.02);
  EXPECT_EQ(simulation.status()[1], 0);
  EXPECT_EQ(bits(simulation.field(1, "position")), bits(alone.field(1, "position")));
}

TEST(LiveMembers, FromRestBeginThere) {
  const std::string deck =
      arm + "[gravity]\nacceleration = 0, 9.81, 0\n[time]\nfrom = equilibrium\nmethod = implicit\n";
  Simulation simulation(Problem::parse(deck, "arm", {"time.step=2e-3"}));
  simulation.advance(0.1);
  EXPECT_LT(norm_of(simulation.field(0, "velocity")), 1e-6);
}

TEST(LiveMembers, EquilibriaGoFromOneToTheNext) {
  Simulation simulation(Problem::parse(arm + "[time]\nmethod = static\n", "arm", {"time.step=0.02"}));
  simulation.inputs()[0] = 2.0;
  simulation.advance(0.02);
  const double bent = simulation.signals()[1];
  simulation.advance(0.02);
  EXPECT_NEAR(simulation.signals()[1], bent, 1e-9);
  EXPECT_GT(std::abs(bent), 0.02);
  simulation.inputs()[0] = 0.0;
  simulation.advance(0.02);
  EXPECT_NEAR(simulation.signals()[1], 0.0, 1e-9);
}

TEST(LiveMembers, FollowTheirBranchOnceMore) {
  Simulation simulation(Problem::parse(
      arm + "[branch]\nkey = load.end_force[1]\nfrom = 0.1\nto = 0.2\n[time]\nmethod = static\n", "arm",
      {"time.step=0.02", "time.end=0.1"}));
  const auto bent_in_time = [&] {
    simulation.reset();
    simulation.inputs()[0] = 1.0;
    simulation.advance(0.06);
    return simulation.field(0, "position");
  };
  const std::vector<double> once = bent_in_time();
  simulation.advance(4.0);
  EXPECT_EQ(status_text(simulation.status()[0]), "done");
  EXPECT_GT(norm_of(once), 0.1);
  EXPECT_EQ(bent_in_time(), once);
}

TEST(LiveMembers, ThatDivergeEnd) {
  Simulation simulation(
      Problem::parse(pushed_rod("input = wish : 0 in [-1e30, 1e30]\nsignal = height [m] : "
                                "mean_along(z)\noutput = push : wish * height\n",
                                1.0)));
  simulation.inputs()[0] = 1e30;
  for (int k = 0; k < 20; ++k) simulation.advance(0.01);
  EXPECT_EQ(status_text(simulation.status()[0]), "diverged");
  EXPECT_NE(error_of([&] { simulation.save(0); }).find("has ended (diverged)"), std::string::npos);
  simulation.reset();
  EXPECT_EQ(simulation.status()[0], 0);
}

TEST(LiveMembers, SayWhatIsWrong) {
  const Problem problem = Problem::parse(arm);
  Simulation simulation(problem);
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(error_of([&] { simulation.advance(3.3e-5); }), "no whole number of time steps");
  has(error_of([&] { simulation.restore(0, {}); }), "this state is truncated");
  has(error_of([&] { simulation.save(1); }), "there is no member 1");
  has(error_of([&] { simulation.field(0, "colour"); }), "position");
  Simulation other(Problem::parse(arm, "arm", {"rod.radius=0.03"}));
  has(error_of([&] { other.restore(0, simulation.save(0)); }), "belongs to another deck or point");
  has(error_of([] { Simulation(Problem::parse("[model]\nkind = noop\n")); }), "do not run step by step");
  const auto refused = [](const std::string& line) {
    return error_of([&] { Problem::parse(arm + "[control]\n" + line + "\n").check(); });
  };
  has(error_of([&] { Problem::parse(arm, "arm", {"control.interval=0.00033"}).check(); }),
      "no whole number of time steps of 2e-04 s; the nearest is 4e-04 s");
  has(refused("input = bend : 0 in [0, 1]"), "defined above");
  has(refused("input = sin : 0 in [0, 1]"), "a function");
  has(refused("input = unused : 0 in [0, 1]"), "nothing names unused");
  has(refused("input = u : 3 in [0, 1]"), "outside of the range");
  has(refused("signal = tipp : xx(end)"), "did you mean");
  has(refused("signal = late2 : x(end) delay 0.03"), "the nearest is 0.04 s");
  has(refused("output = o : nois"), "did you mean noisy");
  has(refused("output = o : p\noutput = p : 1"), "is no number of the control above");
  has(refused("network = u[2] : tanh 3, tanh of tip with variable.w"), "weights are a list of the deck");
  has(error_of([&] {
        Problem::parse(
            arm +
            "[variable]\nw = 1, 2, 3\n[control]\nnetwork = u[2] : tanh 3, tanh of tip with variable.w\n")
            .check();
      }),
      "there are 3 weights; this network of 3 numbers takes 20");
  has(error_of([&] { Problem::parse(arm, "arm", {"actuation.curvature=d1 : late"}).check(); }),
      "control.output = NAME : late");
  has(error_of([&] { Problem::parse(arm + "[motion]\nposition = node 3 : free, free, bend\n").check(); }),
      "control.hold = linear");
}

TEST(Simulation, RoundsAsEverWhereTheCallerRoundsUp) {
  const Problem problem = Problem::parse(arm);
  const auto seen = [&](int rounding) {
    Simulation simulation(problem);
    simulation.inputs()[0] = 3.0;
    std::fesetround(rounding);
    simulation.advance(0.1);
    EXPECT_EQ(std::fegetround(), rounding);
    std::fesetround(FE_TONEAREST);
    return bits(simulation.signals());
  };
  EXPECT_EQ(seen(FE_UPWARD), seen(FE_TONEAREST));
}

}  // namespace
}  // namespace rodeo
