#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"

namespace rodeo::der {
namespace {

/// B = 0.785 N m^2 and 0.00314 kg/m, so slender that it is a beam of Euler and Bernoulli.
constexpr const char* string_beam =
    "[model]\nkind = der\n[rod]\nelements = 40\nlength = 1\nradius = 0.001\ndensity = 1000\n"
    "bend_stiffness = 0.7853981633974483\ntwist_stiffness = 0.7\nstretch_stiffness = 3e7\n"
    "direction = 1, 0, 0\nnormal = 0, 1, 0\n[time]\nmethod = static\n[modes]\ncount = 4\n";
constexpr const char* hinged = "[boundary]\nfirst = pinned\nlast = pinned_sliding\n";
constexpr double string_beam_mass = 1000.0 * M_PI * 1e-6;
constexpr double string_beam_stiffness = 0.7853981633974483;
constexpr double string_beam_stretch_stiffness = 3e7;

MemberOutcome vibrating(const std::string& more, std::vector<std::string> overrides = {}) {
  return run_member(make_member_spec(Deck::parse(string_beam + more, "test", overrides)));
}

/// The modes stand last among the observables: frequencies, then rates of decay.
double of_mode(const MemberOutcome& outcome, std::size_t which) {
  return outcome.observables.at(outcome.observables.size() - 8 + which);
}

TEST(RestingModes, OfACantileverAreThoseOfABeamToTheSecondOrder) {
  const double exact[2] = {std::pow(1.875104068711961, 2), std::pow(4.694091132974174, 2)};
  std::array<std::array<double, 2>, 2> errors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const MemberOutcome outcome =
        vibrating("[boundary]\nfirst = clamped\n", {"rod.elements=" + std::to_string(20 << k)});
    ASSERT_EQ(outcome.status, MemberStatus::done);
    for (std::size_t which = 0; which < 2; ++which) {  // each in two planes
      const double rate = exact[which] * std::sqrt(string_beam_stiffness / string_beam_mass) / (2.0 * M_PI);
      EXPECT_NEAR(of_mode(outcome, 2 * which) / of_mode(outcome, 2 * which + 1), 1.0, 1e-6);
      errors[k][which] = of_mode(outcome, 2 * which) / rate - 1.0;
    }
  }
  for (std::size_t which = 0; which < 2; ++which) {
    EXPECT_LT(std::abs(errors[1][which]), 1.2e-3);
    EXPECT_NEAR(std::log2(errors[0][which] / errors[1][which]), 2.0, 0.1) << which;
  }
}

/// Between hinges the squares of frequencies go with the tension plus that under which the rod would buckle,
/// on the length to which the tension stretches the rod. The load under which n elements buckle is off by
/// 1/n^2.
TEST(RestingModes, KnowTheTensionToTheSecondOrder) {
  const double euler = M_PI * M_PI * string_beam_stiffness;
  const double stretch = 1.0 + 3.0 * euler / string_beam_stretch_stiffness;
  const double exact = std::sqrt(1.0 / (stretch * stretch) + 3.0 / stretch);
  std::array<double, 3> errors{};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const std::string elements = "rod.elements=" + std::to_string(20 << k);
    const MemberOutcome tight =
        vibrating(hinged, {elements, "load.axial_force=" + std::to_string(-3.0 * euler)});
    const MemberOutcome slack = vibrating(hinged, {elements});
    ASSERT_EQ(tight.status, MemberStatus::done);
    errors[k] = of_mode(tight, 0) / of_mode(slack, 0) - exact;
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 3e-3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 3e-3);
  EXPECT_NEAR((4.0 * errors[2] - errors[1]) / 3.0, 0.0, 2e-7);
}

/// With masses along elements what second differences of four make of waves vanishes to the second order.
TEST(RestingModes, BetweenHingesAreThoseOfABeamToTheFourthOrder) {
  const double exact = 0.5 * M_PI * std::sqrt(string_beam_stiffness / string_beam_mass);
  const MemberOutcome coarse = vibrating(hinged, {"rod.elements=20"});
  const MemberOutcome fine = vibrating(hinged, {"rod.elements=40"});
  for (std::size_t waves = 1; waves <= 2; ++waves) {  // each in two planes
    const double rate = static_cast<double>(waves * waves) * exact;
    const double error = of_mode(fine, 2 * waves - 2) / rate - 1.0;
    EXPECT_LT(std::abs(error), 6e-7) << waves;
    EXPECT_NEAR(std::log2((of_mode(coarse, 2 * waves - 2) / rate - 1.0) / error), 4.0, 0.05) << waves;
  }
}

/// Rods of two elements have fewer modes than are looked for at once. In another unit of time the square of a
/// frequency is another number.
TEST(RestingModes, OfFewUnknownsAreTheSameInAllUnits) {
  const auto first_modes = [](const std::string& kind, const char* rods, const char* density,
                              const char* young_modulus) {
    const MemberOutcome outcome = run_member(make_member_spec(Deck::parse(
        "[rod]\nelements = 2\nlength = 1\nradius = 0.05\npoisson_ratio = 0.5\ndirection = 1, 0, 0\n"
        "[boundary]\nfirst = clamped\nlast = clamped_sliding\n[time]\nmethod = static\n[modes]\ncount = 4\n",
        "test",
        {"model.kind=" + kind, std::string("rod.count=") + rods, std::string("rod.density=") + density,
         std::string("rod.young_modulus=") + young_modulus})));
    EXPECT_EQ(outcome.status, MemberStatus::done);
    return std::array{of_mode(outcome, 0), of_mode(outcome, 1), of_mode(outcome, 2), of_mode(outcome, 3)};
  };
  for (const char* kind : {"der", "cosserat"}) {
    for (const char* rods : {"1", "2", "3"}) {
      const auto right = first_modes(kind, rods, "1e3", "1e9");
      const auto fast = first_modes(kind, rods, "1e-5", "1e17");
      const auto slow = first_modes(kind, rods, "1e13", "1e-1");
      for (std::size_t k = 0; k < right.size(); ++k) {
        EXPECT_NEAR(fast[k] / right[k], 1e8, 1.0) << kind << ' ' << rods << ' ' << k;
        EXPECT_NEAR(slow[k] / right[k], 1e-10, 1e-18) << kind << ' ' << rods << ' ' << k;
      }
    }
  }
}

