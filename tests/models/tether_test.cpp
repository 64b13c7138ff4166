#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/models/models.hpp"

#include "member/measured.hpp"

namespace rodeo {
namespace {

// A spring that grows stiffer, to a point of the laboratory, by all methods.

constexpr double stiffness = 20.0;  // N/m
constexpr double hardening = 2e5;   // N/m^3
constexpr double amplitude = 0.02;  // m

/// A stiff rod that is free, with its middle on a spring.
std::string swinging(const std::string& time) {
  return "[rod]\nelements = 10\nlength = 0.1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
         "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\norigin = -0.05, 0, 0.02\n"
         "[load]\ntether_point = 0, 0, 0\ntether_stiffness = 20\ntether_hardening = 2e5\n"
         "tether_place = 0.5\n[measure]\ndefine = z [m] : z(node 5)\n[newton]\nrelative_tolerance = "
         "1e-12\n[time]\n" +
         time;
}

/// Of m u'' + k u + h u^3 = 0: 4 K(p)/sqrt((k + h A^2)/m), p = h A^2/(2 (k + h A^2)).
double period() {
  const double mass = 1000 * M_PI * 1e-4 * 0.1;
  const double most = stiffness + hardening * amplitude * amplitude;
  return 4.0 * std::comp_ellint_1(std::sqrt(0.5 * hardening * amplitude * amplitude / most)) /
         std::sqrt(most / mass);
}

std::string steps(double count) {
  return "step = " + std::to_string(period() / count) + "\nend = " + std::to_string(period()) + "\n";
}

struct Method {
  const char* name;
  double steps;
  double error;  ///< of the place after a period, over the amplitude
  double gain;   ///< of energy, over the largest
  std::vector<std::string> overrides;
};

TEST(Tether, SwingsWithTheFrequencyOfDuffing) {
  const std::vector<std::string> der = {"model.kind=der"};
  const Method methods[] = {
      {"explicit", 20000, 1e-3, 1e-6, {"model.section=rigid"}},
      {"generalized_alpha", 400, 1e-3, 1e-4, {"model.section=rigid", "time.method=implicit"}},
      {"energy_momentum",
       400,
       1e-3,
       1e-9,
       {"model.section=rigid", "time.method=implicit", "time.scheme=energy_momentum"}},
      {"midpoint", 400, 1e-3, 1e-4, {"model.kind=der", "model.section=rigid", "time.scheme=midpoint"}},
      {"sdirk2", 400, 1e-3, 1e-4, {"model.kind=der", "model.section=rigid", "time.scheme=sdirk2"}},
      {"der_generalized_alpha",
       400,
       1e-3,
       1e-4,
       {"model.kind=der", "model.section=rigid", "time.scheme=generalized_alpha"}}};
  for (const Method& method : methods) {
    const Measured swing(swinging(steps(method.steps)), method.overrides);
    EXPECT_NEAR(swing["z"], amplitude, method.error * amplitude) << method.name;
    EXPECT_LT(swing["energy_gain_relative"], method.gain) << method.name;
  }
}

/// A quarter of a period later it passes the point, and the spring has given all that it held.
TEST(Tether, GivesBackWhatItHeld) {
  const double held = 0.5 * stiffness * amplitude * amplitude + 0.25 * hardening * std::pow(amplitude, 4);
  const std::string quarter =
      "step = " + std::to_string(period() / 4000) + "\nend = " + std::to_string(0.25 * period()) + "\n";
  const Measured swing(swinging(quarter), {"model.section=rigid", "time.method=implicit",
                                           "time.scheme=energy_momentum", "rod.young_modulus=1e9"});
  EXPECT_NEAR(swing["z"], 0.0, 1e-3 * amplitude);
  EXPECT_NEAR(swing["translational_energy"], held, 1e-4 * held);
}

/// A cantilever is stretched by a spring from beyond its end: E A e/L = k u + h u^3, u = gap - e.
TEST(Tether, BalancesARodAtRest) {
  const double area = M_PI * 1e-4;
  const double axial = 1e5 * area / 0.1;  // N/m
  const double gap = 0.03;                // m
  double e = 0.0;
  for (int k = 0; k < 50; ++k) {
    const double u = gap - e;
    e -= (axial * e - stiffness * u - hardening * u * u * u) / (axial + stiffness + 3 * hardening * u * u);
  }
  for (const char* const kind : {"cosserat", "der"}) {
    const Measured rest(
        "[rod]\nelements = 10\nlength = 0.1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e5\n"
        "poisson_ratio = 0.5\ndirection = 0, 0, 1\nnormal = 1, 0, 0\n[boundary]\nfirst = clamped\n"
        "[load]\ntether_point = 0, 0, 0.18\ntether_length = 0.05\ntether_stiffness = 20\ntether_hardening = "
        "2e5\n"
        "[measure]\ndefine = z [m] : z(end)\n[time]\nmethod = static\n",
        {std::string("model.kind=") + kind});
    EXPECT_NEAR(rest["z"], 0.1 + e, 1e-9) << kind;
    EXPECT_EQ(rest["unstable_modes"], 0.0) << kind;
  }
}

/// Slack, it is not there: a cantilever droops as one without.
TEST(Tether, IsSlackWhereItIsShort) {
  const std::string droop =
      "[rod]\nelements = 10\nlength = 0.1\nradius = 0.005\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[measure]\ndefine = z [m] : z(end)\n[time]\nmethod = "
      "static\n[load]\n";
  const Measured bare(droop);
  const Measured slack(droop + "tether_point = 0.1, 0, 0\ntether_length = 0.05\ntether_stiffness = 100\n");
  EXPECT_EQ(slack["z"], bare["z"]);
}

TEST(Tether, BoundsExplicitSteps) {
  const Deck deck = Deck::parse(swinging("step = 1e-6\nend = 1e-5\n"), "test.ini",
                                {"load.tether_stiffness=1e9", "load.tether_hardening=0"});
  const MemberSpec spec = make_member_spec(deck);
  const double node = 1000 * M_PI * 1e-4 * 0.01;
  const StepBounds bounds = step_bounds(spec);
  EXPECT_NEAR(bounds.loads.step, 2 / std::sqrt(1e9 / node), 1e-12);
  EXPECT_EQ(bounds.all.by, "load.tether_stiffness");
  EXPECT_LT(bounds.all.step, bounds.loads.step);
}

}  // namespace
}  // namespace rodeo
