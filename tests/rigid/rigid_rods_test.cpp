#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

// Rods as rigid bodies.

std::string rod(const std::string& more) {
  return "[model]\nkind = rigid\n[rod]\nelements = 20\nlength = 0.2\nradius = 0.004\ndensity = 1000\n"
         "direction = 1, 0, 0\nnormal = 0, 1, 0\n" +
         more;
}

constexpr double line_mass = 1000 * M_PI * 0.004 * 0.004;
constexpr double mass = line_mass * 0.2;

/// About an axis across a straight rod: that of its nodes, the end ones half, and of its elements.
double moment_across() {
  double moment = 0.0;
  for (int i = 0; i <= 20; ++i) moment += (i % 20 == 0 ? 0.5 : 1.0) * mass / 20 * std::pow(0.01 * i - 0.1, 2);
  return moment + 0.25 * mass * 0.004 * 0.004;
}

TEST(RigidRods, SinkSlowlyWhereDampingIsFasterThanSteps) {
  const Measured sinking(
      rod("damping = 1200\nvelocity = 1, 0, 0\n[load]\ndistributed_couple = 0, 0, 0.1\n"
          "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = 1e-2\nend = 20\n[measure]\n"
          "define = along [m/s] : vx(middle)\ndefine = down [m/s] : vz(middle)\n"));
  const double terminal = -9.81 * mass / (1200 * 0.2);
  EXPECT_NEAR(sinking["down"], terminal, 1e-6 * std::abs(terminal));
  EXPECT_NEAR(sinking["along"], 0.0, 1e-6);
}

TEST(RigidRods, FallAndTurnAsTheyWereThrown) {
  const Measured thrown(
      rod("velocity = 0.3, 0, 1\nstart_velocity = 0, 5 * 0.2 * (s - 0.5), 0\nstart_spin = 0, 0, 5\n"
          "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = 1e-3\nend = 0.1\n[measure]\n"
          "define = height [m] : z(middle)\ndefine = along [m] : x(middle)\n"
          "define = turned [rad] : atan2(y(end) - y(start), x(end) - x(start))\n"));
  EXPECT_NEAR(thrown["height"], 0.1 - 0.5 * 9.81 * 0.01, 1e-12);
  EXPECT_NEAR(thrown["along"], 0.13, 1e-12);
  EXPECT_NEAR(thrown["turned"], 0.5, 1e-5);
}

/// A free symmetric top turns about its angular momentum at L/J, at a constant angle to it.
TEST(RigidRods, PrecessAboutTheirAngularMomentum) {
  const double across = 0.5 * mass * 0.004 * 0.004;  // about the rod, of its elements alone
  const double spin = 400.0;
  const double turn = 3.0;
  const double momentum = std::hypot(across * spin, moment_across() * turn);
  const double period = 2 * M_PI * moment_across() / momentum;
  const std::string text =
      rod("start_velocity = 0, 3 * 0.2 * (s - 0.5), 0\nstart_spin = 400, 0, 3\n[time]\nstep = " +
          std::to_string(period / 16000) + "\nend = " + std::to_string(0.5 * period) +
          "\n[measure]\ndefine = x [1] : (x(end) - x(start)) / 0.2\n"
          "define = y [1] : (y(end) - y(start)) / 0.2\ndefine = z [1] : (z(end) - z(start)) / 0.2\n");
  const Measured top(text);
  const Vec3 axis = (1.0 / momentum) * Vec3{across * spin, 0.0, moment_across() * turn};
  EXPECT_NEAR(top["x"], 2 * axis.x * axis.x - 1, 1e-5);  // after half of a turn about it
  EXPECT_NEAR(top["y"], 0.0, 2e-3);
  EXPECT_NEAR(top["z"], 2 * axis.x * axis.z, 1e-5);
  EXPECT_NEAR(top["angular_momentum_drift"], 0.0, 1e-13 * momentum);
  EXPECT_NEAR(top["energy_drift"], 0.0, 1e-12 * momentum * momentum / moment_across());
}

