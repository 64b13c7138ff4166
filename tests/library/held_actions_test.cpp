#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/rodeo.hpp"

namespace rodeo {
namespace {

/// An arm of 1 m, clamped upright, with five natural curvatures about each axis that are held for 0.1 s each.
const std::string held_arm =
    "[rod]\nelements = 20\nlength = 1\nradius = 0.05\ndensity = 1000\nyoung_modulus = 1e7\n"
    "poisson_ratio = 0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\nrelaxation_time = 1.0\n"
    "[boundary]\nfirst = clamped\n[gravity]\nacceleration = 0, 0, -9.81\n"
    "[control]\ninterval = 0.1\ninput = a[5] : 0 in [-3, 3]\ninput = b[5] : 0 in [-3, 3]\n"
    "signal = energy [J] : total_energy\n"
    "[actuation]\n"
    "curvature = d1 : a[0] * spline(s, 1, 0, 0, 0, 0) + a[1] * spline(s, 0, 1, 0, 0, 0) + a[2] * "
    "spline(s, 0, 0, 1, 0, 0) + a[3] * spline(s, 0, 0, 0, 1, 0) + a[4] * spline(s, 0, 0, 0, 0, 1)\n"
    "curvature = d2 : b[0] * spline(s, 1, 0, 0, 0, 0) + b[1] * spline(s, 0, 1, 0, 0, 0) + b[2] * "
    "spline(s, 0, 0, 1, 0, 0) + b[3] * spline(s, 0, 0, 0, 1, 0) + b[4] * spline(s, 0, 0, 0, 0, 1)\n"
    "[time]\nmethod = implicit\nend = 1000\n";

struct Play {
  double largest_energy = 0.0;  ///< of all members at all samples, J
  std::size_t ended = 0;        ///< members
};

/// Members that are given the same random actions whatever their options.
Play play(std::uint32_t members, int intervals, const std::vector<std::string>& options) {
  const Problem problem = Problem::parse(held_arm, "arm", options);
  Simulation arms(problem, {}, {}, {.repeats = members});
  std::mt19937_64 random(1);
  Play play;
  for (int k = 0; k < intervals; ++k) {
    for (double& input : arms.inputs()) input = 6.0 * (static_cast<double>(random() >> 11) * 0x1p-53) - 3.0;
    arms.advance(arms.interval());
    for (const double energy : arms.signals()) play.largest_energy = std::max(play.largest_energy, energy);
  }
  play.ended = static_cast<std::size_t>(std::ranges::count_if(arms.status(), [](int s) { return s != 0; }));
  return play;
}

// Held curvatures that jump push the modes that steps resolve, and do not throw those that they do not.
TEST(HeldActions, AtRandomEndNoMemberAndGiveItNoMoreEnergyThanAFineSolutionHas) {
  constexpr std::uint32_t members = 8;
  constexpr int intervals = 60;
  const Play fine = play(members, intervals, {"time.step=1e-3"});
  ASSERT_EQ(fine.ended, 0u);
  for (const std::string step : {"0.05", "0.01"}) {
    for (const std::string radius : {"", "0"}) {
      std::vector<std::string> options = {"time.step=" + step};
      if (!radius.empty()) options.push_back("time.spectral_radius=" + radius);
      const Play coarse = play(members, intervals, options);
      EXPECT_EQ(coarse.ended, 0u) << step << " " << radius;
      EXPECT_LT(coarse.largest_energy, 1.05 * fine.largest_energy) << step << " " << radius;
    }
  }
}

// Steps in which edges of discrete elastic rods turn by any angle gave such arms up to seven times as much.
TEST(HeldActions, GiveDiscreteElasticRodsNoMoreEnergyThanAFineSolutionHas) {
  const auto play_der = [](const std::string& scheme, const std::string& step) {
    return play(2, 40,
                {"model.kind=der", "time.method=dynamic", "time.scheme=" + scheme, "time.step=" + step});
  };
  const Play fine = play_der("sdirk2", "2e-3");
  ASSERT_EQ(fine.ended, 0u);
  for (const std::string scheme : {"generalized_alpha", "sdirk2"}) {
    for (const std::string step : {"0.05", "0.01"}) {
      const Play coarse = play_der(scheme, step);
      EXPECT_EQ(coarse.ended, 0u) << scheme << " " << step;
      EXPECT_LT(coarse.largest_energy, 1.05 * fine.largest_energy) << scheme << " " << step;
    }
  }
}

}  // namespace
}  // namespace rodeo
