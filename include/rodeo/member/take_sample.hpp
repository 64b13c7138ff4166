#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/observe/sample.hpp"

namespace rodeo {

namespace detail {

template <class Real>
KOKKOS_INLINE_FUNCTION double shear_energy(const BasicRodView<Real>& rod, int i, const Vec3& edge,
                                           const Directors& d) {
  const double inverse_rest = rod.array(field::inverse_rest_length)[i];
  const Vec3 body_edge = d.to_body(edge);
  const Vec3 strain = {inverse_rest * body_edge.x, inverse_rest * body_edge.y,
                       inverse_rest * body_edge.z - 1.0};
  return 0.5 *
         (rod.array(field::shear_stiffness)[i] * (strain.x * strain.x + strain.y * strain.y) +
          rod.array(field::stretch_stiffness)[i] * strain.z * strain.z) /
         inverse_rest;
}

template <class Real>
KOKKOS_INLINE_FUNCTION void add_node(const BasicRodView<Real>& rod, int i, NodeSums& s) {
  const double mass = rod.array(field::mass)[i];
  const Vec3 r = rod.vec3(field::position, i);
  const Vec3 v = rod.vec3(field::velocity, i);
  s.translational_energy += 0.5 * mass * dot(v, v);
  s.mass += mass;
  s.momentum = s.momentum + mass * v;
  s.angular_momentum = s.angular_momentum + cross(r, mass * v);
  s.first_moment = s.first_moment + mass * r;
}

template <class Real>
KOKKOS_INLINE_FUNCTION void add_element(const BasicRodView<Real>& rod, int i, ElementSums& s) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Directors d = directors(rod.quaternion(i));
  const double length = math::sqrt(dot(edge, edge));
  const double dilatation = rod.section_value(length * rod.array(field::inverse_rest_length)[i], 1.0);
  const double inertia = rod.array(field::bend_inertia)[i] / dilatation;
  const Vec3 rate = rod.vec3(field::angular_velocity, i);
  const Vec3 spin = {inertia * rate.x, inertia * rate.y, 2.0 * inertia * rate.z};
  s.rotational_energy += 0.5 * dot(spin, rate);
  s.spin = s.spin + d.to_laboratory(spin);
  s.shear_energy += shear_energy(rod, i, edge, d);
}

/// Square of the rate at which a node moves, over the length of its element, 1/s^2.
template <class Real>
KOKKOS_INLINE_FUNCTION double squared_move_rate(const BasicRodView<Real>& rod, int i) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Vec3 velocity = rod.vec3(field::velocity, i + 1);
  return dot(velocity, velocity) / dot(edge, edge);
}

/// Bend and twist energy of region i between two frames.
template <class Real>
KOKKOS_INLINE_FUNCTION void add_region(const BasicRodView<Real>& rod, int i, const Quaternion& before,
                                       const Quaternion& after, double dilatation, RegionSums& s) {
  const double inverse_rest = rod.array(field::inverse_rest_voronoi)[i];
  const Vec3 curvature =
      inverse_rest * rotation_vector(conjugate(before) * after) - rod.vec3(field::rest_curvature, i);
  const double section_dilatation = rod.section_value(dilatation, 1.0);
  const double scale = 0.5 / (inverse_rest * section_dilatation * section_dilatation * section_dilatation);
  s.bend_energy +=
      scale * rod.array(field::bend_stiffness)[i] * (curvature.x * curvature.x + curvature.y * curvature.y);
  s.twist_energy += scale * rod.array(field::twist_stiffness)[i] * curvature.z * curvature.z;
}

/// The half region at an end, which has no stiffness where there is no clamp.
template <class Real>
KOKKOS_INLINE_FUNCTION void add_half_region(const BasicRodView<Real>& rod, int i, int element,
                                            RegionSums& s) {
  const Vec3 edge = rod.vec3(field::position, element + 1) - rod.vec3(field::position, element);
  const double dilatation = math::sqrt(dot(edge, edge)) * rod.array(field::inverse_rest_length)[element];
  add_region(rod, i, rod.quaternion(i), rod.quaternion(i + 1), dilatation, s);
}

template <class Real>
KOKKOS_INLINE_FUNCTION void add_whole_region(const BasicRodView<Real>& rod, int i, RegionSums& s) {
  const Vec3 before = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Vec3 after = rod.vec3(field::position, i + 2) - rod.vec3(field::position, i + 1);
  const double dilatation = 0.5 * rod.array(field::inverse_rest_voronoi)[i] *
                            (math::sqrt(dot(before, before)) + math::sqrt(dot(after, after)));
  add_region(rod, i, rod.quaternion(i), rod.quaternion(i + 1), dilatation, s);
}

/// Bend and twist energy of a joint, told apart by the frame of the element before it.
template <class Real>
KOKKOS_INLINE_FUNCTION void add_joint(const BasicRodView<Real>& rod, const boundary::RigidJoint& joint,
                                      RegionSums& s) {
  const boundary::RigidJoint::Strain strain = joint.strain(rod);
  const double scale = 0.5 / (strain.dilatation * strain.dilatation * strain.dilatation);
  s.bend_energy += scale * (strain.turn.vector.x * strain.couple.x + strain.turn.vector.y * strain.couple.y);
  s.twist_energy += scale * strain.turn.vector.z * strain.couple.z;
}

