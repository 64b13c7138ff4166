#pragma once

#include <Kokkos_Core.hpp>

#include "rodeo/forces/surface_bits.hpp"
#include "rodeo/forces/wall.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// Surfaces that rods may touch: a plane, spheres and cylinders, all of one material. As a law each responds
/// to the forces of those before it too.
struct Ground {
  Wall wall;
  bool has_plane = false;
  Plane plane;
  int solid_count = 0;
  Kokkos::Array<RoundSurface, most_solids> solids;

  /// Ground with its surfaces, whether they act by this law or by springs.
  static Ground surfaces_of(const MemberSpec& spec);
  /// Ground as a law: without surfaces if they act by springs (FurtherGround).
  static Ground of(const MemberSpec& spec);

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return has_plane || solid_count > 0; }
  template <class Reach>
  KOKKOS_INLINE_FUNCTION bool acts(double time, const Reach& reach) const {
    return reach.has_any() && acts(time);
  }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  template <class Team, class Real, class Rods, class Reach = EverythingInReach>
  KOKKOS_INLINE_FUNCTION void answer(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                     double, const Reach& reach = {}) const {
    if (!reach.has_any()) return;
    for_each_surface(reach, [&](const auto& surface, int bit) {
      wall.add(surface, team, rod, rods, reach.elements(bit));
    });
  }

  /// Energy of the springs, k_w depth^2/2 of each element and surface, J. The rest of the wall's response,
  /// which carries a load at any depth, has no energy.
  template <class Team, class Real, class Reach>
  KOKKOS_INLINE_FUNCTION double energy(const Team& team, const BasicRodView<Real>& rod,
                                       const Reach& reach) const {
    if (!reach.has_any()) return 0.0;
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    double squares = 0.0;
    reduce_lanes(
        team, rod.elements,
        [&](int i, double& sum) {
          const double length = norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
          const double at_rest = inverse_rest_length[i];
          const double radius = contact_radius[i] * math::sqrt(rod.section_value(1.0 / length, at_rest));
          const tangent::Capsule element = capsule(rod, i, radius);
          for_each_surface(reach,
                           [&](const auto& surface, int) { sum += tangent::touch(surface, element).square; });
        },
        squares);
    return 0.5 * wall.stiffness * squares;
  }

  /// Largest depth of an element of that radius in any surface in reach, m; negative above all.
  template <class Real, class Reach>
  KOKKOS_INLINE_FUNCTION double depth(const BasicRodView<Real>& rod, int element, double radius,
                                      const Reach& reach) const {
    double deepest = -1e300;
    for_each_surface(reach, [&](const auto& surface, int) {
      const double depth = -tangent::gap(surface, capsule(rod, element, radius));
      deepest = depth > deepest ? depth : deepest;
    });
    return deepest;
  }

 private:
  template <class Real>
  KOKKOS_INLINE_FUNCTION static tangent::Capsule capsule(const BasicRodView<Real>& rod, int element,
                                                         double radius) {
    return tangent::Capsule::tapered(rod.vec3(field::position, element),
                                     rod.vec3(field::position, element + 1), radius,
                                     static_cast<double>(rod.array(field::half_taper)[element]));
  }

  /// Calls visit(surface, bit) for surfaces in reach.
  template <class Reach, class Visit>
  KOKKOS_INLINE_FUNCTION void for_each_surface(const Reach& reach, const Visit& visit) const {
    if (has_plane && reach.has(surface_bit::plane)) visit(plane, surface_bit::plane);
    for (int k = 0; k < solid_count; ++k) {
      if (reach.has(surface_bit::solids + k)) visit(solids[k], surface_bit::solids + k);
    }
  }
};

}  // namespace rodeo::forces
