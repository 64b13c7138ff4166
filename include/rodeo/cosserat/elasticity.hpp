#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/region_load.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Shear and stretch: strain (2.9, 3.3), internal force (first term of 3.8) and its couple (third term
/// of 3.9) of every element. With l = e l_hat t: sigma = Q l/l_hat - e3, force Q^T S sigma/e, couple (Q t x S
/// sigma) l_hat = (Q l x S sigma)/e.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void shear_and_stretch(const Team& team, const RodView& rod) {
  const ConstVec3Array position = rod.vec3_array(field::position);
  const ConstQuaternionArray orientation = rod.quaternions();
  const double* const rest_length = rod.array(field::rest_length);
  const double* const inverse_rest_length = rod.array(field::inverse_rest_length);
  const double* const shear_stiffness = rod.array(field::shear_stiffness);
  const double* const stretch_stiffness = rod.array(field::stretch_stiffness);
  double* const length = rod.array(field::length);
  double* const inverse_length = rod.array(field::inverse_length);
  const Vec3Array internal_force = rod.vec3_array(field::internal_force);
  const Vec3Array shear_couple = rod.vec3_array(field::shear_couple);
  for_each_lane(team, element_lanes(rod.elements), [=](int i) {
    const Vec3 edge = position(i + 1) - position(i);
    const double squared_length = dot(edge, edge);
    const double inverse = 1.0 / math::sqrt(squared_length);
    length[i] = squared_length * inverse;
    inverse_length[i] = inverse;
    const Directors d = directors(orientation(i));
    const Vec3 body_edge = d.to_body(edge);
    // S sigma/e with sigma = Q l/l_hat - e3 and e = |l|/l_hat
    const double followed = rod.followed(inverse, inverse_rest_length[i]);
    const double shear = shear_stiffness[i] * followed;
    const Vec3 load = {shear * body_edge.x, shear * body_edge.y,
                       stretch_stiffness[i] * followed * (body_edge.z - rest_length[i])};
    internal_force.set(i, d.to_laboratory(load));
    shear_couple.set(i, cross(body_edge, load));
  });
}

/// Keeps an angle of zero from dividing by zero.
inline constexpr double smallest_squared_angle = 1e-300;

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
KOKKOS_FORCEINLINE_FUNCTION RegionLoad region_load(const Quaternion& turn, double dilatation,
                                                   double inverse_rest, double bend_stiffness,
                                                   double twist_stiffness, const Vec3& rest_curvature) {
  // The rotation vector is `ratio` u, with u of the length of the sine of half the angle.
  const double cosine = turn.w < 0.0 ? -turn.w : turn.w;
  const double sign = turn.w < 0.0 ? -1.0 : 1.0;
  const Vec3 u = {turn.x, turn.y, turn.z};
  const TurnRatio fraction(cosine);
  const double cube = dilatation * dilatation * dilatation;
  const double squared_sine = dot(u, u) + smallest_squared_angle;
  const double divisor = fraction.denominator * squared_sine;
  const double inverse = 1.0 / (cube * divisor);  // of all three at once
  const double inverse_divisor = cube * inverse;
  const double ratio = sign * (fraction.numerator * (squared_sine * inverse_divisor));
  const double scale = divisor * inverse;
  const double bend = bend_stiffness * scale;
  const double per_length = inverse_rest * ratio;
  const Vec3 couple = {bend * (per_length * u.x - rest_curvature.x),
                       bend * (per_length * u.y - rest_curvature.y),
                       twist_stiffness * scale * (per_length * u.z - rest_curvature.z)};
  // As shared_couple: (theta/2) cot(theta/2) is ratio cosine/2, and its c times ratio^2 is
  const double c = (fraction.denominator - 0.5 * cosine * fraction.numerator) * inverse_divisor;
  const Vec3 across = cross(u, couple);
  return {couple + c * cross(u, across), (0.5 * ratio) * across};
}

/// Bend and twist: curvature (3.5), couple B kappa/E^3 and half of (kappa x B kappa) D_hat/E^3 (first two
/// terms of 3.9) of every Voronoi region, with the `further` couples of muscles.
template <class Team, class Further = NoRegionLoad>
KOKKOS_FORCEINLINE_FUNCTION void bend_and_twist(const Team& team, const RodView& rod,
                                                const Further& further = {}) {
  const ConstQuaternionArray orientation = rod.quaternions();
  const double* const length = rod.array(field::length);
  const double* const inverse_rest_voronoi = rod.array(field::inverse_rest_voronoi);
  const double* const bend_stiffness = rod.array(field::bend_stiffness);
  const double* const twist_stiffness = rod.array(field::twist_stiffness);
  const ConstVec3Array rest_curvature = rod.vec3_array(field::rest_curvature);
  const Vec3Array bend_couple = rod.vec3_array(field::bend_couple);
  const Vec3Array transport_couple = rod.vec3_array(field::transport_couple);
  for_each_lane(team, element_lanes(rod.elements), [=](int i) {
    const Quaternion turn = conjugate(orientation(i)) * orientation(i + 1);
    const double inverse_rest = inverse_rest_voronoi[i];
    const double dilatation = rod.followed(0.5 * (length[i] + length[i + 1]) * inverse_rest, 1.0);
    RegionLoad load =
        region_load(turn, dilatation, inverse_rest, bend_stiffness[i], twist_stiffness[i], rest_curvature(i));
    further.add(load, i, turn);
    bend_couple.set(i, load.couple);
    transport_couple.set(i, load.transport);
  });
}

}  // namespace rodeo::cosserat
