#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/region_load.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Shear and stretch: strain (2.9, 3.3), internal force (first term of 3.8) and its couple (third term
/// of 3.9) of every element. With l = e l_hat t: sigma = Q l/l_hat - e3, force Q^T S sigma/e, couple (Q t x S
/// sigma) l_hat = (Q l x S sigma)/e.
template <class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void shear_and_stretch(const Team& team, const BasicRodView<Real>& rod) {
  using Vector = BasicVec3<Real>;
  const SummedVec3Array<Real> position = rod.positions();
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const Real* const rest_length = rod.array(field::rest_length);
  const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
  const Real* const shear_stiffness = rod.array(field::shear_stiffness);
  const Real* const stretch_stiffness = rod.array(field::stretch_stiffness);
  Real* const length = rod.array(field::length);
  Real* const inverse_length = rod.array(field::inverse_length);
  const BasicVec3Array<Real> internal_force = rod.vec3_array(field::internal_force);
  const BasicVec3Array<Real> shear_couple = rod.vec3_array(field::shear_couple);
  for_each_lane(team, rod.element_lanes(), [=](int i) {
    const Vector edge = position.edge(i);
    const Real squared_length = dot(edge, edge);
    const Real inverse = 1 / math::sqrt(squared_length);
    length[i] = squared_length * inverse;
    inverse_length[i] = inverse;
    const BasicDirectors<Real> d = directors(orientation(i));
    const Vector body_edge = d.to_body(edge);
    // S sigma/e with sigma = Q l/l_hat - e3 and e = |l|/l_hat
    const Real followed = rod.followed(inverse, inverse_rest_length[i]);
    const Real shear = shear_stiffness[i] * followed;
    const Vector load = {shear * body_edge.x, shear * body_edge.y,
                         stretch_stiffness[i] * followed * (body_edge.z - rest_length[i])};
    internal_force.set(i, d.to_laboratory(load));
    shear_couple.set(i, cross(body_edge, load));
  });
}

/// Keeps an angle of zero from dividing by zero.
template <class Real>
inline constexpr Real smallest_squared_angle = std::is_same_v<Real, double> ? Real(1e-300) : Real(1e-30);

/// What the couple dU/d(turn) of a region whose frames are `turn` apart is to the elements on both sides.
/// With the derivatives of the log of a rotation it is tau +- turn x tau/2 + c turn x (turn x tau), c = (1 -
/// (theta/2) cot(theta/2))/theta^2: the averages over neighbouring regions of Appendix D lack the last term,
/// and without it the couples of a rod that bends and twists are the gradient of no energy and leave a
/// resultant, in second order of the turn.
KOKKOS_FORCEINLINE_FUNCTION RegionLoad shared_couple(const Vec3& turn, const Vec3& couple, double c) {
  const Vec3 across = cross(turn, couple);
  return {couple + c * cross(turn, across), 0.5 * across};
}

/// The couples of a region whose frames are `turn` apart, kappa D_hat as a unit quaternion (3.5, first two
/// terms of 3.9).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION BasicRegionLoad<Real> region_load(const BasicQuaternion<Real>& turn,
                                                              Real dilatation, Real inverse_rest,
                                                              Real bend_stiffness, Real twist_stiffness,
                                                              const BasicVec3<Real>& rest_curvature) {
  // The rotation vector is `ratio` u, with u of the length of the sine of half the angle.
  const Real cosine = turn.w < 0 ? -turn.w : turn.w;
  const Real sign = turn.w < 0 ? Real(-1) : Real(1);
  const BasicVec3<Real> u = {turn.x, turn.y, turn.z};
  const TurnRatio<Real> fraction(cosine);
  const Real cube = dilatation * dilatation * dilatation;
  const Real squared_sine = dot(u, u) + smallest_squared_angle<Real>;
  const Real divisor = fraction.denominator * squared_sine;
  const Real inverse = 1 / (cube * divisor);  // of all three at once
  const Real inverse_divisor = cube * inverse;
  const Real ratio = sign * (fraction.numerator * (squared_sine * inverse_divisor));
  const Real scale = divisor * inverse;
  const Real bend = bend_stiffness * scale;
  const Real per_length = inverse_rest * ratio;
  const BasicVec3<Real> couple = {bend * (per_length * u.x - rest_curvature.x),
                                  bend * (per_length * u.y - rest_curvature.y),
                                  twist_stiffness * scale * (per_length * u.z - rest_curvature.z)};
  // As shared_couple: (theta/2) cot(theta/2) is ratio cosine/2, and its c times ratio^2 is
  const Real c = (fraction.denominator - Real(0.5) * cosine * fraction.numerator) * inverse_divisor;
  const BasicVec3<Real> across = cross(u, couple);
  return {couple + c * cross(u, across), (Real(0.5) * ratio) * across};
}

/// Bend and twist: curvature (3.5), couple B kappa/E^3 and half of (kappa x B kappa) D_hat/E^3 (first two
/// terms of 3.9) of every Voronoi region, with the `further` couples of muscles.
template <class Team, class Real, class Further = NoRegionLoad>
KOKKOS_FORCEINLINE_FUNCTION void bend_and_twist(const Team& team, const BasicRodView<Real>& rod,
                                                const Further& further = {}) {
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const Real* const length = rod.array(field::length);
  const Real* const inverse_rest_voronoi = rod.array(field::inverse_rest_voronoi);
  const Real* const bend_stiffness = rod.array(field::bend_stiffness);
  const Real* const twist_stiffness = rod.array(field::twist_stiffness);
  const BasicVec3Array<const Real> rest_curvature = rod.vec3_array(field::rest_curvature);
  const BasicVec3Array<Real> bend_couple = rod.vec3_array(field::bend_couple);
  const BasicVec3Array<Real> transport_couple = rod.vec3_array(field::transport_couple);
  for_each_lane(team, rod.element_lanes(), [=](int i) {
    const BasicQuaternion<Real> turn = orientation.turn(i);
    const Real inverse_rest = inverse_rest_voronoi[i];
    const Real dilatation = rod.followed(Real(0.5) * (length[i] + length[i + 1]) * inverse_rest, Real(1));
    BasicRegionLoad<Real> load =
        region_load(turn, dilatation, inverse_rest, bend_stiffness[i], twist_stiffness[i], rest_curvature(i));
    further.add(load, i, turn);
    bend_couple.set(i, load.couple);
    transport_couple.set(i, load.transport);
  });
}

}  // namespace rodeo::cosserat
