#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// Weight of every node, m g.
struct Gravity {
  Vec3 acceleration;  ///< m/s^2

  static Gravity of(const MemberSpec& spec) { return {spec.load.gravity}; }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return dot(acceleration, acceleration) > 0.0; }

  /// Sets, not adds: the sum of all forces begins with gravity.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set(const Team& team, const BasicRodView<Real>& rod) const {
    const Real* const mass = rod.array(field::mass);
    const BasicVec3Array<Real> force = rod.vec3_array(field::external_force);
    const auto g = static_cast<BasicVec3<Real>>(acceleration);
    for_each_lane(team, rod.node_lanes(), [=](int i) { force.set(i, mass[i] * g); });
  }
};

}  // namespace rodeo::forces
