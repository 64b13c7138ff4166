#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"

#include "member/measured.hpp"

namespace rodeo::as_capsules {
namespace {

const std::string methods[] = {"explicit", "implicit", "static", "der", "static der"};

/// What makes a method of a deck whose explicit steps are short enough.
std::vector<std::string> by(const std::string& method, std::vector<std::string> overrides) {
  if (method == "implicit") overrides.insert(overrides.end(), {"time.method=implicit", "time.step=1e-3"});
  if (method == "der") overrides.insert(overrides.end(), {"model.kind=der", "time.step=1e-3"});
  if (method.starts_with("static"))
    overrides.insert(overrides.end(), {"time.method=static", "time.step=0.3"});
  if (method == "static der") overrides.emplace_back("model.kind=der");
  return overrides;
}

std::vector<int> numbers_of_elements(const std::string& method) {
  if (method == "static") return {7, 10, 11, 20, 41, 80, 200};
  return {7, 10, 20};
}

/// A rod of 2 mm radius and 0.049 N falls on pegs of 3 mm radius. It may turn about its first node, and
/// slide.
const std::string on_pegs =
    "[model]\nsection = rigid\n[rod]\nlength = 0.4\nradius = 0.002\ndensity = 1000\nyoung_modulus = 1e8\n"
    "poisson_ratio = 0.3\norigin = -0.2, 0, 0.006\ndirection = 1, 0, 0\nnormal = 0, 1, 0\ndamping = 0.3\n"
    "[gravity]\nacceleration = 0, 0, -9.81\n[ground]\nresponse = springs\nstiffness = 300\ndamping = 0.5\n"
    "[time]\nstep = 5e-6\nend = 0.3\n[measure]\ndefine = mid [m] : z(middle)\n"
    "define = load [N] : cylinders_load\n";
const std::string its_start_held =
    "[motion]\nposition = start : 0, 0, free\nposition = end : free, 0, free\n";
constexpr double weight = M_PI * 4e-6 * 1000.0 * 0.4 * 9.81;  // N

/// As stiff as explicit steps let it be, and elsewhere so that it does not sag.
std::vector<std::string> stiff(const std::string& method, std::vector<std::string> overrides) {
  overrides.emplace_back(method == "explicit" ? "time.end=0.8" : "rod.young_modulus=1e11");
  return by(method, std::move(overrides));
}

TEST(Capsules, RodHangsOverAPegAtAnyNumberOfElements) {
  for (const std::string& method : methods) {
    // What is at rest must not slide along the peg; what sags in explicit steps stays in the middle by
    // itself.
    const std::string deck = method == "explicit" ? on_pegs : on_pegs + its_start_held;
    for (const int elements : numbers_of_elements(method)) {
      const Measured rest(deck, stiff(method, {"rod.elements=" + std::to_string(elements),
                                               "ground.cylinders=0, 0, 0, 0, 1, 0, 0.003"}));
      EXPECT_NEAR(rest["mid"], 0.005 - weight / 300.0, 0.01 * 0.002) << method << " " << elements;
      EXPECT_NEAR(rest["load"], weight, 0.01 * weight) << method << " " << elements;
    }
  }
}

TEST(Capsules, StiffRodLiesOnTwoPegsWhereverItsNodesAre) {
  for (const std::string method : {"implicit", "static", "der", "static der"}) {
    for (const int elements : numbers_of_elements(method)) {
      const Measured rest(
          on_pegs + its_start_held,
          stiff(method, {"rod.elements=" + std::to_string(elements),
                         "ground.cylinders=-0.1, 0, 0, 0, 1, 0, 0.003, 0.13, 0, 0, 0, 1, 0, 0.003"}));
      // The pegs bear it as 0.13 to 0.1; it tilts by what their springs give.
      const double first = weight * 0.13 / 0.23 / 300.0;
      const double last = weight * 0.1 / 0.23 / 300.0;
      EXPECT_NEAR(rest["mid"], 0.005 - first - (last - first) * 0.1 / 0.23, 0.01 * 0.002)
          << method << " " << elements;
      EXPECT_NEAR(rest["load"], weight, 0.01 * weight) << method << " " << elements;
    }
  }
}

/// A rod of 1 cm radius and 0.62 N is let down on its end, where it has half of an element's spring.
const std::string on_end =
    "[model]\nsection = rigid\n[rod]\nlength = 0.2\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\n"
    "poisson_ratio = 0.3\norigin = 0, 0, 0.0102\ndirection = 0, 0, 1\ndamping = 20\n[motion]\n"
    "position = start : 0, 0, free\nposition = end : 0, 0, free\n[gravity]\nacceleration = 0, 0, -9.81\n"
    "[ground]\nkind = plane\nnormal = 0, 0, 1\nresponse = springs\nstiffness = 1e4\ndamping = 2\n"
    "[time]\nstep = 4e-6\nend = 0.3\n[measure]\ndefine = bottom [m] : z(start)\n"
    "define = load [N] : plane_load\n";

TEST(Capsules, RodStandsOnItsEndAtAnyNumberOfElements) {
  constexpr double pressing = M_PI * 1e-4 * 1000.0 * 0.2 * 9.81;
  for (const std::string& method : methods) {
    for (const int elements : numbers_of_elements(method)) {
      const Measured rest(on_end, by(method, {"rod.elements=" + std::to_string(elements)}));
      EXPECT_NEAR(rest["bottom"], 0.01 - 2.0 * pressing / 1e4, 2e-6) << method << " " << elements;
      EXPECT_NEAR(rest["load"], pressing, 0.01 * pressing) << method << " " << elements;
    }
  }
}

/// A smooth rod is pushed along a smooth peg, past its nodes and off its end.
TEST(Capsules, RodSlidesOffAPegWithAllItsEnergy) {
  const Measured slid(on_pegs +
                          "interval = 1e-3\ndefine = gained [J] : max(energy_drift)\n"
                          "define = lost [J] : -min(energy_drift)\ndefine = under [m] : last(z(start))\n",
                      {"rod.elements=10", "rod.young_modulus=1e9", "rod.damping=0", "ground.damping=0",
                       "time.step=1e-6", "time.end=0.06", "rod.origin=-0.1, 0, 0.0049",
                       "rod.velocity=3, 0, 0", "ground.cylinders=0, 0, 0, 0, 1, 0, 0.003"});
  constexpr double motion = 0.5 * M_PI * 4e-6 * 1000.0 * 0.4 * 9.0;
  EXPECT_LT(slid["gained"], 1e-5 * motion);
  EXPECT_LT(slid["lost"], 1e-5 * motion);
  EXPECT_LT(slid["under"], 0.0) << "it has tipped over the peg";
}

/// Elements of 30 and 10 mm in turn, all as thick.
TEST(Capsules, RoundRodOfUnequalElementsLiesLevel) {
  std::string nodes;
  double x = 0.0;
  for (int i = 0; i <= 10; ++i) {
    nodes += (i > 0 ? ", " : "") + format_real(x) + ", 0, 0.0101";
    x += i % 2 == 0 ? 0.03 : 0.01;
  }
  for (const std::string response : {"net_force", "springs"}) {
    const Measured rod(
        "[rod]\nshape = file\nshape_nodes = " + nodes +
            "\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.5\n"
            "normal = 0, 1, 0\ndamping = 2\n[gravity]\nacceleration = 0, 0, -9.81\n[ground]\n"
            "kind = plane\nnormal = 0, 0, 1\nstiffness = 1e4\ndamping = 30\n[time]\nstep = 1e-5\n"
            "end = 0.1\n[measure]\ndefine = highest [m] : last(max_along(z))\n"
            "define = lowest [m] : last(min_along(z))\n",
        {"ground.response=" + response});
    EXPECT_LT(rod["highest"], 0.01005) << response;
    EXPECT_GT(rod["lowest"], 0.00995) << response;
  }
}

/// A stiff cone of 0.32 N lies on a plane along its generator, into which each element sinks by 3 um.
const std::string cone =
    "[model]\nsection = rigid\n[rod]\nlength = 0.2\nelements = 10\nradius = 0.01\nend_radius = 0.004\n"
    "density = 1000\nyoung_modulus = 1e7\npoisson_ratio = 0.3\norigin = 0, 0, 0.01005\n"
    "direction = 0.19991, 0, -0.006\nnormal = 0, 1, 0\ndamping = 2\n[gravity]\n"
    "acceleration = 0, 0, -9.81\n[ground]\nkind = plane\nnormal = 0, 0, 1\nresponse = springs\n"
    "stiffness = 1e4\ndamping = 2\n[time]\nstep = 1e-5\nend = 0.2\n[measure]\n"
    "define = thick [m] : last(z(start))\ndefine = thin [m] : last(z(end))\n"
    "define = load [N] : last(plane_load)\n";

TEST(Capsules, ConeLiesAlongItsGenerator) {
  constexpr double volume = M_PI / 3.0 * 0.2 * (1e-4 + 4e-5 + 1.6e-5);
  for (const std::string& method : methods) {
    const Measured rest(method == "explicit" ? cone : cone + its_start_held, by(method, {}));
    EXPECT_NEAR(rest["thick"], 0.01, 1.5e-5) << method;
    EXPECT_NEAR(rest["thin"], 0.004, 1.5e-5) << method;
    EXPECT_NEAR(rest["load"], volume * 1000.0 * 9.81, 3e-3) << method;
  }
}

TEST(Capsules, ConeBouncesWithAllItsEnergy) {
  const Measured fallen(cone +
                            "interval = 1e-3\ndefine = gained [J] : max(energy_drift)\ndefine = lost [J] : "
                            "-min(energy_drift)\n",
                        {"rod.damping=0", "ground.damping=0", "time.step=2e-6", "rod.origin=0, 0, 0.012"});
  constexpr double fall = M_PI / 3.0 * 0.2 * (1e-4 + 4e-5 + 1.6e-5) * 1000.0 * 9.81 * 0.002;
  EXPECT_LT(fallen["gained"], 1e-3 * fall);
  EXPECT_LT(fallen["lost"], 1e-3 * fall);
}

/// A rod is shot at a ball.
MemberStatus end_at_a_ball(const std::string& method, const std::string& speed) {
  const Deck deck = Deck::parse(
      "[rod]\nelements = 10\nlength = 0.2\nradius = 0.002\ndensity = 1200\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = 0, 0, 0.01\nvelocity = 0, 0, -" +
          speed +
          "\n[ground]\nspheres = 0.1, 0, 0, 0.002\nresponse = springs\nstiffness = 1000\ndamping = 0\n"
          "[time]\nstep = 2e-5\nend = 0.03\n",
      "test.ini",
      method == "explicit"    ? std::vector<std::string>{}
      : method == "net force" ? std::vector<std::string>{"ground.response=net_force"}
      : method == "single" ? std::vector<std::string>{"ground.response=net_force", "model.precision=single"}
      : method == "der"    ? std::vector<std::string>{"model.kind=der", "time.step=1e-4"}
                           : std::vector<std::string>{"time.method=implicit", "time.step=1e-4"});
  return run_member(make_member_spec(deck)).status;
}

TEST(Capsules, NothingPassesThroughABallUnseen) {
  for (const std::string method : {"explicit", "net force", "single", "implicit", "der"}) {
    EXPECT_EQ(end_at_a_ball(method, "300"), MemberStatus::passed_through) << method;
    EXPECT_EQ(end_at_a_ball(method, "0.5"), MemberStatus::done) << method;
  }
}

}  // namespace
}  // namespace rodeo::as_capsules
