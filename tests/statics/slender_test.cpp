#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck_observables.hpp"

#include "member/run_members.hpp"

// Rods so slender, or so unlike each other, that what bends them is lost in what stretches them.

namespace rodeo::statics {
namespace {

using Overrides = std::vector<std::string>;

/// Of 1 m, of which the radius says how slender it is.
constexpr const char* steel_wire =
    "[variable]\np = 0\n[rod]\nelements = 100\nlength = 1\ndensity = 7800\nyoung_modulus = 2e11\n"
    "poisson_ratio = 0.3\ndirection = 1, 0, 0\n[time]\nmethod = static\n";

/// Times the load under which a clamped wire buckles.
constexpr const char* pressed_end =
    "actuation.force=x, end : -p * pi^2/4 * rod.young_modulus * pi * rod.radius^4/4";

MemberSpec wire(double slenderness, Overrides overrides) {
  overrides.push_back("rod.radius=" + std::to_string(1e9 / slenderness) + "e-9");
  return make_member_spec(Deck::parse(steel_wire, "test", overrides));
}

/// Of the first modes.
std::vector<double> frequencies(const MemberOutcome& outcome, std::size_t count) {
  const auto first = outcome.observables.begin() + static_cast<std::ptrdiff_t>(observables.size());
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// Of a clamped and of a free wire, over those of Euler's beams. What shear and rotary inertia take from them
/// goes with (r/L)^2, and the elements as many digits in all.
TEST(SlenderRods, HaveTheFrequenciesOfBeams) {
  constexpr std::size_t count = 10;
  struct Ends {
    const char* first;
    std::array<double, 5> numbers;
  };
  for (const Ends& ends :
       {Ends{"clamped",
             {1.875104068711961, 4.694091132974175, 7.854757438237613, 10.99554073487547, 14.13716839104647}},
        Ends{"free",
             {4.730040744862704, 7.853204624095838, 10.99560783800167, 14.13716549125746,
              17.27875965739948}}}) {
    std::vector<double> limit;
    for (const double slenderness : {1e3, 1e4, 1e5, 1e6}) {
      const MemberSpec spec =
          wire(slenderness, {"modes.count=10", std::string("boundary.first=") + ends.first});
      const MemberOutcome outcome = run_member(spec);
      ASSERT_EQ(outcome.status, MemberStatus::done) << slenderness;
      const std::vector<double> found = frequencies(outcome, count);
      for (std::size_t k = 0; k < count; ++k) {
        const double number = ends.numbers[k / 2];
        const double euler = number * number / (2.0 * M_PI) * 0.5 / slenderness * std::sqrt(2e11 / 7800.0);
        const double ratio = found[k] / euler;
        EXPECT_NEAR(ratio, 1.0, 1e-3) << ends.first << slenderness << ' ' << k;  // of elements
        if (slenderness == 1e4) limit.push_back(ratio);
        // (k r/L)^2 times a number of order one
        if (slenderness >= 1e5) {
          EXPECT_NEAR(ratio, limit[k], number * number * 1e-8 + 1e-8)
              << ends.first << slenderness << ' ' << k;
        }
      }
    }
  }
}

TEST(SlenderRods, KnowWhenTheyAreStable) {
  for (const double slenderness : {1e2, 3333.0, 1e4, 1e6}) {
    for (const double load : {0.5, 0.999, 1.001, 1.5, 8.9, 9.1}) {
      const MemberOutcome outcome = run_member(
          wire(slenderness, {"boundary.first=clamped", pressed_end, "variable.p=" + std::to_string(load)}));
      const bool stable = load < 1.0;
      EXPECT_EQ(outcome.status, stable ? MemberStatus::done : MemberStatus::unstable) << slenderness << load;
      EXPECT_EQ(value(outcome, "unstable_modes"), stable       ? 0.0
                                                  : load < 9.0 ? 2.0
                                                               : 4.0)
          << slenderness << ' ' << load;
      EXPECT_EQ(value(outcome, "least_stiffness") > 0.0, stable) << slenderness << ' ' << load;
    }
    // Between hinges, about which it may roll.
    for (const double load : {3.98, 4.02, 15.0, 17.0}) {
      const MemberOutcome outcome =
          run_member(wire(slenderness, {"boundary.first=pinned", "boundary.last=pinned_sliding", pressed_end,
                                        "variable.p=" + std::to_string(load)}));
      EXPECT_EQ(value(outcome, "unstable_modes"), load < 4.0    ? 0.0
                                                  : load < 16.0 ? 2.0
                                                                : 4.0)
          << slenderness << ' ' << load;
    }
  }
}

/// One element that hangs from a pin has nothing but its tension, and turns about its axis at no cost. Half
/// of its mass swings with it.
TEST(SlenderRods, OneElementHangsWithoutNumbersOfRounding) {
  for (const char* const modulus : {"2.4e7", "3.3e7", "4.66630022999e7", "4.71539e7"}) {
    const MemberOutcome outcome = run_member(make_member_spec(
        Deck::parse("[rod]\nelements = 1\nlength = 0.713429\ndensity = 437.887\npoisson_ratio = 0\n"
                    "direction = 1, 0, 0\nsection = ellipse\nwidth = 4.09142e-05\n"
                    "thickness = 1.38489e-05\n[boundary]\nfirst = pinned\n[gravity]\n"
                    "acceleration = 0, 0, -1.98829e-05\n[time]\nmethod = static\n",
                    "test", {std::string("rod.young_modulus=") + modulus})));
    ASSERT_EQ(outcome.status, MemberStatus::done) << modulus;
    const double weight_over_g = 437.887 * M_PI * 0.25 * 4.09142e-05 * 1.38489e-05 * 0.713429;
    const double stiffness = weight_over_g * 1.98829e-05 / 0.713429;
    EXPECT_EQ(value(outcome, "unstable_modes"), 0.0) << modulus;
    EXPECT_NEAR(value(outcome, "least_stiffness"), stiffness, 1e-5 * stiffness) << modulus;
  }
}

/// As of the same rod at another slenderness, in the unit of its bending.
TEST(SlenderRods, AreAsStiffAsTheirBending) {
  const auto least = [](double slenderness, const char* load) {
    const MemberOutcome outcome =
        run_member(wire(slenderness, {"boundary.first=clamped", pressed_end, load}));
    const double r = 1.0 / slenderness;
    return value(outcome, "least_stiffness") / (2e11 * M_PI * r * r * r * r / 4.0);
  };
  EXPECT_NEAR(least(1e5, "variable.p=0") / 12.3624, 1.0, 1e-3);
  for (const char* const load : {"variable.p=0", "variable.p=0.9", "variable.p=1.5"})
    EXPECT_NEAR(least(1e6, load) / least(1e5, load), 1.0, 1e-6) << load;
}

TEST(SlenderRods, BuckleUnderTheLoadOfEuler) {
  for (const double slenderness : {1e3, 1e4, 1e6}) {
    const MemberOutcome clamped =
        run_member(wire(slenderness, {"boundary.first=clamped", pressed_end, "branch.key=variable.p",
                                      "branch.to=3", "branch.stop=first_bifurcation"}));
    ASSERT_EQ(clamped.status, MemberStatus::done) << slenderness;
    EXPECT_NEAR(value(clamped, "critical_value"), 1.0, 1e-4) << slenderness;
    const MemberOutcome pinned = run_member(
        wire(slenderness, {"boundary.first=pinned", "boundary.last=pinned_sliding", pressed_end,
                           "branch.key=variable.p", "branch.to=6", "branch.stop=first_bifurcation"}));
    ASSERT_EQ(pinned.status, MemberStatus::done) << slenderness;
    EXPECT_NEAR(value(pinned, "critical_value") / 4.0, 1.0, 1e-4) << slenderness;
  }
}

/// A clamped column that carries a bar, of such times its stiffness.
MemberSpec column_with_bar(double times, const Overrides& overrides) {
  const std::string text =
      "[model]\nsection = rigid\n[variable]\np = 0\n[rod]\ncount = 2\nlength = 0.5\nradius = 0.005\n"
      "density = 7800\npoisson_ratio = 0.3\nelements = 50\ndirection = 0, 0, 1\nnormal = 0, 1, 0\n"
      "each = boundary.first : list(clamped, free)\n"
      "each = rod.young_modulus : list(2e11, " +
      std::to_string(2e11 * times) +
      ")\n[joint]\nkind = rigid\n"
      "[actuation]\nforce = z, rod 1, end : -p * pi^2/4 * 2e11 * pi * 0.005^4/4\n[time]\nmethod = static\n";
  return make_member_spec(Deck::parse(text, "test", overrides));
}

/// What depends on the stiffness of a bar does so as one over it.
double at_more_stiffness(double at_hundred, double at_thousand, double times) {
  const double slope = (at_thousand - at_hundred) / (1e-2 - 1e-3);
  return at_thousand + slope * (1e-3 - 1.0 / times);
}

TEST(SlenderRods, VibrateBesideStiffBars) {
  constexpr std::size_t count = 10;
  const auto of = [](double times) {
    const MemberOutcome outcome = run_member(column_with_bar(times, {"modes.count=10"}));
    EXPECT_EQ(outcome.status, MemberStatus::done) << times;
    return frequencies(outcome, count);
  };
  // A bar of a thousand times the stiffness has vibrations of its own near the highest of these.
  const std::vector<double> stiff = of(1e4);
  const std::vector<double> stiffer = of(1e5);
  const std::vector<double> stiffest = of(1e6);
  for (std::size_t k = 0; k < count; ++k) {
    const double slope = (stiffer[k] - stiff[k]) / (1e-4 - 1e-5);
    EXPECT_NEAR(stiffest[k] / (stiffer[k] + slope * (1e-5 - 1e-6)), 1.0, 1e-6) << k;
  }
}

TEST(SlenderRods, BuckleBesideStiffBars) {
  const auto critical = [](double times) {
    const MemberOutcome outcome = run_member(
        column_with_bar(times, {"branch.key=variable.p", "branch.to=4", "branch.stop=first_bifurcation"}));
    EXPECT_EQ(outcome.status, MemberStatus::done) << times;
    return value(outcome, "critical_value");
  };
  const double hundred = critical(1e2);
  const double thousand = critical(1e3);
  // Of a bar as long as the column, l, that does not bend: x tan x = 1 with x^2 = P l^2/B.
  constexpr double x = 0.8603335890193797;
  EXPECT_NEAR(at_more_stiffness(hundred, thousand, 1e6), 16.0 * x * x / (M_PI * M_PI), 2e-3);
  EXPECT_NEAR(critical(1e4) / at_more_stiffness(hundred, thousand, 1e4), 1.0, 1e-4);
  for (const double times : {1e4, 1e6}) {
    const double expected = at_more_stiffness(hundred, thousand, times);
    for (const double part : {0.99, 1.01}) {
      const MemberOutcome outcome =
          run_member(column_with_bar(times, {"variable.p=" + std::to_string(part * expected)}));
      EXPECT_EQ(value(outcome, "unstable_modes"), part < 1.0 ? 0.0 : 2.0) << times << ' ' << part;
    }
  }
}

}  // namespace
}  // namespace rodeo::statics
