#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/der/der_member.hpp"
#include "rodeo/forces/muscle_profile.hpp"

#include "cosserat/test_rod.hpp"
#include "member/measured.hpp"
#include "member/run_members.hpp"

namespace rodeo::der {
namespace {

MemberSpec free_rod(int elements, TimeScheme scheme) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.model = ModelKind::der;
  spec.scheme = scheme;
  spec.shears = false;
  spec.sections_shrink = 0.0;
  spec.newton = {.tolerance = 1e-9, .iterations = 50, .halvings = 10};
  spec.frames = 2;
  spec.fields = {0, 1};
  return spec;
}

MemberSpec in_time(MemberSpec spec, double seconds, std::int64_t steps) {
  spec.time = {.step = seconds / static_cast<double>(steps), .steps = steps, .slice_steps = 1000};
  return spec;
}

/// Positions and velocities of all nodes at the end.
std::vector<double> last_frame(const MemberSpec& spec) {
  const MemberOutcome outcome = run_member(spec);
  EXPECT_EQ(outcome.status, MemberStatus::done);
  std::vector<double> state;
  for (const std::vector<double>& field : outcome.fields)
    state.insert(state.end(), field.end() - static_cast<std::ptrdiff_t>(field.size() / 2), field.end());
  return state;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

MemberSpec swimmer(int elements, TimeScheme scheme) {
  MemberSpec spec = free_rod(elements, scheme);
  spec.muscle.kind = MuscleKind::couple;
  std::ranges::copy(std::array{0.3, 0.5, 0.4, 0.2}, spec.muscle.amplitudes.begin());
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 0.5;
  spec.muscle.wave_number = 6.0;
  spec.muscle.phase = 0.4;
  spec.muscle.axis = {1, 0, 0};
  spec.fluid.viscosity = 5.0;
  return spec;
}

TEST(SlenderBodyDrag, OfImplicitRodsGivesTheirTerminalSpeed) {
  for (const TimeScheme scheme : {TimeScheme::backward_euler, TimeScheme::sdirk2}) {
    for (const bool across : {true, false}) {
      MemberSpec spec = free_rod(6, scheme);
      spec.fluid.viscosity = 20.0;
      spec.load.gravity = across ? Vec3{0, -1, 0} : Vec3{0, 0, -1};
      spec.rod.stretch_stiffness = 1e6;
      const std::vector<double> state = last_frame(in_time(spec, 3.0, 200));
      const double drag = 4.0 * M_PI * 20.0 / std::log(1.0 / cosserat::soft_radius);  // per length across
      const double speed = cosserat::soft_mass / (across ? drag : 0.5 * drag);
      EXPECT_NEAR(state[21 + (across ? 1 : 2)], -speed, 1e-5 * speed);
    }
  }
}

TEST(SlenderBodyDrag, KeepsTheSecondOrderOfSdirk2) {
  const auto error = [](TimeScheme scheme, std::int64_t steps) {
    MemberSpec spec = swimmer(6, scheme);
    static const std::vector<double> exact = last_frame(in_time(swimmer(6, TimeScheme::sdirk2), 0.4, 3200));
    return apart(last_frame(in_time(spec, 0.4, steps)), exact);
  };
  EXPECT_NEAR(std::log2(error(TimeScheme::sdirk2, 200) / error(TimeScheme::sdirk2, 400)), 2.0, 0.25);
  EXPECT_NEAR(std::log2(error(TimeScheme::backward_euler, 400) / error(TimeScheme::backward_euler, 800)), 1.0,
              0.25);
}

/// Both models bend alike in a fluid that lets them follow their muscles slowly.
TEST(Muscles, OfImplicitRodsBendThemAsThoseOfExplicitOnes) {
  const auto bent = [](ModelKind model, std::int64_t steps) {
    MemberSpec spec = swimmer(24, TimeScheme::backward_euler);
    spec.model = model;
    spec.shears = model == ModelKind::cosserat;
    spec.rod.radius = 0.02;
    spec.rod.stretch_stiffness = spec.rod.shear_stiffness = 2e4;
    spec.muscle.period = 2.0;
    spec.fluid.viscosity = 1.0;
    const MemberOutcome outcome = run_member(in_time(spec, 3.3, steps));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return value(outcome, "curvature_max");
  };
  const double expected = bent(ModelKind::cosserat, 66000);
  EXPECT_GT(expected, 0.4);
  EXPECT_NEAR(bent(ModelKind::der, 1000), expected, 0.01 * expected);
}

TEST(Muscles, ForcesAlongTheRodShortenIt) {
  MemberSpec spec = free_rod(10, TimeScheme::backward_euler);
  spec.muscle.kind = MuscleKind::force;
  spec.muscle.amplitudes.fill(30.0);
  spec.muscle.amplitude_count = 5;
  spec.muscle.period = 4.0;
  spec.muscle.axis = {0, 0, 1};
  spec.rod.damping = 100.0;
  // At a quarter of a period, with a quarter of the amplitude by the ramp.
  const std::vector<double> state = last_frame(in_time(spec, 1.0, 200));
  double shortening = 0.0;
  double length = 0.0;
  for (std::size_t i = 0; i < 10; ++i) {
    const double s = (static_cast<double>(i) + 0.5) / 10;
    shortening += 0.25 * forces::muscle_profile({spec.muscle.amplitudes.data(), 5}, s) / 3000.0 * 0.1;
    length += state[3 * (i + 1) + 2] - state[3 * i + 2];
  }
  EXPECT_GT(shortening, 1e-3);
  EXPECT_NEAR(1.0 - length, shortening, 0.01 * shortening);
}

/// What the muscles do and the fluid takes is what motion and strain gain.
TEST(Muscles, WorkByWhatTheEnergyGainsAndTheFluidTakes) {
  for (const std::string kind : {"couple\naxis = 0, 0.6, 0.8", "couple\ndirection = d2", "force"}) {
    const Measured found(
        "[model]\nkind = der\n[time]\nscheme = sdirk2\nstep = 2.5e-4\nend = 0.3\n[rod]\n"
        "elements = 8\nlength = 1\nradius = 0.02\nmass = 1\nyoung_modulus = 1e6\n"
        "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[fluid]\n"
        "viscosity = 0.2\n[muscle]\namplitudes = 0.01, 0.03, 0.02\nperiod = 0.2\n"
        "wave_number = 5\nkind = " +
        kind +
        "\n[measure]\ninterval = 2.5e-4\ndefine = work [J] : integral(power_muscles)\n"
        "define = passed [J] : integral(abs(power_muscles))\n"
        "define = drag [J] : integral(power_drag)\n"
        "define = energy [J] : total_energy - at(0, total_energy)\n");
    EXPECT_GT(found["passed"], kind == "force" ? 1e-9 : 1e-5) << kind;
    EXPECT_LT(found["drag"], 0.0) << kind;
    EXPECT_NEAR(found["energy"], found["work"] + found["drag"], 1e-3 * found["passed"]) << kind;
  }
}

}  // namespace
}  // namespace rodeo::der
