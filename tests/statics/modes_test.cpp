#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/member/stability.hpp"

#include "member/run_members.hpp"

namespace rodeo::statics {
namespace {

/// A steel rod of 1 m along z, five times as thick as a wire: its shear and its rotary inertia count.
constexpr const char* thick_beam =
    "[rod]\nlength = 1\nradius = 0.005\ndensity = 7800\nyoung_modulus = 2e11\npoisson_ratio = 0.3\n"
    "[time]\nmethod = static\n[modes]\ncount = 10\n";

struct ModesRun {
  RodSpec rod;
  MemberOutcome outcome;

  explicit ModesRun(const std::string& text, const std::vector<std::string>& overrides = {}) {
    const MemberSpec spec = make_member_spec(Deck::parse(text, "test", overrides));
    rod = spec.rod;
    count = static_cast<std::size_t>(spec.modes);
    outcome = run_member(spec);
  }

  double frequency(std::size_t mode) const { return outcome.observables.at(observables.size() + mode - 1); }
  double decay_rate(std::size_t mode) const {
    return outcome.observables.at(observables.size() + count + mode - 1);
  }
  /// Six numbers of a node in the shape of a mode.
  std::span<const double> shape(std::size_t mode, std::size_t node) const {
    const std::size_t nodes = static_cast<std::size_t>(rod.elements) + 1;
    return std::span(outcome.mode_shapes).subspan(6 * ((mode - 1) * nodes + node), 6);
  }

  std::size_t count = 0;
};

/// Of a mode's velocity along an element, where it is linear.
double mean_square(const ModesRun& run, std::size_t mode, std::size_t element) {
  const auto first = run.shape(mode, element);
  const auto last = run.shape(mode, element + 1);
  double sum = 0.0;
  for (std::size_t c = 0; c < 3; ++c) sum += first[c] * first[c] + first[c] * last[c] + last[c] * last[c];
  return sum / 3.0;
}

struct LineProperties {
  double mass;     ///< kg/m
  double inertia;  ///< kg m

