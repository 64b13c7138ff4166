#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/math/pack.hpp"
#include "rodeo/math/rotation.hpp"

namespace rodeo::tangent {

/// The number c of the derivative of the log of a rotation by theta, (1 - (theta/2) cot(theta/2))/theta^2,
/// and its derivative c'/theta by half the square of theta. The partial fractions of the cotangent make it
/// the sum over k of 2/((2 pi k)^2 - theta^2): the first of them is singular at a whole turn, and of the
/// others a series in theta^2 converges up to two turns. Here theta is at most pi, for which 14 terms are
/// exact to rounding; there is no difference of nearly equal numbers, however small theta is.
template <class Real>
struct LogCoefficient {
  Real value;
  Real slope;

  KOKKOS_FORCEINLINE_FUNCTION explicit LogCoefficient(const Real& squared_angle) {
    // 2 (zeta(2 j + 2) - 1)/(2 pi)^(2 j + 2) for j = 0 ... 13
    constexpr double series[] = {0.032672741512164448,   0.000105641107053347,   5.6373702828768453e-07,
                                 3.3571419266574512e-09, 2.0742872904166045e-11, 1.3000482138698975e-13,
                                 8.1960520556910082e-16, 5.180118196169724e-18,  3.2775391747017921e-20,
                                 2.0747401878593604e-22, 1.3136241807166534e-24, 8.318003195189264e-27,
                                 5.2672629968342311e-29, 3.3354842988221443e-31};
    constexpr double squared_turn = 39.478417604357434475337963999505;  // (2 pi)^2
    constexpr int terms = sizeof(series) / sizeof(series[0]);
    Real rest(series[terms - 1]);
    Real rest_slope(0.0);
#pragma GCC unroll 16
    for (int j = terms - 2; j >= 0; --j) {
      rest_slope = rest_slope * squared_angle + rest;
      rest = rest * squared_angle + Real(series[j]);
    }
    const Real inverse = Real(1.0) / (Real(squared_turn) - squared_angle);
    value = Real(2.0) * inverse + rest;
    slope = Real(2.0) * (Real(2.0) * inverse * inverse + rest_slope);
  }
};

/// First derivatives of a region's energy by turns of the frames before and after it, R <- R exp(phi):
/// couples that hold them (body, N m).
template <class Real>
struct RegionGradient {
  BasicVec3<Real> before;
  BasicVec3<Real> after;
};

/// Second derivatives of the same, N m: rows of after_before are those of the frame after.
template <class Real>
struct RegionHessian {
  BasicMatrix3<Real> before_before;  ///< symmetric
  BasicMatrix3<Real> after_before;
  BasicMatrix3<Real> after_after;  ///< symmetric
};

/// Bend and twist of a Voronoi region between the frames Ra and Rc at a state, with rigid sections: theta =
/// log(Ra' Rc), m = B (theta/D - k0), energy D (theta/D - k0)' B (theta/D - k0)/2; D is the rest length, k0
/// the natural curvature. The half region at a clamp (boundary::Clamp) is one too, of which one frame is
/// held: of it only the derivatives by the other frame count. Couples are those of region_load: the gradient
/// by `before` is
/// -(transport + couple), that by `after` couple - transport.
///
/// The angle |theta| is at most pi: a region that turns on passes to the other side, as in explicit steps,
/// and the energy has a kink there.
template <class Real>
struct BendTwist {
  using Vector = BasicVec3<Real>;
  using Matrix = BasicMatrix3<Real>;

  Vector turn;                 ///< theta, rad
  law::Elastic<Real> elastic;  ///< theta/D - k0 and B
  Vector couple;               ///< m, N m
  Real inverse_length;         ///< 1/D, 1/m
  Vector rate;                 ///< B/D, N m
  Real c;
  Real c_slope;  ///< (dc/d|theta|)/|theta|

