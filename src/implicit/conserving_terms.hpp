#pragma once

#include "rodeo/math/matrix3.hpp"
#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

namespace rodeo::implicit {

// Loads in a step from state 0 to state 1 such that the work of the elastic ones is the change of elastic
// energy, and their forces and couples have no resultant moment. A frame turns by its Cayley vector eta:
// R1 = R0 cay(eta), eta = 2 tan(phi/2) n for a turn by phi about n, so that R1 - R0 = (R0 + R1)/2 [eta]. It
// is the same in the frames at the start, in the middle and at the end. Couples are in the laboratory frame;
// derivatives are by x1 and by a turn of R1 <- R1 exp(phi).

/// Cayley vector of the turn from one frame to another, unit quaternions less than half a turn apart.
inline Vec3 cayley_vector(const Quaternion& from, const Quaternion& to) {
  const Quaternion q = conjugate(from) * to;
  const double scale = 2.0 / q.w;
  return {scale * q.x, scale * q.y, scale * q.z};
}

/// The derivative of eta by phi, I + [eta]/2 + eta eta'/4.
inline Matrix3 cayley_derivative(const Vec3& eta) {
  Matrix3 d = cross_matrix(0.5 * eta) + outer(0.25 * eta, eta);
  d.row1.x += 1.0;
  d.row2.y += 1.0;
  d.row3.z += 1.0;
  return d;
}

/// The frame half-way between two.
inline Quaternion middle_frame(const Quaternion& a, const Quaternion& b) {
  const double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0 ? -1.0 : 1.0;
  const Quaternion sum = {a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z};
  const double scale = 1.0 / std::sqrt(squared_norm(sum));
  return {scale * sum.w, scale * sum.x, scale * sum.y, scale * sum.z};
}

/// Shear and stretch of an element with mean stress p = (p0 + p1)/2 and mean edge e: the force
/// f = (R0 + R1)/2 p on the last node and the couple f x e, whose work f . (e1 - e0) + (f x e) . eta equals
/// that of p on b1 - b0 (Simo and Tarnow 1992, whose stress is averaged).
struct ConservingElement {
  Vec3 force;   ///< force that holds the last node
  Vec3 couple;  ///< couple that holds the frame
  Matrix3 force_edge;
  Matrix3 force_turn;
  Matrix3 couple_edge;
  Matrix3 couple_turn;
  Vec3 mean_stress;

  /// `mean_edge` is e. Derivatives by turns use the given stress, as in ShearStretch::hessian.
  ConservingElement(const Directors& start_frame, const Vec3& start_stress,
                    const tangent::ShearStretch<double>& end, const Vec3& mean_edge, const Vec3& stress)
      : mean_stress(0.5 * (start_stress + end.stress)) {
    const Matrix3 last = to_laboratory_matrix(end.frame);
    const Matrix3 mean = 0.5 * (to_laboratory_matrix(start_frame) + last);
    force = mean * mean_stress;
    couple = cross(force, mean_edge);
    const auto stiffen = [&](const Vec3& row) { return scaled(0.5 * end.elastic.stiffness, row); };
    const Matrix3 stiff = {stiffen(mean.row1), stiffen(mean.row2), stiffen(mean.row3)};
    force_edge = stiff * transpose(last);
    force_turn = stiff * cross_matrix(end.body_edge) - 0.5 * (last * cross_matrix(stress));
    const Matrix3 arm = cross_matrix(mean_edge);
    couple_edge = 0.5 * cross_matrix(mean * stress) - arm * force_edge;
    couple_turn = Matrix3{} - arm * force_turn;
  }

  /// The linear prediction of the mean stress after a step from the end.
  static Vec3 predicted(const tangent::ShearStretch<double>& end, const Vec3& start_stress,
                        const Vec3& edge_step, const Vec3& turn) {
    return 0.5 * (start_stress + end.predicted(edge_step, turn));
  }
};

/// A couple g on a frame (body) as it acts in a step in which the frame turns by eta from R0: the spatial
/// couple whose work on R0 d eta is that of g on the turn by which R1 changes, R0 (I + [eta]/2) g/(1 +
/// eta^2/4).
struct CoupleInStep {
  Vec3 couple;
  Matrix3 by_couple;
  Matrix3 by_turn;