  /// With the rotary inertia about d1.
  explicit LineProperties(const RodSpec& rod)
      : mass(rod.density * M_PI * rod.radius * rod.radius),
        inertia(0.25 * mass * rod.radius * rod.radius * rod.first_moment) {}
};

/// How far a Timoshenko beam that swings with an angular frequency is from its conditions at both ends: zero
/// at its frequencies. States are w, phi, M and V; two of these are zero at the first end, two at the last.
double mismatch(const RodSpec& rod, double rate, std::array<int, 2> first, std::array<int, 2> last) {
  constexpr int steps = 400;
  const LineProperties line(rod);
  Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
  a(0, 1) = 1.0;
  a(0, 3) = 1.0 / rod.shear_stiffness;
  a(1, 2) = 1.0 / rod.bend_stiffness;
  a(2, 1) = -line.inertia * rate * rate;
  a(2, 3) = -1.0;
  a(3, 0) = -line.mass * rate * rate;
  const Eigen::Matrix4d h = rod.length / steps * a;
  Eigen::Matrix4d step = Eigen::Matrix4d::Identity();
  Eigen::Matrix4d term = step;
  for (int k = 1; k < 12; ++k) {
    term = (term * h / k).eval();
    step += term;
  }
  Eigen::Matrix<double, 4, 2> states = Eigen::Matrix<double, 4, 2>::Zero();
  int free = 0;
  for (int i = 0; i < 4; ++i) {
    if (i != first[0] && i != first[1]) states(i, free++) = 1.0;
  }
  for (int k = 0; k < steps; ++k) states = (step * states).eval();
  return states(last[0], 0) * states(last[1], 1) - states(last[0], 1) * states(last[1], 0);
}

/// The frequency of a beam near an angular frequency, Hz.
double beam_frequency(const RodSpec& rod, double near, std::array<int, 2> first, std::array<int, 2> last) {
  double low = 0.9 * near;
  double high = 1.1 * near;
  const bool rises = mismatch(rod, high, first, last) > 0.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    ((mismatch(rod, middle, first, last) > 0.0) == rises ? high : low) = middle;
  }
  return low / (2.0 * M_PI);
}

constexpr std::array<int, 2> clamped_end = {0, 1};
constexpr std::array<int, 2> pinned_end = {0, 2};
constexpr std::array<int, 2> free_end = {2, 3};

struct BeamCase {
  const char* boundary;
  std::array<int, 2> first;
  std::array<int, 2> last;
  std::array<double, 5> numbers;  ///< of Euler's beam: squares of these over the length
};

/// Of a diagonal matrix: one of two eigenvalues that are too near to each other for a hundred rounds.
TEST(Eigenvalues, ThatAreNotFoundAreNoNumbers) {
  const std::vector<double> inertia(2, 1.0);
  const auto nearest = [&](double second) {
    std::vector<double> mode = {1e-3, 1.0};
    return nearest_eigenvalue<double>(
        inertia, {0.0, 1e-13, 0.0},
        [&](std::vector<double>& v) {
          v[0] /= 1.0;
          v[1] /= second;
        },
        [](std::vector<double>&) {}, mode);
  };
  EXPECT_NEAR(nearest(2.0), 1.0, 1e-12);
  EXPECT_TRUE(std::isnan(nearest(1.01)));
}

TEST(Modes, OfBeamsAreThoseOfTimoshenko) {
  for (const BeamCase& beam :
       {BeamCase{
            "boundary.first=clamped", clamped_end, free_end, {1.87510, 4.69409, 7.85476, 10.9955, 14.1372}},
        BeamCase{"boundary.first=free", free_end, free_end, {4.73004, 7.85320, 10.9956, 14.1372, 17.2788}},
        BeamCase{"boundary.first=pinned",
                 pinned_end,
                 pinned_end,
                 {M_PI, 2 * M_PI, 3 * M_PI, 4 * M_PI, 5 * M_PI}}}) {
    std::vector<std::string> ends = {beam.boundary, "rod.elements=100"};
    if (beam.last == pinned_end) ends.emplace_back("boundary.last=pinned");
    const ModesRun run(thick_beam, ends);
    ASSERT_EQ(run.outcome.status, MemberStatus::done);
    const LineProperties line(run.rod);
    for (std::size_t k = 0; k < 5; ++k) {
      const double euler = beam.numbers[k] * beam.numbers[k] * std::sqrt(run.rod.bend_stiffness / line.mass);
      const double expected = beam_frequency(run.rod, euler, beam.first, beam.last);
      // Of fourth order in waves of an element, and of second order in the half element at a clamp; each in
      // both planes.
      const double wave = beam.numbers[k] / run.rod.elements;
      const double at_clamp = beam.first == clamped_end ? 0.4 * wave / run.rod.elements : 0.0;
      EXPECT_NEAR(run.frequency(2 * k + 1) / expected, 1.0, 0.005 * std::pow(wave, 4) + at_clamp + 1e-8)
          << beam.boundary << k;
      EXPECT_NEAR(run.frequency(2 * k + 2) / run.frequency(2 * k + 1), 1.0, 1e-9) << beam.boundary << k;
      EXPECT_EQ(run.decay_rate(k + 1), 0.0);
    }
  }
}

/// A beam of rectangular section bends in two planes, each with its own stiffness, shear and rotary inertia.
TEST(Modes, OfARectangularBeamAreThoseOfTimoshenkoInEachPlane) {
  const ModesRun run(
      "[rod]\nelements = 100\nlength = 1\nsection = rectangle\nwidth = 0.01\nthickness = 0.023\ndensity = "
      "7800\n"
      "young_modulus = 2e11\npoisson_ratio = 0.3\nsecond_shear_stiffness = 9e6\n[boundary]\nfirst = clamped\n"
      "[time]\nmethod = static\n[modes]\ncount = 6\n");
  ASSERT_EQ(run.outcome.status, MemberStatus::done);
  RodSpec about_first = run.rod;
  about_first.shear_stiffness *= run.rod.second_shear_ratio;
  RodSpec about_second = run.rod;
  about_second.bend_stiffness *= run.rod.second_bend_ratio;
  about_second.first_moment = run.rod.second_moment;
  std::vector<double> expected;
  for (const RodSpec& plane : {about_first, about_second}) {
    const LineProperties line(plane);
    for (const double number : {1.87510, 4.69409, 7.85476}) {
      const double euler = number * number * std::sqrt(plane.bend_stiffness / line.mass);
      expected.push_back(beam_frequency(plane, euler, clamped_end, free_end));
    }
  }
  std::ranges::sort(expected);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(run.frequency(k + 1) / expected[k], 1.0, 2e-3) << k;
}

/// A rod between hinges under a tension: for sines and cosines of its length, force, couple and inertia
/// balance in two equations, of which the square of the angular frequency is a root.
double hinged_frequency(const RodSpec& rod, int half_waves, double tension) {
  const LineProperties line(rod);
  const double k = half_waves * M_PI / rod.length;
  const double stretch = 1.0 + tension / rod.stretch_stiffness;
  const double excess = stretch * rod.shear_stiffness - tension;
  const double across = rod.shear_stiffness * k * k;
  const double turning = rod.bend_stiffness * k * k + stretch * excess;
  const double a = line.mass * line.inertia;
  const double b = across * line.inertia + turning * line.mass;
  const double c = across * turning - excess * excess * k * k;
  return std::sqrt(2.0 * c / (b + std::sqrt(b * b - 4.0 * a * c))) / (2.0 * M_PI);
}

constexpr const char* hinged_rod =
    "[rod]\nelements = 100\nlength = 1\nradius = 0.002\ndensity = 7800\nyoung_modulus = 2e11\n"
    "poisson_ratio = 0.3\n[boundary]\nfirst = pinned\nlast = pinned_sliding\n"
    "[time]\nmethod = static\n[modes]\ncount = 6\n";

TEST(Modes, KnowTheTensionOfTheRod) {
  for (const double tension : {-20.0, 400.0}) {
    const ModesRun run(hinged_rod, {"load.axial_force=" + std::to_string(-tension)});
    for (int half_waves = 1; half_waves <= 3; ++half_waves) {
      EXPECT_NEAR(run.frequency(2 * static_cast<std::size_t>(half_waves)) /
                      hinged_frequency(run.rod, half_waves, tension),
                  1.0, 1e-3)
          << tension;
    }
  }
}

TEST(Modes, OfAnUnstableColumnAreNegative) {
  const ModesRun below(hinged_rod, {"load.axial_force=24.79"});  // Euler's force is 24.805 N
  EXPECT_EQ(below.outcome.status, MemberStatus::done);
  EXPECT_GT(below.frequency(1), 0.0);
  EXPECT_LT(below.frequency(1), 1.0);
  const ModesRun above(hinged_rod, {"load.axial_force=30"});
  EXPECT_EQ(above.outcome.status, MemberStatus::unstable);
  EXPECT_LT(above.frequency(1), -1.0);
  EXPECT_NEAR(above.frequency(1), above.frequency(2), 1e-6);
  EXPECT_GT(above.frequency(3), 1.0);
  EXPECT_NEAR(value(above.outcome, "unstable_modes"), 2.0, 0.0);
}

TEST(Modes, AreDampedAsTheirOscillators) {
  const ModesRun free(hinged_rod);
  // All velocities fade at one rate, 2/tau: by half of it a mode that swings.
  const ModesRun damped(hinged_rod, {"rod.relaxation_time=0.02"});
  for (std::size_t mode = 1; mode <= 6; ++mode) {
    const double rate = 2.0 * M_PI * free.frequency(mode);
    EXPECT_NEAR(damped.decay_rate(mode), 25.0, 1e-6);
    EXPECT_NEAR(2.0 * M_PI * damped.frequency(mode), std::sqrt(rate * rate - 625.0), 1e-6 * rate);
  }
  const ModesRun creeping(hinged_rod, {"rod.relaxation_time=1e-4"});
  const double rate = 2.0 * M_PI * free.frequency(1);
  EXPECT_EQ(creeping.frequency(1), 0.0);
  EXPECT_NEAR(creeping.decay_rate(1), 5000.0 - std::sqrt(2.5e7 - rate * rate), 1e-6);
  // A heavy point fades at another rate than the rest, which couples them.
  // Weak drag takes what it takes of the undamped motion.
  const ModesRun coupled(hinged_rod, {"rod.damping=0.01", "rod.point_masses=0.05",
                                      "rod.point_mass_positions=0.7", "output.frames=2"});
  for (std::size_t mode = 1; mode <= 6; ++mode) {
    double squares = 0.0;
    for (std::size_t i = 0; i < 100; ++i) squares += mean_square(coupled, mode, i);
    EXPECT_NEAR(coupled.decay_rate(mode) / (0.5 * 0.01 * squares / 100), 1.0, 1e-3);
  }
}

/// A ring that is round at rest: n waves in its plane and out of it, of one that neither stretches nor
/// shears.
TEST(Modes, OfARingHaveWholeWaves) {
  const ModesRun run(
      "[rod]\nshape = ring\nelements = 120\nlength = 1\nradius = 5e-4\ndensity = 7800\nyoung_modulus = 2e11\n"
      "poisson_ratio = 0.3\n[time]\nmethod = static\n[modes]\ncount = 8\n[output]\nframes = 2\n");
  ASSERT_EQ(run.outcome.status, MemberStatus::done);
  const double radius = 1.0 / (2.0 * M_PI);
  const double scale =
      std::sqrt(run.rod.bend_stiffness / LineProperties(run.rod).mass) / (radius * radius) / (2.0 * M_PI);
  const auto waves = [&](double n, double in_divisor) {
    return scale * n * (n * n - 1.0) / std::sqrt(n * n + in_divisor);
  };
  const double ratio = run.rod.bend_stiffness / run.rod.twist_stiffness;
  const std::array<double, 4> expected = {waves(2, ratio), waves(2, 1), waves(3, ratio), waves(3, 1)};
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(run.frequency(k + 1) / expected[k / 2], 1.0, 2e-3) << k;
  // The shape's last node is its first, and its modal mass 1 kg, of velocities that are linear along
  // elements.
  double mass = 0.0;
  for (std::size_t i = 0; i < 120; ++i) {
    mass += LineProperties(run.rod).mass / 120 * mean_square(run, 3, i);
  }
  EXPECT_NEAR(mass, 1.0, 1e-4);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(run.shape(3, 0)[c], run.shape(3, 120)[c]);
}

/// Two beams that share a hinge between hinges: half a wave in each, one up and one down, or both as beams of
/// which an end is free.
TEST(Modes, OfJointedBeamsHaveTheMassOfBothAtTheJoint) {
  const ModesRun run(
      "[rod]\ncount = 2\nelements = 50\nlength = 0.5\nradius = 0.005\ndensity = 7800\nyoung_modulus = 2e11\n"
      "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\neach = rod.origin[0] : list(0, 0.5)\n"
      "each = boundary.first : list(pinned, free)\neach = boundary.last : list(free, pinned)\n"
      "[connection]\nball = rod 0, end to rod 1, start\n[time]\nmethod = static\n[modes]\ncount = 4\n");
  ASSERT_EQ(run.outcome.status, MemberStatus::done);
  const double unit = std::sqrt(run.rod.bend_stiffness / LineProperties(run.rod).mass) / 0.25;
  EXPECT_NEAR(run.frequency(1) / beam_frequency(run.rod, M_PI * M_PI * unit, pinned_end, pinned_end), 1.0,
              1e-7);
  EXPECT_NEAR(run.frequency(3) / beam_frequency(run.rod, 3.92660 * 3.92660 * unit, pinned_end, free_end), 1.0,
              1e-6);
}

TEST(Modes, OfOneFrequencyAreChosenAlongTheAxes) {
  const ModesRun run(thick_beam, {"rod.elements=50", "rod.direction=0, 0, 1", "rod.normal=0.6, 0.8, 0",
                                  "boundary.first=clamped", "output.frames=2"});
  for (const std::size_t mode : {1u, 3u, 5u}) {
    EXPECT_GT(std::abs(run.shape(mode, 50)[0]), 0.1);
    EXPECT_LT(std::abs(run.shape(mode, 50)[1]), 1e-6);
    EXPECT_LT(std::abs(run.shape(mode + 1, 50)[0]), 1e-6);
    EXPECT_NEAR(std::abs(run.shape(mode + 1, 50)[1] / run.shape(mode, 50)[0]), 1.0, 1e-6);
  }
}

TEST(Modes, AreObservablesOfMeasures) {
  const std::vector<std::string> ratio = {"rod.elements=20", "boundary.first=clamped",
                                          "measure.define=ratio [1] : last(frequency_3) / last(frequency_1)"};
  const ModesRun run(thick_beam, ratio);
  const Deck deck = Deck::parse(thick_beam, "test", ratio);
  const ObservableList list = observables_of(deck);
  EXPECT_EQ(list.index("frequency_1"), observables.size());
  EXPECT_EQ(list.index("decay_rate_1"), observables.size() + 10);
  EXPECT_EQ(list.index("ratio"), observables.size() + 20);
  EXPECT_EQ(list.size(), run.outcome.observables.size());
  EXPECT_DOUBLE_EQ(run.outcome.observables.back(), run.frequency(3) / run.frequency(1));
}

/// A wire that a force presses which follows its end, p B/L^2 (Beck 1952).
constexpr const char* beck_column =
    "[variable]\np = 0\n[rod]\nelements = 50\nlength = 1\nradius = 0.0001\ndensity = 7800\nyoung_modulus = "
    "2e11\n"
    "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[time]\nmethod = static\n[modes]\ncount = "
    "4\n"
    "[boundary]\nfirst = clamped\n"
    "[actuation]\nforce = d3, end : -p * rod.young_modulus * pi * rod.radius^4/4 / rod.length^2\n";

TEST(Modes, OfBecksColumnFlutter) {
  std::array<double, 2> critical{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string elements = "rod.elements=" + std::to_string(50 << k);
    // Beside it the square of the growth rate is linear.
    const std::array<double, 2> loads = {20.06, 20.07};
    std::array<double, 2> squares{};
    for (std::size_t j = 0; j < 2; ++j) {
      const ModesRun run(beck_column, {elements, "variable.p=" + std::to_string(loads[j])});
      EXPECT_EQ(run.outcome.status, MemberStatus::unstable);
      EXPECT_EQ(value(run.outcome, "unstable_modes"), 2.0);  // in both planes
      for (const std::size_t mode : {1, 3}) {
        EXPECT_EQ(run.decay_rate(mode), -run.decay_rate(mode + 1));
        EXPECT_EQ(run.frequency(mode), run.frequency(mode + 1));
        EXPECT_NEAR(run.decay_rate(mode), run.decay_rate(1), 1e-4 * std::abs(run.decay_rate(1)));
      }
      squares[j] = run.decay_rate(1) * run.decay_rate(1);
    }
    critical[k] = loads[0] - squares[0] * (loads[1] - loads[0]) / (squares[1] - squares[0]);
  }
  EXPECT_NEAR((4.0 * critical[1] - critical[0]) / 3.0, 20.05095, 1e-4);
  EXPECT_NEAR(critical[1], 20.05095, 1e-2);
  const ModesRun below(beck_column, {"variable.p=20"});
  EXPECT_EQ(below.outcome.status, MemberStatus::done);
  EXPECT_EQ(value(below.outcome, "unstable_modes"), 0.0);
  EXPECT_GT(below.frequency(3), 1.01 * below.frequency(1));
  EXPECT_EQ(below.decay_rate(1), 0.0);
}

/// A rod that rolls between hinges turns the forces that follow it: other displacements go with a roll, along
/// which nothing pushes.
TEST(Modes, LeaveOutARollThatTurnsFollowingForces) {
  const auto hinged = [](const std::string& more) {
    return "[rod]\nelements = 20\nlength = 1\nradius = 0.001\ndensity = 1000\n"
           "bend_stiffness = 0.7853981633974483\ntwist_stiffness = 0.7\nstretch_stiffness = 3e7\n"
           "shear_stiffness = 1e7\ndirection = 0.6, 0.64, 0.48\n[time]\nmethod = static\n[modes]\ncount = 4\n"
           "[boundary]\nfirst = pinned\nlast = pinned_sliding\n" +
           more;
  };
  const ModesRun free(hinged(""));
  const ModesRun followed(hinged("[load]\nfollower_force = 0.01, 0.02, 0.005\n"));
  ASSERT_EQ(followed.outcome.status, MemberStatus::done);
  for (std::size_t mode = 1; mode <= 4; ++mode)
    EXPECT_NEAR(followed.frequency(mode) / free.frequency(mode), 1.0, 3e-4) << mode;  // it bends by little
  EXPECT_NEAR(followed.frequency(2) / followed.frequency(1), 1.0, 1e-5);
}

/// Without a load they are those of the symmetric matrix, and with drag by mass they follow from those
/// without: lambda^2 + c lambda + mu = 0.
TEST(Modes, OfLoadsWithoutEnergyAgreeWithOthersAndAreDamped) {
  const ModesRun none(beck_column);
  const ModesRun energy(beck_column, {"actuation.force=x, end : -p"});
  const double drag = 0.3;
  for (const char* const load : {"variable.p=0", "variable.p=21"}) {
    const ModesRun free(beck_column, {load});
    const ModesRun damped(beck_column, {load, "rod.damping=" + format_real(drag * 7800.0 * M_PI * 1e-8)});
    for (std::size_t mode = 1; mode <= 4; ++mode) {
      if (std::string(load) == "variable.p=0") {
        EXPECT_NEAR(none.frequency(mode), energy.frequency(mode), 1e-5 * none.frequency(mode));
      }
      const std::complex<double> rate(-free.decay_rate(mode), 2.0 * M_PI * free.frequency(mode));
      std::complex<double> expected = -0.5 * drag + std::sqrt(0.25 * drag * drag + rate * rate);
      if (expected.imag() < 0.0) expected = std::conj(expected);
      double nearest = 1e300;
      for (std::size_t other = 1; other <= 4; ++other) {
        const std::complex<double> found(-damped.decay_rate(other), 2.0 * M_PI * damped.frequency(other));
        nearest = std::min(nearest, std::abs(found - expected));
      }
      EXPECT_LT(nearest, 1e-5 * std::abs(rate)) << load << " " << mode;
    }
  }
}

/// Pressed by a force of its own direction all along it, q B/L^3, a column flutters from q = 40.05 on
/// (Leipholz 1962), and by the same force of one direction it buckles at 7.837.
TEST(Modes, OfLeipholzColumnFlutter) {
  for (const double part : {0.99, 1.01}) {
    const double load = part * 40.05 * 2e11 * M_PI * 1e-16 / 4.0;
    const ModesRun run(beck_column, {"rod.elements=100", "load.follower_force=0, 0, " + format_real(-load)});
    EXPECT_EQ(run.outcome.status, part < 1.0 ? MemberStatus::done : MemberStatus::unstable) << part;
  }
}

TEST(Modes, AreTheSameInAnyBatch) {
  const ModesRun alone(thick_beam, {"rod.elements=20", "boundary.first=clamped"});
  std::vector<MemberJob> jobs;
  for (const char* const end : {"boundary.first=free", "boundary.first=clamped", "boundary.first=pinned"}) {
    jobs.push_back({make_member_spec(Deck::parse(thick_beam, "test", {"rod.elements=20", end})), 1});
  }
  const MemberOutcome other = run_members(jobs)[1];
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(other.observables[observables.size() + k], alone.outcome.observables[observables.size() + k]);
  }
  // A rod of two elements has fewer modes than are asked for.
  const ModesRun small(thick_beam, {"rod.elements=2", "boundary.first=clamped", "modes.count=40"});
  EXPECT_GT(small.frequency(12), 0.0);
  EXPECT_TRUE(std::isnan(small.frequency(13)));
}

