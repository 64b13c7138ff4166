#pragma once

#include "rodeo/law/shear_stretch.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/math/rotation.hpp"

namespace rodeo::tangent {

/// First derivatives of an element's energy: by its edge, the vector from its first to its last node
/// (laboratory, N), which are the forces that hold the last node and, with the other sign, the first; and by
/// a turn of its frame, R <- R exp(phi) (body, N m).
template <class Real>
struct ElementGradient {
  BasicVec3<Real> edge;
  BasicVec3<Real> turn;
};

/// Second derivatives of the same: rows of edge_turn are the edge's.
template <class Real>
struct ElementHessian {
  BasicMatrix3<Real> edge_edge;  ///< symmetric, N/m
  BasicMatrix3<Real> edge_turn;  ///< N
  BasicMatrix3<Real> turn_turn;  ///< symmetric, N m
};

/// Shear and stretch of an element at a state, with rigid sections: b = R'(x+ - x), p = K (b - l n e3), K =
/// S/l, energy (b - l n e3)' K (b - l n e3)/2; l is the rest length, n the natural stretch. Equal to the
/// forces of explicit steps (2.9, 3.3, 3.8 and 3.9 of Gazzola et al. 2018 with e = 1 in the section).
template <class Real>
struct ShearStretch {
  using Vector = BasicVec3<Real>;

  BasicDirectors<Real> frame;
  Vector body_edge;            ///< b, m
  law::Elastic<Real> elastic;  ///< b - l n e3 and K
  Vector stress;               ///< p, body, N

  /// State at the edge x+ - x and a unit quaternion.
  KOKKOS_FORCEINLINE_FUNCTION static ShearStretch at(const law::ShearStretch<Real>& law,
                                                     const BasicQuaternion<Real>& orientation,
                                                     const Vector& edge) {
    const BasicDirectors<Real> frame = directors(orientation);
    const Vector body_edge = frame.to_body(edge);
    const law::Elastic<Real> elastic = law.at(body_edge);
    return {frame, body_edge, elastic, elastic.stress()};
  }
  /// State of element i.
  static ShearStretch of(const ConstRodView& rod, int i) {
    return at(law::ShearStretch<Real>::of(rod, i), rod.quaternion(i),
              rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
  }

  KOKKOS_FORCEINLINE_FUNCTION Real energy() const { return elastic.energy(); }

  /// R p and p x b.
  KOKKOS_FORCEINLINE_FUNCTION ElementGradient<Real> gradient() const {
    return {frame.to_laboratory(stress), cross(stress, body_edge)};
  }

  /// R K R', R (K [b] - [p]) and [b]' K [b] + (p b' + b p')/2 - (p . b) I: along exponentials, where d^2 R =
  /// R [phi]^2. In the geometric terms, those of p, stands the stress that is given. With the true one these
  /// are the second derivatives. With the one that the last iteration predicted Newton's iterations converge
  /// from farther, at the same rate: a turn stretches an element in second order, which says nothing of its
  /// stress (mixed-stress iterations: Magisano, Leonetti and Garcea 2017, Comput. Methods Appl. Mech. Eng.
  /// 313, 986).
  KOKKOS_FORCEINLINE_FUNCTION ElementHessian<Real> hessian(const Vector& p) const {
    const Vector& b = body_edge;
    const Vector& d = frame.d3;
    const auto [k1, k2, k3] = elastic.stiffness;
    const Vector further = (k3 - k1) * d;
    ElementHessian<Real> h;
    // K1 I + (K3 - K1) d3 d3' + (K2 - K1) d2 d2'; what K2 - K1 adds is exactly zero where they are equal
    h.edge_edge = outer(further, d) + outer((k2 - k1) * frame.d2, frame.d2);
    h.edge_edge.row1.x += k1;
    h.edge_edge.row2.y += k1;
    h.edge_edge.row3.z += k1;
    // Rows of K [b] - [p].
    const Real zero(0.0);
    h.edge_turn = to_laboratory_matrix(frame) * BasicMatrix3<Real>{{zero, p.z - k1 * b.z, k1 * b.y - p.y},
                                                                   {k2 * b.z - p.z, zero, p.x - k2 * b.x},
                                                                   {p.y - k3 * b.y, k3 * b.x - p.x, zero}};
    // Entries of [b]' K [b].
    const Real xy = Real(0.5) * (p.x * b.y + p.y * b.x) - k3 * b.x * b.y;
    const Real xz = Real(0.5) * (p.x * b.z + p.z * b.x) - k2 * b.x * b.z;
    const Real yz = Real(0.5) * (p.y * b.z + p.z * b.y) - k1 * b.y * b.z;
    const Real px = p.x * b.x;
    const Real py = p.y * b.y;
    const Real pz = p.z * b.z;
    h.turn_turn = {{k2 * b.z * b.z + k3 * b.y * b.y - (py + pz), xy, xz},
                   {xy, k1 * b.z * b.z + k3 * b.x * b.x - (px + pz), yz},
                   {xz, yz, k1 * (b.x * b.x + b.y * b.y) + (k2 - k1) * b.x * b.x - (px + py)}};
    return h;
  }
  KOKKOS_FORCEINLINE_FUNCTION ElementHessian<Real> hessian() const { return hessian(stress); }

  /// Terms of p in the Hessian, which do not depend on K: 0, -R [p] and (p b' + b p')/2 - (p . b) I.
  KOKKOS_FORCEINLINE_FUNCTION ElementHessian<Real> geometric(const Vector& p) const {
    BasicMatrix3<Real> turn_turn = symmetric_part(outer(p, body_edge));
    const Real along = dot(p, body_edge);
    turn_turn.row1.x -= along;
    turn_turn.row2.y -= along;
    turn_turn.row3.z -= along;
    return {{}, to_laboratory_matrix(frame) * cross_matrix(Real(-1.0) * p), turn_turn};
  }

  /// The linear prediction of p after a step: p + K db, db = R' d(edge) + b x phi.
  KOKKOS_FORCEINLINE_FUNCTION Vector predicted(const Vector& edge_step, const Vector& turn) const {
    const Vector change = frame.to_body(edge_step) + cross(body_edge, turn);
    return stress + scaled(elastic.stiffness, change);
  }
};

}  // namespace rodeo::tangent
