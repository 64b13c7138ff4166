#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::boundary {

/// A closed rod: node n is node 0, and element n is element 0 with its frame turned about d3 by the seam, so
/// that a twist that is not a whole number of turns goes on smoothly from element n - 1 to it. Region n - 1
/// stands across the seam. Node n is a ghost of node 0, with its mass, gain and loads, so that it moves
/// alike. The entries beyond the ends are ghosts too: laws and kicks find at the seam what they find
/// elsewhere.
struct Closure {
  bool closed = false;
  Quaternion seam;  ///< frame n = frame 0 * seam, a turn about d3

  /// Entry -1 of an array over elements is that of the last element, entry n that of the first.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void fill_ghost_elements(Real* values, int elements) {
    values[-1] = values[elements - 1];
    values[elements] = values[0];
  }

  /// Nodes -1, n and n + 1 and element n are nodes n - 1, 0 and 1 and element 0.
  template <class Real>
  KOKKOS_INLINE_FUNCTION void fill_ghosts(const BasicRodView<Real>& rod) const {
    const int n = rod.elements;
    rod.set_vec3(field::position, -1, rod.vec3(field::position, n - 1));
    rod.set_vec3(field::position, n, rod.vec3(field::position, 0));
    rod.set_vec3(field::position, n + 1, rod.vec3(field::position, 1));
    rod.set_vec3(field::velocity, n, rod.vec3(field::velocity, 0));
    rod.set_quaternion(n, rod.quaternion(0) * seam);
  }

  /// Forces of elements -1 and n; the couples of region -1 are those of region n - 1, in the frame of element
  /// 0.
  template <class Real>
  KOKKOS_INLINE_FUNCTION void fill_ghost_loads(const BasicRodView<Real>& rod) const {
    for (int c = 0; c < 3; ++c) fill_ghost_elements(rod.array(field::internal_force, c), rod.elements);
    const Directors across = directors(seam);
    for (const int f : {field::bend_couple, field::transport_couple})
      rod.set_vec3(f, -1, across.to_laboratory(rod.vec3(f, rod.elements - 1)));
  }

  /// Before laws that add to elements: the force on each node, node n among them, stays with node 0 alone.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void clear_ghost_force(const BasicRodView<Real>& rod) {
    rod.set_vec3(field::external_force, rod.elements, {});
  }

  /// After them: the sum of the forces on node 0 and on its ghost is that of both.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void add_ghost_force(const BasicRodView<Real>& rod) {
    const Vec3 sum = rod.vec3(field::external_force, 0) + rod.vec3(field::external_force, rod.elements);
    rod.set_vec3(field::external_force, 0, sum);
    rod.set_vec3(field::external_force, rod.elements, sum);
  }
};

}  // namespace rodeo::boundary
