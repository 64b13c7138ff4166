#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/law/shear_stretch.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/observe/sample.hpp"

namespace rodeo {

namespace detail {

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
KOKKOS_INLINE_FUNCTION void add_element(const BasicRodView<Real>& rod, int i, bool sections_have_energy,
                                        ElementSums& s) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Directors d = directors(rod.quaternion(i));
  const double dilatation = rod.section_value(norm(edge) * rod.array(field::inverse_rest_length)[i], 1.0);
  const Vec3 rate = rod.vec3(field::angular_velocity, i);
  const Vec3 spin = (1.0 / dilatation) * scaled(rod.inertia(i), rate);
  s.rotational_energy += 0.5 * dot(spin, rate);
  s.spin = s.spin + d.to_laboratory(spin);
  s.shear_energy += law::stored_in_element(rod, i, d.to_body(edge), sections_have_energy).energy();
}

/// Square of the rate at which a node moves, over the length of its element, 1/s^2.
template <class Real>
KOKKOS_INLINE_FUNCTION double squared_move_rate(const BasicRodView<Real>& rod, int i) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const Vec3 velocity = rod.vec3(field::velocity, i + 1);
  return dot(velocity, velocity) / dot(edge, edge);
}

/// Bend and twist energy of a region.
template <class Real>
KOKKOS_INLINE_FUNCTION void add_region(const BasicRodView<Real>& rod, int i, double dilatation,
                                       RegionSums& s) {
  const auto law = law::BendTwist<double>::of(rod, i);
  const law::Elastic<double> elastic =
      law.at(rotation_vector(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1)),
             rod.section_value(dilatation, 1.0));
  s.bend_energy += elastic.energy_across() / law.inverse_rest_voronoi;
  s.twist_energy += elastic.energy_along() / law.inverse_rest_voronoi;
}

/// The half region at an end, which has no stiffness where there is no clamp.
template <class Real>
KOKKOS_INLINE_FUNCTION void add_half_region(const BasicRodView<Real>& rod, int i, int element,
                                            RegionSums& s) {
  const Vec3 edge = rod.vec3(field::position, element + 1) - rod.vec3(field::position, element);
  add_region(rod, i, norm(edge) * rod.array(field::inverse_rest_length)[element], s);
}

template <class Real>
KOKKOS_INLINE_FUNCTION void add_whole_region(const BasicRodView<Real>& rod, int i, RegionSums& s) {
  const Vec3 node = rod.vec3(field::position, i + 1);
  const double length =
      norm(node - rod.vec3(field::position, i)) + norm(rod.vec3(field::position, i + 2) - node);
  add_region(rod, i, 0.5 * rod.array(field::inverse_rest_voronoi)[i] * length, s);
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
                                    double step, bool sections_have_energy, RodSample& total) {
  const int elements = rod.elements;
  const bool closed = data.closure.closed;
  const int first = data.shares_first_node ? 1 : 0;
  total += sum_lanes<NodeSums>(team, (closed ? elements : elements + 1) - first,
                               [=](int i, NodeSums& sum) { add_node(rod, first + i, sum); });
  total += sum_lanes<ElementSums>(
      team, elements, [=](int i, ElementSums& sum) { add_element(rod, i, sections_have_energy, sum); });
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
/// of a member; `sections_have_energy` where they shrink and keep one. Rods are only read; kernels give them
/// as views that could write, as the compiler would contract the sums over const ones otherwise: results keep
/// their bits.
template <class Team, class Real>
KOKKOS_INLINE_FUNCTION RodSample take_sample(const Team& team, const BasicRodView<Real>& member,
                                             const Rods& rods, double step,
                                             bool sections_have_energy = false) {
  RodSample sample;
  for (const RodData& rod : rods)
    detail::add_rod(team, rod.part(member), rod, step, sections_have_energy, sample);
  sample.angular_momentum = sample.angular_momentum + sample.spin;
  return sample;
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