/// An arc about nearly its middle axis turns over and over (Euler's equations, by elliptic functions): after
/// 4 K/p it moves in its own frame as at first, and so has each node its speed.
TEST(RigidRods, TurnOverAboutTheirMiddleAxis) {
  constexpr int elements = 40;
  constexpr double radius = 0.06;
  constexpr double thickness = 0.004;
  const Vec3 rate = {0.05, 8.0, 0.3};
  std::vector<Vec3> nodes;
  std::ostringstream list;
  list.precision(17);
  for (int i = 0; i <= elements; ++i) {
    const double angle = M_PI * i / elements;
    nodes.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.0});
    list << (i > 0 ? ", " : "") << nodes.back().x << ", " << nodes.back().y << ", 0";
  }
  // In the plane of the arc its axes are those of the laboratory, by symmetry.
  const double edge = norm(nodes[1] - nodes[0]);
  const double element_mass = 1000 * M_PI * thickness * thickness * edge;
  const auto mass_of = [&](std::size_t i) { return (i % elements == 0 ? 0.5 : 1.0) * element_mass; };
  double height = 0.0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    height += mass_of(i) * nodes[i].y / (elements * element_mass);
  Vec3 moments;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3 r = nodes[i] - Vec3{0, height, 0};
    moments = moments + mass_of(i) * Vec3{r.y * r.y, r.x * r.x, dot(r, r)};
    if (i == elements) break;
    const Vec3 t = (1.0 / edge) * (nodes[i + 1] - nodes[i]);
    moments = moments + 0.25 * thickness * thickness * element_mass * Vec3{1 + t.x * t.x, 1 + t.y * t.y, 1.0};
  }
  const double twice_energy =
      moments.x * rate.x * rate.x + moments.y * rate.y * rate.y + moments.z * rate.z * rate.z;
  const double square =
      std::pow(moments.x * rate.x, 2) + std::pow(moments.y * rate.y, 2) + std::pow(moments.z * rate.z, 2);
  const double from_least = square - twice_energy * moments.x;
  const double p = std::sqrt((moments.z - moments.y) * from_least / (moments.x * moments.y * moments.z));
  const double k = std::sqrt((moments.y - moments.x) * (twice_energy * moments.z - square) /
                             ((moments.z - moments.y) * from_least));
  const double period = 4.0 * std::comp_ellint_1(k) / p;

  std::ostringstream deck;
  deck.precision(17);
  deck << "[model]\nkind = rigid\n[rod]\nshape = file\nelements = " << elements << "\nradius = " << thickness
       << "\ndensity = 1000\nnormal = 0, 0, 1\nshape_nodes = " << list.str()
       << "\nstart_velocity = " << -rate.z << " * (" << radius << " * sin(pi * s) - " << height << "), "
       << rate.z * radius << " * cos(pi * s), " << rate.x << " * (" << radius << " * sin(pi * s) - " << height
       << ") - " << rate.y * radius
       << " * cos(pi * s)\nstart_spin = 0.05, 8, 0.3\n[time]\nstep = " << period / 20000
       << "\nend = " << period
       << "\n[measure]\ndefine = speed [m/s] : speed(start)\ndefine = fastest [m/s] : max(speed(start))\n"
       << "define = slowest [m/s] : min(speed(start))\n";
  const Measured turned(deck.str());
  const double speed = norm(cross(rate, nodes[0] - Vec3{0, height, 0}));
  EXPECT_NEAR(turned["speed"], speed, 1e-3 * speed);
  EXPECT_GT(turned["fastest"] - turned["slowest"], 0.2 * speed);
}

/// A needle in a field swings about it with the frequency sqrt(M V B/J).
TEST(RigidRods, SwingAsCompassNeedles) {
  const double volume = mass / 1000;
  const double frequency = std::sqrt(5e3 * volume * 0.02 / moment_across());
  const double angle = 0.01;
  const Measured needle(
      "[model]\nkind = rigid\n[rod]\nelements = 20\nlength = 0.2\nradius = 0.004\ndensity = 1000\n"
      "direction = 1, 0.01, 0\nnormal = 0, 0, 1\n[load]\nmagnetization = 5e3\nmagnetic_flux_density = 0.02, "
      "0, 0\n"
      "[time]\nstep = " +
      std::to_string(M_PI / frequency / 2000) + "\nend = " + std::to_string(M_PI / frequency) +
      "\n[measure]\ndefine = y [1] : (y(end) - y(start)) / 0.2\n");
  EXPECT_NEAR(needle["y"], -angle, 1e-5);
}

/// By both ways that damping acts: on nodes as -c v, on elements as it is given.
TEST(RigidRods, SlowDownByDamping) {
  const Measured slowed(
      rod("velocity = 0, 0, 1\ndamping = 0.05\n[time]\nstep = 1e-3\nend = 1\n[measure]\n"
          "define = way [m] : z(middle)\n"));
  const double rate = 0.05 / line_mass;
  EXPECT_NEAR(slowed["way"], (1 - std::exp(-rate)) / rate, 1e-6);
}

/// A stiff rod on the same string moves alike, for as long as small differences stay small.
TEST(RigidRods, SwingOnATetherAsStiffRodsDo) {
  const std::string load =
      "[gravity]\nacceleration = 0, 0, -9.81\n[load]\ntether_point = 0.1, 0, 0.15\ntether_length = 0.1\n"
      "tether_stiffness = 50\n[time]\nstep = 2e-6\nend = 0.02\n[measure]\ndefine = x [m] : x(end)\n"
      "define = z [m] : z(start)\n";
  const Measured body(rod(load));
  const Measured stiff(rod("young_modulus = 3e10\npoisson_ratio = 0.5\n" + load),
                       {"model.kind=cosserat", "time.step=5e-7"});
  EXPECT_NEAR(body["x"], stiff["x"], 2e-4);
  EXPECT_NEAR(body["z"], stiff["z"], 2e-4);
  EXPECT_LT(body["energy_gain_relative"], 1e-4);
}

TEST(RigidRods, RefuseWhatTheyDoNotHave) {
  const auto refused = [](const std::string& more, const std::string& by) {
    try {
      make_member_spec(Deck::parse(rod(more), "test.ini"));
      ADD_FAILURE() << more;
    } catch (const DeckError& error) {
      EXPECT_NE(std::string(error.what()).find(by), std::string::npos) << error.what();
    }
  };
  refused("[boundary]\nfirst = clamped\n", "boundary.first");
  refused("[ground]\nkind = plane\nstiffness = 1e3\n", "ground.kind");
  refused("intrinsic_curvature = 1, 0\n", "rod.intrinsic_curvature");
}

}  // namespace
}  // namespace rodeo
