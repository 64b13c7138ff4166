#pragma once

#include "rodeo/math/matrix3.hpp"

namespace rodeo::tangent {

// Loads without energy. They add the opposite of the load to the gradient, and terms that make the Hessian
// unsymmetric, for a band LU (BandedMatrix), and the signs of its pivots tell nothing.

/// A force R F on a node, F fixed in the body of an element (N).
template <class Real>
struct FollowerForceTerms {
  BasicVec3<Real> gradient;      ///< by the node, -R F
  BasicMatrix3<Real> node_turn;  ///< rows of the node, columns of the element's turn: R [F]
};
template <class Real>
KOKKOS_INLINE_FUNCTION FollowerForceTerms<Real> follower_force(const BasicQuaternion<Real>& orientation,
                                                               const BasicVec3<Real>& force) {
  const BasicDirectors<Real> frame = directors(orientation);
  return {Real(-1.0) * frame.to_laboratory(force), to_laboratory_matrix(frame) * cross_matrix(force)};
}

/// A couple C on an element, fixed in the laboratory (N m).
template <class Real>
struct FixedCoupleTerms {
  BasicVec3<Real> gradient;      ///< by the element's turn, -R' C
  BasicMatrix3<Real> turn_turn;  ///< -[R' C]/2
};
/// The derivative of -R' C is -[R' C]. But only half of it is added to the Hessians of energies: these are
/// symmetric, and leave out [g]/2 of the derivative of the couple g that they exert on the element. In
/// equilibrium g is R' C, and the sum is the derivative of all couples.
template <class Real>
KOKKOS_INLINE_FUNCTION FixedCoupleTerms<Real> fixed_couple(const BasicQuaternion<Real>& orientation,
                                                           const BasicVec3<Real>& couple) {
  const BasicVec3<Real> body = directors(orientation).to_body(couple);
  return {Real(-1.0) * body, cross_matrix(Real(-0.5) * body)};
}

}  // namespace rodeo::tangent
