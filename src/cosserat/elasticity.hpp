#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

/// Shear and stretch: strain (2.9, 3.3), internal force (first term of 3.8) and its couple (third term
/// of 3.9) of every element. With l = e l_hat t: sigma = Q l/l_hat - e3, force Q^T S sigma/e, couple (Q t x S
/// sigma) l_hat = (Q l x S sigma)/e. `circular` says that sections of all rods are alike about d1 and d2, so
/// that one array is read for both.
template <bool circular = true, class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void shear_and_stretch(const Team& team, const BasicRodView<Real>& rod) {
  using Vector = BasicVec3<Real>;
  const SummedVec3Array<Real> position = rod.positions();
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const Real* const rest_length = rod.array(field::rest_length);
  const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
  const Real* const shear_stiffness = rod.array(field::shear_stiffness);
  const Real* const second_stiffness =
      circular ? shear_stiffness : rod.second_array(field::shear_stiffness, field::second_shear_stiffness);
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
    const Real inverse_section_length = rod.section_value(inverse, inverse_rest_length[i]);
    const Real shear = shear_stiffness[i] * inverse_section_length;
    const Real second_shear = circular ? shear : second_stiffness[i] * inverse_section_length;
    const law::Elastic<Real> elastic = {{body_edge.x, body_edge.y, body_edge.z - rest_length[i]},
                                        {shear, second_shear, stretch_stiffness[i] * inverse_section_length}};
    const Vector load = elastic.stress();
    internal_force.set(i, d.to_laboratory(load));
    shear_couple.set(i, cross(body_edge, load));
  });
}

/// Bend and twist: curvature (3.5), couple B kappa/E^3 and half of (kappa x B kappa) D_hat/E^3 (first two
/// terms of 3.9) of every Voronoi region, with the `further` couples of muscles.
template <bool circular = true, class Team, class Real, class Further = law::NoRegionLoad>
KOKKOS_FORCEINLINE_FUNCTION void bend_and_twist(const Team& team, const BasicRodView<Real>& rod,
                                                const Further& further = {}) {
  const BasicOrientationArray<Real> orientation = rod.orientations();
  const Real* const length = rod.array(field::length);
  const Real* const inverse_rest_voronoi = rod.array(field::inverse_rest_voronoi);
  const Real* const bend_stiffness = rod.array(field::bend_stiffness);
  const Real* const second_stiffness =
      circular ? bend_stiffness : rod.second_array(field::bend_stiffness, field::second_bend_stiffness);
  const Real* const twist_stiffness = rod.array(field::twist_stiffness);
  const BasicVec3Array<const Real> rest_curvature = rod.vec3_array(field::rest_curvature);
  const BasicVec3Array<Real> bend_couple = rod.vec3_array(field::bend_couple);
  const BasicVec3Array<Real> transport_couple = rod.vec3_array(field::transport_couple);
  for_each_lane(team, rod.element_lanes(), [=](int i) {
    const BasicQuaternion<Real> turn = orientation.turn(i);
    const Real bend = bend_stiffness[i];
    const law::BendTwist<Real> law = {inverse_rest_voronoi[i],
                                      {bend, circular ? bend : second_stiffness[i], twist_stiffness[i]},
                                      rest_curvature(i)};
    const Real dilatation =
        rod.section_value(Real(0.5) * (length[i] + length[i + 1]) * law.inverse_rest_voronoi, Real(1));
    law::BasicRegionLoad<Real> load = law::region_load(turn, dilatation, law);
    further.add(load, i, turn);
    bend_couple.set(i, load.couple);
    transport_couple.set(i, load.transport);
  });
}

}  // namespace rodeo::cosserat
