#pragma once

#include <cmath>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/rotation.hpp"

namespace rodeo::contact {

/// Coulomb friction of a pair in contact, rounded at rest (eqs 14 to 18 of Tong et al. 2023): along the slip
/// v, the tangential velocity of the first element's surface relative to the second's where they touch,
///   f = -mu N gamma(|v|) v/|v|,  gamma = tanh(15 |v|/(2 nu)) below |v| = nu and 1 beyond,
/// on the first element and -f on the second. It acts at the surfaces: ends have their shares of it as of the
/// normal force, and both elements feel its couple.
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

/// How the friction of a pair, over mu N, changes with its slip v: by
///   secant dv + curve/2 (v.dv f + f.dv v).
/// With f = secant v that is the derivative. Nothing then resists a change of the slip of a pair that slides,
/// so that a step may reverse it, and near rest friction is a hundred times as stiff. Newton's method does
/// better with the friction f that its last iteration has foreseen for the present slip, no longer than 1 (as
/// Chan, Golub and Mulet 1999, SIAM J. Sci. Comput. 20, 1964, have it for another |v|): where that differs
/// from what the slip gives, as of a slip that has been reversed, friction is stiffer. With f = 0 the force
/// of a slip that shrinks is never underestimated: that converges, if slowly, where no other step can be
/// taken.
struct FrictionTangent {
  Vec3 slip;            ///< v, m/s
  double secant = 0.0;  ///< gamma/|v|, s/m
  double curve = 0.0;   ///< the derivative of that by |v|, over |v| and over itself, s^2/m^2
  Vec3 force;           ///< f

  /// The derivative. Where nothing has slipped, as at the first iterate of a step, it would be that of
  /// sticking, hundreds of times too stiff for a pair that slides; gamma/|v| at `earlier_speed` (m/s), that
  /// of the pair's slip in the last step, is used instead, which predicts the force of a pair that keeps
  /// sliding.
  FrictionTangent(const Friction& friction, const Vec3& v, double earlier_speed) : slip(v) {
    const double speed = norm(v);
    secant = friction.secant(speed > 0.0 ? speed : earlier_speed);
    if (speed > 0.0) curve = friction.secant_slope(speed) / secant;
    force = secant * v;
  }

  Vec3 change(const Vec3& by) const {
    return secant * by + (0.5 * curve) * (dot(slip, by) * force + dot(force, by) * slip);
  }

  /// Friction force over mu N predicted for another slip.
  Vec3 foreseen(const Vec3& v) const {
    const Vec3 there = secant * slip + change(v - slip);
    const double length = norm(there);
    return length > 1.0 ? (1.0 / length) * there : there;
  }
};

/// How an element of a pair turns and takes a couple: an angle about its tangent and, across it, a pair of
/// forces on its ends; or a rotation vector about directors of its own.
class Turning {
 public:
  /// Turning of an element that touches with its axis.
  Turning() = default;

  /// The point where it touches stands `share` of the gap off its axis. Its edge changes at a rate (m/s), and
  /// its angle (1/s).
  static Turning of_edge(double share, const Vec3& edge, const Vec3& edge_rate, double angle_rate) {
    Turning turning;
    turning.share_ = share;
    turning.turns_ = 1;
    turning.inverse_length_ = 1.0 / norm(edge);
    turning.axis_[0] = turning.inverse_length_ * edge;
    turning.edge_rate_ = edge_rate;
    turning.rate_ = {angle_rate, 0.0, 0.0};
    turning.velocity_ =
        turning.inverse_length_ * cross(turning.axis_[0], edge_rate) + angle_rate * turning.axis_[0];
    return turning;
  }

  /// `rate` is of its rotation vector, in the frame of these directors (1/s).
  static Turning of_frame(double share, const Directors& frame, const Vec3& rate) {
    Turning turning;
    turning.share_ = share;
    turning.turns_ = 3;
    turning.axis_[0] = frame.d1;
    turning.axis_[1] = frame.d2;
    turning.axis_[2] = frame.d3;
    turning.rate_ = rate;
    turning.velocity_ = frame.to_laboratory(rate);
    return turning;
  }

  double share() const { return share_; }
  int turns() const { return turns_; }
  const Vec3& axis(int turn) const { return axis_[turn]; }
  const Vec3& velocity() const { return velocity_; }  ///< 1/s
  bool has_edge() const { return turns_ == 1; }

  /// Force of a couple on the last end, N; the first end has the opposite one.
  Vec3 edge_force(const Vec3& couple) const { return inverse_length_ * cross(couple, axis_[0]); }

