#include <string>

#include <gtest/gtest.h>

#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/input/number_text.hpp"

#include "member/measured.hpp"

namespace rodeo::fluid {
namespace {

/// Energy after 25 steps over that after 10 of a soft rod whose nodes are pushed to and fro in turn at
/// first, in steps of a share of the bound.
double growth(double share, int elements) {
  const std::string deck = "[model]\nkind = der\n[rod]\nelements = " + std::to_string(elements) +
                           "\nlength = 0.1\nradius = 1e-3\ndensity = 1000\n"
                           "young_modulus = 1e3\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
                           "[fluid]\nkind = stokeslets\nviscosity = 1\n[time]\nstep = 1e-6\nend = 1e-4\n";
  const double bound = stable_stokeslet_step(make_member_spec(Deck::parse(deck, "a.ini")));
  const double step = share * bound;
  const auto seconds = [&](int steps) { return std::to_string(steps) + " * time.step"; };
  const Measured found(deck + "[actuation]\nforce = y, middle : t < " + seconds(3) + " ? 1e-8 : 0\n" +
                           "[measure]\ninterval = " + format_real(step) + "\ndefine = grown [1] : at(" +
                           seconds(25) + ", kinetic_energy) / at(" + seconds(10) + ", kinetic_energy)\n",
                       {"time.step=" + format_real(step), "time.end=" + format_real(25.0 * step)});
  return found["grown"];
}

TEST(StableStokesletStep, BoundsTheStepFromBothSides) {
  for (const int elements : {6, 12, 24}) {
    EXPECT_LT(growth(0.9, elements), 0.5) << elements;
    EXPECT_GT(growth(1.7, elements), 10.0) << elements;
  }
}

}  // namespace
}  // namespace rodeo::fluid