  CoupleInStep(const Directors& start_frame, const Vec3& eta, const Vec3& g) {
    const double scale = 1.0 / (1.0 + 0.25 * dot(eta, eta));
    const Vec3 turned = g + 0.5 * cross(eta, g);
    const Matrix3 start = to_laboratory_matrix(start_frame);
    couple = scale * (start * turned);
    Matrix3 turn = cross_matrix(0.5 * eta);
    turn.row1.x += 1.0;
    turn.row2.y += 1.0;
    turn.row3.z += 1.0;
    by_couple = scale * (start * turn);
    const Matrix3 by_eta = cross_matrix((-0.5 * scale) * g) - outer((0.5 * scale * scale) * turned, eta);
    by_turn = start * (by_eta * cayley_derivative(eta));
  }
};

/// A frame in a step.
struct FrameInStep {
  Directors start;
  Vec3 eta;

  FrameInStep(const Quaternion& from, const Quaternion& to)
      : start(directors(from)), eta(cayley_vector(from, to)) {}
};

/// Bend and twist of a region: the couple c that holds the frame after it, and its opposite the one before
/// it. It is c0, by the mean couples on the frames at the start and at the end, plus along the relative turn
/// d the remaining change of energy (Gonzalez 1996, J. Nonlinear Sci. 6, 449): c = c0 + ((m . (theta1
/// - theta0) - c0 . d)/d^2) d, m the mean couple of the law. The second part is of second order in the step,
/// and left out of the derivatives.
struct ConservingRegion {
  Vec3 couple;
  Matrix3 by_before;
  Matrix3 by_after;

  ConservingRegion(const tangent::BendTwist<double>& start, const tangent::BendTwist<double>& end,
                   const FrameInStep& before, const FrameInStep& after) {
    const tangent::RegionGradient<double> first = start.gradient();
    const tangent::RegionGradient<double> last = end.gradient();
    const CoupleInStep on_before(before.start, before.eta, 0.5 * (first.before + last.before));
    const CoupleInStep on_after(after.start, after.eta, 0.5 * (first.after + last.after));
    couple = 0.5 * (on_after.couple - on_before.couple);
    // The derivative of g by its own turn is H + [g]/2, of which H is the symmetric part.
    const tangent::RegionHessian<double> h = end.hessian();
    const Matrix3 after_after = h.after_after + cross_matrix(0.5 * last.after);
    const Matrix3 before_before = h.before_before + cross_matrix(0.5 * last.before);
    by_after = 0.25 * (on_after.by_couple * after_after - on_before.by_couple * transpose(h.after_before)) +
               0.5 * on_after.by_turn;
    by_before = 0.25 * (on_after.by_couple * h.after_before - on_before.by_couple * before_before) -
                0.5 * on_before.by_turn;
    const Vec3 d = after.start.to_laboratory(after.eta) - before.start.to_laboratory(before.eta);
    constexpr double least = 1e-10;  // of d^2: below, what is left is less than rounding
    const double square = dot(d, d);
    if (square < least) return;
    const double work = 0.5 * dot(start.couple + end.couple, end.turn - start.turn);
    couple = couple + ((work - dot(couple, d)) / square) * d;
  }
};

/// The inertia of an element with moments of inertia J: its angular momentum R J W changes by a couple, and
/// W1 = 2 eta/h - W0. Then eta . (R1 J W1 - R0 J W0) = h (W1 . J W1 - W0 . J W0)/2, whatever J is (Simo and
/// Wong 1991).
struct ConservingSpin {
  Vec3 rate;      ///< W1, body
  Vec3 momentum;  ///< R1 J W1, laboratory
  Matrix3 by_turn;

  ConservingSpin(const Directors& end_frame, const Vec3& start_rate, const Vec3& eta, const Vec3& inertia,
                 double step) {
    rate = (2.0 / step) * eta - start_rate;
    const Vec3 body = scaled(inertia, rate);
    momentum = end_frame.to_laboratory(body);
    const Matrix3 d = cayley_derivative(eta);
    const Vec3 scale = {2.0 * inertia.x / step, 2.0 * inertia.y / step, 2.0 * inertia.z / step};
    const Matrix3 grows = {scale.x * d.row1, scale.y * d.row2, scale.z * d.row3};
    by_turn = to_laboratory_matrix(end_frame) * (grows - cross_matrix(body));
  }
};

}  // namespace rodeo::implicit
