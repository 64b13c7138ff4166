#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// A steady force at mid-length, in the laboratory frame: on the middle node, or half on each of the middle
/// element's. Small and across the rod, it is the imperfection that lets a twisted rod buckle.
struct MiddleForce {
  Vec3 force;  ///< N

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return dot(force, force) > 0.0; }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const RodView& rod, double) const {
    once(team, [&] {
      for (const int i : {rod.elements / 2, (rod.elements + 1) / 2}) {
        rod.set_vec3(field::external_force, i, rod.vec3(field::external_force, i) + 0.5 * force);
      }
    });
  }
};

}  // namespace rodeo::forces
