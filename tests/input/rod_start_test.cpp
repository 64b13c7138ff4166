#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "rodeo/input/number_text.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::says;
using test::spec_error;
using test::spec_of;

/// A rod of `elements` along x from the origin, clamped there, that starts in a plane: element i is turned by
/// turns(i) about -y.
template <class Turns>
std::string state_of(int elements, const Turns& turns) {
  const double length = 0.2 / elements;
  Vec3 node = {};
  std::string positions = "0, 0, 0";
  std::string orientations;
  std::string at_rest = "0, 0, 0";
  std::string spins;
  for (int i = 0; i < elements; ++i) {
    const double angle = turns(i);
    node = node + Vec3{length * std::cos(angle), 0.0, length * std::sin(angle)};
    positions += ", " + format_real(node.x) + ", 0, " + format_real(node.z);
    at_rest += ", 0, 0, 0";
    spins += i > 0 ? ", 0, 0, 0" : "0, 0, 0";
    const Quaternion frame = rotation({0.0, -angle, 0.0}) * orientation({1, 0, 0}, {0, 0, 1});
    orientations += std::string(i > 0 ? ", " : "") + format_real(frame.w) + ", " + format_real(frame.x) +
                    ", " + format_real(frame.y) + ", " + format_real(frame.z);
  }
  return "[rod]\nelements = " + std::to_string(elements) +
         "\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e7\npoisson_ratio = 0.5\n"
         "direction = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n[time]\nstep = 1e-6\nend = "
         "1e-5\n"
         "[rod]\nstate_positions = " +
         positions + "\nstate_orientations = " + orientations + "\nstate_velocities = " + at_rest +
         "\nstate_angular_velocities = " + spins + "\n";
}

/// A rod that swung about a pin has turned as a whole, and no couple of a clamp turned it.
TEST(RodStart, RefusesAClampWhereAnEndHasSwung) {
  for (const double angle : {0.06, 0.1, 0.446, 1.0}) {
    EXPECT_TRUE(
        says(spec_error(state_of(20, [&](int) { return angle; })), {"boundary.first", "it has moved since"}))
        << angle;
  }
  EXPECT_NO_THROW(spec_of(state_of(20, [](int) { return 0.0; })));
}

/// The turn of the half element behind a clamp is that of a curvature, which falls along a cantilever.
TEST(RodStart, AllowsAClampOfARodThatItBends) {
  for (const int elements : {2, 3, 6, 20}) {
    const auto turns = [&](int i) {
      const double s = (i + 0.5) / elements;
      return 2.4 * (1.0 - std::pow(1.0 - s, 3.0));  // of a load spread evenly: curvature goes as (1 - s)^2
    };
    EXPECT_NO_THROW(spec_of(state_of(elements, turns))) << elements;
  }
}

}  // namespace
}  // namespace rodeo
