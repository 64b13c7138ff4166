#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "member/measured.hpp"

namespace rodeo {
namespace {

/// A rod whose first end a motion holds as a clamp does begins where it hangs at rest, and stays there.
TEST(RestFirst, AnEndThatAMotionTurnsHoldsWhatItHeldAtRest) {
  const std::string hanging =
      "[rod]\nelements = 24\nlength = 1\nradius = 0.005\ndensity = 1000\nyoung_modulus = 1e7\n"
      "poisson_ratio = 0.4\ndirection = 0, 1, 0\nnormal = 1, 0, 0\n[gravity]\nacceleration = 0, 1, -9.81\n"
      "[motion]\nposition = END : 0, 0, 0\nrotation = END about 1 0 0 : 0\n"
      "[time]\nfrom = equilibrium\nend = 0.05\n[measure]\ninterval = 1e-2\n"
      "define = way [m] : last(z(middle)) - at(0, z(middle))\n";
  for (const std::string end : {"start", "end"}) {
    std::string deck = hanging;
    for (std::size_t at; (at = deck.find("END")) != std::string::npos;) deck.replace(at, 3, end);
    for (const std::vector<std::string>& method : {std::vector<std::string>{"time.step=2e-5"},
                                                   {"time.step=1e-3", "time.method=implicit"},
                                                   {"time.step=1e-3", "model.kind=der"}}) {
      EXPECT_LT(std::abs(Measured(deck, method)["way"]), 1e-6) << end << ", " << method.back();
    }
  }
}

}  // namespace
}  // namespace rodeo
