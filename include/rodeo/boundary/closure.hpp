#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::boundary {

/// Continues an array over the elements of a closed rod across its seam: what reads the neighbours of node 0
/// or of node n then finds them.
template <class Team>
KOKKOS_INLINE_FUNCTION void continue_elements(const Team& team, const RodView& rod, int f,
                                              int component = 0) {
  double* const values = rod.array(f, component);
  once(team, [=] {
    values[-1] = values[rod.elements - 1];
    values[rod.elements] = values[0];
  });
}

/// A closed rod: node n is node 0, and element n is element 0 with its frame turned about d3 by the seam, so
/// that a twist that is not a whole number of turns goes on smoothly from element n - 1 to it. Region n - 1
/// stands across the seam. Node n is a copy: whatever acts on node 0 acts on it alike. Neighbours beyond the
/// ends are copies too, so all laws and kicks find at the seam what they find elsewhere.
struct Closure {
  bool closed = false;
  Quaternion seam;  ///< frame n = frame 0 * seam, a turn about d3

  /// Nodes -1, n and n + 1 and element n as nodes n - 1, 0 and 1 and element 0 are.
  KOKKOS_INLINE_FUNCTION void copy_state(const RodView& rod) const {
    const int n = rod.elements;
    rod.set_vec3(field::position, -1, rod.vec3(field::position, n - 1));
    rod.set_vec3(field::position, n, rod.vec3(field::position, 0));
    rod.set_vec3(field::position, n + 1, rod.vec3(field::position, 1));
    rod.set_vec3(field::velocity, n, rod.vec3(field::velocity, 0));
    rod.set_quaternion(n, rod.quaternion(0) * seam);
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void continue_state(const Team& team, const RodView& rod) const {
    if (closed) once(team, [&] { copy_state(rod); });
  }

  /// Before bend_and_twist, whose last region reads the length of element n.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void continue_lengths(const Team& team, const RodView& rod) const {
    if (closed) continue_elements(team, rod, field::length);
  }

  /// Forces of the elements -1 and n, and the couples of region -1, which is region n - 1 in the frame of
  /// element 0.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void continue_loads(const Team& team, const RodView& rod) const {
    if (!closed) return;
    for (int c = 0; c < 3; ++c) continue_elements(team, rod, field::internal_force, c);
    once(team, [&] {
      const Directors across = directors(seam);
      for (const int f : {field::bend_couple, field::transport_couple})
        rod.set_vec3(f, -1, across.to_laboratory(rod.vec3(f, rod.elements - 1)));
    });
  }
};

}  // namespace rodeo::boundary