  // With an edge, derivatives as it changes by a unit vector, and its rate by that over a step: of the
  // velocity, of the edge force of a couple that stays, and of the couple's part along the tangent.
  Vec3 velocity_by(const Vec3& way, double step) const {
    const Vec3& t = axis_[0];
    const double inverse = inverse_length_;
    const Vec3 turned = (inverse * inverse) * cross(way, edge_rate_) + (inverse / step) * cross(t, way);
    return turned - (2.0 * inverse * inverse * dot(t, way)) * cross(t, edge_rate_) +
           rate_.x * tangent_by(way);
  }
  Vec3 edge_force_by(const Vec3& couple, const Vec3& way) const {
    const double stretch = inverse_length_ * dot(axis_[0], way);
    return inverse_length_ * cross(couple, tangent_by(way)) - stretch * edge_force(couple);
  }
  double along_by(const Vec3& couple, const Vec3& way) const { return dot(couple, tangent_by(way)); }

 private:
  Vec3 tangent_by(const Vec3& way) const { return inverse_length_ * (way - dot(axis_[0], way) * axis_[0]); }

  double share_ = 0.0;
  int turns_ = 0;
  Vec3 axis_[3];  ///< of its turns
  double inverse_length_ = 0.0;
  Vec3 edge_rate_;
  Vec3 rate_;
  Vec3 velocity_;
};

/// The slip of a pair whose ends have moved, and whose elements have turned, in a step: the velocity of the
/// first surface relative to the second in the point of the gap that divides it as the radii. Eq. 20 reads
/// the contact parameters off the normal forces to have their derivatives; here the distance has them.
class Slip {
 public:
  /// `velocity` of the four ends, m/s.
  Slip(const PairDistance& distance, const Vec3 (&velocity)[pair_nodes], const Turning (&turning)[2])
      : distance_(distance) {
    for (int k = 0; k < pair_nodes; ++k) {
      velocity_[k] = velocity[k];
      relative_ = relative_ - distance.weight(k) * velocity[k];
    }
    for (int side = 0; side < 2; ++side) {
      turning_[side] = turning[side];
      turn_ = turn_ + turning[side].share() * turning[side].velocity();
    }
    relative_ = relative_ + cross(turn_, distance.gap());
    normal_ = dot(relative_, distance.normal());
    slip_ = relative_ - normal_ * distance.normal();
  }

  const Vec3& value() const { return slip_; }  ///< m/s
  const Turning& turning(int side) const { return turning_[side]; }

  /// The couple of a force on the second element's surface on either element, N m.
  Vec3 couple(int side, const Vec3& force) const {
    return turning_[side].share() * cross(force, distance_.gap());
  }

  /// Derivative by component c of an end, whose velocity is its move over `step` seconds.
  Vec3 by(int node, int c, double step) const {
    const Vec3& n = distance_.normal();
    const Vec3 turn = distance_.normal_by(node, c);
    Vec3 change = (-distance_.weight(node) / step) * PairDistance::axis(c);
    for (int k = 0; k < pair_nodes; ++k)
      change = change - PairDistance::component(distance_.weight_by(k, node), c) * velocity_[k];
    const Turning& own = turning_[node / 2];
    if (own.has_edge()) {
      const double sign = node % 2 == 0 ? -own.share() : own.share();
      change = change + sign * cross(own.velocity_by(PairDistance::axis(c), step), distance_.gap());
    }
    change = change + cross(turn_, distance_.gap_by(node, c));
    return change - (dot(change, n) + dot(relative_, turn)) * n - normal_ * turn;
  }

  /// Derivative by a turn of an element, whose rate is that over `step` seconds.
  Vec3 by_turn(int side, int turn, double step) const {
    return (turning_[side].share() / step) * cross(turning_[side].axis(turn), distance_.gap());
  }

 private:
  const PairDistance& distance_;
  Vec3 velocity_[pair_nodes];
  Turning turning_[2];
  Vec3 turn_;      ///< sum of the angular velocities times the shares of the gap, 1/s
  Vec3 relative_;  ///< velocity of the first surface relative to the second
  Vec3 slip_;
  double normal_;  ///< its part along the normal
};

/// Loads on a pair due to a force on the second element and its opposite on the first.
struct PairLoad {
  Vec3 on_end[pair_nodes];                         ///< N
  double on_turn[2][PairMatrix::most_turns] = {};  ///< N m

  /// Loads of a force that acts on the axes.
  PairLoad(const PairDistance& distance, const Vec3& force) {
    for (int k = 0; k < pair_nodes; ++k) on_end[k] = distance.weight(k) * force;
  }

