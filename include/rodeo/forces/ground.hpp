#pragma once

#include <Kokkos_Core.hpp>

#include "rodeo/forces/wall.hpp"
#include "rodeo/input/member_spec.hpp"

namespace rodeo::forces {

/// What the rod may touch: a plane, spheres and cylinders, all of one material. Each answers the forces of
/// those before it too.
struct Ground {
  Wall wall;
  bool has_plane = false;
  Plane plane;
  int solid_count = 0;
  Kokkos::Array<RoundSurface, most_solids> solids;

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return has_plane || solid_count > 0; }

  /// `rods` are those of the member `rod`.
  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, const Rods& rods) const {
    if (has_plane) wall.add(plane, team, rod, rods);
    for (int k = 0; k < solid_count; ++k) wall.add(solids[k], team, rod, rods);
  }
};

}  // namespace rodeo::forces
