#pragma once

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

  /// With which forces stand among those of v', so that in a step of h seconds they add h^2 f to D.
  double share_of_forces() const { return (1.0 - mass) / ((1.0 - force) * position); }
};

}  // namespace rodeo::method
