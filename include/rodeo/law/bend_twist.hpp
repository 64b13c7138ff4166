#pragma once

#include "rodeo/law/elastic.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::law {

/// Bend and twist of a Voronoi region (3.5): the couple B (theta/D - k0)/E^3, where frames are the turn theta
/// apart and the section has the dilatation E.
template <class Real>
struct BendTwist {
  Real inverse_rest_voronoi;       ///< 1/D, 1/m
  BasicVec3<Real> stiffness;       ///< B1, B2 and B3, N m^2
  BasicVec3<Real> rest_curvature;  ///< k0, 1/m

  template <class Number>
  KOKKOS_INLINE_FUNCTION static BendTwist of(const BasicRodView<Number>& rod, int i) {
    return {static_cast<Real>(rod.array(field::inverse_rest_voronoi)[i]),
            static_cast<BasicVec3<Real>>(rod.bend_twist_stiffness(i)),
            static_cast<BasicVec3<Real>>(rod.vec3(field::rest_curvature, i))};
  }

  /// Strain theta/D - k0, 1/m, and the stiffness B/E^3; energies are per rest length.
  KOKKOS_FORCEINLINE_FUNCTION Elastic<Real> at(const BasicVec3<Real>& turn) const {
    return {inverse_rest_voronoi * turn - rest_curvature, stiffness};
  }
  KOKKOS_FORCEINLINE_FUNCTION Elastic<Real> at(const BasicVec3<Real>& turn, Real dilatation) const {
    return {inverse_rest_voronoi * turn - rest_curvature,
            (1 / (dilatation * dilatation * dilatation)) * stiffness};
  }
};

/// (1 - (theta/2) cot(theta/2))/theta^2 of a turn.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real log_coefficient(const BasicRotationLog<Real>& turn) {
  return (Real(1.0) - turn.half_cotangent) /
         (dot(turn.vector, turn.vector) + Real(Precision<double>::smallest_square));
}

/// The law whose couple is that of `law` and of Kelvin-Voigt damping, B (kappa - k0) + tau B kappa', where
/// kappa' is by_strain kappa + rest: so it is with the rate at the end of an implicit step, which is then one
/// of stiffer regions.
inline BendTwist<double> with_viscosity(const BendTwist<double>& law, double retardation_time,
                                        double by_strain, const Vec3& rest) {
  const double factor = 1.0 + retardation_time * by_strain;
  return {law.inverse_rest_voronoi, factor * law.stiffness,
          (1.0 / factor) * (law.rest_curvature - retardation_time * rest)};
}

/// Rate at which the turn of a region changes where the elements beside it turn at these rates (body
/// components): Jr^-1 w_after - Jl^-1 w_before.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> turn_rate(const BasicRotationLog<Real>& turn,
                                                      const BasicVec3<Real>& before,
                                                      const BasicVec3<Real>& after) {
  const BasicVec3<Real> apart = after - before;
  const Real c = log_coefficient(turn);
  return apart + Real(0.5) * cross(turn.vector, before + after) +
         c * cross(turn.vector, cross(turn.vector, apart));
}

/// Couples of one Voronoi region, N m. The element before it feels transport + couple, the one after it
/// transport - couple, each in its own body frame.
template <class Real>
struct BasicRegionLoad {
  BasicVec3<Real> couple;     ///< B kappa/E^3 and what c adds
  BasicVec3<Real> transport;  ///< half of (kappa x B kappa) D_hat/E^3
};
using RegionLoad = BasicRegionLoad<double>;

/// Couples on both elements beside a region by its couple tau = dU/d(turn), where its frames are `turn`
/// apart. With the derivatives of the log of a rotation they are tau +- turn x tau/2 + c turn x (turn x tau),
/// c = (1 - (theta/2) cot(theta/2))/theta^2: the averages over neighbouring regions of Appendix D lack the
/// last term, and without it the couples of a rod that bends and twists are the gradient of no energy and
/// leave a resultant, in second order of the turn.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicRegionLoad<Real> shared_couple(const BasicVec3<Real>& turn,
                                                                const BasicVec3<Real>& couple,
                                                                std::type_identity_t<Real> c) {
  const BasicVec3<Real> across = cross(turn, couple);
  return {couple + c * cross(turn, across), Real(0.5) * across};
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicRegionLoad<Real> shared_couple(const BasicRotationLog<Real>& turn,
                                                                const BasicVec3<Real>& couple) {
  return shared_couple(turn.vector, couple, log_coefficient(turn));
}

/// The couples of a region whose frames are `turn` apart, kappa D_hat as a unit quaternion (first two terms
/// of 3.9).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicRegionLoad<Real> region_load(const BasicQuaternion<Real>& turn,
                                                              Real dilatation, const BendTwist<Real>& law) {
  // The rotation vector is `ratio` u, with u of the length of the sine of half the angle.
  const Real cosine = turn.w < 0 ? -turn.w : turn.w;
  const Real sign = turn.w < 0 ? Real(-1) : Real(1);
  const BasicVec3<Real> u = {turn.x, turn.y, turn.z};
  const TurnRatio<Real> fraction(cosine);
  const Real cube = dilatation * dilatation * dilatation;
  const Real squared_sine = dot(u, u) + Precision<Real>::smallest_square;
  const Real scale = 1 / cube;
  const Real inverse_divisor = 1 / (fraction.denominator * squared_sine);
  const Real ratio = (sign * (fraction.numerator * squared_sine)) * inverse_divisor;
  const Real per_length = law.inverse_rest_voronoi * ratio;
  const BasicVec3<Real> couple =
      Elastic<Real>{per_length * u - law.rest_curvature, scale * law.stiffness}.stress();
  // As shared_couple: (theta/2) cot(theta/2) is ratio cosine/2, and its c times ratio^2 is
  const Real c = (fraction.denominator - Real(0.5) * cosine * fraction.numerator) * inverse_divisor;
  const BasicVec3<Real> across = cross(u, couple);
  return {couple + c * cross(u, across), (Real(0.5) * ratio) * across};
}

/// No region load besides elasticity. Types like this one add, in bend_and_twist, to the load of region i,
/// whose frames are `turn` apart.
struct NoRegionLoad {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void add(BasicRegionLoad<Real>&, int, const BasicQuaternion<Real>&) const {}
};

}  // namespace rodeo::law