/// Adds one rod to the sample of a member. A node that it shares with the rod before is that one's, and the
/// last node of a closed rod is its first.
template <class Team, class Real>
KOKKOS_INLINE_FUNCTION void add_rod(const Team& team, const BasicRodView<Real>& rod, const RodData& data,
                                    double step, RodSample& total) {
  const int elements = rod.elements;
  const bool closed = data.closure.closed;
  const int first = data.shares_first_node ? 1 : 0;
  total += sum_lanes<NodeSums>(team, (closed ? elements : elements + 1) - first,
                               [=](int i, NodeSums& sum) { add_node(rod, first + i, sum); });
  total += sum_lanes<ElementSums>(team, elements, [=](int i, ElementSums& sum) { add_element(rod, i, sum); });
  total += sum_lanes<RegionSums>(team, closed ? elements : elements - 1,
                                 [=](int i, RegionSums& sum) { add_whole_region(rod, i, sum); });
  const double move = largest_lane(team, elements, [=](int i) { return squared_move_rate(rod, i); });
  const double turn = largest_lane(team, elements, [=](int i) {
    const Vec3 rate = rod.vec3(field::angular_velocity, i);
    return dot(rate, rate);
  });
  total.add_extrema(step * math::sqrt(move), step * math::sqrt(turn));
  if (!closed) {
    add_half_region(rod, -1, 0, total);
    add_half_region(rod, elements - 1, elements - 1, total);
  }
  if (data.joint.exists) add_joint(rod, data.joint, total);
  total.end = rod.vec3(field::position, closed ? 0 : elements);
  total.end_load_potential -= dot(data.end_load.force, total.end);
}

}  // namespace detail

/// The energies of section 3.3 (quadratic functionals, with the rescaling of eq. 2.10), momenta and extrema
/// of a member. Rods are only read; kernels give them as views that could write, as the compiler would
/// contract the sums over const ones otherwise: results keep their bits.
template <class Team, class Real>
KOKKOS_INLINE_FUNCTION RodSample take_sample(const Team& team, const BasicRodView<Real>& member,
                                             const Rods& rods, double step) {
  RodSample sample;
  for (const RodData& rod : rods) detail::add_rod(team, rod.part(member), rod, step, sample);
  sample.angular_momentum = sample.angular_momentum + sample.spin;
  return sample;
}

namespace detail {

/// Sums over an element of any section.
template <class Real>
KOKKOS_INLINE_FUNCTION void add_element_of_two_axes(const BasicRodView<Real>& rod, int i, ElementSums& s) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Directors d = directors(rod.quaternion(i));
  const double inverse_rest = rod.array(field::inverse_rest_length)[i];
  const double inverse = 1.0 / rod.section_value(norm(edge) * inverse_rest, 1.0);
  const Vec3 inertia = rod.inertia(i);
  const Vec3 rate = rod.vec3(field::angular_velocity, i);
  const Vec3 spin = {inverse * inertia.x * rate.x, inverse * inertia.y * rate.y,
                     inverse * inertia.z * rate.z};
  s.rotational_energy += 0.5 * dot(spin, rate);
  s.spin = s.spin + d.to_laboratory(spin);
  const Vec3 strain = inverse_rest * d.to_body(edge) - Vec3{0, 0, 1};
  const Vec3 stiffness = rod.shear_stretch_stiffness(i);
  s.shear_energy += 0.5 *
                    (stiffness.x * strain.x * strain.x + stiffness.y * strain.y * strain.y +
                     stiffness.z * strain.z * strain.z) /
                    inverse_rest;
}

/// The bend energy of a region whose dilatation is given, J.
template <class Real>
KOKKOS_INLINE_FUNCTION double bend_energy_of_two_axes(const BasicRodView<Real>& rod, int i,
                                                      double dilatation) {
  const double inverse_rest = rod.array(field::inverse_rest_voronoi)[i];
  const Vec3 turn = rotation_vector(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1));
  const Vec3 curvature = inverse_rest * turn - rod.vec3(field::rest_curvature, i);
  const Vec3 stiffness = rod.bend_twist_stiffness(i);
  const double e = rod.section_value(dilatation, 1.0);
  return 0.5 * (stiffness.x * curvature.x * curvature.x + stiffness.y * curvature.y * curvature.y) /
         (inverse_rest * e * e * e);
}

}  // namespace detail

