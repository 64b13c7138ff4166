#pragma once

#include <cmath>
#include <numbers>

namespace rodeo::method {

/// The numbers of generalised alpha (Chung and Hulbert 1993) for a spectral radius at infinity.
struct AlphaNumbers {
  double mass;      ///< alpha_m
  double force;     ///< alpha_f
  double velocity;  ///< gamma
  double position;  ///< beta

  explicit AlphaNumbers(double radius)
      : mass((2.0 * radius - 1.0) / (radius + 1.0)),
        force(radius / (radius + 1.0)),
        velocity(0.5 + force - mass),
        position(0.25 * (velocity + 0.5) * (velocity + 0.5)) {}

  /// The numbers that make a step one of backward Euler, where a0 is zero.
  static AlphaNumbers of_backward_euler() {
    AlphaNumbers c(0.0);
    c.mass = c.force = 0.0;
    c.velocity = c.position = 1.0;
    return c;
  }

  /// Share of a swing's energy that the scheme takes in a period, where a step turns its phase by `turn`,
  /// rad.
  double loss_in_period(double turn) const {
    const int steps = static_cast<int>(std::ceil(2.0 * std::numbers::pi / turn));
    double x = 1.0;
    double v = 0.0;           // times the step
    double a = -turn * turn;  // times its square
    double forced = a;
    for (int k = 0; k < steps; ++k) {
      const double drift = x + v + (0.5 - position) * a;
      const double next = ((force - 1.0) * turn * turn * drift + force * forced - mass * a) /
                          (1.0 - mass + (1.0 - force) * turn * turn * position);
      x = drift + position * next;
      v += (1.0 - velocity) * a + velocity * next;
      a = next;
      forced = -turn * turn * x;
    }
    const double kept = x * x + v * v / (turn * turn);
    return 1.0 - std::pow(kept, 2.0 * std::numbers::pi / (turn * steps));
  }

  /// With which forces stand among those of v', so that in a step of h seconds they add h^2 f to D.
  double share_of_forces() const { return (1.0 - mass) / ((1.0 - force) * position); }
};

/// Part taken of a jump of the accelerations by which an element would turn so far in a step, rad: nodes that
/// go on straight ahead where rods turn by more stretch them, which creates energy.
inline double part_of_push(double turn) {
  constexpr double most_turn = 0.1;
  return turn > most_turn ? most_turn / turn : 1.0;
}

}  // namespace rodeo::method
