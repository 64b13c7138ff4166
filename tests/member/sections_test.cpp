#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

// 20 mm along y and 40 mm along z: B1 = 32/3 N m^2 about y, B2 = 8/3 N m^2 about z.
const std::string lath =
    "[rod]\nelements = 20\nlength = 1\nsection = rectangle\nwidth = 0.02\nthickness = 0.04\ndensity = 1000\n"
    "young_modulus = 1e8\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
    "[boundary]\nfirst = clamped\n";

TEST(Sections, BendAboutEachAxisWithItsOwnStiffness) {
  const std::string load = "[load]\nend_force = 0, 0.01, 0.01\n";
  const std::string rest = "[rod]\ndamping_ratio = 1\n";
  for (const std::string& model :
       {"[time]\nmethod = static\n" + load, "[model]\nkind = der\n[time]\nmethod = static\n" + load,
        "[time]\nstep = 2e-5\nend = 3\n" + load + rest,
        "[time]\nmethod = implicit\nscheme = energy_momentum\nstep = 0.02\nend = 8\n" + load + rest,
        "[time]\nmethod = implicit\nstep = 0.02\nend = 8\n" + load + rest,
        "[model]\nkind = der\n[time]\nstep = 0.02\nend = 8\n" + load + rest}) {
    const Measured found(lath + model);
    EXPECT_NEAR(found["end_y"], 0.01 / (3 * 8.0 / 3), 3e-3 * 1.25e-3) << model;
    EXPECT_NEAR(found["end_z"], 0.01 / (3 * 32.0 / 3), 6e-3 * 3.125e-4) << model;
  }
}

TEST(Sections, EnergiesAreThoseOfMeasures) {
  const Measured found(lath +
                       "[time]\nstep = 2e-5\nend = 0.3\n[gravity]\nacceleration = 0, 3, -9.81\n"
                       "[load]\nend_couple = 1, 0, 0\n[measure]\n"
                       "define = bend [J] : bending_energy\ndefine = shear [J] : shear_energy\n"
                       "define = rotation [J] : rotational_energy\n");
  EXPECT_NEAR(found["bend"], found["bending_energy"], 1e-12 * found["bending_energy"]);
  EXPECT_GT(found["bend"], 0.01);
  EXPECT_NEAR(found["rotation"], found["rotational_energy"], 1e-12 * found["rotational_energy"]);
  EXPECT_NEAR(found["shear"], found["shear_energy"], 1e-11 * found["shear_energy"]);
}

std::vector<double> last_places(const MemberOutcome& outcome) {
  const std::vector<double>& frames = outcome.fields.front();
  return {frames.begin() + static_cast<std::ptrdiff_t>(frames.size() / 2), frames.end()};
}

double most_apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

/// A ribbon that falls from its clamp, swings and twists.
const std::string ribbon =
    "[rod]\nelements = 8\nlength = 1\nsection = rectangle\nwidth = 0.1\nthickness = 0.02\nend_width = 0.07\n"
    "density = 1000\nyoung_modulus = 5e6\npoisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 1, 0.3\n"
    "intrinsic_twist = 1\n[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, 2, -9.81\n"
    "[load]\nend_couple = 0.3, 0, 0\n[model]\nsection = rigid\n[output]\nframes = 2\n";

TEST(Sections, ImplicitStepsMoveThemAsExplicitOnes) {
  const Measured exact(ribbon + "[time]\nstep = 1e-5\nend = 0.4\n");
  const std::vector<double> places = last_places(exact.outcome);
  for (const std::string scheme : {"generalized_alpha", "energy_momentum"}) {
    std::vector<double> errors;
    for (const std::string step : {"2e-3", "1e-3"}) {
      const Measured found(ribbon + "[time]\nmethod = implicit\nend = 0.4\nscheme = " + scheme +
                           "\nstep = " + step + "\n");
      errors.push_back(most_apart(places, last_places(found.outcome)));
    }
    EXPECT_LT(errors[1], 2e-3) << scheme;
    EXPECT_GT(errors[0] / errors[1], 2.5) << scheme;
  }
}

/// A free helix of a flat ribbon that is kicked: it flies, spins about all axes and swings.
const std::string flying_ribbon =
    "[rod]\nelements = 16\nlength = 1\nsection = ellipse\nwidth = 0.06\nthickness = 0.02\ndensity = 1000\n"
    "young_modulus = 1e6\npoisson_ratio = 0.5\nshape = helix\nhelix_radius = 0.1\nhelix_pitch = 0.3\n"
    "[load]\nmiddle_force = 3, 1, -2\nperturbation_duration = 0.1\n[model]\nsection = rigid\n";