/// Two edges, of which bending is so much slower than stretch that rounding of the one is as large as what
/// converges of the other.
TEST(RestingModes, KnowAllOfAFewUnknowns) {
  const auto sliding = [](const std::string& nodes, const std::string& direction) {
    return run_member(make_member_spec(
        Deck::parse("[model]\nkind = der\n[rod]\ndensity = 627.658\nyoung_modulus = 5.87451e+07\n"
                    "poisson_ratio = 0\nshape = file\nradius = 3.50112e-05\nshape_nodes = " +
                        nodes + "\ndirection = " + direction +
                        "\n[boundary]\nfirst = clamped\nlast = clamped_sliding\n"
                        "[time]\nmethod = static\n[modes]\ncount = 4\n",
                    "test", {})));
  };
  const MemberOutcome one =
      sliding("0, 0, 0, -0.1664, -0.2083, -0.02695, -0.1087, -0.2867, 0.2227", "-0.1087, -0.2867, 0.2227");
  const MemberOutcome other =
      sliding("0, 0, 0, -0.166359, -0.208341, -0.0269482, -0.108695, -0.286681, 0.222742",
              "-0.108695, -0.286681, 0.222742");
  ASSERT_EQ(one.status, MemberStatus::done);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(of_mode(one, k) / of_mode(other, k), 1.0, 1e-3) << k;
  EXPECT_GT(of_mode(one, 2), 1e3 * of_mode(one, 1));
}

/// Muscles so weak that they do nothing have no energy all the same.
TEST(RestingModes, OfFewUnknownsAreTheSameBesideLoadsWithoutEnergy) {
  const std::string clamped = "[boundary]\nlast = clamped\n";
  for (const char* elements : {"2", "3", "5"}) {
    const std::string few = std::string("rod.elements=") + elements;
    const MemberOutcome right = vibrating(clamped, {few});
    const MemberOutcome got =
        vibrating(clamped + "[muscle]\namplitudes = 1e-9, 1e-9\nperiod = 1\nwave_number = 1\n", {few});
    ASSERT_EQ(got.status, MemberStatus::done) << elements;
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(of_mode(got, k) / of_mode(right, k), 1.0, 1e-7) << elements << ' ' << k;
  }
}

/// A rod that rolls between hinges turns the forces that follow it, which bend it to another side: no force
/// makes it roll, but other displacements go with the roll.
TEST(RestingModes, LeaveOutARollThatTurnsFollowingForces) {
  const MemberOutcome free = vibrating(hinged, {"rod.elements=20"});
  const MemberOutcome followed = vibrating(std::string(hinged) +
                                               "[gravity]\nacceleration = 0, 0, -9.81\n"
                                               "[load]\nfollower_force = 0.01, 0.02, 0.005\n",
                                           {"rod.elements=20"});
  ASSERT_EQ(followed.status, MemberStatus::done);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(of_mode(followed, k) / of_mode(free, k), 1.0, 3e-4) << k;  // it bends by little
}

TEST(RestingModes, KnowTheDrag) {
  const MemberOutcome free = vibrating(hinged);
  EXPECT_EQ(of_mode(free, 4), 0.0);
  const double drag = 0.2;  // kg/(m s)
  const MemberOutcome damped = vibrating(hinged, {"rod.damping=" + std::to_string(drag)});
  const double rate = 0.5 * drag / string_beam_mass;
  EXPECT_NEAR(of_mode(damped, 4), rate, 1e-6 * rate);
  EXPECT_NEAR(std::hypot(of_mode(damped, 0), rate / (2.0 * M_PI)), of_mode(free, 0), 1e-6 * of_mode(free, 0));
}

/// Under a force that presses its end and follows it, p B/L^2, a column flutters (Beck 1952): beside the load
/// from which on it does the square of the growth rate is linear.
TEST(RestingModes, OfBecksColumnFlutter) {
  const auto pressed = [](const std::string& elements, double load) {
    return vibrating("[boundary]\nfirst = clamped\n",
                     {"rod.elements=" + elements,
                      "actuation.force=d3, end : " + std::to_string(-load * string_beam_stiffness)});
  };
  std::array<double, 2> critical{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::array<double, 2> loads = {20.06, 20.07};
    std::array<double, 2> squares{};
    for (std::size_t j = 0; j < 2; ++j) {
      const MemberOutcome outcome = pressed(std::to_string(50 << k), loads[j]);
      EXPECT_EQ(outcome.status, MemberStatus::unstable);
      EXPECT_EQ(value(outcome, "unstable_modes"), 2.0);  // in both planes
      squares[j] = of_mode(outcome, 4) * of_mode(outcome, 4);
    }
    critical[k] = loads[0] - squares[0] * (loads[1] - loads[0]) / (squares[1] - squares[0]);
  }
  EXPECT_NEAR(critical[1], 20.05095, 3e-2);
  EXPECT_NEAR((4.0 * critical[1] - critical[0]) / 3.0, 20.05095, 1e-3);
  const MemberOutcome below = pressed("100", 19.9);
  EXPECT_EQ(below.status, MemberStatus::done);
  EXPECT_EQ(value(below, "unstable_modes"), 0.0);
}

}  // namespace
}  // namespace rodeo::der
