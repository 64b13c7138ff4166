#pragma once

#include "rodeo/math/rotation.hpp"

namespace rodeo::der {

/// A material frame that follows its edge through a time step. From the frame at the start of the step it is
/// carried to the present tangent t by the smallest rotation (time-parallel transport), and then turned by
/// theta about t. With d_j the directors at the start and e = |e| t the edge, that rotation is, up to its
/// norm, the quaternion
///   a_0 + a_1 i + a_2 j (body components),  a = (|e| + d_3.e, -d_2.e, d_1.e),
/// which is linear in e but for |e|: no reference frame, no holonomy and no normalisation enter the
/// derivatives of what depends on it only up to scale.
struct TurnedEdge {
  Vec3 tangent;
  double inverse_length = 0.0;            ///< 1/m
  double transport[3] = {1.0, 0.0, 0.0};  ///< a; as it stands here: no rotation
  Vec3 gradient[3] = {};                  ///< of a by the edge; as it stands here: the frame is held
  double half_turn[2] = {1.0, 0.0};       ///< cosine and sine of theta/2
};

inline TurnedEdge turned_edge(const Quaternion& start, const Vec3& edge, double twist) {
  const Directors d = directors(start);
  TurnedEdge turned;
  const double length = norm(edge);
  turned.inverse_length = 1.0 / length;
  turned.tangent = turned.inverse_length * edge;
  turned.transport[0] = length + dot(d.d3, edge);
  turned.transport[1] = -dot(d.d2, edge);
  turned.transport[2] = dot(d.d1, edge);
  turned.gradient[0] = turned.tangent + d.d3;
  turned.gradient[1] = -1.0 * d.d2;
  turned.gradient[2] = d.d1;
  turned.half_turn[0] = std::cos(0.5 * twist);
  turned.half_turn[1] = std::sin(0.5 * twist);
  return turned;
}

/// Turn by theta about the tangent.
inline Quaternion turn_of(const TurnedEdge& edge) { return {edge.half_turn[0], 0.0, 0.0, edge.half_turn[1]}; }

/// The turned frame itself.
inline Quaternion turned_frame(const Quaternion& start, const TurnedEdge& edge) {
  const double* const a = edge.transport;
  const Quaternion q = start * Quaternion{a[0], a[1], a[2], 0.0} * turn_of(edge);
  const double scale = 1.0 / std::sqrt(squared_norm(q));
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

/// Degrees of freedom of the hinge between two edges: edge before (0-2), edge after (3-5), their angles theta
/// (6, 7).
inline constexpr int hinge_size = 8;

/// Value, gradient and Hessian of an energy of a hinge by the relative frame's components (w, x, y, z).
struct FrameDerivatives {
  double gradient[4] = {};
  double hessian[4][4] = {};
};

/// The relative frame r = conj(q_before) q_after of the two edges of a hinge, up to scale, and its
/// derivatives by what the edges' frames are made of: a before (0-2), a after (3-5), the angles (6, 7). The
/// strains of a discrete elastic rod (eqs 2-4) are functions of r alone and of degree 0: r is the rotation by
/// tau about the tangent after that by the turning angle.
struct RelativeFrame {
  double value[4];           ///< w, x, y, z
  double by[4][hinge_size];  ///< derivatives of each component; along one, so that loops vectorise
  Quaternion rest;           ///< conj(q_before) q_after of the frames at the start of the step

  /// Sets the derivatives by one part.
  void set_by(int part, const Quaternion& q) {
    by[0][part] = q.w;
    by[1][part] = q.x;
    by[2][part] = q.y;
    by[3][part] = q.z;
  }
};

/// q i and q j.
inline Quaternion times_i(const Quaternion& q) { return {-q.x, q.w, q.z, -q.y}; }
inline Quaternion times_j(const Quaternion& q) { return {-q.y, -q.z, q.w, q.x}; }

/// `rest` is conj(q_before) q_after of the frames at the start of the step.
inline RelativeFrame relative_frame(const Quaternion& rest, const TurnedEdge& before,
                                    const TurnedEdge& after) {
  RelativeFrame r;
  r.rest = rest;
  const Quaternion turn_before = turn_of(before);
  const Quaternion turn_after = turn_of(after);
  const double* const a = before.transport;
  const double* const b = after.transport;
  // r = conj(a turn_before) rest b turn_after is linear in a and in b.
  const Quaternion from_after = conjugate(rest * Quaternion{b[0], b[1], b[2], 0.0} * turn_after);
  const Quaternion from_before = conjugate(Quaternion{a[0], a[1], a[2], 0.0} * turn_before) * rest;
  r.set_by(0, conjugate(from_after * turn_before));
  r.set_by(1, conjugate(times_i(from_after) * turn_before));
  r.set_by(2, conjugate(times_j(from_after) * turn_before));
  r.set_by(3, from_before * turn_after);
  r.set_by(4, times_i(from_before) * turn_after);
  r.set_by(5, times_j(from_before) * turn_after);
  for (int m = 0; m < 4; ++m) r.value[m] = b[0] * r.by[m][3] + b[1] * r.by[m][4] + b[2] * r.by[m][5];
  // The angles only turn r.
  const double* const v = r.value;
  r.set_by(6, {0.5 * v[3], 0.5 * v[2], -0.5 * v[1], -0.5 * v[0]});
  r.set_by(7, {-0.5 * v[3], 0.5 * v[2], -0.5 * v[1], 0.5 * v[0]});
  return r;
}

}  // namespace rodeo::der