TEST(Sections, EnergyMomentumConservesEnergyAndMomenta) {
  const Measured found(flying_ribbon +
                       "[time]\nmethod = implicit\nscheme = energy_momentum\nstep = 0.01\nend = 1\n");
  EXPECT_LT(std::abs(found["energy_drift"] / found["total_energy"]), 1e-8);
  EXPECT_GT(found["rotational_energy"], 0.0);
  EXPECT_LT(found["momentum_drift"], 1e-11);
  EXPECT_LT(found["angular_momentum_drift"], 1e-11);
}

TEST(Sections, GeneralizedAlphaAndExplicitStepsKeepEnergyToSecondOrder) {
  for (const std::string& method :
       {std::string("[time]\nstep = 1e-4\n"),
        std::string("[time]\nmethod = implicit\nspectral_radius = 1\nstep = 2e-3\n")}) {
    const Measured found(flying_ribbon + method + "end = 1\n");
    EXPECT_LT(std::abs(found["energy_drift"] / found["total_energy"]), 2e-3) << method;
    EXPECT_LT(found["momentum_drift"], 1e-9) << method;
  }
}

/// A joint of two laths is as stiff about each axis as one lath through.
TEST(Sections, JointsAndConnectionsAreAsStiffAboutEachAxis) {
  const std::string halves =
      "[rod]\ncount = 2\nelements = 10\nlength = 0.5\nsection = rectangle\nwidth = 0.02\nthickness = 0.04\n"
      "density = 1000\nyoung_modulus = 1e8\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
      "each = rod.origin[0] : list(0, 0.5)\neach = boundary.first : list(clamped, free)\n"
      "[load]\nend_force = 0, 0.01, 0.01\n[rod]\neach = load.end_force[1] : list(0, 0.01)\n"
      "each = load.end_force[2] : list(0, 0.01)\n[time]\nmethod = static\n";
  const Measured whole(lath + "[load]\nend_force = 0, 0.01, 0.01\n[time]\nmethod = static\n");
  for (const std::string& joint : {std::string("[joint]\nkind = rigid\n"),
                                   std::string("[connection]\nrigid = rod 0, end to rod 1, start\n")}) {
    const Measured joined(halves + joint);
    EXPECT_NEAR(joined["end_y"], whole["end_y"], 2e-3 * whole["end_y"]) << joint;
    EXPECT_NEAR(joined["end_z"], whole["end_z"], 4e-3 * whole["end_z"]) << joint;
  }
}

/// An end that a motion turns is held as stiffly about each axis as a clamp.
TEST(Sections, MotionsOfEndsBendAboutEachAxis) {
  for (const std::string axis : {"0 1 0", "0 0 1"}) {
    const Measured found(
        "[rod]\nelements = 20\nlength = 1\nsection = rectangle\nwidth = 0.02\nthickness = 0.04\ndensity = "
        "1000\n"
        "young_modulus = 1e8\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
        "[boundary]\nfirst = clamped\nlast = pinned\n[time]\nmethod = static\nend = 1\nstep = 1\n"
        "[motion]\nrotation = end about " +
        axis +
        " : 0.001 * t\n"
        "[measure]\ndefine = couple [N m] : hypot(reaction_couple_y(end), reaction_couple_z(end))\n");
    // 4 B/L
    const double stiffness = axis == "0 1 0" ? 32.0 / 3 : 8.0 / 3;
    EXPECT_NEAR(found["couple"], 4e-3 * stiffness, 2e-2 * 4e-3 * stiffness) << axis;
  }
}