  /// State at unit quaternions of the frames.
  KOKKOS_FORCEINLINE_FUNCTION static BendTwist at(const law::BendTwist<Real>& law,
                                                  const BasicQuaternion<Real>& before,
                                                  const BasicQuaternion<Real>& after) {
    const BasicQuaternion<Real> q = conjugate(before) * after;
    const Real zero(0.0);
    const Real cosine = magnitude(q.w);
    const TurnRatio<Real> fraction(cosine);
    const Real ratio = select(q.w < zero, -fraction.numerator, fraction.numerator) / fraction.denominator;
    const Vector turn = {ratio * q.x, ratio * q.y, ratio * q.z};
    const law::Elastic<Real> elastic = law.at(turn);
    const LogCoefficient<Real> coefficient(dot(turn, turn));
    return {turn,
            elastic,
            elastic.stress(),
            law.inverse_rest_voronoi,
            law.inverse_rest_voronoi * law.stiffness,
            coefficient.value,
            coefficient.slope};
  }
  /// State of region i.
  static BendTwist of(const ConstRodView& rod, int i) {
    return at(law::BendTwist<Real>::of(rod, i), rod.quaternion(i), rod.quaternion(i + 1));
  }

  KOKKOS_FORCEINLINE_FUNCTION Real energy() const { return elastic.energy() / inverse_length; }

  /// g_a = -Jr^-1 m and g_c = Jl^-1 m, with Jr^-1 = I + [theta]/2 + c [theta]^2 and Jl^-1 its transpose: d
  /// theta = Jr^-1 phi_c - Jl^-1 phi_a.
  KOKKOS_FORCEINLINE_FUNCTION RegionGradient<Real> gradient() const {
    const Vector across = cross(turn, couple);
    const Vector half = Real(0.5) * across;
    const Vector middle = couple + c * cross(turn, across);
    return {Real(-1.0) * (middle + half), middle - half};
  }

  /// H_cc = sym((Jl^-1 B/D + M_l) Jr^-1), H_ca = -(Jl^-1 B/D + M_l) Jl^-1, H_aa = sym((Jr^-1 B/D + M_r)
  /// Jl^-1), M =
  /// +-[m]/2 + (c'/|theta|) (theta x (theta x m)) theta' - c ([theta x m] + [theta][m]). The symmetric parts
  /// are the second derivatives along exponentials; what is left out is half a cross-product matrix of the
  /// gradient, zero in equilibrium. Of m stands in M the couple that is given: the true one, or that of a
  /// prediction (ShearStretch::hessian).
  KOKKOS_FORCEINLINE_FUNCTION RegionHessian<Real> hessian(const Vector& m) const {
    const Vector across = cross(turn, m);
    const Vector twice = cross(turn, across);
    const Real square = dot(turn, turn);
    // Jr^-1 = (1 - c theta^2) I + [theta]/2 + c theta theta'
    const Vector scaled = c * turn;
    Matrix right = outer(scaled, turn) + cross_matrix(Real(0.5) * turn);
    const Real diagonal = Real(1.0) - c * square;
    right.row1.x += diagonal;
    right.row2.y += diagonal;
    right.row3.z += diagonal;
    const Matrix left = transpose(right);
    // [theta][m] = m theta' - (theta . m) I
    Matrix geometric = outer(c_slope * twice - c * m, turn) - cross_matrix(c * across);
    const Real trace = c * dot(turn, m);
    geometric.row1.x += trace;
    geometric.row2.y += trace;
    geometric.row3.z += trace;
    const Matrix half = cross_matrix(Real(0.5) * m);
    const Matrix after = scale_columns(left) + geometric + half;
    const Matrix before = scale_columns(right) + geometric - half;
    return {symmetric_part(before * left), Real(-1.0) * (after * left), symmetric_part(after * right)};
  }
  KOKKOS_FORCEINLINE_FUNCTION RegionHessian<Real> hessian() const { return hessian(couple); }

  /// The linear prediction of m after turns of the frames: m + B/D (Jr^-1 phi_c - Jl^-1 phi_a).
  KOKKOS_FORCEINLINE_FUNCTION Vector predicted(const Vector& before, const Vector& after) const {
    const Vector difference = after - before;
    const Vector change =
        difference + Real(0.5) * cross(turn, after + before) + c * cross(turn, cross(turn, difference));
    return couple + scaled(rate, change);
  }

 private:
  /// A B/D.
  KOKKOS_FORCEINLINE_FUNCTION Matrix scale_columns(const Matrix& a) const {
    return {scaled(rate, a.row1), scaled(rate, a.row2), scaled(rate, a.row3)};
  }
};

}  // namespace rodeo::tangent
