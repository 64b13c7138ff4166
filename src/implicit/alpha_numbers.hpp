#pragma once

namespace rodeo::implicit {

/// What Newton's method may leave of the change in a step.
inline constexpr double alpha_accuracy = 1e-8;
inline constexpr double most_turn = 1.0;  ///< of an element in an iteration, rad
/// Of an element from the start of a step in any iterate, rad: after one more iteration it is below pi, where
/// rotation vectors wrap.
inline constexpr double most_turn_on_the_way = 2.0;

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

  /// With which forces of what presses stand among those of v', so that they add h^2 f to D.
  double share_of_pressing() const { return (1.0 - mass) / ((1.0 - force) * position); }
};

}  // namespace rodeo::implicit
