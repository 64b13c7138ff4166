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

/// The turned frame itself.
inline Quaternion turned_frame(const Quaternion& start, const TurnedEdge& edge) {
  const double* const a = edge.transport;
  const Quaternion q =
      start * Quaternion{a[0], a[1], a[2], 0.0} * Quaternion{edge.half_turn[0], 0.0, 0.0, edge.half_turn[1]};
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
/// derivatives. The strains of a discrete elastic rod (eqs 2-4) are functions of it alone and of degree 0:
/// r is the rotation by tau about the tangent after that by the turning angle.
struct RelativeFrame {
  double value[4];                 ///< w, x, y, z
  double jacobian[hinge_size][4];  ///< of value by the hinge's degrees of freedom
  double mixed[3][3][4];           ///< of value by a of the edge before and a of the edge after
};

namespace detail {

/// conj(left) * right without their norms, as an array.
inline void multiply(const Quaternion& left, const Quaternion& right, double (&product)[4]) {
  const Quaternion q = conjugate(left) * right;
  product[0] = q.w;
  product[1] = q.x;
  product[2] = q.y;
  product[3] = q.z;
}

/// Turns r by the edges' angles: (w + i z) by (theta_after - theta_before)/2 and (x + i y) by
/// -(theta_after + theta_before)/2.
struct HalfTurns {
  double cosine[2];
  double sine[2];

  void apply(double (&r)[4]) const {
    const double w = cosine[0] * r[0] - sine[0] * r[3];
    const double z = sine[0] * r[0] + cosine[0] * r[3];
    const double x = cosine[1] * r[1] - sine[1] * r[2];
    const double y = sine[1] * r[1] + cosine[1] * r[2];
    r[0] = w;
    r[1] = x;
    r[2] = y;
    r[3] = z;
  }
};

/// Derivative of r by theta_before (sign -1) or theta_after (sign 1), which only turn it.
inline void turn_derivative(const double (&r)[4], double sign, double (&derivative)[4]) {
  derivative[0] = -0.5 * sign * r[3];
  derivative[1] = 0.5 * r[2];
  derivative[2] = -0.5 * r[1];
  derivative[3] = 0.5 * sign * r[0];
}

}  // namespace detail

/// `rest` is conj(q_before) q_after of the frames at the start of the step.
inline RelativeFrame relative_frame(const Quaternion& rest, const TurnedEdge& before,
                                    const TurnedEdge& after) {
  RelativeFrame r{};
  const double cc = after.half_turn[0] * before.half_turn[0];
  const double ss = after.half_turn[1] * before.half_turn[1];
  const double sc = after.half_turn[1] * before.half_turn[0];
  const double cs = after.half_turn[0] * before.half_turn[1];
  const detail::HalfTurns turns = {{cc + ss, cc - ss}, {sc - cs, -sc - cs}};
  constexpr Quaternion basis[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  double by_before[3][4] = {};
  double by_after[3][4] = {};
  for (int l = 0; l < 3; ++l) {
    const Quaternion right = rest * basis[l];
    for (int k = 0; k < 3; ++k) {
      detail::multiply(basis[k], right, r.mixed[k][l]);
      turns.apply(r.mixed[k][l]);
      for (int m = 0; m < 4; ++m) {
        by_before[k][m] += after.transport[l] * r.mixed[k][l][m];
        by_after[l][m] += before.transport[k] * r.mixed[k][l][m];
      }
    }
  }
  for (int m = 0; m < 4; ++m) {
    for (int k = 0; k < 3; ++k) {
      r.value[m] += before.transport[k] * by_before[k][m];
      const Vec3& b = before.gradient[k];
      const Vec3& a = after.gradient[k];
      r.jacobian[0][m] += by_before[k][m] * b.x;
      r.jacobian[1][m] += by_before[k][m] * b.y;
      r.jacobian[2][m] += by_before[k][m] * b.z;
      r.jacobian[3][m] += by_after[k][m] * a.x;
      r.jacobian[4][m] += by_after[k][m] * a.y;
      r.jacobian[5][m] += by_after[k][m] * a.z;
    }
  }
  detail::turn_derivative(r.value, -1.0, r.jacobian[6]);
  detail::turn_derivative(r.value, 1.0, r.jacobian[7]);
  return r;
}

}  // namespace rodeo::der
