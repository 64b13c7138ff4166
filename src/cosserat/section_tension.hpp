#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

namespace detail {

/// kappa B kappa/E^4 of a region whose frames are `turn` apart, N.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real strain_of_region(const BasicQuaternion<Real>& turn, Real dilatation,
                                                  const law::BendTwist<Real>& law) {
  const Real cosine = turn.w < 0 ? -turn.w : turn.w;
  const Real sign = turn.w < 0 ? Real(-1) : Real(1);
  const TurnRatio<Real> fraction(cosine);
  const Real square = dilatation * dilatation;
  const Real inverse = 1 / (fraction.denominator * (square * square));  // of both at once
  const Real ratio = sign * (fraction.numerator * ((square * square) * inverse));
  const BasicVec3<Real> per_length =
      (law.inverse_rest_voronoi * ratio) * BasicVec3<Real>{turn.x, turn.y, turn.z};
  const law::Elastic<Real> elastic = {per_length - law.rest_curvature, law.stiffness};
  return 2 * elastic.energy() * (fraction.denominator * inverse);
}

/// Sets field::section_strain of every region, -1 included.
template <bool circular, class Team, class Real, class MemberRods>
KOKKOS_INLINE_FUNCTION void set_section_strains(const Team& team, const BasicRodView<Real>& member,
                                                const MemberRods& rods) {
  const BasicOrientationArray<Real> orientation = member.orientations();
  const Real* const length = member.array(field::length);
  const Real* const inverse_rest_voronoi = member.array(field::inverse_rest_voronoi);
  const Real* const bend_stiffness = member.array(field::bend_stiffness);
  const Real* const second_stiffness =
      circular ? bend_stiffness : member.second_array(field::bend_stiffness, field::second_bend_stiffness);
  const Real* const twist_stiffness = member.array(field::twist_stiffness);
  const BasicVec3Array<const Real> rest_curvature = member.vec3_array(field::rest_curvature);
  Real* const strain = member.array(field::section_strain);
  for_each_lane(team, member.element_lanes(), [=](int i) {
    const Real inverse_rest = inverse_rest_voronoi[i];
    const Real bend = bend_stiffness[i];
    strain[i] = strain_of_region<Real>(
        orientation.turn(i), Real(0.5) * (length[i] + length[i + 1]) * inverse_rest,
        {inverse_rest, {bend, circular ? bend : second_stiffness[i], twist_stiffness[i]}, rest_curvature(i)});
  });
  rods.for_each(team, [&](const Team& own, const RodData& data) {
    const BasicRodView<Real> rod = rods.part(member, data);
    once(own, [&] {
      const int last = rod.elements - 1;
      Real* const of_rod = rod.array(field::section_strain);
      if (data.closure.closed) {
        of_rod[-1] = of_rod[last];
        return;
      }
      // Regions of clamps have the dilatation of their element; of other ends nothing is stiff.
      for (const int region : {-1, last}) {
        const int element = region < 0 ? 0 : last;
        const auto law = law::BendTwist<Real>::of(rod, region);
        const Real e = rod.array(field::length)[element] * rod.array(field::inverse_rest_length)[element];
        of_rod[region] =
            law.stiffness.x == 0 ? Real(0) : strain_of_region(rod.orientations().turn(region), e, law);
      }
    });
  });
}

template <class Real>
KOKKOS_INLINE_FUNCTION void add_tension(const BasicRodView<Real>& rod, int i, double tension) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const double scale = tension * static_cast<double>(rod.array(field::inverse_length)[i]);
  rod.set_vec3(field::internal_force, i, rod.vec3(field::internal_force, i) + scale * edge);
}

}  // namespace detail

/// Tension of elements from an energy whose stiffnesses and inertia fall as sections narrow, besides the
/// forces of shear_and_stretch and bend_and_twist. With the Lagrangian
///   L = 1/2 w J w/e - 1/2 sigma S sigma l_hat/e - 1/2 kappa B kappa D_hat/E^3
/// it is -dL/d(length) at constant w, sigma and kappa: -sigma S sigma/(2 e^2) and w J w/(2 e^2 l_hat) of an
/// element by itself, and of each region on either side -3/4 kappa B kappa/E^4.
template <bool circular, class Team, class Real, class MemberRods>
KOKKOS_INLINE_FUNCTION void add_section_tension(const Team& team, const BasicRodView<Real>& member,
                                                const MemberRods& rods) {
  detail::set_section_strains<circular>(team, member, rods);
  using Vector = BasicVec3<Real>;
  const SummedVec3Array<Real> position = member.positions();
  const BasicOrientationArray<Real> orientation = member.orientations();
  const BasicVec3Array<const Real> angular_velocity = member.vec3_array(field::angular_velocity);
  const Real* const length = member.array(field::length);
  const Real* const inverse_length = member.array(field::inverse_length);
  const Real* const inverse_rest_length = member.array(field::inverse_rest_length);
  const Real* const natural_stretch = member.array(field::natural_stretch);
  const Real* const shear_stiffness = member.array(field::shear_stiffness);
  const Real* const second_stiffness =
      circular ? shear_stiffness : member.second_array(field::shear_stiffness, field::second_shear_stiffness);
  const Real* const stretch_stiffness = member.array(field::stretch_stiffness);
  const Real* const inertia = member.array(field::bend_inertia);
  const Real* const second_inertia =
      circular ? inertia : member.second_array(field::bend_inertia, field::second_bend_inertia);
  const Real* const twist_inertia =
      circular ? inertia : member.second_array(field::bend_inertia, field::twist_inertia);
  const Real* const strain = member.array(field::section_strain);
  const BasicVec3Array<Real> internal_force = member.vec3_array(field::internal_force);
  for_each_lane(team, member.element_lanes(), [=](int i) {
    const Real inverse_rest = inverse_rest_length[i];
    const Vector edge = position.edge(i);
    const Vector body_edge = directors(orientation(i)).to_body(edge);
    const Vector sigma = {inverse_rest * body_edge.x, inverse_rest * body_edge.y,
                          inverse_rest * body_edge.z - natural_stretch[i]};
    const Vector rate = angular_velocity(i);
    const Real along = circular ? 2 * inertia[i] : twist_inertia[i];
    const Real spin =
        inertia[i] * rate.x * rate.x + second_inertia[i] * rate.y * rate.y + along * rate.z * rate.z;
    const law::Elastic<Real> elastic = {sigma,
                                        {shear_stiffness[i], second_stiffness[i], stretch_stiffness[i]}};
    const Real e = length[i] * inverse_rest;
    const Real tension = (Real(0.5) * inverse_rest * spin - elastic.energy()) / (e * e) -
                         Real(0.75) * (strain[i - 1] + strain[i]);
    const Real exists = stretch_stiffness[i] > 0 ? 1 : 0;  // beyond the ends of rods there is none
    internal_force.add(i, (exists * tension * inverse_length[i]) * edge);
  });
  rods.for_each(team, [&](const Team& own, const RodData& data) {
    if (!data.joint.exists) return;
    const BasicRodView<Real> rod = rods.part(member, data);
    once(own, [&] {
      const boundary::RigidJoint::Strain strain = data.joint.strain(rod);
      const double square = strain.dilatation * strain.dilatation;
      const double tension = -0.75 * data.joint.inverse_rest_voronoi *
                             dot(strain.turn.vector, strain.couple) / (square * square);
      for (const int i : {-1, 0}) detail::add_tension(rod, i, tension);
    });
  });
}

}  // namespace rodeo::cosserat
