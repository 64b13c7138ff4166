#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// Weight of every node, m g.
struct Gravity {
  Vec3 acceleration;  ///< m/s^2

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return dot(acceleration, acceleration) > 0.0; }

  /// The first law of all, which needs no force to add to.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void set(const Team& team, const RodView& rod) const {
    const double* const mass = rod.array(field::mass);
    const Vec3Array force = rod.vec3_array(field::external_force);
    const Vec3 g = acceleration;
    for_each_lane(team, node_lanes(rod.elements), [=](int i) { force.set(i, mass[i] * g); });
  }
};

}  // namespace rodeo::forces
