#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::cosserat {

namespace detail {

/// kappa B kappa/E^4 of a region, N.
template <class Real>
KOKKOS_INLINE_FUNCTION double strain_of_region(const BasicRodView<Real>& rod, int region, double dilatation) {
  const auto inverse_rest = static_cast<double>(rod.array(field::inverse_rest_voronoi)[region]);
  const Vec3 turn = rotation_vector(conjugate(rod.quaternion(region)) * rod.quaternion(region + 1));
  const Vec3 curvature = inverse_rest * turn - rod.vec3(field::rest_curvature, region);
  const Vec3 stiffness = rod.bend_twist_stiffness(region);
  const double square = dilatation * dilatation;
  return (stiffness.x * curvature.x * curvature.x + stiffness.y * curvature.y * curvature.y +
          stiffness.z * curvature.z * curvature.z) /
         (square * square);
}

template <class Real>
KOKKOS_INLINE_FUNCTION double element_dilatation(const BasicRodView<Real>& rod, int i) {
  return static_cast<double>(rod.array(field::length)[i]) *
         static_cast<double>(rod.array(field::inverse_rest_length)[i]);
}

/// Of the regions on both sides of an element, of which those of clamps have its own dilatation.
template <class Real>
KOKKOS_INLINE_FUNCTION double strain_of_regions(const BasicRodView<Real>& rod, int i, bool closed) {
  const int n = rod.elements;
  double sum = 0.0;
  for (int region = i - 1; region <= i; ++region) {
    const bool end = !closed && (region == -1 || region == n - 1);
    const int place = region == -1 && closed ? n - 1 : region;
    const auto rest = static_cast<double>(rod.array(field::inverse_rest_voronoi)[place]);
    if (rod.array(field::bend_stiffness)[place] == 0) continue;  // an end that nothing clamps
    const double dilatation =
        end ? element_dilatation(rod, i)
            : 0.5 * rest *
                  static_cast<double>(rod.array(field::length)[place] + rod.array(field::length)[place + 1]);
    sum += strain_of_region(rod, place, dilatation);
  }
  return sum;
}

template <class Real>
KOKKOS_INLINE_FUNCTION void add_tension(const BasicRodView<Real>& rod, int i, double tension) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const double scale = tension * static_cast<double>(rod.array(field::inverse_length)[i]);
  rod.set_vec3(field::internal_force, i, rod.vec3(field::internal_force, i) + scale * edge);
}

/// The tension of an element by itself, N: -sigma S sigma/(2 e^2), and w J w/(2 e^2 l_hat) of its spin.
template <class Real>
KOKKOS_INLINE_FUNCTION double tension_of_element(const BasicRodView<Real>& rod, int i) {
  const auto inverse_rest = static_cast<double>(rod.array(field::inverse_rest_length)[i]);
  const auto natural = static_cast<double>(rod.array(field::natural_stretch)[i]);
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Vec3 strain = inverse_rest * directors(rod.quaternion(i)).to_body(edge) - Vec3{0.0, 0.0, natural};
  const Vec3 stiffness = rod.shear_stretch_stiffness(i);
  const Vec3 rate = rod.vec3(field::angular_velocity, i);
  const Vec3 inertia = rod.inertia(i);
  const double spin = inertia.x * rate.x * rate.x + inertia.y * rate.y * rate.y + inertia.z * rate.z * rate.z;
  const double e = element_dilatation(rod, i);
  const double stored = stiffness.x * strain.x * strain.x + stiffness.y * strain.y * strain.y +
                        stiffness.z * strain.z * strain.z;
  return 0.5 * (inverse_rest * spin - stored) / (e * e);
}

}  // namespace detail

/// What an energy of which stiffnesses and inertia fall as sections narrow adds to the tension of elements,
/// beside the forces of shear_and_stretch and bend_and_twist. With the Lagrangian
///   L = 1/2 w J w/e - 1/2 sigma S sigma l_hat/e - 1/2 kappa B kappa D_hat/E^3
/// it is -dL/d(length) at constant w, sigma and kappa: of each region on either side -3/4 kappa B kappa/E^4.
template <class Team, class Real, class MemberRods>
KOKKOS_INLINE_FUNCTION void add_section_tension(const Team& team, const BasicRodView<Real>& member,
                                                const MemberRods& rods) {
  rods.for_each(team, [&](const Team& own, const RodData& data) {
    const BasicRodView<Real> rod = rods.part(member, data);
    const bool closed = data.closure.closed;
    for_each_lane(own, rod.elements, [=](int i) {
      const double tension =
          detail::tension_of_element(rod, i) - 0.75 * detail::strain_of_regions(rod, i, closed);
      detail::add_tension(rod, i, tension);
    });
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
