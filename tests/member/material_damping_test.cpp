#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/key_effects.hpp"

#include "member/measured.hpp"

namespace rodeo {
namespace {

using Words = std::vector<std::string>;

/// Each method that has time, with how close it comes to closed forms with its step.
struct Stepped {
  Words words;
  double tolerance;
};
const std::vector<Stepped>& all_stepped() {
  static const std::vector<Stepped> all = {
      {{"time.method=dynamic", "time.step=1e-5"}, 1e-4},
      {{"time.method=implicit", "time.step=1e-4"}, 2e-5},
      {{"time.method=implicit", "time.scheme=energy_momentum", "time.step=1e-4"}, 2e-5},
      {{"time.method=implicit", "time.scheme=backward_euler", "time.step=2e-5"}, 2e-3},
      {{"model.kind=der", "time.scheme=generalized_alpha", "time.step=1e-4"}, 2e-5},
      {{"model.kind=der", "time.scheme=midpoint", "time.step=1e-4"}, 2e-5},
      {{"model.kind=der", "time.scheme=sdirk2", "time.step=1e-4"}, 2e-5},
      {{"model.kind=der", "time.scheme=backward_euler", "time.step=2e-5"}, 2e-3}};
  return all;
}

/// A rod that is clamped at one end and starts in the slowest vibration of twist.
const std::string twisting =
    "[rod]\nelements = 10\nlength = 1\nradius = 0.05\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = "
    "0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\nretardation_time = 3.5e-3\n"
    "start_spin = 0, 0, 0.3*sin(pi/2*s)\n[boundary]\nfirst = clamped\n[time]\nend = 0.13\n"
    "[measure]\ndefine = twist [1/m] : last(twist(start))\ndefine = couple [N m] : last(couple_3(start))\n"
    "define = lost [J] : last(damping_loss)\ndefine = unbalanced [J] : last(energy_balance)\n"
    "interval = 1e-4\n";

/// theta = rate/w' exp(-zeta w t) sin(w' t) of the elements' chain, with zeta = tau w/2.
TEST(MaterialDamping, OfATwistWaveIsByItsFrequencyInEveryMethod) {
  const double tau = 3.5e-3;
  const double time = 0.13;
  const double modulus = 1e6 / 3.0;
  const double stiffness = modulus * M_PI * std::pow(0.05, 4) / 2.0;
  const double w = 2.0 * std::sqrt(modulus / 1000.0) / 0.1 * std::sin(M_PI / 40.0);
  const double rate = 0.5 * tau * w * w;
  const double swing = std::sqrt(w * w - rate * rate);
  const double first = 0.3 * std::sin(M_PI / 40.0) / 0.05;  // curvature of the half region, per second
  const double fade = first / swing * std::exp(-rate * time);
  const double twist = fade * std::sin(swing * time);
  const double change = fade * (swing * std::cos(swing * time) - rate * std::sin(swing * time));
  const double scale = first / swing;
  for (const Stepped& method : all_stepped()) {
    const Measured found(twisting, method.words);
    EXPECT_NEAR(found["twist"] / scale, twist / scale, method.tolerance) << method.words.back();
    EXPECT_NEAR(found["couple"] / (stiffness * scale), (twist + tau * change) / scale, method.tolerance)
        << method.words.back();
    EXPECT_GT(found["lost"], 0.0);
  }
}

/// A slender beam in bending.
const std::string slender =
    "[rod]\nelements = 60\nlength = 1\nradius = 5e-4\ndensity = 1273239.5447351628\nbend_stiffness = 1\n"
    "twist_stiffness = 0.8\nyoung_modulus = 2.0371832715762604e13\npoisson_ratio = 0.25\n"
    "direction = 0, 0, 1\nnormal = 1, 0, 0\n[boundary]\nfirst = clamped\n[time]\nmethod = static\n"
    "[modes]\ncount = 4\n";

/// The root of s^2 + tau w^2 s + w^2 = 0, w that without damping.
TEST(MaterialDamping, OfModesIsThatOfAKelvinVoigtBeam) {
  for (const char* const kind : {"model.kind=cosserat", "model.kind=der"}) {
    const Measured free(slender, {kind});
    const Measured damped(slender, {kind, "rod.retardation_time=0.01"});
    for (const char mode : {'1', '3'}) {  // in pairs
      const double w = 2.0 * M_PI * free[std::string("frequency_") + mode];
      const double rate = 0.5 * 0.01 * w * w;
      EXPECT_NEAR(damped[std::string("decay_rate_") + mode] / rate, 1.0, 1e-5) << kind;
      EXPECT_NEAR(2.0 * M_PI * damped[std::string("frequency_") + mode] / std::sqrt(w * w - rate * rate), 1.0,
                  1e-6)
          << kind;
    }
    EXPECT_NEAR(damped["decay_rate_1"], 0.0618118168, 1e-4);
    EXPECT_NEAR(damped["decay_rate_3"], 2.4275940926, 4e-3);
  }
}

/// A helix that springs straight from a clamp, and a ring whose seam bends and twists like the rest of it.
const std::string springing =
    "[rod]\nshape = helix\nhelix_radius = 0.05\nhelix_pitch = 0.2\nrest_shape = straight\nelements = 12\n"
    "length = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\n"
    "direction = 0, 0, 1\nnormal = 1, 0, 0\nretardation_time = 4e-3\n[boundary]\nfirst = clamped\n"
    "[time]\nend = 0.05\n";
const std::string ringing =
    "[rod]\nshape = ring\nelements = 12\nlength = 0.6\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
    "poisson_ratio = 0.5\ndirection = 0, 0, 1\nintrinsic_curvature = 5, 3\nretardation_time = 3e-3\n"
    "start_velocity = 0.3*sin(4*pi*s), 0, 0.2*cos(2*pi*s)\n[time]\nend = 0.05\n";
const std::string balance =
    "[measure]\ndefine = unbalanced [J] : last(energy_balance)\ndefine = lost [J] : last(damping_loss)\n";

/// What is left is the error of the measure, of second order in its interval, and of explicit steps.
TEST(MaterialDamping, TakesTheEnergyThatTheBalanceCounts) {
  for (const std::string& deck : {springing, ringing}) {
    for (const Stepped& method : all_stepped()) {
      const auto missing = [&](double step) {
        Words words(method.words.begin(), method.words.end() - 1);
        const std::string text = std::to_string(step);
        words.insert(words.end(), {"time.step=" + text, "measure.interval=" + text});
        const Measured found(deck + balance, words);
        EXPECT_GT(found["lost"], 0.03) << method.words[1];
        return std::abs(found["unbalanced"]) / found["lost"];
      };
      const bool explicitly = method.words[0] == "time.method=dynamic";
      const double fine = missing(explicitly ? 2e-5 : 2e-4);
      EXPECT_LT(fine, explicitly ? 3e-4 : 2e-2) << method.words[1];
      EXPECT_LT(fine, 0.7 * missing(explicitly ? 4e-5 : 4e-4)) << method.words[1];
    }
  }
}

/// Explicit and implicit steps move the rods alike, however far they turn.
TEST(MaterialDamping, OfLargeMotionsIsAlikeInAllCosseratSteps) {
  const std::string place = "[measure]\ndefine = x [m] : last(x(end))\ndefine = z [m] : last(z(end))\n";
  const Measured explicitly(springing + place, {"time.step=1e-5"});
  const Measured undamped(springing + place, {"time.step=1e-5", "rod.retardation_time=0"});
  EXPECT_GT(std::abs(undamped["x"] - explicitly["x"]), 5e-4);
  for (const char* const scheme : {"generalized_alpha", "energy_momentum"}) {
    const Measured found(springing + place,
                         {"time.method=implicit", "time.step=1e-4", std::string("time.scheme=") + scheme});
    EXPECT_NEAR(found["x"], explicitly["x"], 5e-6) << scheme;
    EXPECT_NEAR(found["z"], explicitly["z"], 5e-6) << scheme;
  }
}

TEST(MaterialDamping, IsRefusedWhereItWouldBeLeftOut) {
  for (const Words& words : {Words{"time.method=static"}, Words{"joint.kind=rigid", "rod.count=2"},
                             Words{"model.device=gpu"}, Words{"motion.rotation=end about 0 0 1 : t"},
                             Words{"boundary.last=clamped", "boundary.twist=1", "boundary.motion_time=1"}}) {
    try {
      const Deck deck = Deck::parse(springing + "step = 1e-5\n", "test.ini", words);
      check_effects(deck, deck);
      make_member_spec(deck);
      ADD_FAILURE() << words.front();
    } catch (const DeckError& error) {
      EXPECT_NE(std::string(error.what()).find("rod.retardation_time"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace rodeo
