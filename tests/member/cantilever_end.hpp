#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Where the end of a cantilever goes under a force across it: the rod's equations, n = F in all sections,
/// by Runge-Kutta from the couple at the clamp that leaves none at the end.
inline std::array<double, 2> end_under_force(const RodSpec& rod, double force) {
  constexpr int steps = 4000;
  const double h = rod.length / steps;
  using State = std::array<double, 4>;  // x, y, angle of d3 to x, couple
  const auto rate = [&](const State& s) {
    const double c = std::cos(s[2]);
    const double sine = std::sin(s[2]);
    const double along = 1.0 + force * sine / rod.stretch_stiffness;
    const double across = force * c / rod.shear_stiffness;
    const double dx = along * c - across * sine;
    return State{dx, along * sine + across * c, s[3] / rod.bend_stiffness, -force * dx};
  };
  const auto march = [&](double couple) {
    State s = {0.0, 0.0, 0.0, couple};
    const auto moved = [&](const State& by, double part) {
      State to = s;
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += part * by[k];
      return to;
    };
    for (int i = 0; i < steps; ++i) {
      const State a = rate(s);
      const State b = rate(moved(a, 0.5 * h));
      const State c = rate(moved(b, 0.5 * h));
      const State d = rate(moved(c, h));
      for (std::size_t k = 0; k < s.size(); ++k) s[k] += h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
    }
    return s;
  };
  double lower = 0.0;
  double upper = force * rod.length;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (lower + upper);
    (march(middle)[3] < 0.0 ? lower : upper) = middle;
  }
  const State end = march(lower);
  return {end[0], end[1]};
}

}  // namespace rodeo