/// Two stiff rods hang from each other, the upper one in oil: of two planes alike each rate is found twice,
/// and no two that are the same count as a motion that swings. Closed form of rods that do not bend.
TEST(Modes, RatesOfTwoPlanesAreNoMotionThatSwings) {
  const ModesRun pendulum(
      "[rod]\ncount = 2\nelements = 20\nlength = 0.3\nradius = 0.005\ndensity = 7850\nyoung_modulus = "
      "2e11\npoisson_ratio = 0.3\ndirection = 0, 0, -1\neach = boundary.first : list(pinned, free)\n"
      "each = rod.origin[2] : list(0, -0.3)\neach = rod.damping : list(30, 1)\n[connection]\n"
      "ball = rod 0, end to rod 1, start\n[gravity]\nacceleration = 0, 0, -9.81\n[time]\n"
      "method = static\n[modes]\ncount = 4\n");
  ASSERT_EQ(pendulum.outcome.status, MemberStatus::done);
  int swinging = 0;
  for (std::size_t mode = 1; mode <= 4; ++mode) {
    if (pendulum.frequency(mode) == 0.0) {
      EXPECT_NEAR(pendulum.decay_rate(mode), 3.756, 5e-3);
      continue;
    }
    ++swinging;
    EXPECT_NEAR(pendulum.frequency(mode), 1.069, 2e-3);
    EXPECT_NEAR(pendulum.decay_rate(mode), 2.119, 5e-3);
  }
  EXPECT_EQ(swinging, 2);
}

}  // namespace
}  // namespace rodeo::statics