TEST(Sections, CheckpointsOfThemGoOn) {
  for (const std::string& method :
       {std::string("[time]\nstep = 1e-4\nend = 0.1\nslice_steps = 100\n"),
        std::string("[time]\nmethod = implicit\nstep = 1e-3\nend = 0.1\nslice_steps = 10\n")}) {
    const std::vector<MemberJob> jobs = {{make_member_spec(Deck::parse(ribbon + method, "test")), 1}};
    const auto whole = make_batch(jobs);
    const auto first = make_batch(jobs);
    const auto second = make_batch(jobs);
    for (int k = 0; k < 4; ++k) first->advance();
    StateArchive saved;
    first->visit_state(0, saved);
    const std::vector<std::byte> bytes = saved.take();
    StateArchive restored{bytes};
    second->visit_state(0, restored);
    restored.require_end();
    while (whole->advance()) {
    }
    while (second->advance()) {
    }
    const std::vector<double>& a = whole->outcomes().front().observables;
    const std::vector<double>& b = second->outcomes().front().observables;
    const auto same = [](double x, double y) {  // NaN too
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    EXPECT_TRUE(std::ranges::equal(a, b, same)) << method;
    EXPECT_EQ(last_places(whole->outcomes().front()), last_places(second->outcomes().front())) << method;
  }
}

/// A cord so soft that it stretches by half as it swings, undamped, from where it is let go level.
const std::string soft_cord =
    "[rod]\nelements = 20\nlength = 0.2\nradius = 4e-3\ndensity = 1000\nyoung_modulus = 1e4\n"
    "poisson_ratio = 0.5\ndirection = 1, 0, 0\nintrinsic_curvature = 3, 2\n[boundary]\nfirst = clamped\n"
    "[gravity]\nacceleration = 0, 1, -9.81\n[time]\nend = 0.6\nslice_steps = 50\n[observe]\n"
    "energy_tolerance = 1e9\n";

TEST(Sections, RigidAndIncompressibleOnesKeepTheEnergy) {
  for (const std::string section : {"rigid", "incompressible"}) {
    const Measured found(soft_cord, {"model.section=" + section, "time.step=1e-5"});
    EXPECT_LT(found["energy_gain_relative"], 1e-5) << section;
  }
}

TEST(Sections, PublishedOnesDoNotKeepTheEnergyHoweverShortTheStep) {
  std::vector<double> gains;
  for (const std::string step : {"2e-5", "1e-5"}) {
    const Measured found(soft_cord, {"model.section=published", "time.step=" + step});
    gains.push_back(found["energy_gain_relative"]);
  }
  EXPECT_GT(gains[1], 0.02);
  EXPECT_NEAR(gains[0], gains[1], 0.1 * gains[1]);
}

/// With two axes, two clamps, a taper, and natural strains of its own.
TEST(Sections, IncompressibleOnesHaveAnEnergyWhateverTheRods) {
  const std::vector<std::vector<std::string>> decks = {
      {"rod.section=rectangle", "rod.width=8e-3", "rod.thickness=4e-3"},
      {"boundary.last=clamped"},
      {"rod.end_radius=2e-3"},
      {"actuation.stretch=d3 : 1.2", "actuation.curvature=d1 : 4 * s"},
  };
  for (std::vector<std::string> deck : decks) {
    deck.insert(deck.end(), {"model.section=incompressible", "time.step=1e-5", "rod.young_modulus=3e4"});
    std::string text = soft_cord;
    if (deck.front() == "rod.section=rectangle") text.erase(text.find("radius = 4e-3\n"), 14);
    const Measured found(text, deck);
    EXPECT_LT(found["energy_gain_relative"], 1e-3) << deck.front();
  }
}

/// What is observed of incompressible sections is what their steps have: at rest the load of the end
/// everywhere, e = 1/sqrt(1 - 2 F/EA) and the energy S (e - 1)^2 L/(2 e); under way the sum of kinetic and
/// elastic energy.
TEST(Sections, IncompressibleOnesCarryTheLoadOfTheirEnd) {
  const std::string rod =
      "[model]\nsection = incompressible\n[rod]\nlength = 0.2\nradius = 0.01\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\nelements = 20\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n";
  const double stiffness = 1e6 * M_PI * 1e-4;
  const std::string pulled =
      rod + "relaxation_time = 0.01\n[boundary]\nfirst = clamped\n[time]\nstep = 2e-5\nend = 0.4\n";
  const Measured straight(pulled +
                          "[load]\nend_force = 40, 0, 0\n[measure]\ndefine = pull [N] : tension(s 0.4)\n"
                          "define = e [1] : dilatation(s 0.4)\ndefine = along [J] : stretch_energy\n");
  const double e = 1.0 / std::sqrt(1.0 - 80.0 / stiffness);
  EXPECT_NEAR(straight["e"], e, 1e-6);
  EXPECT_NEAR(straight["pull"], 40.0, 1e-4);
  const double energy = stiffness * (e - 1.0) * (e - 1.0) * 0.1 / e;
  EXPECT_NEAR(straight["along"], energy, 1e-5 * energy);
  EXPECT_NEAR(straight["stretch_energy"], energy, 1e-5 * energy);
  EXPECT_NEAR(straight["total_energy"], energy, 1e-5 * energy);
  // Bent too, by an end load aslant: sections near the clamp have a tension of bending.
  const Measured bent(pulled +
                      "[load]\nend_force = 10, 0, 2\n[measure]\ndefine = fx_first [N] : fx(start)\n"
                      "define = fx_last [N] : fx(end)\ndefine = fz_first [N] : fz(start)\n");
  EXPECT_NEAR(bent["fx_first"], 10.0, 2e-3);
  EXPECT_NEAR(bent["fx_last"], 10.0, 2e-3);
  EXPECT_NEAR(bent["fz_first"], 2.0, 1e-3);
  const Measured swinging(
      rod +
      "start_velocity = 0, 0, 12 * (s - 0.5)\n[time]\nstep = 1e-5\nend = 0.05\n[measure]\n"
      "define = least [J] : min(total_energy)\ndefine = most [J] : max(total_energy)\n");
  EXPECT_NEAR(swinging["least"] / swinging["most"], 1.0, 2e-3);
  EXPECT_LT(std::abs(swinging["energy_drift"]), 1e-3 * swinging["most"]);
}

}  // namespace
}  // namespace rodeo
