#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::boundary {

/// An end that slides along an axis: its velocity across the axis is zero; its directors are not its concern.
struct PinnedSliding {
  Vec3 axis;  ///< unit vector
  bool first = false;
  bool last = false;

  KOKKOS_INLINE_FUNCTION bool acts() const { return first || last; }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void constrain(const Team& team, const BasicRodView<Real>& rod) const {
    if (!acts()) return;
    once(team, [&] {
      if (first) constrain_node(rod, 0);
      if (last) constrain_node(rod, rod.elements);
    });
  }

 private:
  template <class Real>
  KOKKOS_INLINE_FUNCTION void constrain_node(const BasicRodView<Real>& rod, int i) const {
    for (const int f : {field::velocity, field::middle_velocity}) {
      rod.set_vec3(f, i, dot(rod.vec3(f, i), axis) * axis);
    }
  }
};

}  // namespace rodeo::boundary