  /// Adds the couples of a force that acts on the surfaces.
  void add_couples(const Slip& slip, const Vec3& force) {
    for (int side = 0; side < 2; ++side) add_couple(side, slip.turning(side), slip.couple(side, force));
  }
  void add_couple(int side, const Turning& turning, const Vec3& couple) {
    if (turning.has_edge()) add_edge_force(side, turning.edge_force(couple));
    for (int j = 0; j < turning.turns(); ++j) on_turn[side][j] += dot(couple, turning.axis(j));
  }
  void add_edge_force(int side, const Vec3& force) {
    on_end[2 * side] = on_end[2 * side] - force;
    on_end[2 * side + 1] = on_end[2 * side + 1] + force;
  }
};

/// A matrix like PairMatrix, of rank one: a column times a row.
struct PairProduct {
  double column[PairMatrix::most] = {};
  double row[PairMatrix::most] = {};
};

/// Adds scale times the derivative of PairLoad of the force f(slip) N on the second element, with N, its
/// derivative `normal_force_slope` by the distance (N/m), and the step of which the velocities are (s). What
/// follows from the change of N, which alone makes it markedly unsymmetric, is returned too.
inline PairProduct add_friction_gradient(const Friction& friction, const PairDistance& distance,
                                         const Slip& slip, const FrictionTangent& tangent,
                                         double normal_force, double normal_force_slope, double step,
                                         double scale, PairMatrix& matrix) {
  const Vec3 by_normal_force = friction.force(slip.value());
  const Vec3 force = normal_force * by_normal_force;
  const auto change_by = [&](const Vec3& by) {
    return (normal_force * friction.coefficient) * tangent.change(by);
  };
  const auto add = [&](int column, const PairLoad& change) {
    for (int k = 0; k < pair_nodes; ++k) {
      matrix[3 * k][column] += scale * change.on_end[k].x;
      matrix[3 * k + 1][column] += scale * change.on_end[k].y;
      matrix[3 * k + 2][column] += scale * change.on_end[k].z;
    }
    for (int side = 0; side < 2; ++side) {
      for (int j = 0; j < matrix.turns(); ++j)
        matrix[pair_size + side * matrix.turns() + j][column] += scale * change.on_turn[side][j];
    }
  };
  for (int l = 0; l < pair_nodes; ++l) {
    const int own = l / 2;
    for (int c = 0; c < 3; ++c) {
      const Vec3 force_change = change_by(slip.by(l, c, step));
      PairLoad change(distance, force_change);
      for (int k = 0; k < pair_nodes; ++k) {
        const double moved = normal_force * PairDistance::component(distance.weight_by(k, l), c);
        change.on_end[k] = moved * by_normal_force + change.on_end[k];
      }
      change.add_couples(slip, force_change);
      for (int side = 0; side < 2; ++side) {
        const Turning& turning = slip.turning(side);
        if (turning.turns() == 0) continue;
        change.add_couple(side, turning, turning.share() * cross(force, distance.gap_by(l, c)));
        if (side != own || !turning.has_edge()) continue;
        const Vec3 way = (l % 2 == 0 ? -1.0 : 1.0) * PairDistance::axis(c);
        const Vec3 couple = slip.couple(side, force);
        change.add_edge_force(side, turning.edge_force_by(couple, way));
        change.on_turn[side][0] += turning.along_by(couple, way);
      }
      add(3 * l + c, change);
    }
  }
  for (int side = 0; side < 2; ++side) {
    for (int j = 0; j < matrix.turns(); ++j) {
      const Vec3 force_change = change_by(slip.by_turn(side, j, step));
      PairLoad change(distance, force_change);
      change.add_couples(slip, force_change);
      add(pair_size + side * matrix.turns() + j, change);
    }
  }
  PairLoad by_load(distance, by_normal_force);
  by_load.add_couples(slip, by_normal_force);
  PairProduct product;
  for (int k = 0; k < pair_nodes; ++k) {
    const Vec3 slope = normal_force_slope * distance.gradient(k);
    for (int c = 0; c < 3; ++c) {
      product.column[3 * k + c] = scale * PairDistance::component(by_load.on_end[k], c);
      product.row[3 * k + c] = PairDistance::component(slope, c);
    }
  }
  for (int side = 0; side < 2; ++side) {
    for (int j = 0; j < matrix.turns(); ++j)
      product.column[pair_size + side * matrix.turns() + j] = scale * by_load.on_turn[side][j];
  }
  for (int i = 0; i < matrix.size(); ++i) {
    for (int j = 0; j < pair_size; ++j) matrix[i][j] += product.column[i] * product.row[j];
  }
  return product;
}

}  // namespace rodeo::contact
