#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo::der {
namespace {

// What the spin of rods about themselves does to their turning.

constexpr double radius = 0.01;
constexpr double length = 0.1;
constexpr int elements = 10;
constexpr double mass = 1000 * M_PI * radius * radius * length;
constexpr double spin_inertia = 0.5 * mass * radius * radius;

/// About an axis across it: that of its nodes, the ones at the ends half.
double inertia_across() {
  double sum = 0.0;
  for (int i = 0; i <= elements; ++i) {
    const double place = length * (static_cast<double>(i) / elements - 0.5);
    sum += (i % elements == 0 ? 0.5 : 1.0) * mass / elements * place * place;
  }
  return sum;
}

/// A stiff rod along z that turns about y and spins about itself.
std::string top(const std::string& scheme) {
  return "[model]\nkind = der\n[rod]\nlength = 0.1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
         "poisson_ratio = 0.3\nelements = 10\nstart_velocity = 10*(s-0.5)*0.1, 0, 0\n"
         "start_spin = 0, 10, 400\n[time]\nstep = 1e-4\nend = 0.1\nscheme = " +
         scheme +
         "\n[measure]\ndefine = x [1] : (x(end) - x(start)) / 0.1\ndefine = y [1] : (y(end) - y(start)) / "
         "0.1\ndefine = z [1] : (z(end) - z(start)) / 0.1\n";
}

/// Its axis turns about the angular momentum L at |L|/I. A frame that is carried along the axis knows nothing
/// of that: without the couple it would stay in the plane of x and z.
TEST(TurningSpin, MakesAFreeTopPrecess) {
  const Vec3 momentum = {0.0, 10.0 * inertia_across(), 400.0 * spin_inertia};
  const double angle = 0.1 * norm(momentum) / inertia_across();
  const Vec3 about = (1.0 / norm(momentum)) * momentum;
  const Vec3 start = {0, 0, 1};
  const Vec3 axis = std::cos(angle) * start + std::sin(angle) * cross(about, start) +
                    (1 - std::cos(angle)) * dot(about, start) * about;
  EXPECT_GT(axis.y, 0.6);
  for (const std::string scheme : {"midpoint", "sdirk2", "generalized_alpha", "backward_euler"}) {
    const Measured turned(top(scheme));
    const double part = scheme == "backward_euler" ? 2e-3 : 5e-5;
    EXPECT_NEAR(turned["x"], axis.x, part) << scheme;
    EXPECT_NEAR(turned["y"], axis.y, part) << scheme;
    EXPECT_NEAR(turned["z"], axis.z, part) << scheme;
    EXPECT_LT(turned["angular_momentum_drift"], part * norm(momentum)) << scheme;
  }
}

/// Hardly any inertia against turning across but that of nodes is left in a rod so slender, which spins up
/// under a couple and swings about in space: der does as cosserat.
TEST(TurningSpin, MakesSlenderRodsMoveAsCosseratsDo) {
  const std::string rod =
      "[rod]\nlength = 0.2\nradius = 0.0025\ndensity = 4800\nyoung_modulus = 1.6e7\npoisson_ratio = 0.4\n"
      "elements = 16\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n[gravity]\n"
      "acceleration = 0, 0, -9.81\n[load]\nend_couple = 4e-3, 0, 0\nramp_time = 0.1\n[time]\n"
      "step = 2e-4\nend = 0.15\n[measure]\ndefine = y [m] : y(end)\n";
  const Measured der(rod, {"model.kind=der", "time.scheme=midpoint"});
  const Measured cosserat(rod, {"time.method=implicit", "time.scheme=energy_momentum"});
  EXPECT_GT(cosserat["y"], 0.015);
  EXPECT_NEAR(der["y"] / cosserat["y"], 1.0, 3e-3);
}

/// Of a rod that nothing acts on angular momentum stays, but for an error of second order.
TEST(TurningSpin, KeepsTheAngularMomentumOfAHelix) {
  const std::string helix =
      "[model]\nkind = der\n[rod]\nshape = helix\nhelix_radius = 0.03\nhelix_pitch = 0.05\nlength = 0.3\n"
      "radius = 0.004\ndensity = 1000\nyoung_modulus = 1e6\npoisson_ratio = 0.5\nrest_shape = initial\n"
      "elements = 30\nstart_velocity = 0.5*sin(6*s), 0.5*cos(9*s), 0.3*sin(4*s+1)\n[time]\n"
      "scheme = midpoint\nend = 0.1\n";
  const double coarse = value(Measured(helix, {"time.step=2e-4"}).outcome, "angular_momentum_drift");
  const double fine = value(Measured(helix, {"time.step=1e-4"}).outcome, "angular_momentum_drift");
  EXPECT_LT(fine, 5e-10);
  EXPECT_GT(coarse / fine, 3.0);
}

}  // namespace
}  // namespace rodeo::der
