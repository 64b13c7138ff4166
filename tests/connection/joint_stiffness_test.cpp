#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

constexpr const char* soft =
    "[rod]\ncount = 2\nradius = 0.001\ndensity = 1000\nbend_stiffness = 1\ntwist_stiffness = 1\n"
    "stretch_stiffness = 1e6\nshear_stiffness = 1e6\nnormal = 0, 0, 1\n";

/// The measure `end` at rest over what it should be, less 1, with 10 and with 20 elements a rod. What swings
/// freely may be unstable by a rounding error.
std::array<double, 2> errors(const std::string& text, double exact, const std::vector<std::string>& more) {
  std::array<double, 2> found{};
  for (const int k : {0, 1}) {
    std::vector<std::string> overrides = more;
    overrides.push_back("rod.elements=" + std::to_string(k == 0 ? 10 : 20));
    const Deck deck = Deck::parse(text + "[time]\nmethod = static\n", "test.ini", overrides);
    const MemberOutcome outcome = run_member(make_member_spec(deck));
    EXPECT_TRUE(outcome.status == MemberStatus::done || outcome.status == MemberStatus::unstable);
    found[static_cast<std::size_t>(k)] =
        outcome.observables.at(observables_of(deck).index("end")) / exact - 1.0;
  }
  return found;
}

void expect_second_order(const std::array<double, 2>& error, const std::string& what) {
  EXPECT_LT(std::abs(error[0]), 1e-2) << what;
  EXPECT_NEAR(error[1] / error[0], 0.25, 0.03) << what;
}

/// A stub that nothing acts on changes nothing of the cantilever that it sits on, whatever holds it.
TEST(JointStiffness, OfAnInnerNodeLeavesTheRodAsItIs) {
  const std::string deck = std::string(soft) +
                           "length = 1\neach = rod.direction[0] : list(1, 0)\n"
                           "each = rod.direction[1] : list(0, 1)\neach = rod.direction[2] : list(0, 0)\n"
                           "each = rod.length : list(1, 0.1)\neach = rod.origin[0] : list(0, 0.5)\n"
                           "each = boundary.first : list(clamped, free)\n"
                           "each = load.end_force[2] : list(1e-4, 0)\n[measure]\n"
                           "define = end [m] : last(z(rod 0, end))\n";
  const std::string places = "=rod 0, s 0.5 to rod 1, start";
  for (const char* model : {"cosserat", "der"}) {
    const std::string kind = std::string("model.kind=") + model;
    const auto with = [&](const std::string& joint) {
      return errors(deck, 1e-4 / 3.0, {kind, "connection." + joint});
    };
    const std::array<double, 2> ball = with("ball" + places);
    expect_second_order(ball, kind);
    for (const std::string& joint : {"rigid" + places, "hinge" + places + " : axis 1 0 0",
                                     "rigid" + places + " : rotational_stiffness 1e4"}) {
      const std::array<double, 2> found = with(joint);
      for (const std::size_t k : {0u, 1u}) EXPECT_NEAR(found[k], ball[k], 1e-5) << kind << " " << joint;
    }
  }
}

/// Under a load on its end the stub bends and turns the beam: F (a^3/(3 B) + b^2 a/C + b^3/(3 B)).
TEST(JointStiffness, OfAnInnerNodeIsOfSecondOrder) {
  const std::string deck = std::string(soft) +
                           "length = 1\neach = rod.direction[0] : list(1, 0)\n"
                           "each = rod.direction[1] : list(0, 1)\neach = rod.direction[2] : list(0, 0)\n"
                           "each = rod.length : list(1, 0.4)\neach = rod.origin[0] : list(0, 0.5)\n"
                           "each = boundary.first : list(clamped, free)\n"
                           "each = load.end_force[2] : list(0, 1e-4)\n[connection]\n"
                           "rigid = rod 0, s 0.5 to rod 1, start\n[measure]\n"
                           "define = end [m] : last(z(rod 1, end))\n";
  const double exact = 1e-4 * (0.125 / 3.0 + 0.16 * 0.5 + 0.064 / 3.0);
  for (const char* model : {"model.kind=cosserat", "model.kind=der"})
    expect_second_order(errors(deck, exact, {model}), model);
}

/// A rod on the end of another that is clamped at both ends stands on a clamp.
TEST(JointStiffness, OfAClampedEndIsThatOfTheClamp) {
  const std::string deck = std::string(soft) +
                           "length = 1\neach = rod.direction[0] : list(1, 0)\n"
                           "each = rod.direction[1] : list(0, 1)\neach = rod.direction[2] : list(0, 0)\n"
                           "each = rod.origin[0] : list(0, 1)\neach = boundary.first : list(clamped, free)\n"
                           "each = boundary.last : list(clamped, free)\n"
                           "each = load.end_force[0] : list(0, 1e-4)\n[measure]\n"
                           "define = end [m] : last(x(rod 1, end))-1\n";
  const std::string places = "=rod 0, end to rod 1, start";
  for (const char* model : {"cosserat", "der"}) {
    for (const std::string& joint : {"rigid" + places, "hinge" + places + " : axis 0 1 0",
                                     std::string("rigid=rod 1, start to rod 0, end")}) {
      expect_second_order(
          errors(deck, 1e-4 / 3.0, {std::string("model.kind=") + model, "connection." + joint}),
          model + (" " + joint));
    }
    const std::string sprung = "connection.rigid" + places + " : rotational_stiffness 5";
    expect_second_order(errors(deck, 1e-4 * (1.0 / 3.0 + 0.2), {std::string("model.kind=") + model, sprung}),
                        model + (" " + sprung));
  }
}

/// Flat strips in line: a hinge bears about whatever lies across its axis.
TEST(JointStiffness, OfAHingeIsThatAcrossItsAxis) {
  // Of a width of 0.02 m along d1 and a thickness of 0.002 m: B2 = 4/3 N m^2, and 0.01 of that is B1.
  const std::string deck =
      "[rod]\ncount = 2\nsection = rectangle\nwidth = 0.02\nthickness = 0.002\ndensity = 1000\n"
      "young_modulus = 1e9\npoisson_ratio = 0.3\nlength = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
      "stretch_stiffness = 1e6\nshear_stiffness = 1e6\n"
      "each = rod.origin[0] : list(0, 0.5)\neach = boundary.first : list(clamped, free)\n[connection]\n"
      "hinge = rod 0, end to rod 1, start";
  for (const char* model : {"model.kind=cosserat", "model.kind=der"}) {
    expect_second_order(errors(deck + "\n[measure]\ndefine = end [m] : last(y(rod 1, end))\n", 1e-4 / 4.0,
                               {model, "rod.each=load.end_force[1] : list(0, 1e-4)"}),
                        model);
    expect_second_order(errors(deck + " : axis 0 0 1\n[measure]\ndefine = end [m] : last(z(rod 1, end))\n",
                               1e-4 / 4.0, {model, "rod.each=load.end_force[2] : list(0, 1e-6)"}),
                        model);
  }
}

}  // namespace
}  // namespace rodeo