/// Replaces the sums of a sample that differ for sections unlike about d1 and d2. Apart from take_sample, as
/// few members have any.
template <class Team, class Real>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void sample_two_axes(const Team& team,
                                                              const BasicRodView<Real>& member,
                                                              const Rods& rods, RodSample& sample) {
  ElementSums elements;
  double bend_energy = 0.0;
  for (const RodData& data : rods) {
    const BasicRodView<Real> rod = data.part(member);
    const int n = rod.elements;
    const bool closed = data.closure.closed;
    elements += sum_lanes<ElementSums>(
        team, n, [=](int i, ElementSums& sum) { detail::add_element_of_two_axes(rod, i, sum); });
    const auto length = [=](int i) {
      return norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
    };
    double energy = 0.0;
    reduce_lanes(
        team, closed ? n : n - 1,
        [&](int i, double& sum) {
          const double dilatation =
              0.5 * rod.array(field::inverse_rest_voronoi)[i] * (length(i) + length(i + 1));
          sum += detail::bend_energy_of_two_axes(rod, i, dilatation);
        },
        energy);
    bend_energy += energy;
    if (!closed) {
      const Real* const inverse_rest = rod.array(field::inverse_rest_length);
      bend_energy += detail::bend_energy_of_two_axes(rod, -1, length(0) * inverse_rest[0]);
      bend_energy += detail::bend_energy_of_two_axes(rod, n - 1, length(n - 1) * inverse_rest[n - 1]);
    }
    if (data.joint.exists) {
      RegionSums joint;
      detail::add_joint(rod, data.joint, joint);
      bend_energy += joint.bend_energy;
    }
  }
  sample.angular_momentum = sample.angular_momentum + (elements.spin - sample.spin);
  static_cast<ElementSums&>(sample) = elements;
  sample.bend_energy = bend_energy;
}

namespace detail {

/// The sum of energy(rod, i) over the elements of all rods, J.
template <class Team, class Real, class Energy>
KOKKOS_FORCEINLINE_FUNCTION double sum_over_elements(const Team& team, const BasicRodView<Real>& member,
                                                     const Rods& rods, const Energy& energy) {
  double sum = 0.0;
  for (const RodData& data : rods) {
    const BasicRodView<Real> rod = data.part(member);
    double of_rod = 0.0;
    reduce_lanes(
        team, rod.elements, [&](int i, double& total) { total += energy(rod, i); }, of_rod);
    sum += of_rod;
  }
  return sum;
}

}  // namespace detail

/// The energy of shear and stretch of a member of which some elements have other natural lengths than at
/// rest, J; where sections narrow, forces are less by the natural stretch. Apart from take_sample,
/// as few members have any.
template <class Team, class Real>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION double natural_shear_energy(const Team& team,
                                                                     const BasicRodView<Real>& member,
                                                                     const Rods& rods) {
  return detail::sum_over_elements(team, member, rods, [](const BasicRodView<Real>& rod, int i) {
    const double inverse_rest = rod.array(field::inverse_rest_length)[i];
    const double natural = rod.array(field::natural_stretch)[i];
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const Vec3 strain = inverse_rest * directors(rod.quaternion(i)).to_body(edge) - Vec3{0, 0, natural};
    return 0.5 *
           (rod.array(field::shear_stiffness)[i] * (strain.x * strain.x + strain.y * strain.y) +
            rod.array(field::stretch_stiffness)[i] * strain.z * strain.z) /
           (inverse_rest * rod.section_value(natural, 1.0));
  });
}

/// Correction to natural_shear_energy for sections unlike about d1 and d2, J.
template <class Team, class Real>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION double second_natural_shear_energy(const Team& team,
                                                                            const BasicRodView<Real>& member,
                                                                            const Rods& rods) {
  return detail::sum_over_elements(team, member, rods, [](const BasicRodView<Real>& rod, int i) {
    const double inverse_rest = rod.array(field::inverse_rest_length)[i];
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const double strain = inverse_rest * directors(rod.quaternion(i)).to_body(edge).y;
    const Vec3 stiffness = rod.shear_stretch_stiffness(i);
    return 0.5 * (stiffness.y - stiffness.x) * strain * strain /
           (inverse_rest * rod.section_value(rod.array(field::natural_stretch)[i], Real(1)));
  });
}

/// The energy of shear and stretch of a member whose sections narrow and keep an energy as they do,
/// 1/2 sum sigma S sigma l_hat/e, whatever its natural lengths and sections, J.
template <class Team, class Real>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION double narrowed_shear_energy(const Team& team,
                                                                      const BasicRodView<Real>& member,
                                                                      const Rods& rods) {
  return detail::sum_over_elements(team, member, rods, [](const BasicRodView<Real>& rod, int i) {
    const double inverse_rest = rod.array(field::inverse_rest_length)[i];
    const double natural = rod.array(field::natural_stretch)[i];
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const Vec3 strain = inverse_rest * directors(rod.quaternion(i)).to_body(edge) - Vec3{0, 0, natural};
    const Vec3 stiffness = rod.shear_stretch_stiffness(i);
    return 0.5 *
           (stiffness.x * strain.x * strain.x + stiffness.y * strain.y * strain.y +
            stiffness.z * strain.z * strain.z) /
           (inverse_rest * inverse_rest * math::sqrt(dot(edge, edge)));
  });
}

/// Potential of the laws on single rods of a member, J. Apart from take_sample, as few members have any.
template <class Team, class Real>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION double law_potential(const Team& team,
                                                              const BasicRodView<Real>& member,
                                                              const Rods& rods) {
  double total = 0.0;
  for (const RodData& rod : rods) total += rod.forces.potential(team, rod.part(member));
  return total;
}

}  // namespace rodeo
