#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// A force at mid-length while time < duration: an imperfection that chooses the middle for a localised
/// buckle, where a rod without one stays straight beyond its instability for ever.
struct MiddleForce {
  Vec3 force;             ///< N
  double duration = 0.0;  ///< s

  static MiddleForce of(const MemberSpec& rod) {
    return {rod.load.middle_force, rod.load.perturbation_duration};
  }

  KOKKOS_INLINE_FUNCTION bool acts(double time) const { return dot(force, force) > 0.0 && time < duration; }
  double steady_from() const { return norm(force) > 0.0 ? duration : 0.0; }
  static constexpr bool does_work() { return false; }

  /// Half on each of the two middle nodes; with an even number of elements they are one.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    once(team, [&] {
      for (const int i : {rod.elements / 2, (rod.elements + 1) / 2}) {
        rod.set_vec3(field::external_force, i, rod.vec3(field::external_force, i) + 0.5 * force);
      }
    });
  }
};

}  // namespace rodeo::forces
