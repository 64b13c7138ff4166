#pragma once

#include <cmath>

#include "rodeo/contact/distance_derivatives.hpp"

namespace rodeo::contact {

/// Coulomb friction of a pair in contact, rounded at rest (eqs 14 to 18 of Tong et al. 2023): along the slip
/// v, the tangential velocity of the first element's closest point relative to the second's,
///   f = -mu N gamma(|v|) v/|v|,  gamma = tanh(15 |v|/(2 nu)) below |v| = nu and 1 beyond,
/// on the first element, shared by its ends as the normal force is, and -f on the second.
struct Friction {
  double coefficient = 0.0;     ///< mu
  double slip_tolerance = 0.0;  ///< nu, m/s

  /// Force over N on the second element.
  Vec3 force(const Vec3& slip) const { return (coefficient * secant(norm(slip))) * slip; }

  /// gamma/|v|, s/m
  double secant(double speed) const {
    if (speed >= slip_tolerance) return 1.0 / speed;
    const double z = rate() * speed;
    return z < small ? rate() * (1.0 - z * z / 3.0) : std::tanh(z) / speed;
  }
  /// Its derivative by |v|, over |v|, s^3/m^3.
  double secant_slope(double speed) const {
    if (speed >= slip_tolerance) return -1.0 / (speed * speed * speed);
    const double z = rate() * speed;
    const double cube = rate() * rate() * rate();
    if (z < small) return cube * (-2.0 / 3.0 + 8.0 / 15.0 * z * z);
    const double sech = 1.0 / std::cosh(z);
    return cube * (z * sech * sech - std::tanh(z)) / (z * z * z);
  }

 private:
  static constexpr double small = 1e-3;
  double rate() const { return 7.5 / slip_tolerance; }  // K2/2
};

/// The slip of a pair whose ends have moved in a step. Eq. 20 reads the contact parameters off the normal
/// forces to have their derivatives; here the distance has them.
class Slip {
 public:
  /// `velocity` of the four ends, m/s.
  Slip(const PairDistance& distance, const Vec3 (&velocity)[pair_nodes]) : distance_(distance) {
    for (int k = 0; k < pair_nodes; ++k) {
      velocity_[k] = velocity[k];
      relative_ = relative_ - distance.weight(k) * velocity[k];
    }
    normal_ = dot(relative_, distance.normal());
    slip_ = relative_ - normal_ * distance.normal();
  }

  const Vec3& value() const { return slip_; }  ///< m/s

  /// Derivative by component c of an end, whose velocity is its move over `step` seconds.
  Vec3 by(int node, int c, double step) const {
    const Vec3& n = distance_.normal();
    const Vec3 turn = distance_.normal_by(node, c);
    Vec3 change = (-distance_.weight(node) / step) * PairDistance::axis(c);
    for (int k = 0; k < pair_nodes; ++k)
      change = change - PairDistance::component(distance_.weight_by(k, node), c) * velocity_[k];
    return change - (dot(change, n) + dot(relative_, turn)) * n - normal_ * turn;
  }

 private:
  const PairDistance& distance_;
  Vec3 velocity_[pair_nodes];
  Vec3 relative_;  ///< velocity of the first closest point relative to the second
  Vec3 slip_;
  double normal_;  ///< its part along the normal
};

/// Adds scale times the derivative of the friction forces on the ends: weight_k f(slip) N, with N, its
/// derivative `normal_force_slope` by the distance (N/m), and the step of which the velocities are (s). Where
/// nothing has slipped, as at the first iterate of a step, that would be the derivative of sticking, hundreds
/// of times too stiff for a pair that slides; gamma/|v| at `earlier_speed` (m/s), that of the pair's slip in
/// the last step, is used instead, which predicts the force of a pair that keeps sliding. The
/// decrease of gamma/|v| with |v| enters with the factor `slope_share`: 1 gives the derivative, and less
/// keeps a stiffness along the slip where the force no longer grows with it.
inline void add_friction_gradient(const Friction& friction, const PairDistance& distance, const Slip& slip,
                                  double earlier_speed, double normal_force, double normal_force_slope,
                                  double step, double slope_share, double scale, PairMatrix& matrix) {
  const double speed = norm(slip.value());
  const Vec3 force = friction.force(slip.value());
  const double secant = friction.coefficient * friction.secant(speed > 0.0 ? speed : earlier_speed);
  const double slope = slope_share * friction.coefficient * friction.secant_slope(speed);
  for (int l = 0; l < pair_nodes; ++l) {
    for (int c = 0; c < 3; ++c) {
      const Vec3 by = slip.by(l, c, step);
      const double force_change = normal_force_slope * PairDistance::component(distance.gradient(l), c);
      const Vec3 change = force_change * force +
                          normal_force * (secant * by + (slope * dot(slip.value(), by)) * slip.value());
      for (int k = 0; k < pair_nodes; ++k) {
        const double moved = normal_force * PairDistance::component(distance.weight_by(k, l), c);
        const Vec3 entry = scale * (moved * force + distance.weight(k) * change);
        matrix[3 * k][3 * l + c] += entry.x;
        matrix[3 * k + 1][3 * l + c] += entry.y;
        matrix[3 * k + 2][3 * l + c] += entry.z;
      }
    }
  }
}

}  // namespace rodeo::contact
